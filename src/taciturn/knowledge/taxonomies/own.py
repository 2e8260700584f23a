"""A user's own taxonomy: CSV, JSON, OBO or SKOS in, the same class as the packed ones out.

Every reader yields :class:`Entry` values that remember the place in the file, so that what is wrong with the whole (a
parent that is not there, a circle) is said with a line as well.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from taciturn.knowledge.storage.files import KnowledgeFileError, read_json, read_text
from taciturn.knowledge.taxonomies.build import Concept, build_taxonomy
from taciturn.knowledge.taxonomies.declared import declared_flags, json_terms
from taciturn.knowledge.taxonomies.entries import Entry
from taciturn.knowledge.taxonomies.obo import obo_entries
from taciturn.knowledge.taxonomies.packed import PackedTaxonomy
from taciturn.knowledge.taxonomies.skos import json_ld_entries, rdf_entries
from taciturn.language.keys import Key

__all__ = ["load_taxonomy"]


def load_taxonomy(
    path: Path, key: Callable[[str], Key], name: str | None = None, flags: Iterable[str] | None = None
) -> PackedTaxonomy:
    """The taxonomy in a file, by its suffix: .csv, .json, .obo, .rdf or .xml (SKOS), .jsonld (SKOS).

    ``key`` makes keys of terms (:func:`taciturn.language.key`); ``name`` is the file's stem unless given;
    ``flags`` are those that the file declares (:mod:`~taciturn.knowledge.taxonomies.declared`) unless given.
    Raises :class:`KnowledgeFileError` with file and line for whatever is wrong.
    """
    readers: dict[str, Callable[[Path], Iterable[Entry]]] = {
        ".csv": lambda p: _csv_entries(p, key),
        ".json": lambda p: _json_entries(p, key),
        ".jsonld": json_ld_entries,
        ".obo": obo_entries,
        ".rdf": rdf_entries,
        ".xml": rdf_entries,
    }
    suffix = path.suffix.lower()
    if suffix not in readers:
        known = " ".join(sorted(readers))
        raise KnowledgeFileError(f"{path}: {suffix or 'no suffix'!r} is no taxonomy file; use one of {known}")
    entries = list(readers[suffix](path))
    if not entries:
        raise KnowledgeFileError(f"{path}: there is no concept in it")
    _check_links(path, entries)
    concepts = [Concept(e.id, e.label, e.parents, tuple((s, 1) for s in e.synonyms if s != e.label)) for e in entries]
    return PackedTaxonomy(name or path.stem, build_taxonomy(concepts, key), flags=declared_flags(path, flags))


def _check_links(path: Path, entries: list[Entry]) -> None:
    by_id: dict[str, Entry] = {}
    for entry in entries:
        if entry.id in by_id:
            first = by_id[entry.id].place
            raise KnowledgeFileError(f"{path}, {entry.place}: {entry.id!r} was given before, at {first}")
        by_id[entry.id] = entry
    for entry in entries:
        for parent in entry.parents:
            if parent not in by_id:
                raise KnowledgeFileError(
                    f"{path}, {entry.place}: {entry.label!r} lies under {parent!r}, which the file does not define"
                )
    if circle := _circle(by_id):
        way = " > ".join(repr(by_id[i].label) for i in circle)
        raise KnowledgeFileError(f"{path}, {by_id[circle[0]].place}: a circle, {way}; remove one of its links")


def _circle(by_id: dict[str, Entry]) -> list[str]:
    """The identifiers along a circle, the first one repeated at the end; empty if there is none. Linear time."""
    done: set[str] = set()
    for start in by_id:
        way: list[str] = []
        on_way: dict[str, int] = {}
        stack: list[Iterator[str]] = []
        if start not in done:
            way, on_way, stack = [start], {start: 0}, [iter(by_id[start].parents)]
        while stack:
            above = next(stack[-1], None)
            if above is None:
                stack.pop()
                done.add(way.pop())
                del on_way[next(reversed(on_way))]
            elif above in on_way:
                return [*way[on_way[above] :], above]
            elif above not in done:
                on_way[above] = len(way)
                way.append(above)
                stack.append(iter(by_id[above].parents))
    return []


def _merged(path: Path, rows: Iterable[tuple[str, str, list[str], str]], key: Callable[[str], Key]) -> list[Entry]:
    """Entries from rows of (child, parent or "", synonyms, place): one for each term, named by its key."""
    labels: dict[str, tuple[str, str]] = {}
    parents: dict[str, dict[str, None]] = {}
    synonyms: dict[str, dict[str, None]] = {}
    for child, parent, names, place in rows:
        ids = []
        for text in (child, parent) if parent else (child,):
            id_ = key(text)
            if not any(c.isalnum() for c in id_):
                raise KnowledgeFileError(f"{path}, {place}: {text!r} has no word that could be found in a text")
            labels.setdefault(id_, (text, place))
            ids.append(id_)
        above = parents.setdefault(ids[0], {})
        if len(ids) > 1:
            if ids[1] in above:
                raise KnowledgeFileError(f"{path}, {place}: {child!r} under {parent!r} was given before")
            if ids[0] == ids[1]:
                raise KnowledgeFileError(f"{path}, {place}: {child!r} lies under itself")
            above[ids[1]] = None
        synonyms.setdefault(ids[0], {}).update(dict.fromkeys(names))
    return [
        Entry(id_, text, tuple(parents.get(id_, ())), tuple(synonyms.get(id_, ())), place)
        for id_, (text, place) in labels.items()
    ]


def _csv_entries(path: Path, key: Callable[[str], Key]) -> list[Entry]:
    """Rows of child, parent and, if wanted, synonyms divided by ``|``; a row without a parent names a root."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    rows = []
    try:
        first = next((row for row in reader if not "".join(row[:1]).startswith("#")), [])
        header, top = [h.strip().lower() for h in first], f"{path}, line {max(reader.line_num, 1)}"
        for column in ("child", "parent"):
            if column not in header:
                raise KnowledgeFileError(
                    f"{top}: no column {column!r}; the first line must read child,parent or child,parent,synonyms"
                )
        if unknown := [h for h in header if h not in ("child", "parent", "synonyms")]:
            raise KnowledgeFileError(f"{top}: unknown column {unknown[0]!r}; use child, parent, synonyms")
        for row in reader:
            place = f"line {reader.line_num}"
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                raise KnowledgeFileError(f"{path}, {place}: {len(row)} cells, the first line has {len(header)}")
            cells = dict(zip(header, (cell.strip() for cell in row), strict=True))
            if not cells["child"]:
                raise KnowledgeFileError(f"{path}, {place}: the child is empty")
            names = [s.strip() for s in cells.get("synonyms", "").split("|") if s.strip()]
            rows.append((cells["child"], cells["parent"], names, place))
    except csv.Error as error:
        raise KnowledgeFileError(f"{path}, line {reader.line_num}: {error}") from None
    return _merged(path, rows, key)


def _json_entries(path: Path, key: Callable[[str], Key]) -> list[Entry]:
    """``{"liver cancer": "cancer", ...}`` (a parent, a list of parents, or null), or a list of objects with ``term``
    and, if wanted, ``parents`` and ``synonyms``.
    """
    data = json_terms(read_json(path))
    rows: list[tuple[str, str, list[str], str]] = []
    items: list[tuple[str, str, Any, Any]]
    if isinstance(data, dict):
        items = [(f"entry {n}", term, above, []) for n, (term, above) in enumerate(data.items(), 1)]
    elif isinstance(data, list):
        items = []
        for n, entry in enumerate(data, 1):
            if not isinstance(entry, dict) or not isinstance(entry.get("term"), str):
                raise KnowledgeFileError(f"{path}, entry {n}: not an object with a text under 'term'")
            if unknown := sorted(set(entry) - {"term", "parents", "synonyms"}):
                raise KnowledgeFileError(f"{path}, entry {n}: unknown {unknown[0]!r}; use term, parents, synonyms")
            items.append((f"entry {n}", entry["term"], entry.get("parents"), entry.get("synonyms") or []))
    else:
        raise KnowledgeFileError(f"{path}: neither an object of terms and parents nor a list of entries")
    for place, term, above, names in items:
        parents = [above] if isinstance(above, str) else above or []
        texts = [*parents, *names] if isinstance(parents, list) and isinstance(names, list) else [None]
        if not all(isinstance(t, str) and t.strip() for t in texts) or not term.strip():
            raise KnowledgeFileError(f"{path}, {place}: {term!r} needs texts as term, parents and synonyms")
        rows += [(term.strip(), p.strip(), names, place) for p in parents] or [(term.strip(), "", names, place)]
    return _merged(path, rows, key)
