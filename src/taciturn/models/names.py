"""What a model protects by name, and the written forms of it, from the knowledge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from taciturn.document import Document
from taciturn.knowledge import Knowledge, Taxonomy, UnknownTermError
from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.taxonomies.base import Node
from taciturn.knowledge.understood import Understood, understood
from taciturn.language import Key, analyze, key
from taciturn.language.keys import is_ordinary
from taciturn.language.lexicon import LEXICON
from taciturn.language.tagger import load_weights
from taciturn.models.base import Model, as_terms
from taciturn.models.csanitized.model import CSanitized
from taciturn.models.denied import Denied
from taciturn.models.detecting import Detecting
from taciturn.models.excepting import Excepting
from taciturn.models.informative import Related
from taciturn.models.ksafe import KSafe
from taciturn.models.person import PersonRelease
from taciturn.models.tplausible import TPlausible
from taciturn.secondreader import Form, Forms, form_of, forms_of

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
_TOO_SHORT = 2  # letters of a name that may always be something else
_SHORT = 5  # letters from which a key in small letters is no abbreviation
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
    if isinstance(model, KSafe):
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
    [('Grace van Beethoven', 'name'), ('Grace', 'homograph'), ('Beethoven', 'removed')]
    """
    yield Form(name, of=(name,))
    parts = [p for p in _PART.findall(name) if len(p) > 1 and p.casefold() not in _NAMELESS]
    if len(parts) > 1:
        yield from (Form(p, "homograph" if is_ordinary(p.lower()) else "removed", (name,)) for p in parts)


def _is_person(name: str) -> bool:
    """Is this, by itself, the name of a person of more than one word?"""
    found = analyze(Document.of(name)).terms
    return " " in name and [(t.text, t.kind) for t in found] == [(name, "person")]


def understood_by(models: Iterable[Model], knowledge: Knowledge) -> tuple[Understood, ...]:
    """What models understand by the concepts that they protect, each once; persons and denied strings are none.

    C-sanitized asks all witnesses, the other models counts and taxonomies.

    >>> [found] = understood_by([CSanitized(protect=["tb"])], Knowledge.default())
    >>> found.labels
    ('tuberculosis',)
    """
    found: dict[str, tuple[Understood, ...]] = {}
    for model in models:
        asked = knowledge if isinstance(inner_model(model), CSanitized) else knowledge.of_counts
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
    try:
        own = knowledge.entity(name)
    except UnknownTermError:
        own = key(name)
    # Who says "aids" and means the disease does not mean hearing aids.
    is_meant = own == key(name) or not is_ordinary(key(name))
    yield form_of(name, what.name) if is_meant else Form(name, "homograph", (what.name,))
    for taxonomy in knowledge.taxonomies:
        for sense in taxonomy.senses(own)[:1]:
            for node in (sense, *(taxonomy.descendants(sense) if what.kinds else ())):
                for text in map(_as_written, taxonomy.keys(node)):
                    if _is_homograph(text, node, taxonomy, knowledge):
                        # What a kind may be called is decided by that kind's other names, not by its relatives'.
                        yield Form(text, "homograph", (what.name, node.label) if node is sense else (node.label,))
                    else:
                        yield form_of(text, what.name, node.label)


def _as_written(text: Key) -> Key:
    """A short key in the capitals that texts write it with: "psa" is PSA."""
    if " " in text or len(text) >= _SHORT or not text.islower():
        return text
    weights = load_weights()
    row = weights.rows.get(text)
    return text if row is None or weights.capitals[row] < _MOSTLY else Key(text.upper())


def _is_homograph(form: Key, node: Node, own: Taxonomy, knowledge: Knowledge) -> bool:
    if sum(map(str.isalnum, form)) <= _TOO_SHORT:
        return True
    if " " in form or not form.islower():
        return False
    if is_ordinary(form):
        return True
    return any(s.id != node.id for s in own.senses(form)[:1]) or any(
        s.label != node.label and not set(t.keys(s)) & set(own.keys(node))
        for t in knowledge.taxonomies
        if t is not own
        for s in t.senses(form)[:1]
    )


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
    counts, taxonomies = knowledge.counts, knowledge.taxonomies  # what is kept must not keep the knowledge itself

    @cache
    def is_word(word: str) -> bool:
        row = weights.rows.get(word)
        if row is not None:
            return bool(weights.capitals[row] < _MOSTLY) or is_ordinary(word)
        name = key(word)
        return bool(counts.count(name)) or any(t.senses(name) for t in taxonomies) or is_ordinary(word)

    return _WORDS.get(knowledge, None, lambda: is_word)
