"""What a text says: its expressions as *things*, each of which counts once.

Two expressions are one thing if they have the same key or the same mention number, if both name the same concept of
the lexicon and nothing else, or if one contains the other ("HIV" and "HIV test") and the part says something of some
candidate. A thing says of a candidate what the most telling of its expressions says; mentioned n times, 1 + log2 n
times as much, for what is repeated is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key
from taciturn.models.indistinct.contest import Contest
from taciturn.reading import NAMES, ROUNDING, Reading, read

__all__ = ["Spoken", "Thing", "fit_as_well", "repeated", "spoken"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thing:
    """Expressions that count once."""

    readings: tuple[Reading, ...]
    keys: tuple[Key, ...]

    @property
    def mentions(self) -> int:
        """How many places of the text mention it."""
        return len({start for r in self.readings for start in r.starts})


@dataclass(frozen=True)
class Spoken:
    """The things of a text that say something of some candidate.

    For each contest: ``bits``, what each thing (row) says of each candidate (column), and ``unsaid``, which of the
    others no expression gives away. A reader who wonders what is hidden does not think of what is said openly.
    """

    things: tuple[Thing, ...]
    bits: tuple[Floats, ...]
    unsaid: tuple[NDArray[np.bool_], ...]


def repeated(mentions: int) -> float:
    """How many times a thing counts that is mentioned so often.

    >>> repeated(1), repeated(4)
    (1.0, 3.0)
    """
    return 1 + log2(max(mentions, 1))


def spoken(analysis: Analysis, contests: Sequence[Contest], knowledge: Knowledge) -> Spoken:
    """What a text says of the candidates of some contests."""
    names = sorted({k for c in contests for k in c.names})
    found = [r._replace(keys=_shown(r, knowledge)) for r in read(analysis, knowledge, names)]
    keys = list(dict.fromkeys(k for r in found for k in r.keys))
    tables = [c.evidence(keys) for c in contests]
    telling = np.zeros(len(keys), dtype=np.bool_)
    for table in tables:
        telling |= table.any(axis=1)
    at = {k: i for i, k in enumerate(keys)}
    found = [r for r in found if any(telling[at[k]] for k in r.keys)]
    things = _things(found, {k for k, is_telling in zip(keys, telling.tolist(), strict=True) if is_telling}, knowledge)
    bits = tuple(
        np.array([table[[at[k] for k in t.keys]].max(axis=0) * repeated(t.mentions) for t in things])
        if things
        else np.zeros((0, table.shape[1]))
        for table in tables
    )
    unsaid = tuple(t[:, 1:].max(axis=0, initial=0.0) < c.all_of_it for t, c in zip(tables, contests, strict=True))
    return Spoken(things, bits, unsaid)


def fit_as_well(said: Spoken, number: int, contest: Contest, slack: float, prior: str) -> NDArray[np.int64]:
    """The unsaid others of a contest, by their numbers, that fit a text as well as the protected entity."""
    total: Floats = said.bits[number].sum(axis=0)
    if prior == "counts":
        total = total + contest.prior
    return np.flatnonzero((total[1:] >= total[0] - slack - ROUNDING) & said.unsaid[number])


def _shown(reading: Reading, knowledge: Knowledge) -> tuple[Key, ...]:
    """The keys that a reading shows; a name that is known as a whole is read as a whole."""
    if reading.kind in NAMES and len(reading.keys) > 1 and knowledge.counts.count(reading.keys[0]):
        return reading.keys[:1]
    return reading.keys


def _things(found: Sequence[Reading], telling: set[Key], knowledge: Knowledge) -> tuple[Thing, ...]:
    parent = list(range(len(found)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    first: dict[object, int] = {}
    for i, reading in enumerate(found):
        for same in _identities(reading, knowledge):
            parent[root(i)] = root(first.setdefault(same, i))
    for i, reading in enumerate(found):
        for part in _parts(reading):
            if part in telling and ("key", part) in first:
                parent[root(i)] = root(first["key", part])
    together: dict[int, list[Reading]] = {}
    for i, reading in enumerate(found):
        together.setdefault(root(i), []).append(reading)
    return tuple(Thing(tuple(rs), tuple(dict.fromkeys(k for r in rs for k in r.keys))) for rs in together.values())


def _identities(reading: Reading, knowledge: Knowledge) -> Iterable[object]:
    """What makes a reading the same thing as another."""
    yield "key", reading.keys[0]
    if reading.mention:
        yield "mention", reading.mention
    if knowledge.lexicon is not None:
        senses = knowledge.lexicon.lookup(reading.keys[0])
        if len(senses) == 1 and not senses[0].ordinary:
            yield "concept", senses[0].concept


def _parts(reading: Reading) -> set[Key]:
    """The keys of the phrases inside a reading."""
    words = reading.keys[0].split(" ")
    spans = ((a, b) for a in range(len(words)) for b in range(a + 1, len(words) + 1))
    return {*reading.keys[1:], *(Key(" ".join(words[a:b])) for a, b in spans if b - a < len(words))}
