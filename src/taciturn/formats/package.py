"""Zip packages: opened within limits, written without timestamps, comments or paths of the machine they came from."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable
from typing import NamedTuple

from taciturn.formats.base import Budget, Context, FormatError, LimitError, Limits

__all__ = ["Member", "kind", "pack", "read_member", "unpack"]


class Member(NamedTuple):
    """A file of a package."""

    name: str
    data: bytes


def _names(data: bytes, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OverflowError) as error:
        raise FormatError(
            f"{name!r} is a damaged zip package ({error}); open and save it again in its program"
        ) from None


def kind(data: bytes, name: str) -> str:
    """``docx``, ``pptx``, ``xlsx`` or ``odt``, by what the package holds; ``zip`` if it is an archive of files."""
    with _names(data, name) as archive:
        names = set(archive.namelist())
        if "[Content_Types].xml" in names and any(n.startswith("word/") for n in names):
            return "docx"
        if "mimetype" in names and "content.xml" in names:
            try:
                info = archive.getinfo("mimetype")
                mime = archive.read(info) if info.file_size < 200 else b""
            except (zipfile.BadZipFile, RuntimeError, zlib.error, EOFError, NotImplementedError, ValueError, OSError):
                mime = b""
            if mime.startswith(b"application/vnd.oasis.opendocument.text"):
                return "odt"
            raise FormatError(f"{name!r} is an OpenDocument file other than text; export it as PDF, CSV or .odt")
    if "[Content_Types].xml" in names:
        for folder, form in (("ppt/", "pptx"), ("xl/", "xlsx")):
            if any(n.startswith(folder) for n in names):
                if any(n.endswith("workbook.bin") for n in names):
                    raise FormatError(f"{name!r} is a binary workbook (.xlsb); save it as .xlsx")
                return form
        raise FormatError(f"{name!r} is an Office package of another kind; save it as .docx, .xlsx, .pptx or PDF")
    return "zip"


def unpack(data: bytes, name: str, context: Context) -> list[Member]:
    """The files of a package, in order. Sizes are counted while unpacking, for a header can lie about them."""
    limits = context.options.limits
    members: list[Member] = []
    seen: set[str] = set()
    with _names(data, name) as archive:
        infos = archive.infolist()
        if len(infos) > limits.members:
            raise LimitError(f"{name!r} has {len(infos):,} members, the limit is {limits.members:,} (Limits.members)")
        for info in infos:
            if not info.filename:
                raise FormatError(f"{name!r} holds a file without a name; open and save it again in its program")
            if info.is_dir():
                continue
            if info.filename in seen:
                # Two members of one name: which one a program shows is anybody's guess.
                raise FormatError(f"{name!r} holds {info.filename!r} twice; open and save it again in its program")
            seen.add(info.filename)
            members.append(Member(info.filename, read_member(archive, info, name, limits, context.budget)))
    return members


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, limits: Limits, budget: Budget) -> bytes:
    """What a member of the package ``name`` holds, within limits."""
    if info.flag_bits & 1:
        raise FormatError(f"{name!r} is encrypted; save it without a password first")
    bound = max(limits.ratio * max(info.compress_size, 1), 2**20)
    try:
        with archive.open(info) as stream:
            content = stream.read(min(bound, budget.left) + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise FormatError(f"{name!r} is damaged at {info.filename!r} ({error}); save it again in its program") from None
    if len(content) > bound:
        raise LimitError(
            f"{name!r} holds {info.filename!r}, which expands more than {limits.ratio}-fold; "
            "if you trust it, raise Limits.ratio in the options"
        )
    budget.spend(len(content), name)
    return content


def pack(members: Iterable[Member], stored: frozenset[str] = frozenset()) -> bytes:
    """A package with the same time for every member; those in ``stored`` are not compressed.

    >>> pack([Member("a", b"1")]) == pack([Member("a", b"1")])
    True
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in members:
            info = zipfile.ZipInfo(member.name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if member.name in stored else zipfile.ZIP_DEFLATED
            info.create_system = 0
            info.external_attr = 0
            archive.writestr(info, member.data)
    return buffer.getvalue()
