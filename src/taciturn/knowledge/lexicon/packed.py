"""A lexicon over arrays: in a memory-mapped file, or just built.

Opening costs a header. A name is found by bisection in a table of sorted keys; everything else is slices of arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.lexicon.base import HOWS, KINDS, Concept, Name, Sense
from taciturn.knowledge.lexicon.build import ORDINARY
from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays
from taciturn.knowledge.storage.strings import StringTable
from taciturn.language.keys import KEY_VERSION, Key, is_ordinary, key

__all__ = ["Lexicon"]

_KIND = "lexicon"
_CACHED = 1 << 15
_CODE = HOWS.index("code")
_INDIRECT = ("entry term", "abbreviation", "derived")
_LESS = 1  # how much less often an indirect name is meant
_UNDOTTED = re.compile(r"([A-Z]\d[0-9A-Z]|\d{3}|[VE]\d{2,3})(\w{1,4})")


class Lexicon:
    """Concepts and their names.

    >>> from taciturn.knowledge.lexicon import LexiconBuilder
    >>> builder = LexiconBuilder(["tiny"], key)
    >>> disease = builder.add("disease", "condition", ["tiny"])
    >>> schizophrenia = builder.add("schizophrenia", "condition", ["tiny"], [disease])
    >>> builder.name(schizophrenia, "F20.0", "code", ["tiny"])
    >>> lexicon = Lexicon(builder.arrays(), builder.sources)
    >>> [(lexicon.label(s.concept), s.how) for s in lexicon.senses("F200")]
    [('schizophrenia', 'code')]
    >>> [n.text for n in lexicon.names(schizophrenia)]
    ['schizophrenia', 'F20.0', 'F200']
    >>> [lexicon.label(c) for c in lexicon.ancestors(schizophrenia)]
    ['disease']
    """

    def __init__(
        self, arrays: Mapping[str, NDArray[Any]] | ArrayFile, sources: Sequence[str], digest: str | None = None
    ) -> None:
        self._arrays = arrays
        self._sources = tuple(sources)
        self.digest = digest
        self._senses: dict[str, tuple[Sense, ...]] = {}
        self._masks: dict[int, tuple[str, ...]] = {}

    @classmethod
    def open(cls, path: Path) -> Lexicon:
        """The lexicon in a file, memory-mapped; raises ``ValueError`` if its keys are another version's."""
        file = ArrayFile(path, _KIND)
        if file.meta["key_version"] != KEY_VERSION:
            raise ValueError(
                f"{path} has keys of version {file.meta['key_version']}, this Taciturn makes version {KEY_VERSION}; "
                "build it again with this Taciturn"
            )
        return cls(file, file.meta["sources"], file.digest)

    @staticmethod
    def write(path: Path, arrays: Mapping[str, NDArray[Any]], sources: Sequence[str], origin: Any) -> str:
        """Write built arrays to a file that :meth:`open` reads; ``origin`` says where they came from."""
        meta = {"sources": list(sources), "key_version": KEY_VERSION, "origin": origin}
        return write_arrays(path, _KIND, meta, arrays)

    def __len__(self) -> int:
        """The number of concepts."""
        return len(self._kinds)

    @cached_property
    def key_table(self) -> StringTable[Key]:
        """The key of every name, sorted."""
        return self._table("names")

    @cached_property
    def _labels(self) -> StringTable[str]:
        return self._table("labels")

    def _table(self, name: str) -> StringTable[Any]:
        return StringTable({part: self._arrays[f"{name}.{part}"] for part in ("blob", "starts", "heads", "length")})

    @cached_property
    def _kinds(self) -> NDArray[np.uint8]:
        return self._arrays["kinds"]

    @cached_property
    def _uses(self) -> NDArray[np.uint32]:
        return self._arrays["uses"]

    @cached_property
    def _sense_starts(self) -> NDArray[np.int64]:
        return _starts(self._arrays["sense_counts"])

    @cached_property
    def _parent_starts(self) -> NDArray[np.int64]:
        return _starts(self._arrays["parent_counts"])

    @cached_property
    def _below(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        counts = self._arrays["parent_counts"]
        child = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        order = np.argsort(self._arrays["parents"], kind="stable")
        return _starts(np.bincount(self._arrays["parents"], minlength=len(counts))), child[order]

    @cached_property
    def _rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows of senses by concept: where each concept's begin, and the rows."""
        concepts = self._arrays["sense_concepts"]
        return _starts(np.bincount(concepts, minlength=len(self))), np.argsort(concepts, kind="stable")

    def sources_of(self, mask: int) -> tuple[str, ...]:
        """The sources whose bits are set."""
        if mask not in self._masks:
            self._masks[mask] = tuple(s for i, s in enumerate(self._sources) if mask >> i & 1)
        return self._masks[mask]

    # From names to concepts

    def lookup(self, name_key: Key) -> tuple[Sense, ...]:
        """The senses of a key (:func:`taciturn.language.key`) as it stands, the most direct first."""
        if (found := self._senses.get(name_key)) is None:
            if len(self._senses) >= _CACHED:
                self._senses.clear()
            found = self._senses[name_key] = self._read(self.key_table.find(name_key))
        return found

    def lookup_many(self, keys: Sequence[Key]) -> list[tuple[Sense, ...]]:
        """:meth:`lookup` of many keys, found side by side."""
        new = list(dict.fromkeys(k for k in keys if k not in self._senses))
        if new:
            if len(self._senses) + len(new) > _CACHED:
                self._senses.clear()
                new = list(dict.fromkeys(keys))
            for k, at in zip(new, self.key_table.find_many(new).tolist(), strict=True):
                self._senses[k] = self._read(at)
        return [self._senses[k] for k in keys]

    def _read(self, at: int) -> tuple[Sense, ...]:
        if at < 0:
            return ()
        a, starts = self._arrays, self._sense_starts
        rows = slice(int(starts[at]), int(starts[at + 1]))
        columns = (a["sense_concepts"][rows], a["sense_hows"][rows], a["sense_sources"][rows])
        return tuple(
            Sense(c, HOWS[how & ~ORDINARY], self.sources_of(mask), bool(how & ORDINARY))
            for c, how, mask in zip(*(column.tolist() for column in columns), strict=True)
        )

    def senses(self, name: str) -> tuple[Sense, ...]:
        """What a name may mean, as people write it: ICD codes with or without the dot, abbreviations with or without a
        hyphen ("Y-BOCS"), capitals where they are usual.

        A name in small letters is also taken for an abbreviation ("hiv"), unless it is an ordinary word ("aids"); one
        in capitals also for the word that it shouts.
        """
        exact = key(name)
        found = list(self.lookup(exact))
        for other in _other_forms(exact):
            found += (s for s in self.lookup(other) if all(s.concept != f.concept for f in found))
        return tuple(found)

    def meanings(self, name: str) -> tuple[tuple[int, float], ...]:
        """The concepts that a name may mean, each with the chance that it is meant.

        Direct names mean more than abbreviations, names of many sources more than those of one, what texts speak of
        more than what they do not. A name that is an everyday word too means that every other time.
        """
        senses = self.senses(name)
        weights = [
            len(s.sources) * (1 + self.uses(s.concept)) ** 0.5 / (1 + (s.how in _INDIRECT) * _LESS) for s in senses
        ]
        total = sum(weights)
        chances = (w / total / (1 + s.ordinary) for s, w in zip(senses, weights, strict=True))
        return tuple(zip((s.concept for s in senses), chances, strict=True))

    # From concepts to names and to each other

    def concept(self, number: int) -> Concept:
        """A concept as a value."""
        sources = self.sources_of(int(self._arrays["concept_sources"][number]))
        return Concept(number, self.label(number), self.kind(number), sources)

    def label(self, concept: int) -> str:
        """The preferred name of a concept."""
        own = int(self._arrays["own_labels"][concept])
        return self._labels[own] if own >= 0 else self.key_table[int(self._arrays["preferred"][concept])]

    def kind(self, concept: int) -> str:
        """What kind of thing a concept is: one of :data:`~taciturn.knowledge.lexicon.KINDS`."""
        return KINDS[self._kinds[concept]]

    def uses(self, concept: int) -> int:
        """How many paragraphs of the corpus it was built with speak of a concept or a kind of it."""
        return int(self._uses[concept])

    def names(self, concept: int) -> tuple[Name, ...]:
        """Every name of a concept, the most direct first; codes with and without their dot."""
        starts, rows = self._rows
        mine = rows[starts[concept] : starts[concept + 1]]
        keys = np.searchsorted(self._sense_starts, mine, side="right") - 1
        a = self._arrays
        found: list[tuple[int, Name]] = []
        preferred = int(a["preferred"][concept])
        for row, at in zip(mine.tolist(), keys.tolist(), strict=True):
            how = int(a["sense_hows"][row])
            text = self.label(concept) if at == preferred else self.key_table[at]
            others = int(a["sense_counts"][at]) - 1
            sources = self.sources_of(int(a["sense_sources"][row]))
            name = Name(text, HOWS[how & ~ORDINARY], sources, others, bool(how & ORDINARY))
            found.append((how & ~ORDINARY, name))
            if how & ~ORDINARY == _CODE and "." in text:
                found.append((_CODE, Name(text.replace(".", ""), "code", sources, others, False)))
        return tuple(name for _, name in sorted(found, key=lambda f: (f[0], -len(f[1].sources), f[1].text)))

    def has_code(self, concept: int) -> bool:
        """Has a concept a code of a classification among its names? Asked of many, so nothing is decoded."""
        return bool(self._coded[concept])

    @cached_property
    def _coded(self) -> NDArray[np.bool_]:
        starts, rows = self._rows
        before = np.concatenate(([0], np.cumsum((self._arrays["sense_hows"][rows] & (0xFF ^ ORDINARY)) == _CODE)))
        with_code: NDArray[np.bool_] = before[starts[1:]] > before[starts[:-1]]
        return with_code

    def parents(self, concept: int) -> tuple[int, ...]:
        """The concepts directly above, the principal one first."""
        starts = self._parent_starts
        return tuple(self._arrays["parents"][starts[concept] : starts[concept + 1]].tolist())

    def children(self, concept: int) -> tuple[int, ...]:
        """The concepts directly below, by number."""
        starts, below = self._below
        return tuple(below[starts[concept] : starts[concept + 1]].tolist())

    def ancestors(self, concept: int) -> tuple[int, ...]:
        """Every concept above, each once, the nearest first."""
        return tuple(_walk(concept, self.parents))

    def descendants(self, concept: int) -> tuple[int, ...]:
        """Every concept below, each once, the nearest first."""
        return tuple(_walk(concept, self.children))

    def is_a(self, concept: int, family: int) -> bool:
        """Is a concept the family itself or a kind of it?"""
        return concept == family or family in _walk(concept, self.parents)


def _starts(counts: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _walk(start: int, step: Any) -> Iterator[int]:
    seen = {start}
    level: Iterable[int] = (start,)
    while level:
        following = []
        for node in level:
            for other in step(node):
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        yield from following
        level = following


def _other_forms(name: Key) -> Iterator[Key]:
    """The keys under which a name may be known beside its own."""
    if (code := _UNDOTTED.fullmatch(name.upper())) and any(map(str.isdigit, name)):
        yield Key(f"{code[1]}.{code[2]}")
    small = name.lower()
    parts = name.split(" ")
    if len(parts) > 1 and any(map(str.isupper, parts)) and all(len(p) == 1 or p.isupper() for p in parts):
        yield Key("".join(parts).upper())
    if small != name:
        if len(small) > 3 or not small.isalpha():
            yield Key(small)
    elif " " not in name and len(name) <= 8 and not is_ordinary(name):
        yield Key(name.upper())
