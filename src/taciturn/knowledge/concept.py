"""From a text as people write it to the concept that it names: the one place where words become keys of knowledge.

People write "hiv" for HIV, "Catholicism" for a key in small letters, "aids" for AIDS. A text is tried as it stands, in
capitals, in small letters and as a title. As it stands comes first, with one exception: if that is an everyday word
("aid") and the form in capitals is a professional term ("AIDS"), the term is taken, and a note names the other reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import TYPE_CHECKING

from taciturn.errors import KnowledgeError
from taciturn.knowledge.taxonomies.base import Node, Taxonomy
from taciturn.knowledge.taxonomies.flags import GENERAL, PROFESSIONAL
from taciturn.language.keys import Key, key

if TYPE_CHECKING:
    from taciturn.knowledge.base import Knowledge

__all__ = ["Concept", "UnknownTermError", "candidates", "find", "shortened", "similar", "understand"]

_LETTERS = 3  # that a misspelled word and the word meant have in common at the start
_LOOKED_AT = 5000  # keys that are compared with an unknown one
_ALIKE = 0.7  # ratio of letters in common from which a key is suggested
_SUGGESTED = 3


class UnknownTermError(KnowledgeError, ValueError):
    """A name that is not in the knowledge. The message quotes it and suggests similar names."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What was understood by a text.

    ``label`` is its name in the source and ``key`` its key in the counts. ``source`` is the taxonomy that has it, empty
    for a word of the corpus that no taxonomy has. ``synonyms`` are its other keys there, ``kinds`` the number of
    concepts below it, ``count`` the number of contexts that mention it or a kind of it. ``notes`` tell other readings.
    """

    text: str
    key: Key
    label: str
    source: str
    synonyms: tuple[Key, ...]
    kinds: int
    count: int
    notes: tuple[str, ...] = ()


def candidates(text: str, knowledge: Knowledge) -> tuple[Key, ...]:
    """The keys that a text may mean, the likeliest first, whether the knowledge knows them or not.

    >>> from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
    >>> diseases = EdgeTaxonomy("diseases", [("AIDS", "disease")], flags=["professional"])
    >>> knowledge = Knowledge(ContextCounts([{"AIDS"}, {"aid"}], [diseases]), (diseases,))
    >>> candidates("aids", knowledge), candidates("hiv", knowledge)
    (('AIDS', 'aid'), ('hiv', 'HIV'))
    """
    tried = dict.fromkeys(k for k in (key(text), key(text.upper()), key(text.lower()), key(text.title())) if k)
    keys = tuple(tried)
    if len(keys) > 1 and not is_term(keys[0], knowledge):
        terms = [k for k in keys[1:] if k != k.lower() and is_term(k, knowledge)]
        return (*terms, *(k for k in keys if k not in terms))
    return keys


def _candidates(text: str, knowledge: Knowledge) -> tuple[Key, ...]:
    if not (found := candidates(text, knowledge)):
        raise UnknownTermError(f"{text!r} has no word that could be looked up; name a term")
    return found


def is_term(name: Key, knowledge: Knowledge) -> bool:
    """Is a key a term of a profession: known to such a taxonomy, itself or by a synonym in the general vocabulary?

    WordNet alone has "TB", with "tuberculosis" as a synonym, which a taxonomy of diseases knows.
    """
    names = {name}
    for taxonomy in knowledge.taxonomies:
        if GENERAL in taxonomy.flags:
            names.update(taxonomy.synonyms(name))
    listed = sorted(names)
    return any(any(t.knows(listed)) for t in knowledge.taxonomies if PROFESSIONAL in t.flags)


def find(text: str, knowledge: Knowledge) -> Key:
    """The key under which the counts know what a text names.

    Raises :class:`UnknownTermError` where they have no figures for it.

    >>> from taciturn.knowledge import ContextCounts, Knowledge
    >>> find("hiv", Knowledge(ContextCounts([{"HIV"}])))
    'HIV'
    """
    tried = _candidates(text, knowledge)
    for candidate in tried:
        if knowledge.counts.count(candidate):
            return candidate
    if any(knowledge.taxonomy_of(candidate) for candidate in tried):
        above = next((wider[0] for candidate in tried if (wider := knowledge.above(candidate))), None)
        raise UnknownTermError(
            f"the knowledge has no figures for {text!r}: its corpus never mentions it; name a more general entity"
            f"{f' ({above!r})' if above else ''}, or build a pack in which it occurs"
        )
    raise UnknownTermError(
        f"the knowledge has no figures for {text!r}{_suggestion(text, knowledge)}; "
        "check the spelling, name a more general entity, or build a pack in which it occurs"
    )


def understand(text: str, knowledge: Knowledge) -> Concept:
    """The concept that a text names. Raises :class:`UnknownTermError` where neither counts nor taxonomies know it.

    >>> from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
    >>> general = EdgeTaxonomy("words", [("aid", "activity")], flags=["general"])
    >>> diseases = EdgeTaxonomy("diseases", [("AIDS", "disease")], flags=["professional"])
    >>> knowledge = Knowledge(ContextCounts([{"AIDS"}, {"aid"}]), (diseases, general))
    >>> concept = understand("aids", knowledge)
    >>> concept.label, concept.source, concept.notes
    ('AIDS', 'diseases', ("'aids' may also be the noun 'aid'",))
    """
    tried = _candidates(text, knowledge)
    counted = dict(zip(tried, knowledge.counts.table([], tried)[0].tolist(), strict=True))
    placed = {k: t for k in tried if (t := knowledge.taxonomy_of(k)) is not None}
    known = [k for k in tried if counted[k] or k in placed]
    if not known:
        raise UnknownTermError(
            f"the knowledge does not know {text!r}{_suggestion(text, knowledge)}; "
            "check the spelling, or call it otherwise"
        )
    # What has figures is preferred: the rest can be named, but not weighed.
    name = next((k for k in known if counted[k]), known[0])
    notes = [f"{text!r} may also be {_reading(k, placed.get(k))}" for k in known if k != name]
    taxonomy = placed.get(name)
    if taxonomy is None:
        return Concept(text, name, name, "", (), 0, counted[name], tuple(notes))
    sense, *others = taxonomy.senses(name)
    if name.isupper() and others:
        notes.append(f"{name!r} may also stand for {_listed(dict.fromkeys(n.label for n in others))}")
    kinds = sum(1 for _ in taxonomy.descendants(sense))
    synonyms = tuple(k for k in taxonomy.keys(sense) if k != name)
    return Concept(text, name, sense.label, taxonomy.name, synonyms, kinds, counted[name], tuple(notes))


def _reading(name: Key, taxonomy: Taxonomy | None) -> str:
    """Another reading in words: "the noun 'aid'", "the word 'add'", "'myocardial infarction' (diseases)"."""
    if taxonomy is None:
        return f"the word {name!r}"
    first: Node = taxonomy.senses(name)[0]
    if GENERAL not in taxonomy.flags:
        return f"{first.label!r} ({taxonomy.name})"
    return f"the noun {name!r}" + (f" ({first.label})" if key(first.label) != name else "")


def similar(text: str, knowledge: Knowledge) -> tuple[Key, ...]:
    """Known keys that an unknown text may be a misspelling or a short form of, the likeliest first.

    >>> from taciturn.knowledge import ContextCounts, Knowledge
    >>> knowledge = Knowledge(ContextCounts([{"hepatitis c", "syphilis", "heparin"}]))
    >>> similar("hep C", knowledge), similar("Syphillis", knowledge), similar("table", knowledge)
    (('hepatitis c',), ('syphilis',), ())
    """
    name = key(text)
    starts = dict.fromkeys(s[:_LETTERS] for s in (name, name.lower(), name.upper()))
    near: dict[Key, float] = {}
    for start in starts if name else ():
        for listed in (knowledge.counts.starting(start), *(t.starting(start) for t in knowledge.taxonomies)):
            for known in islice(listed, _LOOKED_AT):
                if known not in near and (score := _likeness(name.lower(), known.lower())) >= _ALIKE:
                    near[known] = score
    counts = knowledge.counts.table([], list(near))[0].tolist() if near else []
    ranked = sorted(zip(near, counts, strict=True), key=lambda pair: (-near[pair[0]], -pair[1], pair[0]))
    return tuple(known for known, _ in ranked[:_SUGGESTED])


def shortened(text: str, knowledge: Knowledge) -> Key | None:
    """The key of which a text shortens words, if it can be only one: "hep c" is hepatitis C.

    >>> from taciturn.knowledge import ContextCounts, Knowledge
    >>> knowledge = Knowledge(ContextCounts([{"hepatitis c", "hepatic cyst", "hepatitis b"}]))
    >>> shortened("hep C", knowledge)
    'hepatitis c'
    """
    words = key(text).lower().split(" ")
    fitting = [k for k in similar(text, knowledge) if _shortens(words, k.lower().split(" "))]
    return fitting[0] if len(fitting) == 1 else None


def _shortens(words: Sequence[str], full: Sequence[str]) -> bool:
    """Is each word the other's, or the first letters of it, three at least?"""
    return len(words) == len(full) > 1 and all(
        w == f or (len(w) >= _LETTERS and f.startswith(w)) for w, f in zip(words, full, strict=True)
    )


def _likeness(name: str, known: str) -> float:
    """How much of two names is the same, from 0 to 1. Words that begin those of a phrase ("hep c") are alike."""
    words, others = name.split(" "), known.split(" ")
    if len(words) == len(others) > 1 and all(o.startswith(w) for w, o in zip(words, others, strict=True)):
        written = sum(len(w) / len(o) for w, o in zip(words, others, strict=True)) / len(words)
        return _ALIKE + (1 - _ALIKE) * written
    matcher = SequenceMatcher(None, name, known, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE else 0.0


def _suggestion(text: str, knowledge: Knowledge) -> str:
    near = similar(text, knowledge)
    return f" (did you mean {_listed(near, 'or')}?)" if near else ""


def _listed(names: Iterable[str], last: str = "and") -> str:
    *most, end = map(repr, names)
    return f"{', '.join(most)} {last} {end}" if most else end
