"""A user's own entity base: CSV, JSON lines or a SQLite table in, an entity base out.

An entity's own names always belong to its context. Errors name the file, the line or row, and what to do.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from taciturn.knowledge.entities.base import ENTITIES_SUFFIX, EntityBase, PackedEntityBase
from taciturn.knowledge.storage.files import KnowledgeFileError, read_text
from taciturn.language.keys import Key

__all__ = ["load_base"]

_SQLITE = (".sqlite", ".sqlite3", ".db")
Row = tuple[str, list[str], list[str], str, bool]  # entity, terms, other names, place, may the entity come again?


def load_base(path: Path, key: Callable[[str], Key], name: str | None = None, table: str | None = None) -> EntityBase:
    """The entity base in a file, by its suffix.

    - ``.csv`` with the columns ``entity`` and ``term`` (a row for each term), or ``entity`` and ``context`` (terms
      divided by ``|``, a row for each entity); ``names`` (divided by ``|``) if wanted.
    - ``.jsonl``: an object a line with ``entity``, ``context`` (a list) and, if wanted, ``names``.
    - ``.sqlite``, ``.sqlite3``, ``.db``: a table with the columns ``entity`` and ``term``; name it if there are
      several.
    - ``.entities``: a base that Taciturn has written.

    ``key`` makes keys of terms (:func:`taciturn.language.key`).
    """
    suffix = path.suffix.lower()
    if suffix == ENTITIES_SUFFIX:
        return PackedEntityBase.open(path)
    if suffix == ".csv":
        rows = _csv_rows(path)
    elif suffix in (".jsonl", ".ndjson"):
        rows = _json_rows(path)
    elif suffix in _SQLITE:
        rows = _sqlite_rows(path, table)
    else:
        known = " ".join((".csv", ".jsonl", *_SQLITE, ENTITIES_SUFFIX))
        raise KnowledgeFileError(f"{path}: {suffix or 'no suffix'!r} is no entity file; use one of {known}")
    return EntityBase(name or path.stem, _contexts(path, rows, key))


def _contexts(path: Path, rows: Iterable[Row], key: Callable[[str], Key]) -> dict[str, frozenset[Key]]:
    places: dict[str, str] = {}
    contexts: dict[str, set[Key]] = {}
    for entity, terms, names, place, again in rows:
        if not entity:
            raise KnowledgeFileError(f"{path}, {place}: the entity is empty")
        if entity in places and not again:
            raise KnowledgeFileError(
                f"{path}, {place}: {entity!r} was given before, at {places[entity]}; put its terms together"
            )
        places.setdefault(entity, place)
        keys = {k for t in terms if (k := key(t))}
        if not keys:
            raise KnowledgeFileError(f"{path}, {place}: the context of {entity!r} is empty; add terms or leave it out")
        contexts.setdefault(entity, set()).update(keys, (k for n in (entity, *names) if (k := key(n))))
    if not contexts:
        raise KnowledgeFileError(f"{path}: there is no entity in it")
    return {entity: frozenset(context) for entity, context in contexts.items()}


def _split(cell: str) -> list[str]:
    return [part.strip() for part in cell.split("|") if part.strip()]


def _csv_rows(path: Path) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = [h.strip().lower() for h in next(reader, [])]
        _check_columns(path, header, "line 1")
        for cells in reader:
            place = f"line {reader.line_num}"
            if not any(c.strip() for c in cells):
                continue
            if len(cells) != len(header):
                raise KnowledgeFileError(f"{path}, {place}: {len(cells)} cells, the first line has {len(header)}")
            row = dict(zip(header, (c.strip() for c in cells), strict=True))
            terms = [row["term"]] if "term" in row else _split(row["context"])
            yield row["entity"], terms, _split(row.get("names", "")), place, "term" in row
    except csv.Error as error:
        raise KnowledgeFileError(f"{path}, line {reader.line_num}: {error}") from None


def _check_columns(path: Path, columns: list[str], place: str) -> None:
    if "entity" not in columns:
        raise KnowledgeFileError(f"{path}, {place}: no column 'entity'; entity,term or entity,context are needed")
    if ("term" in columns) == ("context" in columns):
        raise KnowledgeFileError(f"{path}, {place}: one of the columns 'term' and 'context' is needed, and not both")
    if unknown := [c for c in columns if c not in ("entity", "term", "context", "names")]:
        raise KnowledgeFileError(
            f"{path}, {place}: unknown column {unknown[0]!r}; entity, term, context, names are known"
        )


def _json_rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            entry = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
            raise KnowledgeFileError(f"{path}, {place}: not JSON ({reason}); one object a line is needed") from None
        if not isinstance(entry, dict) or not isinstance(entry.get("entity"), str):
            raise KnowledgeFileError(f"{path}, {place}: not an object with a text under 'entity'")
        if unknown := sorted(set(entry) - {"entity", "context", "names"}):
            raise KnowledgeFileError(f"{path}, {place}: unknown {unknown[0]!r}; entity, context, names are known")
        lists = [entry.get("context"), entry.get("names", [])]
        if not all(isinstance(v, list) and all(isinstance(t, str) for t in v) for v in lists):
            raise KnowledgeFileError(f"{path}, {place}: 'context' and 'names' must be lists of texts")
        yield entry["entity"].strip(), entry["context"], entry.get("names", []), place, False


def _sqlite_rows(path: Path, table: str | None) -> Iterator[Row]:
    if not path.is_file():
        raise FileNotFoundError(path)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            tables = [r[0] for r in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
            usable = [t for t in tables if {"entity", "term"} <= set(_columns(database, t))]
            if table is None and len(usable) == 1:
                table = usable[0]
            if table is None or table not in tables:
                named = f"no table {table!r}" if table else "no single table with the columns 'entity' and 'term'"
                raise KnowledgeFileError(f"{path}: {named}; there are {', '.join(map(repr, tables)) or 'none'}")
            columns = _columns(database, table)
            _check_columns(path, [c for c in columns if c in ("entity", "term")], f"table {table!r}")
            rows = database.execute(f'SELECT entity, term FROM "{table.replace(chr(34), chr(34) * 2)}"')
            for number, (entity, term) in enumerate(rows, 1):
                yield str(entity or "").strip(), [str(term or "")], [], f"row {number}", True
    except sqlite3.Error as error:
        raise KnowledgeFileError(f"{path}: not a SQLite database that can be read ({error})") from None


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[0]) for row in database.execute("SELECT name FROM pragma_table_info(?)", (table,))]
