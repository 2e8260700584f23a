"""Concepts as rivals: the evidence of names, relations, counts and vectors, for thousands of them at once.

The witnesses are those of :mod:`taciturn.knowledge.witnesses`, asked from the other side: there one entity is given
and everything that speaks of it is listed, here one expression is given and everything that it speaks of. Names and
relations tell a share outright. Counts tell how much more often the expression occurs with the concept than at all,
within the contexts of the rivals' field, by the lower bound of an estimate; r times as often is a share of r / N among
N rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.counts.estimate import likelihoods, quantile
from taciturn.knowledge.lexicon import Lexicon
from taciturn.knowledge.matter import concepts_named
from taciturn.knowledge.relations.base import SHARES
from taciturn.knowledge.relations.packed import part_of
from taciturn.knowledge.relations.shares import name_words
from taciturn.knowledge.rivals.base import Floats
from taciturn.knowledge.rivals.joint import JointCounts
from taciturn.knowledge.speaking import PART_OF_NAME
from taciturn.knowledge.witnesses import AMPLE
from taciturn.language.keys import Key

if TYPE_CHECKING:
    from taciturn.knowledge.base import Knowledge

__all__ = ["ConceptRivals"]

_KEPT = 1 << 15  # keys whose evidence is kept: some 30 MB
_TOGETHER = 4096  # pairs of a key and a rival that are estimated at once
_TAIL = 0.1
_LEAST = 0.5  # bits of the plain ratio of counts below which their lower bound is not worth working out
_MANY = 1000  # things that there are of any kind
_SAMPLE = 25  # rivals that are asked for their field

Ints = NDArray[np.int64]


class _Row(NamedTuple):
    """What one key points to: rivals, and the share of each."""

    rivals: NDArray[np.int32]
    shares: NDArray[np.float32]


class ConceptRivals:
    """Concepts of one kind. ``number`` is how many rivals there are in all, if these are some of them.

    Of a short list the shares are those among many: that a drug treats nothing else of a list does not name what it
    treats.

    >>> from taciturn.knowledge import Knowledge
    >>> rivals = ConceptRivals(["HIV", "asthma", "gout", "syphilis"], Knowledge.default())
    >>> [rivals.names[row.argmax()] for row in rivals.shares(["zidovudine", "allopurinol", "inhaler"])]
    ['HIV', 'gout', 'asthma']
    """

    def __init__(
        self, names: Sequence[str], knowledge: Knowledge, number: int | None = None, field: Key | None = None
    ) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._number = max(number or len(self.names), _MANY)
        self._given = field
        self._knowledge = knowledge
        self._witnesses = knowledge.witnesses
        self._rows: dict[Key, _Row] = {}

    @property
    def chance(self) -> float:
        return 1 / self._number

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The key that stands for each rival."""
        return tuple(self._knowledge.entity(name) for name in self.names)

    @cached_property
    def _counted(self) -> tuple[Key | None, ...]:
        own = self._knowledge.counts.table([], self.keys)[0].tolist()
        return tuple(k if n else self._witnesses.counted(k) for k, n in zip(self.keys, own, strict=True))

    @cached_property
    def prior(self) -> Floats:
        """How often texts of the field speak of each, as log2 of its share; what they never do counts half a time."""
        shares: Floats = np.log2(np.maximum(self._joint.alone, 0.5) / self._joint.total)
        return shares

    def shares(self, keys: Sequence[Key]) -> Floats:
        """The share of each rival (column) in what each key (row) points to."""
        new = [k for k in dict.fromkeys(keys) if k not in self._rows]
        if new:
            if len(self._rows) + len(new) > _KEPT:
                self._rows.clear()
                new = list(dict.fromkeys(keys))
            self._rows.update(zip(new, self._ask(new), strict=True))
        told = np.zeros((len(keys), len(self.names)))
        for at, k in enumerate(keys):
            row = self._rows[k]
            told[at, row.rivals] = row.shares
        return told

    def _ask(self, keys: Sequence[Key]) -> Iterable[_Row]:
        counted = self._by_counts(keys)
        spoken = self._by_names_and_relations(keys)
        for k, by_counts in zip(keys, counted, strict=True):
            shares = np.zeros(len(self.names))
            if by_counts is not None:
                shares[by_counts[0]] = np.exp2(by_counts[1]) / self._number
            for rival, share in spoken.get(k, {}).items():
                shares[rival] = max(shares[rival], share)
            kept = np.flatnonzero(shares)
            yield _Row(kept.astype(np.int32), np.minimum(shares[kept], 1.0).astype(np.float32))

    # Names and relations

    @cached_property
    def concepts(self) -> tuple[tuple[int, ...], ...]:
        """The concepts of the lexicon that each rival names."""
        lexicon = self._knowledge.lexicon
        return tuple(_named(k, lexicon) if lexicon is not None else () for k in self.keys)

    @cached_property
    def _family(self) -> dict[int, list[tuple[int, float]]]:
        """For each concept of the lexicon the rivals that it speaks for: in full for the rival itself and its kinds,
        in part for what the rival is a kind of."""
        lexicon = self._knowledge.lexicon
        found: dict[int, dict[int, float]] = {}
        if lexicon is None:
            return {}
        for rival, concepts in enumerate(self.concepts):
            for concept in concepts:
                for wide in lexicon.ancestors(concept):
                    parts = found.setdefault(wide, {})
                    parts[rival] = max(parts.get(rival, 0.0), part_of(concept, wide, lexicon))
            for concept in concepts:
                for kind in (concept, *lexicon.descendants(concept)):
                    found.setdefault(kind, {})[rival] = 1.0
        return {concept: list(parts.items()) for concept, parts in found.items()}

    @cached_property
    def _stated(self) -> dict[Key, dict[int, float]]:
        """What users' own relations say: for each expression the share of each rival."""
        lexicon, found = self._knowledge.lexicon, dict[Key, dict[int, float]]()
        for own in self._knowledge.own_relations:
            for rival, (name, concepts) in enumerate(zip(self.keys, self.concepts, strict=True)):
                family = {d for c in concepts for d in (c, *lexicon.descendants(c))} if lexicon is not None else set()
                for expression, said in own.speaking(name, family, lexicon).items():
                    shares = found.setdefault(expression, {})
                    shares[rival] = max(shares.get(rival, 0.0), said.share)
        return found

    def _by_names_and_relations(self, keys: Sequence[Key]) -> dict[Key, dict[int, float]]:
        """For each key the share of each rival in what it may mean, by the strongest testimony."""
        found: dict[Key, dict[int, float]] = {k: dict(self._stated[k]) for k in keys if k in self._stated}
        for rival, name in enumerate(self.keys):
            if name in keys:
                found.setdefault(name, {})[rival] = 1.0
        lexicon, relations = self._knowledge.lexicon, self._knowledge.relations
        if lexicon is None:
            return found
        counts = dict(zip(keys, self._knowledge.counts.table([], keys)[0].tolist(), strict=True))
        for k, exact in zip(keys, lexicon.lookup_many(keys), strict=True):
            shares = found.setdefault(k, {})
            senses = exact or (lexicon.senses(k) if any(map(str.isdigit, k)) else ())  # a code without its dot
            families = [dict(self._family.get(sense.concept, ())) for sense in senses]
            for sense, family in zip(senses, families, strict=True):
                is_everyday = sense.ordinary and sense.how != "derived"
                if is_everyday and sense.how != "label" and " " not in k:
                    continue  # "aids", "clap": they mean the disease where more is said of it
                for rival, part in family.items():
                    # Senses that mean the rival as well are no other meanings.
                    others = sum(rival not in f or f[rival] < 1.0 for f in families if f is not family)
                    _raise(shares, {rival: part}, 1 / (1 + others + is_everyday))
                meant = 1 / (len(senses) + is_everyday)
                if relations is not None:
                    for predicate, told in self._related(sense.concept).items():
                        if counts[k] < AMPLE.get(predicate, counts[k] + 1):
                            _raise(shares, told, meant)
            if relations is not None and counts[k] < AMPLE[PART_OF_NAME]:
                _raise(shares, self._worded(k), 1.0)
        return found

    def _related(self, expression: int) -> dict[str, dict[int, float]]:
        """For each predicate of an expression the share of each rival among what it is related to."""
        relations = self._knowledge.relations
        found: dict[str, dict[int, float]] = {}
        for matter, predicate, share in relations.of_expression(expression) if relations is not None else ():
            told = found.setdefault(predicate, {})
            for rival, part in self._family.get(matter, ()):
                # What stands in articles on many kinds of a matter stands in the same texts: these do not add up.
                before = told.get(rival, 0.0)
                told[rival] = max(before, share * part) if predicate in SHARES else min(before + share * part, 1.0)
        return found

    @cached_property
    def _with_word(self) -> dict[str, list[int]]:
        """The rivals that have a word in the name by which they are called."""
        found: dict[str, list[int]] = {}
        for rival, name in enumerate(self.keys):
            for word in name_words(name) if " " in name else ():
                found.setdefault(word, []).append(rival)
        return found

    def _worded(self, word: Key) -> dict[int, float]:
        """The share of each rival among the conditions that have a word in their names, by those that it is called by.

        A word that no listed condition has in its name is the rival's own, and half of it for what we do not know.
        """
        relations = self._knowledge.relations
        if word not in self._with_word or relations is None:
            return {}
        having = relations.named_with(word)
        often = dict.fromkeys(self._with_word[word], 0)
        for concept in having:
            for rival, part in self._family.get(concept, ()):
                if part == 1.0 and rival in often:
                    often[rival] += 1
        return {rival: max(n, 1) / (len(having) + 1) for rival, n in often.items()}

    # Counts, with what vectors expect

    @cached_property
    def _joint(self) -> JointCounts:
        return JointCounts(self._counted, self.field, self._knowledge.counts)

    @cached_property
    def field(self) -> Key | None:
        """The field that most rivals belong to, asked of some."""
        if self._given is not None:
            return self._given
        some = [k for k in self._counted if k is not None]
        asked = [self._witnesses.field_of(k) for k in some[:: max(1, len(some) // _SAMPLE)]]
        return max(dict.fromkeys(asked), key=asked.count, default=None)

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        vectors = self._knowledge.vectors
        named = [k or own for k, own in zip(self._counted, self.keys, strict=True)]
        return vectors.of_many(named)[0] if vectors is not None else np.zeros((len(named), 1), np.float32)

    def _by_counts(self, keys: Sequence[Key]) -> list[tuple[Ints, Floats] | None]:
        """For each key the rivals that counts are sure it speaks for, and the bits."""
        joint, vectors = self._joint, self._knowledge.vectors
        found: list[tuple[Ints, Floats] | None] = [None] * len(keys)
        met = joint.with_keys(keys)
        pairs: list[tuple[int, Ints, Ints, int]] = []
        for at, (often, some, joined) in enumerate(met):
            if not len(some) or often == 0:
                continue
            joined = np.minimum(joined, often)
            plain = np.log2(joined / often * joint.total / joint.alone[some])
            telling = plain >= _LEAST
            if vectors is None:
                found[at] = some[telling], plain[telling] * self._witnesses.trust
            elif telling.any():
                pairs.append((at, some[telling], joined[telling], often))
        if vectors is None or not pairs:
            return found
        at_key = np.repeat([p[0] for p in pairs], [len(p[1]) for p in pairs])
        rivals = np.concatenate([p[1] for p in pairs])
        together = np.concatenate([p[2] for p in pairs]).astype(np.float64)
        alone = np.repeat([p[3] for p in pairs], [len(p[1]) for p in pairs]).astype(np.float64)
        of_keys, behind = vectors.of_many(keys)
        lower = np.zeros(len(rivals))
        for start in range(0, len(rivals), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            mine, theirs = of_keys[at_key[part]], self._vectors[rivals[part]]
            cosines = np.einsum("ij,ij->i", mine, theirs).astype(np.float64)
            known = mine.any(axis=1) & theirs.any(axis=1)
            prior = vectors.priors_of(np.where(known, cosines, np.nan), behind[at_key[part]])
            full = np.log2(joint.total / joint.alone[rivals[part]])
            log = likelihoods(together[part], alone[part], full)
            weights = np.exp(log - log.max(axis=1, keepdims=True)) * prior
            cumulated = np.cumsum(weights, axis=1)
            cumulated /= cumulated[:, -1:]
            lower[part] = quantile(cumulated, _TAIL) * full * self._witnesses.trust
        sure = lower > 0
        for at in dict.fromkeys(at_key.tolist()):
            mine = (at_key == at) & sure
            found[at] = rivals[mine], lower[mine]
        return found


def _named(name: Key, lexicon: Lexicon) -> tuple[int, ...]:
    """The concepts that a key names. What only its last words name is something wider."""
    found = concepts_named(name, lexicon)
    return () if found.rests == "a more general name" else found.concepts


def _raise(shares: dict[int, float], told: Mapping[int, float], meant: float) -> None:
    """Keep the strongest testimony for each rival."""
    for rival, share in told.items():
        shares[rival] = max(shares.get(rival, 0.0), share * meant)
