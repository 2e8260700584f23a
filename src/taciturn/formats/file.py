"""Read a file, write its release, and check the released bytes for leaks."""

from __future__ import annotations

import gc
import logging
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taciturn.document import Document
from taciturn.formats.base import (
    Budget,
    Change,
    Content,
    Context,
    FormatError,
    Leak,
    LeakError,
    Options,
    Rewrite,
    Watch,
    unwatched,
)
from taciturn.formats.declared import with_kinds
from taciturn.formats.detect import released_name
from taciturn.formats.registry import open_content
from taciturn.formats.sweep import Removed, Sweeper, removed, to_sweep
from taciturn.plan import Applied

__all__ = ["File", "Inventory", "leaks", "read", "write"]


@dataclass(frozen=True, slots=True)
class Inventory:
    """What happened to a file: the places looked at, the edits by place, what the release has not, what is unread,
    and what people should know of it.

    Private: places quote names of columns and attachments. :meth:`public` has the figures alone.
    """

    format: str
    places: Mapping[str, int]
    edits: Mapping[str, int]
    dropped: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    noticed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, for the private report."""
        return {
            "format": self.format,
            "places": dict(self.places),
            "edits": dict(self.edits),
            "dropped": list(self.dropped),
            "unread": list(self.unread),
            "noticed": list(self.noticed),
        }

    def public(self) -> dict[str, Any]:
        """The figures, which name nothing of the file: safe to publish."""
        return {
            "format": self.format,
            "passages": sum(self.places.values()),
            "edits": sum(self.edits.values()),
            "dropped": len(self.dropped),
            "unread": len(self.unread),
            "noticed": len(self.noticed),
        }

    def lines(self, most: int = 8) -> list[str]:
        """What people are told at once: a line each, the most frequent places first.

        >>> Inventory("docx", {"body": 12, "header": 1}, {"body": 3}, ("properties",)).lines()
        ['looked at: body (12), header (1)', 'edited: body (3)', 'not in the release: properties']
        """

        def counted(counts: Mapping[str, int]) -> str:
            ranked = sorted(counts.items(), key=lambda item: -item[1])
            shown = ", ".join(f"{place} ({count})" for place, count in ranked[:most])
            return f"{shown} and {len(ranked) - most} more" if len(ranked) > most else shown

        made = [("looked at", counted(self.places)), ("edited", counted(self.edits))]
        made += [("not in the release", ", ".join(self.dropped)), ("kept unread", ", ".join(self.unread))]
        made += [("take note", "; ".join(self.noticed))]
        return [f"{title}: {text}" for title, text in made if text]


@dataclass(frozen=True, slots=True)
class File:
    """A file that was read.

    ``document`` is its text, a segment for each passage, with the place it stands at. ``dropped`` lists what the
    released file will not have (metadata, scripts, earlier revisions), ``unread`` what is kept unread by option,
    ``noticed`` what people should know of it.
    """

    name: str
    format: str
    document: Document
    dropped: tuple[str, ...]
    unread: tuple[str, ...]
    content: Content = field(repr=False)
    options: Options = field(repr=False)
    noticed: tuple[str, ...] = ()

    @property
    def places(self) -> Mapping[str, int]:
        """The places looked at, and how many passages each has: "comment 3" and "comment 4" are two comments."""
        return Counter(_kind(segment.place) for segment in self.document.segments)

    def edits_by_place(self, applied: Applied) -> Mapping[str, int]:
        """How many edits were made at each kind of place, for the report."""
        counts: Counter[str] = Counter()
        for number, changes in enumerate(_changes(self, applied)):
            if changes:
                counts[_kind(self.document.segments[number].place)] += len(changes)
        return counts

    def inventory(self, applied: Applied) -> Inventory:
        """What happened to this file when a plan was applied to it."""
        return Inventory(
            self.format, self.places, self.edits_by_place(applied), self.dropped, self.unread, self.noticed
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Libraries log what they stumble over, and that may quote the file: nothing of a file goes to a log."""
    loggers = [logging.getLogger(name) for name in ("fontTools", "pdfminer", "pikepdf")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles while a file is read: there are none in it, and looking through a value for each letter of
    it again and again takes as long as reading."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _kind(place: str) -> str:
    """A place without its numbers: rows, lines and elements of a list are many places of one kind."""
    parts = re.sub(r"\[\d+\]", "[]", place).split(": ")
    return ": ".join(part.rstrip("0123456789.").rstrip() or part for part in parts)


def load(data: bytes | str | os.PathLike[str], name: str) -> tuple[bytes, str]:
    """The bytes of a file that may be given by its path, and its name."""
    if isinstance(data, bytes):
        return data, name
    path = Path(data)
    try:
        return path.read_bytes(), name or path.name
    except OSError as error:
        raise FormatError(f"{str(path)!r} cannot be read: {error.strerror}; check the path") from error


def read(data: bytes | str | os.PathLike[str], name: str = "", options: Options | None = None) -> File:
    """Read a file from its bytes or its path; the format is chosen by content, then by the name's suffix.

    >>> file = read(b"He has AIDS.", "note.txt")
    >>> file.format, file.document.text
    ('text', 'He has AIDS.')
    """
    data, name = load(data, name)
    options = options or Options()
    context = Context(options, Budget(options.limits.expanded), open_content)
    with _quiet(), _uncollected():
        content = open_content(data, name, context)
    name = released_name(name, content.format)
    document = with_kinds(Document.join((p.place, p.text) for p in content.passages), options.declared)
    return File(name, content.format, document, content.dropped, content.unread, content, options, content.noticed)


def _changes(file: File, applied: Applied) -> tuple[tuple[Change, ...], ...]:
    """The edits of a plan, by passage and counted from the passage's start."""
    segments = file.document.segments
    changes: list[list[Change]] = [[] for _ in segments]
    number = 0
    for edit in applied.plan.edits:
        while segments[number].end < edit.end:
            number += 1
        start = segments[number].start
        changes[number].append((edit.start - start, edit.end - start, edit.replacement))
    return tuple(tuple(c) for c in changes)


def write(file: File, applied: Applied, watch: Watch = unwatched) -> bytes:
    """The released bytes: the plan's edits in their slots, everything else swept, the result checked for leaks.

    ``watch`` finds what is protected in a string (:func:`taciturn.release.watch`). Strings that no plan speaks of, such
    as keys and link targets, are cleaned of it, and every string that can be extracted from the result is searched.

    Raises :class:`LeakError` if anything that was removed can still be found; then there are no bytes.
    """
    if applied.plan.document != file.document:
        raise ValueError("the plan was made for another document; make it from file.document")
    gone = removed(applied)

    def check(data: bytes) -> None:
        try:
            found = _found(file, data, gone, watch)
        except (FormatError, MemoryError):
            raise
        except Exception as error:
            # Other people's readers fail in their own ways on odd files, and what they say may quote the file. What
            # cannot be searched is not released.
            raise FormatError(
                f"{file.name!r} could not be checked for leaks ({type(error).__name__}); save it anew first"
            ) from None
        if found:
            raise LeakError(file.name, found)

    with _quiet(), _uncollected():
        data = file.content.rewrite(Rewrite(_changes(file, applied), Sweeper(to_sweep(applied, gone), watch), check))
        check(data)
    return data


def _found(file: File, data: bytes, gone: Sequence[Removed], watch: Watch) -> list[Leak]:
    from taciturn.formats.leak.search import match

    extract = file.content.extract
    return leaks(data, gone, file.name, watch) if extract is None else match(extract(data), gone, watch)


def leaks(released: bytes, gone: Sequence[str | Removed], name: str = "", watch: Watch = unwatched) -> list[Leak]:
    """Every removed string that released bytes still hold, and what ``watch`` finds, by other code than the writer's.

    Strings are searched as given; ``removed(applied)`` lists those of a plan, with their parts.

    >>> leaks(b"Antonio_Banderas.txt", ["Antonio Banderas"], "list.txt")
    [Leak(text='Antonio Banderas', where='text', way='decoded')]
    """
    from taciturn.formats.leak import search

    with _quiet():
        return search(released, [r if isinstance(r, Removed) else Removed(r, "") for r in gone], name, watch)
