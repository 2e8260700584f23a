"""Entity bases: entities with the terms that a reader connects with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays
from taciturn.knowledge.storage.strings import StringTable, pack_strings
from taciturn.language.keys import Key

__all__ = ["ENTITIES_SUFFIX", "EntityBase", "PackedEntityBase", "open_bases", "write_base"]

ENTITIES_SUFFIX = ".entities"
_KIND = "entity base"


class EntityBase:
    """Entities and their contexts: the keys of the terms that go with each, its own names among them.

    >>> base = EntityBase("tiny", {"HIV": frozenset({"HIV", "fatigue"}), "flu": frozenset({"flu", "fatigue"})})
    >>> base.fitting({"fatigue"})
    ('HIV', 'flu')
    >>> base.touching({"fatigue", "HIV"}) == {"HIV": {"HIV", "fatigue"}, "flu": {"fatigue"}}
    True
    """

    def __init__(self, name: str, contexts: Mapping[str, frozenset[Key]]) -> None:
        self.name = name
        self.contexts = contexts

    @cached_property
    def digest(self) -> str:
        """A digest of the entities and their contexts, quoted by certificates."""
        figure = sha256()
        for entity in sorted(self.contexts):
            figure.update("\x1f".join([entity, *sorted(self.contexts[entity])]).encode() + b"\x1e")
        return figure.hexdigest()

    @cached_property
    def vocabulary(self) -> frozenset[Key]:
        """Every key of every context: what a text is searched for."""
        return frozenset().union(*self.contexts.values())

    def fitting(self, keys: Collection[Key]) -> tuple[str, ...]:
        """The entities whose contexts hold every key, in order of their names."""
        wanted = set(keys)
        return tuple(sorted(e for e, context in self.contexts.items() if wanted <= context))

    def touching(self, keys: Collection[Key]) -> dict[str, frozenset[Key]]:
        """For each entity whose context holds any of the keys: those keys. In order of the entities' names."""
        wanted = frozenset(keys)
        found = ((e, wanted & self.contexts[e]) for e in sorted(self.contexts))
        return {e: shared for e, shared in found if shared}


class PackedEntityBase(EntityBase):
    """An entity base over arrays, memory-mapped: opened at once, asked by key without building all contexts.

    Keys that mean one thing (a sign and its synonyms) form a concept; contexts are sets of concepts.
    """

    def __init__(self, name: str, arrays: Mapping[str, NDArray[Any]] | ArrayFile, digest: str | None = None) -> None:
        self._arrays = arrays
        self._digest = digest
        super().__init__(name, _PackedContexts(self))

    @classmethod
    def open(cls, path: Path) -> PackedEntityBase:
        """The base in a file, memory-mapped."""
        file = ArrayFile(path, _KIND)
        return cls(file.meta["name"], file, file.digest)

    @cached_property
    def digest(self) -> str:
        return self._digest if self._digest is not None else super().digest

    @cached_property
    def source(self) -> Mapping[str, Any]:
        """Where the base came from, as the file says."""
        return self._arrays.meta["source"] if isinstance(self._arrays, ArrayFile) else {}

    def verify(self) -> None:
        """Read every array; raise :class:`DamagedFileError` if one is not as written."""
        if isinstance(self._arrays, ArrayFile):
            self._arrays.verify()

    @cached_property
    def _names(self) -> StringTable[str]:
        return self._table("names")

    @cached_property
    def _keys(self) -> StringTable[Key]:
        return self._table("keys")

    def _table(self, name: str) -> StringTable[Any]:
        return StringTable({part: self._arrays[f"{name}.{part}"] for part in ("blob", "starts", "heads", "length")})

    @cached_property
    def _key_starts(self) -> NDArray[np.intp]:
        return _starts(self._arrays["key_counts"])

    @cached_property
    def _context_starts(self) -> NDArray[np.intp]:
        return _starts(self._arrays["context_counts"])

    @cached_property
    def _entities_of(self) -> tuple[NDArray[np.intp], NDArray[Any]]:
        """Concept -> entities, ascending."""
        counts = self._arrays["context_counts"]
        return _transposed(self._arrays["contexts"], np.repeat(np.arange(len(counts), dtype=np.int32), counts))

    @cached_property
    def _keys_of(self) -> tuple[NDArray[np.intp], NDArray[Any]]:
        """Concept -> keys, ascending."""
        counts = self._arrays["key_counts"]
        return _transposed(self._arrays["concepts"], np.repeat(np.arange(len(counts), dtype=np.int32), counts))

    @cached_property
    def vocabulary(self) -> frozenset[Key]:
        return frozenset(self._keys)

    def _entities(self, key: Key) -> NDArray[Any]:
        at = self._keys.find(key)
        if at < 0:
            return np.zeros(0, dtype=np.int32)
        starts, entities = self._entities_of
        concepts = self._arrays["concepts"][self._key_starts[at] : self._key_starts[at + 1]].tolist()
        return np.unique(np.concatenate([entities[starts[c] : starts[c + 1]] for c in concepts]))

    def fitting(self, keys: Collection[Key]) -> tuple[str, ...]:
        sets = sorted((self._entities(key) for key in set(keys)), key=len)
        if not sets:
            return tuple(self._names)
        left = sets[0]
        for more in sets[1:]:
            left = np.intersect1d(left, more, assume_unique=True)
        return tuple(self._names[int(e)] for e in left)

    def touching(self, keys: Collection[Key]) -> dict[str, frozenset[Key]]:
        found: dict[int, list[Key]] = {}
        for key in sorted(set(keys)):
            for entity in self._entities(key).tolist():
                found.setdefault(entity, []).append(key)
        return {self._names[e]: frozenset(found[e]) for e in sorted(found)}


class _PackedContexts(Mapping[str, frozenset[Key]]):
    """The contexts of a packed base, each made when it is asked for."""

    def __init__(self, base: PackedEntityBase) -> None:
        self._base = base
        self._concepts: dict[int, frozenset[Key]] = {}

    def __len__(self) -> int:
        return len(self._base._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._base._names)

    def __contains__(self, entity: object) -> bool:
        return isinstance(entity, str) and self._base._names.find(entity) >= 0

    def __getitem__(self, entity: str) -> frozenset[Key]:
        base = self._base
        at = base._names.find(entity)
        if at < 0:
            raise KeyError(entity)
        concepts = base._arrays["contexts"][base._context_starts[at] : base._context_starts[at + 1]].tolist()
        return frozenset().union(*(self._concept(c) for c in concepts))

    def _concept(self, concept: int) -> frozenset[Key]:
        if concept not in self._concepts:
            starts, keys = self._base._keys_of
            here = keys[starts[concept] : starts[concept + 1]].tolist()
            self._concepts[concept] = frozenset(self._base._keys[k] for k in here)
        return self._concepts[concept]


def write_base(
    path: Path, name: str, contexts: Mapping[str, Collection[frozenset[Key]]], source: Mapping[str, Any]
) -> str:
    """Write a base that :meth:`PackedEntityBase.open` reads; return its digest.

    ``contexts`` gives for each entity the concepts that go with it, each the set of its keys (a sign and its synonyms).
    """
    return write_arrays(path, _KIND, {"name": name, "source": dict(source)}, packed_base(contexts))


def packed_base(contexts: Mapping[str, Collection[frozenset[Key]]]) -> dict[str, NDArray[Any]]:
    """The arrays of a packed base."""
    names = sorted(contexts, key=str.encode)
    groups = sorted({tuple(sorted(g)) for found in contexts.values() for g in found if g})
    number = {group: i for i, group in enumerate(groups)}
    meant: dict[str, list[int]] = {}
    for group, i in number.items():
        for key in group:
            meant.setdefault(key, []).append(i)
    keys = sorted(meant, key=str.encode)
    members = [sorted({number[tuple(sorted(g))] for g in contexts[n] if g}) for n in names]
    return {
        **{f"names.{part}": array for part, array in pack_strings(names).items()},
        **{f"keys.{part}": array for part, array in pack_strings(keys).items()},
        "key_counts": _small([len(meant[k]) for k in keys]),
        "concepts": _small([c for k in keys for c in meant[k]]),
        "context_counts": _small([len(m) for m in members]),
        "contexts": _small([c for m in members for c in m]),
    }


def open_bases(folder: Path) -> dict[str, EntityBase]:
    """The entity bases in a folder, by name."""
    bases = [PackedEntityBase.open(path) for path in sorted(folder.glob(f"*{ENTITIES_SUFFIX}"))]
    return {base.name: base for base in bases}


def _starts(counts: NDArray[Any]) -> NDArray[np.intp]:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.intp)])


def _transposed(targets: NDArray[Any], sources: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]]:
    order = np.argsort(targets, kind="stable")
    return _starts(np.bincount(targets)), sources[order]


def _small(numbers: list[int]) -> NDArray[Any]:
    return np.array(numbers, dtype=np.min_scalar_type(max(numbers, default=0)))
