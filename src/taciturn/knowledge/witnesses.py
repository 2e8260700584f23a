"""What a key says of an entity, by every witness, on one scale: PMI(c; e) = IC(c) + log2 P(c | e) bits.

*Names* and *relations* testify of listed expressions (:mod:`taciturn.knowledge.speaking`). *Counts* testify of every
pair that the corpus shows, *vectors* of pairs for which it has few contexts or none: their similarity is the prior of
the estimate (:mod:`taciturn.knowledge.counts.estimate`), the counts are the data, and the lower bound is what they are
sure of. A knowledge without vectors, such as a corpus of one's own, takes the plain ratio of its counts, as the papers
do. What is said in the end is the most that any witness says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.counts.base import BETWEEN, Counts, first_of, mutual_information
from taciturn.knowledge.counts.estimate import estimate
from taciturn.knowledge.counts.usual import Usual
from taciturn.knowledge.initials import initials, spelled
from taciturn.knowledge.lexicon import OF_PEOPLE, Lexicon
from taciturn.knowledge.matter import concepts_named
from taciturn.knowledge.naming import names_of_people
from taciturn.knowledge.relations.base import MENTIONED
from taciturn.knowledge.relations.own import OwnRelations
from taciturn.knowledge.relations.shares import Shares
from taciturn.knowledge.speaking import PART_OF_NAME, Testimony, speaking
from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.knowledge.taxonomies.flags import PROFESSIONAL
from taciturn.knowledge.vectors import Vectors
from taciturn.language.keys import Key, is_ordinary
from taciturn.language.vocabulary import VocabularyIndex

__all__ = ["AMPLE", "Witnesses"]

_OF_MANY = 0.01  # a document has hundreds of pairs: one in ten that is called sure by accident would be many
AMPLE = {MENTIONED: 20, "related to": 5000, PART_OF_NAME: 5000}
"""Contexts of a key from which its counts know better than an article that mentions it, a link, a part of a name."""
_UNNAMED = 1.2
"""The trust in counts of a matter of people: a paragraph on such a matter names it in a quarter to a half of the cases
(:mod:`training.topics.weigh`), so its counts say too little. Of 1, 1.2 and 1.4 the second gave the most recall at a
precision of .80, on the annotated documents and on those of ``tests/test_beyond_medicine.py``."""
_CLINICAL = frozenset(("condition", "sign"))
_LOOSE = frozenset(("sign of", "located in", "clinic for", "caused by", "wider than", MENTIONED, PART_OF_NAME))
"""Relations of what is found with many matters: where it is usual in any text of the profession it says less."""
_FEW, _MANY = 50, 5000  # contexts of an entity below which its words speak for it; of a word above which it does not
_UNEXPLAINED = 3  # contexts below which the corpus does not say what an abbreviation is
_SHORTEST = 3  # letters of a word that speaks for a name
_KEPT = 1 << 18  # estimates that are kept


@dataclass(frozen=True)
class Witnesses:
    """The witnesses of one knowledge, with what they said so far.

    ``trust`` is what counts are worth beside names and relations, calibrated on documents that experts redacted: two
    things that are often mentioned together need not give each other away.
    """

    counts: Counts
    lexicon: Lexicon | None = None
    relations: Shares | None = None
    vectors: Vectors | None = None
    taxonomies: tuple[Taxonomy, ...] = ()
    trust: float = 1.0
    own_relations: tuple[OwnRelations, ...] = ()
    usual: Usual | None = None
    _counted: dict[Key, Key | None] = field(default_factory=dict)
    _speaking: dict[Key, dict[Key, Testimony]] = field(default_factory=dict)
    _vocabularies: dict[tuple[Key, ...], VocabularyIndex | None] = field(default_factory=dict)
    _estimates: dict[Key, dict[Key, float]] = field(default_factory=dict)
    _fields: dict[Key, Key | None] = field(default_factory=dict)
    _initials: dict[Key, frozenset[str]] = field(default_factory=dict)
    _bases: dict[Key, tuple[Key, ...]] = field(default_factory=dict)

    def counted(self, entity: Key) -> Key | None:
        """The key under which the counts know an entity.

        Its own, or the most frequent name of the same concept; for a matter of people all its names together
        (:mod:`taciturn.knowledge.naming`).
        """
        if BETWEEN in entity:
            return entity  # what this gave before
        if entity not in self._counted:
            found = entity if self.counts.count(entity) else self._most_counted(entity)
            if self.lexicon is not None:
                concepts = concepts_named(entity, self.lexicon).concepts
                others = names_of_people(concepts, self.lexicon, self.counts)
                found = self.counts.united([*([found] if found is not None else []), *others])
            self._counted[entity] = found
        return self._counted[entity]

    def _most_counted(self, entity: Key) -> Key | None:
        if self.lexicon is None:
            return None
        names = [
            n
            for c in concepts_named(entity, self.lexicon).concepts
            for n in self.lexicon.names(c)
            if n.how in ("label", "synonym", "abbreviation") and not n.ordinary and not n.others
        ]
        keys = list(dict.fromkeys(Key(n.text) for n in names))
        found = self.counts.table([], keys)[0].tolist() if keys else []
        best = max(zip(found, keys, strict=True), default=(0, None))
        return best[1] if best[0] else None

    def bases(self, entity: Key) -> tuple[Key, ...]:
        """The keys whose counts speak of an entity: its own; a name of the same matter that texts have more often, such
        as HIV for AIDS; and, where there are few contexts of these, the words of its name.

        Who learns "tonsil" learns as many bits of "tonsil hypertrophy" as there are in "tonsil", for whatever speaks of
        the whole speaks of its part.
        """
        if (found := self._bases.get(entity)) is None:
            known = self.counted(entity)
            found = () if known is None else (known,)
            if self.vectors is not None:
                other = self._most_counted(entity) if known == entity else None
                if other is not None and self.counts.count(other) > self.counts.count(entity):
                    found += (other,)
                if not found or self.counts.count(found[-1]) < _FEW:
                    found += self._words_of(entity)
            self._bases[entity] = found
        return found

    def _words_of(self, entity: Key) -> tuple[Key, ...]:
        """The words of an entity's name that are neither unknown nor usual."""
        words = [Key(w) for w in entity.split(" ") if len(w) >= _SHORTEST and w != entity]
        known = self.counts.table([], words)[0].tolist() if words else []
        return tuple(w for w, n in zip(words, known, strict=True) if _FEW <= n <= _MANY)

    def information(self, entity: Key) -> float:
        """IC of an entity in bits; what the corpus never shows is as rare as half a context of it."""
        known = self.counted(entity)
        return self.counts.ic(known) if known is not None else log2(2 * self.counts.total)

    def _left(self, entity: Key) -> float:
        """What is left to learn of an entity by a reader who knows its field: IC within the contexts of the field."""
        known = self.counted(entity)
        domain = self.field_of(known) if known is not None else None
        if known is None or domain is None:
            return self.information(entity)
        return log2(self.counts.count(domain) / self.counts.count(known, domain))

    def speaking(self, entity: Key) -> dict[Key, Testimony]:
        """The keys that names and relations know to speak of an entity, each with its testimony."""
        if (found := self._speaking.get(entity)) is None:
            full = self.information(entity)
            found = {}
            if self.lexicon is not None:
                concepts = concepts_named(entity, self.lexicon).concepts
                told = speaking(entity, concepts, self._left(entity), self.lexicon, self.relations)
                scale = full / self._left(entity)
                heard = self._less_what_is_usual(entity, self._better_than_counts(told))
                found = {k: t._replace(bits=t.bits * scale) for k, t in heard.items()}
                found[entity] = Testimony(full, "name", "its own words", ())
            for k, t in self._stated(entity).items():
                if k not in found or found[k].bits < t.bits:
                    found[k] = t
            self._speaking[entity] = found
        return found

    def _stated(self, entity: Key) -> dict[Key, Testimony]:
        """What users' own relations say of an entity: it is heard whatever the counts say."""
        family: set[int] = set()
        if self.own_relations and self.lexicon is not None:
            concepts = concepts_named(entity, self.lexicon).concepts
            family = {d for c in concepts for d in (c, *self.lexicon.descendants(c))}
        full, found = self.information(entity), dict[Key, Testimony]()
        for own in self.own_relations:
            for expression, said in own.speaking(entity, family, self.lexicon).items():
                left = self._left(entity)
                bits = full * (1 + log2(said.share) / left) if left else full
                if bits > 0 and (expression not in found or found[expression].bits < bits):
                    found[expression] = Testimony(bits, "relation", said.relation, said.sources)
        return found

    def _better_than_counts(self, told: dict[Key, Testimony]) -> dict[Key, Testimony]:
        """The testimonies without those that only say what texts mention together, where the counts know better.

        An article on HIV that mentions a drug for the heart is one of three articles that mention it; the counts have
        read all of them, and say how sure they are. "History" and "church" are in too many texts to be a sign of one.
        """
        mentioned = [(k, AMPLE[t.says]) for k, t in told.items() if t.says in AMPLE]
        known = self.counts.table([], [k for k, _ in mentioned])[0] if mentioned else ()
        ample = {k for (k, least), n in zip(mentioned, known, strict=True) if n >= least}
        return {k: t for k, t in told.items() if k not in ample}

    def _less_what_is_usual(self, entity: Key, told: dict[Key, Testimony]) -> dict[Key, Testimony]:
        """The testimonies, those of signs, places and company lessened by how usual the key is in any case."""
        loose = [k for k, t in told.items() if t.says in _LOOSE]
        part = self._telling(entity, loose).tolist()
        return told | {k: told[k]._replace(bits=told[k].bits * p) for k, p in zip(loose, part, strict=True)}

    def vocabulary(self, entities: Sequence[Key]) -> VocabularyIndex | None:
        """An index of everything that names and relations know to speak of some entities, to search texts with."""
        asked = tuple(entities)
        if asked not in self._vocabularies:
            keys = sorted(set().union(*(self.speaking(e) for e in asked))) if asked else []
            self._vocabularies[asked] = VocabularyIndex(keys) if keys else None
        return self._vocabularies[asked]

    def told(self, entities: Sequence[Key], keys: Sequence[Key]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The counts of distinct keys, and what each (columns) says of each entity (rows) in bits, -inf for nothing."""
        bases = [self.bases(e) for e in entities]
        table = self.counts.table([known for several in bases for known in several], keys)
        rows = iter(table[1:])
        bits = np.full((len(entities), len(keys)), -inf)
        for row, entity, several in zip(bits, entities, bases, strict=True):
            for known in several:
                together = next(rows)
                np.maximum(
                    row,
                    self._ratio(known, together, table[0])
                    if self.vectors is None
                    else self._estimated(known, keys, together, table[0], self.vectors),
                    out=row,
                )
            if says := self.speaking(entity):
                for at, k in enumerate(keys):
                    if (said := says.get(k)) is not None and said.bits > row[at]:
                        row[at] = said.bits
            self._by_initials(entity, keys, table[0], row)
        return table[0], bits

    def testimonies(self, entity: Key, key: Key) -> tuple[Testimony, ...]:
        """What each witness says of an entity and a key, the strongest first; the first is what is believed.

        Names and relations with their sources, counts with what they counted, and what vectors alone would predict,
        which is heard only where there are no counts.
        """
        found: list[Testimony] = []
        if (said := self.speaking(entity).get(key)) is not None:
            found.append(said)
        elif self.lexicon is not None:
            row = np.full(1, -inf)
            self._by_initials(entity, [key], self.counts.table([], [key])[0], row)
            if row[0] > 0:
                found.append(Testimony(float(row[0]), "name", "its initials", ()))
        for known in self.bases(entity):
            table = self.counts.table([known], [key])
            counted = (
                self._ratio(known, table[1], table[0])
                if self.vectors is None
                else self._estimated(known, [key], table[1], table[0], self.vectors)
            )
            if counted[0] > 0:
                says = f"with {first_of(known)!r} in {int(table[1, 0]):,} of its {int(table[0, 0]):,} contexts"
                found.append(Testimony(float(counted[0]), "counts", says, ("corpus",)))
        heard = sorted(found, key=lambda t: -t.bits)
        if self.vectors is not None and (known_as := self.counted(entity)) is not None:
            similar = first_of(known_as)
            mean, _ = self.vectors.predict(similar, [key], self.information(entity))
            cosine = float(self.vectors.similarity(similar, [key])[0])
            if cosine == cosine:  # not a number where either has no vector
                heard.append(Testimony(float(mean[0]), "vectors", f"similarity {cosine:.2f}", ("vectors",)))
        return tuple(heard)

    def _by_initials(
        self, entity: Key, keys: Sequence[Key], of_keys: NDArray[np.int64], row: NDArray[np.float64]
    ) -> None:
        """Raise what abbreviations that nothing explains say of an entity by their letters."""
        if self.lexicon is None or not (meant := self._initials_of(entity)):
            return
        for at, k in enumerate(keys):
            is_unexplained = k.isupper() and of_keys[at] < _UNEXPLAINED and not is_ordinary(k.lower())
            if is_unexplained and (bits := spelled(k, meant)) and not self.lexicon.senses(k):
                row[at] = max(row[at], min(bits, self.information(entity)))

    def _initials_of(self, entity: Key) -> frozenset[str]:
        if (found := self._initials.get(entity)) is None:
            concepts = concepts_named(entity, self.lexicon).concepts if self.lexicon is not None else ()
            labels = [self.lexicon.label(c) for c in concepts] if self.lexicon is not None else []
            found = self._initials[entity] = initials([entity, *labels])
        return found

    def _ratio(self, entity: Key, together: NDArray[np.int64], of_keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """The papers' figure: the plain ratio of counts."""
        of_entity = np.array([self.counts.count(entity)])
        plain: NDArray[np.float64] = mutual_information(together[None, :], of_entity, of_keys, self.counts.total)[0]
        return plain

    def _estimated(
        self,
        entity: Key,
        keys: Sequence[Key],
        together: NDArray[np.int64],
        of_keys: NDArray[np.int64],
        vectors: Vectors,
    ) -> NDArray[np.float64]:
        """What counts are sure of (the lower bound of the estimate), as a share of all that there is to know.

        Among contexts that speak of the entity's field, if it has one: a reader of a clinical note knows that it is
        one, so "nausea" tells no disease from another, however seldom it stands in other texts.
        """
        kept = self._estimates.setdefault(entity, {})
        new = [i for i, k in enumerate(keys) if k not in kept]
        if new:
            if len(kept) + len(new) > _KEPT:
                kept.clear()
                new = list(range(len(keys)))
            asked = [keys[i] for i in new]
            prior = vectors.priors(first_of(entity), asked)
            found = self._sure(entity, [(k,) for k in asked], together[new], of_keys[new], prior)
            found *= self._telling(entity, asked)
            kept.update(zip(asked, found.tolist(), strict=True))
        return np.array([kept[k] for k in keys])

    def _telling(self, entity: Key, keys: Sequence[Key]) -> NDArray[np.float64]:
        """The part of its information that each key keeps among texts of the entity's profession."""
        if self.usual is None or not keys or not self._is_clinical(entity):
            return np.ones(len(keys))
        return self.usual.left(keys)

    def _is_clinical(self, entity: Key) -> bool:
        """Does what is usual in clinical notes bear on an entity?"""
        if self.field_of(entity) is not None or self.lexicon is None:
            return self.lexicon is not None
        return any(self.lexicon.kind(c) in _CLINICAL for c in concepts_named(entity, self.lexicon).concepts)

    def of_groups(self, entity: Key, groups: Sequence[tuple[Key, ...]], together: Sequence[int]) -> list[float]:
        """What groups of keys say of an entity, in bits, given how often each occurs with it."""
        known = self.counted(entity)
        if known is None or not groups:
            return [-inf] * len(groups)
        joint = np.array(together, dtype=np.int64)
        alone = self.counts.count_many(groups)
        if self.vectors is None:
            return [float(bits) for bits in self._ratio(known, joint, alone)]
        sure = self._sure(known, groups, joint, alone, self.vectors.unknown, _OF_MANY)
        # A group tells no more than its most usual member leaves.
        members = dict.fromkeys(k for g in groups for k in g)
        left = dict(zip(members, self._telling(known, list(members)).tolist(), strict=True))
        return [float(bits) * min(left[k] for k in g) for bits, g in zip(sure, groups, strict=True)]

    def _sure(
        self,
        entity: Key,
        groups: Sequence[tuple[Key, ...]],
        together: NDArray[np.int64],
        alone: NDArray[np.int64],
        prior: NDArray[np.float64],
        tail: float = 0.1,
    ) -> NDArray[np.float64]:
        """What the counts of keys or groups are sure to say, in bits, discounted by the trust that counts have."""
        domain = self.field_of(entity)
        if domain is None:
            of_entity, total = self.counts.count(entity), self.counts.total
        else:
            alone = self.counts.count_many([(domain, *g) for g in groups])
            together = np.minimum(together, alone)
            of_entity, total = self.counts.count(entity, domain), self.counts.count(domain)
        sure = estimate(together, alone, of_entity, total, prior, tail).lower / self._left(entity)
        sure_of = np.minimum(sure * self._trust(entity), 1.0)
        bits: NDArray[np.float64] = np.where(sure > 0, sure_of * self.information(entity), -inf)
        return bits

    def _trust(self, entity: Key) -> float:
        """What counts of an entity are worth beside names and relations; more for a matter of people."""
        lexicon = self.lexicon
        named = concepts_named(entity, lexicon).concepts if lexicon is not None else ()
        people = lexicon is not None and any(lexicon.kind(c) in OF_PEOPLE for c in named)
        return _UNNAMED if people else self.trust

    def field_of(self, entity: Key) -> Key | None:
        """The field that an entity belongs to: the top of the professional taxonomy that knows it, "disease" for HIV.

        None where most contexts of the entity do not speak of the field: then it says nothing of them.
        """
        if entity not in self._fields:
            taxonomy = next((t for t in self.taxonomies if PROFESSIONAL in t.flags and t.senses(entity)), None)
            above = taxonomy.generalizations(entity) if taxonomy is not None else ()
            tops = [n.key for n in above if 2 * self.counts.count(n.key, entity) >= self.counts.count(entity)]
            widest = max(tops, key=lambda k: self.counts.count(k), default=None)
            self._fields[entity] = widest if widest != entity else None
        return self._fields[entity]
