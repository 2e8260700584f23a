"""What a pack can be built from: text files, JSON lines, folders of them, a Wikipedia dump, each compressed or not.

A source is read once, as a stream, by one process: decompression is a tenth of the work of finding terms. Wiki
markup is passed on as it is and stripped by the workers.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

__all__ = ["Article", "read_articles", "source_files"]

_OPENERS: dict[str, Callable[..., Any]] = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}
_SUFFIXES = {".txt", ".md", ".jsonl", ".ndjson", ".xml"}


@dataclass(frozen=True, slots=True)
class Article:
    """A text with its title (empty if it has none); ``markup`` says that it is still wikitext."""

    title: str
    text: str
    markup: bool = False


def _plain_suffix(path: Path) -> str:
    """The suffix that says what a file holds, behind that of its compression.

    >>> _plain_suffix(Path("enwiki.xml.bz2")), _plain_suffix(Path("notes.txt"))
    ('.xml', '.txt')
    """
    inner = Path(path.stem) if path.suffix in _OPENERS else path
    return inner.suffix.lower()


def source_files(path: Path) -> list[Path]:
    """The files of a source in the order in which they are read: a folder's files by name.

    Raises ``ValueError`` for a file of a kind that cannot be read and for a folder without any that can.
    """
    if not path.exists():
        raise ValueError(f"the source {str(path)!r} does not exist; name a file or a folder")
    if path.is_dir():
        files = [p for p in sorted(path.rglob("*")) if p.is_file() and _plain_suffix(p) in _SUFFIXES]
        if not files:
            raise ValueError(f"the folder {str(path)!r} holds no file that ends in {', '.join(sorted(_SUFFIXES))}")
        return files
    if _plain_suffix(path) not in _SUFFIXES:
        raise ValueError(
            f"the source {str(path)!r} is of no known kind; give text (.txt, .md), JSON lines (.jsonl) with "
            "'title' and 'text', or a Wikipedia dump (.xml), each also as .xz, .gz or .bz2"
        )
    return [path]


def read_articles(path: Path) -> Iterator[tuple[Article, int]]:
    """The articles of a file, each with how far into the file the reader is, in bytes as stored."""
    with open(path, "rb") as raw:
        opener = _OPENERS.get(path.suffix)
        stream = cast(IO[bytes], opener(raw, "rb") if opener else raw)
        suffix = _plain_suffix(path)
        if suffix == ".xml":
            articles = _read_dump(stream)
        elif suffix in {".jsonl", ".ndjson"}:
            articles = _read_lines(stream, path)
        else:
            title = Path(path.stem).stem.replace("_", " ") if opener else path.stem.replace("_", " ")
            articles = iter([Article(title, stream.read().decode("utf-8", "replace"))])
        for article in articles:
            yield article, raw.tell()


def _read_lines(stream: IO[bytes], path: Path) -> Iterator[Article]:
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text = row["text"]
            title = row.get("title") or ""
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"line {number} of {path} is not a JSON object with 'text' and 'title'") from error
        if not isinstance(text, str) or not isinstance(title, str):
            raise ValueError(f"line {number} of {path} has a 'text' or a 'title' that is not a string")
        yield Article(title, text)


def _read_dump(stream: IO[bytes]) -> Iterator[Article]:
    """Articles of a MediaWiki export: pages of the main namespace that are no redirects, in wikitext."""
    from xml.etree.ElementTree import iterparse

    title, namespace, text, redirect = "", "0", "", False
    root = None
    for event, element in iterparse(stream, events=("start", "end")):
        if event == "start":
            root = element if root is None else root
            continue
        tag = element.tag.rpartition("}")[2]
        if tag == "title":
            title = element.text or ""
        elif tag == "ns":
            namespace = element.text or "0"
        elif tag == "redirect":
            redirect = True
        elif tag == "text":
            text = element.text or ""
        elif tag == "page":
            if namespace == "0" and not redirect:
                yield Article(title, text, markup=True)
            title, namespace, text, redirect = "", "0", "", False
            if root is not None:
                root.clear()
