"""SKOS thesauri as RDF/XML or JSON-LD. Turtle is not read: any RDF tool turns it into either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from taciturn.knowledge.storage.files import KnowledgeFileError, read_json
from taciturn.knowledge.taxonomies.entries import Entry

__all__ = ["json_ld_entries", "rdf_entries"]

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XML = "http://www.w3.org/XML/1998/namespace"
_LINKS = ("broader", "broaderGeneric", "broaderTransitive")


class _Thesaurus:
    """Concepts as they are read; links may come from either end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places: dict[str, str] = {}
        self._labels: dict[str, dict[str, str]] = {}
        self._others: dict[str, dict[str, None]] = {}
        self._above: dict[str, dict[str, None]] = {}

    def define(self, id_: str, place: str) -> None:
        self.places.setdefault(id_, place)

    def label(self, id_: str, kind: str, language: str, text: str) -> None:
        language = language.lower().split("-")[0]
        if kind == "prefLabel":
            self._labels.setdefault(id_, {}).setdefault(language, text)
        elif language in ("", "en"):
            self._others.setdefault(id_, {})[text] = None

    def link(self, below: str, above: str) -> None:
        self._above.setdefault(below, {})[above] = None

    def entries(self) -> Iterator[Entry]:
        for id_, place in self.places.items():
            labels = self._labels.get(id_, {})
            label = labels.get("en") or labels.get("")
            if not label:
                raise KnowledgeFileError(
                    f"{self.path}, {place}: {id_!r} has no skos:prefLabel in English or without a language"
                )
            yield Entry(id_, label, tuple(self._above.get(id_, ())), tuple(self._others.get(id_, ())), place)


def rdf_entries(path: Path) -> Iterator[Entry]:
    """The concepts of an RDF/XML file. Document types and entities are refused: nothing is expanded or fetched."""
    parser = expat.ParserCreate(namespace_separator="\n")
    thesaurus = _Thesaurus(path)
    stack: list[tuple[str, str]] = []  # (element, the concept it speaks of)
    text: list[str] = []
    language = [""]

    def refuse(*_: object) -> None:
        raise KnowledgeFileError(
            f"{path}, line {parser.CurrentLineNumber}: a document type; remove it, Taciturn expands no entities"
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        tag = tag.replace("\n", "")
        about = attributes.get(f"{_RDF}\nabout", "")
        concept = stack[-1][1] if stack else ""
        language.append(attributes.get(f"{_XML}\nlang", language[-1]))
        text.clear()
        if about:
            if tag == f"{_SKOS}Concept":
                thesaurus.define(about, f"line {parser.CurrentLineNumber}")
            if stack and concept:
                _link(stack[-1][0], concept, about)
            concept = about
        elif target := attributes.get(f"{_RDF}\nresource"):
            if tag == f"{_RDF}type" and target == f"{_SKOS}Concept":
                thesaurus.define(concept, f"line {parser.CurrentLineNumber}")
            _link(tag, concept, target)
        stack.append((tag, concept))

    def _link(tag: str, here: str, there: str) -> None:
        name = tag.removeprefix(_SKOS)
        if name in _LINKS:
            thesaurus.link(here, there)
        elif name.replace("narrower", "broader", 1) in _LINKS:
            thesaurus.link(there, here)

    def end(tag: str) -> None:
        tag, concept = stack.pop()
        name = tag.removeprefix(_SKOS)
        if name in ("prefLabel", "altLabel", "hiddenLabel") and concept and "".join(text).strip():
            thesaurus.label(concept, name, language[-1], "".join(text).strip())
        language.pop()
        text.clear()

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        message = expat.ErrorString(error.code)
        raise KnowledgeFileError(f"{path}, line {error.lineno}: not well-formed XML ({message})") from None
    return thesaurus.entries()


def json_ld_entries(path: Path) -> Iterator[Entry]:
    """The concepts of a JSON-LD file: ``@graph``, or a list, of objects with ``@id``, ``prefLabel``, ``broader`` ..."""
    data = read_json(path)
    graph = data.get("@graph", [data]) if isinstance(data, dict) else data
    if not isinstance(graph, list):
        raise KnowledgeFileError(f"{path}: neither a list of concepts nor an object with '@graph'")
    thesaurus = _Thesaurus(path)
    for number, entry in enumerate(graph, 1):
        if not isinstance(entry, dict):
            raise KnowledgeFileError(f"{path}, entry {number}: not an object")
        plain = {k.removeprefix("skos:").removeprefix(_SKOS).lstrip("@"): v for k, v in entry.items()}
        kinds = {str(k).removeprefix("skos:").removeprefix(_SKOS) for k in _list(plain.get("type"))}
        if "Concept" not in kinds and "prefLabel" not in plain:
            continue
        id_ = plain.get("id")
        if not isinstance(id_, str):
            raise KnowledgeFileError(f"{path}, entry {number}: a concept without '@id' ({json.dumps(entry)[:60]})")
        thesaurus.define(id_, f"entry {number}")
        for kind in ("prefLabel", "altLabel", "hiddenLabel"):
            for language, label in _texts(plain.get(kind)):
                thesaurus.label(id_, kind, language, label)
        for link in _LINKS:
            for target in _list(plain.get(link)):
                thesaurus.link(id_, _target(target, f"{path}, entry {number}"))
            for target in _list(plain.get(link.replace("broader", "narrower"))):
                thesaurus.link(_target(target, f"{path}, entry {number}"), id_)
    return thesaurus.entries()


def _target(value: Any, where: str) -> str:
    target = value.get("@id") if isinstance(value, dict) else value
    if not isinstance(target, str):
        raise KnowledgeFileError(f"{where}: a link must name a concept, not {value!r}")
    return target


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _texts(value: Any) -> Iterator[tuple[str, str]]:
    """(language, text) of a label: a text, an object with ``@value``, a map of languages, or a list of these."""
    for item in _list(value):
        if isinstance(item, str):
            yield "", item
        elif isinstance(item, dict) and "@value" in item:
            yield str(item.get("@language", "")), str(item["@value"])
        elif isinstance(item, dict):
            for language, texts in item.items():
                yield from ((language, str(t)) for t in _list(texts))
