"""Zip archives: every file in it by its own format, one release of all of them, or none.

The archive is one document: what is hidden in one file is hidden in all, and the certificate speaks of the whole. A
file that cannot be read is left out and said, as in e-mail. Names of files are texts; their extensions stay. Hidden
files, comments, times and owners are dropped. (``taciturn batch`` releases each file of an archive by itself.)
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from dataclasses import dataclass
from functools import partial

from taciturn.formats.archive import inner_name
from taciturn.formats.base import Content, Context, FormatError, LimitError, Rewrite, Slot
from taciturn.formats.detect import ROW_FORMATS, released_name
from taciturn.formats.embedded import Adopted, Shelf
from taciturn.formats.package import Member, pack, unpack

__all__ = ["ERRORS", "read"]

ERRORS: tuple[type[Exception], ...] = (zipfile.BadZipFile, ValueError, KeyError)
"""What the libraries below raise on damaged files."""

_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}$")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file of the archive: its name in parts, each of them a text, its extension, its content."""

    parts: tuple[str, ...]
    first: int
    extension: str
    child: Adopted


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of every file of the archive, after those of its name."""
    shelf = Shelf()
    kept: list[_Kept] = []
    holders = 0
    _refuse_links(data, name)
    for member in unpack(data, name, context):
        whole, fault = inner_name(member.name)
        if fault:
            raise FormatError(f"{name!r} holds {whole!r}: {fault}")
        if any(part.startswith(".") for part in whole.split("/")):
            shelf.dropped["hidden files"] = None
            continue
        if not member.data:
            shelf.dropped[f"file {whole} (empty)"] = None
            continue
        try:
            content = context.nested(member.data, posixpath.basename(whole))
        except LimitError:
            raise
        except FormatError:
            shelf.dropped[f"file {whole} (cannot be read)"] = None
            continue
        if content.format in ROW_FORMATS:
            shelf.noticed[f"{whole} is released as one text; `taciturn batch` releases tables row by row"] = None
        extension = found.group() if (found := _EXTENSION.search(whole)) else ""
        parts = tuple(whole.removesuffix(extension).split("/"))
        extension = released_name(extension and f"x{extension}", content.format)[1:]
        for number, part in enumerate(parts, holders):
            shelf.add("file name", [Slot(part, number)])
        kept.append(_Kept(parts, holders, extension, shelf.adopt(content, whole)))
        holders += len(parts)
    if not kept:
        raise FormatError(f"{name!r} holds no file that can be read; unpack it and look at the files one by one")
    lists = (tuple(found) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("zip", tuple(shelf.passages), partial(_write, shelf, tuple(kept)), *lists)


def _refuse_links(data: bytes, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if any((info.external_attr >> 16) & 0o170000 == 0o120000 for info in archive.infolist()):
            raise FormatError(f"{name!r} holds a link to another file; unpack it and pack it again without links")


def _write(shelf: Shelf, kept: tuple[_Kept, ...], rewrite: Rewrite) -> bytes:
    filled = shelf.filled(rewrite)
    taken: set[str] = set()
    members = []
    for file in kept:
        parts = [filled.get(number, part) for number, part in enumerate(file.parts, file.first)]
        parts = [
            re.sub(r'[\x00-\x1f\\/:*?"<>|]', "_", rewrite.sweeper.clean(part)).strip(". ") or "_" for part in parts
        ]
        name = free = "/".join(parts)
        number = 1
        while free.casefold() + file.extension.casefold() in taken:  # two names may have become one
            number += 1
            free = f"{name} {number}"
        taken.add(free.casefold() + file.extension.casefold())
        members.append(Member(free + file.extension, file.child.write(rewrite)))
    return pack(members)
