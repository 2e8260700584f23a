"""A user's own relations: which expressions speak of which matters, stated in the program or in a file, by name.

The pack's relations are between concepts of its lexicon. These are between words as people write them, so that both the
expression and the matter may be things that no pack knows: the badge of a project, a ward of one hospital.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from taciturn.errors import InputError
from taciturn.knowledge.lexicon.packed import Lexicon
from taciturn.knowledge.storage.files import KnowledgeFileError, read_text
from taciturn.language.keys import Key, is_ordinary, key

__all__ = ["RELATION_SUFFIXES", "OwnRelation", "OwnRelations", "Stated", "load_relations"]

RELATION_SUFFIXES = (".csv", ".jsonl", ".ndjson")
_NEEDED = ("expression", "relation", "matter")


class OwnRelation(NamedTuple):
    """An expression stands in a relation to a matter.

    ``share`` is P(matter | expression): how likely a reader of the expression takes the matter to be meant. None
    divides it evenly among the matters that the expression is related to. ``source`` is who says so.
    """

    expression: str
    relation: str
    matter: str
    share: float | None = None
    source: str = ""


class Stated(NamedTuple):
    """How much an expression says of a matter, by which relation, and on whose word."""

    share: float
    relation: str
    sources: tuple[str, ...]


class OwnRelations:
    """Relations under a name, which stands for the source where a relation names none.

    >>> hats = OwnRelations("hats", [OwnRelation("blue hat", "worn by", "sales club"),
    ...                              OwnRelation("blue hat", "worn by", "rowing club")])
    >>> hats.speaking(key("sales club"))
    {'blue hat': Stated(share=0.5, relation='worn by', sources=('hats',))}
    """

    def __init__(self, name: str, relations: Iterable[OwnRelation]) -> None:
        self.name = name
        given = [OwnRelation(*relation) for relation in relations]
        for row in given:
            if fault := _fault(row):
                raise InputError(f"a relation of {name!r} {fault}")
        rows = sorted(set(given), key=repr)
        self._rows: dict[Key, list[OwnRelation]] = {}
        self._written: dict[Key, set[Key]] = {}
        for row in rows:
            keys = _keys(row.expression)
            self._rows.setdefault(keys[0], []).append(row)
            self._written.setdefault(keys[0], set()).update(keys)
        self.digest = sha256(json.dumps([name, rows]).encode()).hexdigest()

    def __len__(self) -> int:
        """The number of relations."""
        return sum(map(len, self._rows.values()))

    def speaking(
        self, entity: Key, concepts: Collection[int] = (), lexicon: Lexicon | None = None
    ) -> dict[Key, Stated]:
        """What speaks of an entity. A matter is the entity if it has its key, or names one of its ``concepts``."""
        matters = {row.matter for rows in self._rows.values() for row in rows}
        meant = {matter for matter in matters if key(matter) == entity}
        if lexicon is not None and concepts:
            family = frozenset(concepts)
            meant |= {m for m in matters if any(sense.concept in family for sense in lexicon.senses(m))}
        found: dict[Key, Stated] = {}
        for expression, rows in self._rows.items():
            even = 1 / len({key(row.matter) for row in rows})
            shares: dict[Key, tuple[float, str]] = {}
            for row in rows:
                if row.matter in meant:
                    told = (even if row.share is None else row.share, row.relation)
                    shares[key(row.matter)] = max(told, shares.get(key(row.matter), told))
            if shares:
                sources = dict.fromkeys(row.source or self.name for row in rows if row.matter in meant)
                total = min(sum(share for share, _ in shares.values()), 1.0)
                stated = Stated(total, max(shares.values())[1], tuple(sources))
                found.update(dict.fromkeys(sorted(self._written[expression]), stated))
        return found


def _keys(expression: str) -> tuple[Key, ...]:
    """The keys of an expression in whatever letters a text has it, the first of them alike for all of these.

    One word in capitals is not found in small letters that make an ordinary word.

    >>> _keys("Ward 7B"), _keys("AIDS")
    (('ward 7b', 'ward 7B'), ('AIDS',))
    """
    small = expression.lower()
    one = len(expression.split()) == 1
    forms = (expression, expression.upper()) if one and is_ordinary(small) else (small, expression, expression.upper())
    return tuple(dict.fromkeys(map(key, forms)))


def _fault(row: OwnRelation) -> str:
    """What is wrong with a relation, or nothing."""
    for part in _NEEDED:
        value = getattr(row, part)
        if not isinstance(value, str) or not (key(value) if part != "relation" else value.strip()):
            return f"has {value!r} for its {part}; give it words"
    if row.share is not None and not (isinstance(row.share, float | int) and 0 < row.share <= 1):
        return f"has the share {row.share!r}; give a number above 0 and up to 1, or none"
    return "" if isinstance(row.source, str) else f"has the source {row.source!r}; give a text"


def load_relations(path: Path) -> OwnRelations:
    """The relations in a file, under its name.

    ``.csv`` has the columns ``expression``, ``relation`` and ``matter``, and may have ``share`` and ``source``;
    ``.jsonl`` an object a line with these. Other columns are not read. Raises :class:`KnowledgeFileError` with the line
    of a row that cannot be used.
    """
    rows = []
    for line, cells in _cells(path):
        row = _row(cells)
        if fault := _fault(row):
            raise KnowledgeFileError(f"{path}, line {line}: the relation {fault}")
        rows.append(row)
    return OwnRelations(path.name, rows)


def _row(cells: Mapping[str, object]) -> OwnRelation:
    """A row as it was written: :func:`_fault` looks at its types."""
    expression, relation, matter, source, share = (_stripped(cells.get(name)) for name in (*_NEEDED, "source", "share"))
    if isinstance(share, str):
        with suppress(ValueError):
            share = float(share) if share else None
    return OwnRelation(expression, relation, matter, share, source or "")


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _cells(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    text = read_text(path)
    suffix = path.suffix.lower()
    if suffix not in RELATION_SUFFIXES:
        raise KnowledgeFileError(
            f"{path}: {suffix or 'no suffix'!r} is no relation file; use {', '.join(RELATION_SUFFIXES)}"
        )
    if suffix == ".csv":
        reader = csv.DictReader(io.StringIO(text))
        if missing := [name for name in _NEEDED if name not in (reader.fieldnames or ())]:
            raise KnowledgeFileError(f"{path}, line 1: no column {missing[0]!r}; name the columns {', '.join(_NEEDED)}")
        for row in reader:
            yield reader.line_num, row
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise KnowledgeFileError(f"{path}, line {number}: not JSON ({error.msg})") from None
            if not isinstance(row, dict):
                raise KnowledgeFileError(f"{path}, line {number}: {line.strip()!r} is no object; write one a line")
            yield number, row
