"""The flags that a user's taxonomy file declares, each format in the place that it has for remarks.

- ``.csv``: a line ``# flags: places`` before the first row.
- ``.json``: ``{"flags": ["places"], "terms": ...}`` around the terms.
- ``.obo``: ``remark: flags: places`` before the first term.
- SKOS: ``skos:note`` of the ``skos:ConceptScheme``, with the text ``flags: places``.

Several flags are divided by commas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from taciturn.knowledge.storage.files import KnowledgeFileError, read_json, read_text
from taciturn.knowledge.taxonomies.flags import FLAGS

__all__ = ["declared_flags", "json_terms"]

_LINE = re.compile(r"\s*flags:\s*(.*?)\s*", re.S)
_SKOS = "{http://www.w3.org/2004/02/skos/core#}"


def declared_flags(path: Path, given: Iterable[str] | None = None) -> frozenset[str]:
    """The flags that a file declares, or those given. The file has been read before and is sound.

    Raises :class:`KnowledgeFileError` for a flag that is none of :data:`~taciturn.knowledge.taxonomies.flags.FLAGS`.
    """
    remarks = _REMARKS[path.suffix.lower()](path) if given is None else ()
    declared = (flag.strip() for text in remarks if (match := _LINE.fullmatch(text)) for flag in match[1].split(","))
    flags = sorted(declared if given is None else given)
    if unknown := [flag for flag in flags if flag not in FLAGS]:
        raise KnowledgeFileError(f"{path}: {unknown[0]!r} is no flag of a taxonomy; use {', '.join(FLAGS)}")
    return frozenset(flags)


def json_terms(data: Any) -> Any:
    """What a JSON file says of terms: all of it, or the part beside the flags.

    >>> json_terms({"flags": ["places"], "terms": {"Boston": "city"}})
    {'Boston': 'city'}
    >>> json_terms({"Boston": "city"})
    {'Boston': 'city'}
    """
    return data["terms"] if isinstance(data, dict) and data.keys() == {"flags", "terms"} else data


def _csv_remarks(path: Path) -> Iterator[str]:
    for line in read_text(path).splitlines():
        if not line.startswith("#"):
            return
        yield line[1:]


def _json_remarks(path: Path) -> Iterator[str]:
    data = read_json(path)
    if json_terms(data) is not data:
        flags = data["flags"]
        if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
            raise KnowledgeFileError(f"{path}: 'flags' must be a list of texts, not {flags!r}")
        if flags:
            yield "flags: " + ",".join(flags)


def _obo_remarks(path: Path) -> Iterator[str]:
    head = read_text(path).split("\n[", 1)[0]
    return (line.removeprefix("remark:") for line in head.splitlines() if line.startswith("remark:"))


def _rdf_remarks(path: Path) -> Iterator[str]:
    scheme = f"{_SKOS}ConceptScheme"
    root = ElementTree.fromstring(path.read_bytes())  # the reader of concepts refuses document types
    return (note.text or "" for note in root.iterfind(f".//{scheme}/{_SKOS}note"))


def _json_ld_remarks(path: Path) -> Iterator[str]:
    data = read_json(path)
    graph = data.get("@graph", [data]) if isinstance(data, dict) else data
    for entry in graph:
        if any(str(kind).endswith("ConceptScheme") for kind in _listed(entry.get("@type"))):
            for note in _listed(entry.get("skos:note", entry.get("note"))):
                yield str(note.get("@value", "") if isinstance(note, dict) else note)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


_REMARKS: dict[str, Callable[[Path], Iterable[str]]] = {
    ".csv": _csv_remarks,
    ".json": _json_remarks,
    ".jsonld": _json_ld_remarks,
    ".obo": _obo_remarks,
    ".rdf": _rdf_remarks,
    ".xml": _rdf_remarks,
}
