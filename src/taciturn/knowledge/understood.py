"""What was understood by the words that name what must stay unsaid, for people to see before they rely on it.

A protected text becomes a concept, and what the knowledge has of it is what a release can hide: its names,
abbreviations and codes, those of its kinds, and the words that are related to it. Another meaning of the text is told,
and a text that the knowledge has nothing of is answered with better wordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.concept import Concept, UnknownTermError, similar
from taciturn.knowledge.matter import concepts_named, parts
from taciturn.knowledge.speaking import PART_OF_NAME, Testimony
from taciturn.language.keys import Key, key

if TYPE_CHECKING:
    from taciturn.knowledge.base import Knowledge
    from taciturn.knowledge.lexicon import Lexicon

__all__ = ["Covered", "Understood", "understood"]

OWN_WORDS = "its own words only"

_EXAMPLES = 5
_SOURCES = 2  # that are named where there is little room
_SELDOM = 0.05  # the chance of another meaning from which it is told
_OTHERS = 4  # other meanings of an abbreviation that are told
_GROUPS = {"abbreviation": "abbreviations", "code": "codes", PART_OF_NAME: "words of its names"}


@dataclass(frozen=True, slots=True)
class Covered:
    """One way in which a concept is spoken of ("codes"), how many expressions of it are known, and some of them."""

    what: str
    number: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Understood:
    """What was understood by a protected text.

    ``labels`` and ``kind`` are those of its concepts in ``sources``, which were found ``by`` the text as a name, by its
    words in another order or without modifiers; without a concept they are empty. ``contexts`` are those of the corpus
    that mention it. ``rests`` says what a guarantee for it rests on. ``others`` are meanings that were not taken,
    ``better`` other wordings of a text of which too little is known.
    """

    text: str
    entity: Key
    labels: tuple[str, ...]
    kind: str
    sources: tuple[str, ...]
    by: str
    contexts: int
    rests: tuple[str, ...]
    covered: tuple[Covered, ...]
    others: tuple[str, ...]
    better: tuple[str, ...]

    @property
    def is_thin(self) -> bool:
        """Does the guarantee rest on the words of the text alone?"""
        return self.rests == (OWN_WORDS,)

    @property
    def meaning(self) -> str:
        """The concept in words: "AIDS (condition; MONDO, MeSH and 3 more)"."""
        if not self.labels:
            return f"the words {self.text!r}, of which no source has a concept"
        more = len(self.sources) - _SOURCES
        listed = ", ".join(self.sources[:_SOURCES]) + (f" and {more} more" if more > 0 else "")
        about = "; ".join(filter(None, (self.kind, listed)))
        return f"{' and '.join(self.labels)}{f' ({about})' if about else ''}"

    @property
    def advice(self) -> tuple[str, ...]:
        """What the user may want to say otherwise, in sentences."""
        found = [f"did you mean something else? {'; '.join(self.others)}"] if self.others else []
        if self.by in ("a more general name", "the matters in it"):
            whole = " and ".join(map(repr, self.labels))
            found.append(f"{self.text!r} itself is in no source, so all of {whole} is protected")
        if self.better:
            found.append(f"did you mean {' or '.join(map(repr, self.better))}?")
        elif self.is_thin:
            found.append("nothing but its own words is known to speak of it; call it by a name that more people use")
        return tuple(found)

    def rows(self) -> list[tuple[str, str, str]]:
        """Where it is from, what it rests on and what is known, as rows for people: what, how many, examples."""
        known = [(c.what, f"{c.number:,}", ", ".join(c.examples)) for c in self.covered]
        sources = [("sources", "", ", ".join(self.sources))] if self.sources else []
        return [*sources, ("rests on", "", ", ".join(self.rests)), ("contexts", f"{self.contexts:,}", ""), *known]

    @property
    def line(self) -> str:
        """Everything in one line, without examples."""
        known = ", ".join(f"{c.what} {c.number:,}" for c in self.covered)
        said = f"{self.text!r} is understood as {self.meaning}, resting on {', '.join(self.rests)}"
        return "; ".join(filter(None, (said, known, *self.advice)))

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {**asdict(self), "advice": list(self.advice)}


_UNDERSTOOD: KnowledgeCache[str, tuple[Understood, ...]] = KnowledgeCache(most=256)


def understood(text: str, knowledge: Knowledge) -> tuple[Understood, ...]:
    """What is understood by a protected text: one value for each thing that it names.

    >>> from taciturn.knowledge import Knowledge
    >>> [one] = understood("aids", Knowledge.default())
    >>> one.labels, one.others
    (('AIDS', 'HIV infectious disease'), ("'aids' may also be the noun 'aid'",))
    >>> [one.entity for one in understood("hep c", Knowledge.default())]
    ['hepatitis c']
    """
    return _UNDERSTOOD.get(knowledge, text, lambda: tuple(_each(text, knowledge)))


def _each(text: str, knowledge: Knowledge) -> Iterator[Understood]:
    lexicon = knowledge.lexicon
    if lexicon is None:
        yield _by_taxonomy(text, knowledge)
        return
    for part in (text,) if lexicon.senses(text) else parts(text):
        yield _by_lexicon(part, knowledge.entity(part), lexicon, knowledge)


def _by_taxonomy(text: str, knowledge: Knowledge) -> Understood:
    """By counts and taxonomies, where there is no lexicon or a model does not ask it."""
    concept = _concept(text, knowledge)
    if concept is None:
        own = key(text)
        return Understood(text, own, (), "", (), OWN_WORDS, 0, (OWN_WORDS,), (), (), similar(text, knowledge))
    taxonomy = knowledge.taxonomy_of(concept.key)
    below = (n.label for n in taxonomy.descendants(taxonomy.senses(concept.key)[0])) if taxonomy else iter(())
    names = (concept.key, *concept.synonyms)
    covered = (_some("names", len(names), names), _some("kinds", concept.kinds, below))
    rests = (*(["counts"] if concept.count else []), *(["names"] if taxonomy else []))
    sources = (concept.source,) if concept.source else ()
    known = tuple(c for c in covered if c.number)
    return Understood(
        text, concept.key, (concept.label,), "", sources, "name", concept.count, rests, known, concept.notes, ()
    )


def _by_lexicon(text: str, entity: Key, lexicon: Lexicon, knowledge: Knowledge) -> Understood:
    """By all witnesses: the same that a model is told of the entity."""
    matter = concepts_named(entity, lexicon)
    concepts = [lexicon.concept(c) for c in matter.concepts]
    labels = tuple(dict.fromkeys(c.label for c in concepts))
    told = {k: t for k, t in knowledge.witnesses.speaking(entity).items() if concepts or k != entity}
    counted = knowledge.witnesses.counted(entity)
    contexts = knowledge.counts.count(counted) if counted is not None else 0
    witnesses = {t.witness for k, t in told.items() if k != entity}
    rests = (
        *(["counts"] if contexts else []),
        *(["names"] if concepts and "name" in witnesses else []),
        *(["relations"] if "relation" in witnesses else []),
    )
    kinds = list(dict.fromkeys(k for c in matter.concepts for k in lexicon.descendants(c) if k not in matter.concepts))
    covered = [*_expressions(told), _some("kinds", len(kinds), map(lexicon.label, kinds)), _related(told, knowledge)]
    concept = _concept(text, knowledge)
    others = [*(concept.notes if concept is not None else ()), *_other_senses(entity, labels, matter.concepts, lexicon)]
    return Understood(
        text,
        entity,
        labels,
        concepts[0].kind if concepts else "",
        tuple(dict.fromkeys(s for c in concepts for s in c.sources)),
        matter.rests,
        contexts,
        rests or (OWN_WORDS,),
        tuple(c for c in covered if c.number),
        tuple(others),
        () if concepts else _better(entity, lexicon, knowledge),
    )


def _concept(text: str, knowledge: Knowledge) -> Concept | None:
    try:
        return knowledge.concept(text)
    except UnknownTermError:
        return None


def _expressions(told: dict[Key, Testimony]) -> Iterator[Covered]:
    """The names of a concept and of its kinds by how they name it; a code with and without its dot is one."""
    groups: dict[str, dict[str, Key]] = {what: {} for what in ("names", *_GROUPS.values())}
    for name, testimony in told.items():
        if testimony.witness == "name":
            what = _GROUPS.get(testimony.says, "names")
            groups[what].setdefault(name.replace(".", "") if what == "codes" else name, name)
    for what, found in groups.items():
        yield _some(what, len(found), found.values())


def _related(told: dict[Key, Testimony], knowledge: Knowledge) -> Covered:
    """What relations lead from; examples are those that say the most, of equal ones those that texts use most."""
    found = [k for k, t in told.items() if t.witness == "relation"]
    uses = dict(zip(found, knowledge.counts.table([], found)[0].tolist(), strict=True)) if found else {}
    ranked = sorted(found, key=lambda k: (-round(told[k].bits, 6), -uses[k], k))
    return _some("related expressions", len(found), ranked)


def _other_senses(entity: Key, labels: Iterable[str], taken: Sequence[int], lexicon: Lexicon) -> Iterator[str]:
    said = {label.casefold() for label in labels}
    likely = [concept for concept, chance in lexicon.meanings(entity) if chance >= _SELDOM]
    senses = [lexicon.label(concept) for concept in likely if concept not in taken]
    found = [repr(label) for label in dict.fromkeys(senses) if label.casefold() not in said]
    if found:
        yield f"{entity!r} may also stand for {', '.join(found[:_OTHERS])}"


def _better(entity: Key, lexicon: Lexicon, knowledge: Knowledge) -> tuple[str, ...]:
    """Wordings that are like the text, or its last word, of which the lexicon knows more."""
    head = Key(entity.split(" ")[-1])
    known = tuple(k for k in similar(entity, knowledge) if lexicon.senses(k))
    return known or ((head,) if head != entity and lexicon.senses(head) else ())


def _some(what: str, number: int, names: Iterable[str]) -> Covered:
    return Covered(what, number, tuple(islice(names, _EXAMPLES)))
