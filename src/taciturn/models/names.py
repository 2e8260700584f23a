"""What a model protects by name, and the written forms of it, from the knowledge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.understood import Understood, understood
from taciturn.language import analyze, key
from taciturn.language.keys import is_ordinary
from taciturn.language.lexicon import LEXICON
from taciturn.language.tagger import load_weights
from taciturn.models.base import Model, as_terms
from taciturn.models.csanitized.model import CSanitized
from taciturn.models.denied import Denied
from taciturn.models.detecting import Detecting
from taciturn.models.excepting import Excepting
from taciturn.models.indistinct import Indistinct
from taciturn.models.informative import Related
from taciturn.models.ksafe import KSafe
from taciturn.models.person import PersonRelease
from taciturn.models.tplausible import TPlausible
from taciturn.models.written import concept_forms
from taciturn.secondreader import Form, Forms, How, forms_of

__all__ = [
    "Protected",
    "index",
    "inner_model",
    "person_forms",
    "protected",
    "understood_by",
    "word_test",
    "written_forms",
]

_PART = re.compile(r"[^\W\d_]+")
_LONG = 7  # letters of a part of a name in which one may be wrong
_CLIPPING = 5  # letters of a word in the names of conditions that may be short for a longer one
_MOSTLY = 128  # of 255 parts of a word's mentions that have a capital
_NAMELESS = LEXICON.word_set("names.nameless")


class Protected(NamedTuple):
    """What a model protects by name. ``kinds``: and everything that is a kind of it; ``person``: the parts of the name
    give the person away as well."""

    name: str
    kinds: bool = True
    person: bool = False


_WORDS: KnowledgeCache[None, Callable[[str], bool]] = KnowledgeCache(most=1)
_FORMS: KnowledgeCache[tuple[Protected, ...], Forms] = KnowledgeCache(most=64)


def inner_model(model: Model) -> Model:
    """The model itself, out of what a policy or a detector wraps it in."""
    return inner_model(model.model) if isinstance(model, Excepting | Detecting) else model


def protected(model: Model) -> tuple[Protected, ...]:
    """What a model protects by name; nothing for one that goes by kinds of terms or by figures alone.

    Every model that has ``protect`` protects what it names there, those of other packages too.

    >>> from taciturn.models import CSanitized, Informative
    >>> protected(CSanitized(protect=["HIV"])), protected(Informative(beta=9.5))
    ((Protected(name='HIV', kinds=True, person=False),), ())
    """
    model = inner_model(model)
    if isinstance(model, Denied):
        return (*(Protected(t, kinds=False) for t in model.protect), *map(Protected, model.branches))
    if isinstance(model, TPlausible):
        return _unsaid(model)
    found = [
        Protected(name, person=isinstance(model, PersonRelease)) for name in as_terms(getattr(model, "protect", ()))
    ]
    if isinstance(model, Related) and isinstance(model.beta, str):
        found.append(Protected(model.beta))
    if isinstance(model, KSafe | Indistinct):
        found += map(Protected, model.branches)
    return tuple(found)


def _unsaid(model: TPlausible) -> tuple[Protected, ...]:
    """The named terms that are shown as something else. Kinds of a term are not it: one of them may be what is shown.

    The least product may leave a term as it is, which the plan says.
    """
    if finders := model.finders:
        return tuple(dict.fromkeys(one for finder in finders for one in protected(finder)))
    solved = model.solved
    shown = {k for k, step in solved.shown.items() if step is None and k not in solved.redacted} if solved else set()
    return tuple(Protected(name, kinds=False) for name in model.named if key(name) not in shown)


def person_forms(name: str) -> Iterator[Form]:
    """The written forms of a person's name: the whole, and each part that says who it is.

    >>> [(form.text, form.how) for form in person_forms("Grace van Beethoven")]
    [('Grace van Beethoven', 'name'), ('Grace', 'homograph'), ('Beethoven', 'name')]
    """
    yield Form(name, of=(name,))
    parts = [p for p in _PART.findall(name) if len(p) > 1 and p.casefold() not in _NAMELESS]
    if len(parts) > 1:
        yield from (Form(p, _how(p), (name,)) for p in parts)


def _how(part: str) -> How:
    """How a part of a person's name is searched for: a long one also with a wrong letter."""
    if is_ordinary(part.lower()):
        return "homograph"
    return "name" if len(part) >= _LONG else "removed"


def _is_person(name: str) -> bool:
    """Is this, by itself, the name of a person of more than one word?"""
    found = analyze(Document.of(name)).terms
    return " " in name and [(t.text, t.kind) for t in found] == [(name, "person")]


def understood_by(models: Iterable[Model], knowledge: Knowledge) -> tuple[Understood, ...]:
    """What models understand by the concepts that they protect, each once; persons and denied strings are none.

    C-sanitized and Indistinct ask all witnesses, the other models counts and taxonomies.

    >>> [found] = understood_by([CSanitized(protect=["tb"])], Knowledge.default())
    >>> found.labels
    ('tuberculosis',)
    """
    found: dict[str, tuple[Understood, ...]] = {}
    for model in models:
        asked = knowledge if isinstance(inner_model(model), CSanitized | Indistinct) else knowledge.of_counts
        for what in protected(model):
            if what.kinds and what.name not in found and not (what.person or _is_person(what.name)):
                found[what.name] = understood(what.name, asked)
    return tuple(one for several in found.values() for one in several)


def written_forms(what: Protected, knowledge: Knowledge) -> Iterator[Form]:
    """The written forms of what is protected: its name, its synonyms, the names of its kinds, a person's parts.

    A single word whose likeliest meaning is another one is a homograph: "clap" for gonorrhea.
    """
    name = what.name
    if what.person or _is_person(name):
        yield from person_forms(name)
    yield from concept_forms(name, knowledge, kinds=what.kinds)


def index(names: tuple[Protected, ...], knowledge: Knowledge) -> Forms:
    """All written forms of what is protected, ready to be searched for.

    Made once for a knowledge: making an index takes longer than reading a text with it.
    """
    return _FORMS.get(knowledge, names, lambda: _made(names, knowledge))


def _made(names: tuple[Protected, ...], knowledge: Knowledge) -> Forms:
    return forms_of((f for name in names for f in written_forms(name, knowledge)), word_test(knowledge))


def word_test(knowledge: Knowledge) -> Callable[[str], bool]:
    """The test whether something in small letters is a word: one that the knowledge knows, or an everyday one.

    Words that texts mostly write in capitals are none in small letters: "hiv".
    """

    weights = load_weights()
    # What is kept must not keep the knowledge itself.
    counts, taxonomies = knowledge.counts, knowledge.taxonomies
    lexicon, relations = knowledge.lexicon, knowledge.relations

    @cache
    def is_word(word: str) -> bool:
        if is_ordinary(word):
            return True
        if len(word) > _CLIPPING and relations is not None and relations.has_word(word):
            return True
        row = weights.rows.get(word)
        if row is not None:
            return bool(weights.capitals[row] < _MOSTLY)
        name = key(word)
        if counts.count(name) or any(t.senses(name) for t in taxonomies):
            return True
        return lexicon is not None and bool(lexicon.lookup(name))

    return _WORDS.get(knowledge, None, lambda: is_word)
