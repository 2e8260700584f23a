"""Which format a file is in: by its content first, by its name only where contents look alike."""

from __future__ import annotations

import json
import re
from pathlib import PurePath

from taciturn.formats.base import FormatError
from taciturn.formats.package import kind
from taciturn.formats.plugins import plugin_format

__all__ = ["ROW_FORMATS", "SUFFIXES", "TABLE_SUFFIXES", "detect", "released_name"]

SUFFIXES = {
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".eml": "mail",
    ".msg": "msg",
    ".docx": "docx",
    ".docm": "docx",
    ".dotx": "docx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".ppsx": "pptx",
    ".potx": "pptx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xltx": "xlsx",
    ".odt": "odt",
    ".ott": "odt",
    ".pdf": "pdf",
    ".parquet": "parquet",
    ".rtf": "rtf",
    ".zip": "zip",
}

ROW_FORMATS = frozenset(("csv", "jsonl", "parquet"))
"""The formats whose files are tables, which can be read row by row."""

TABLE_SUFFIXES = frozenset(suffix for suffix, form in SUFFIXES.items() if form in ROW_FORMATS)

_REFUSED = (
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it and release the files one by one"),
    (b"Rar!", "a RAR archive; unpack it and release the files one by one"),
    (b"\x1f\x8b", "gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd; unpack it first"),
    (b"BZh", "bzip2; unpack it first"),
    (b"\xfd7zXZ\0", "xz; unpack it first"),
    (b"\x89PNG", "a picture; Taciturn reads text"),
    (b"\xff\xd8\xff", "a picture; Taciturn reads text"),
    (b"GIF8", "a picture; Taciturn reads text"),
    (b"II*\0", "a picture; Taciturn reads text"),
    (b"MM\0*", "a picture; Taciturn reads text"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3\0", "a database; export its tables as CSV"),
)

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_COMPOUND_KINDS = (
    ("EncryptedPackage", "encrypted; save it without a password first"),
    ("WordDocument", "an old Word document (.doc); save it as .docx"),
    ("PowerPoint Document", "an old presentation (.ppt); save it as .pptx"),
    ("Workbook", "an old workbook (.xls); save it as .xlsx"),
    ("Book", "an old workbook (.xls); save it as .xlsx"),
    ("VisioDocument", "a Visio drawing; export it as PDF"),
)
"""What a compound file is, by the name of a stream in it, and what to do instead."""


def _has_stream(data: bytes, stream: str) -> bool:
    """Whether a compound file has a stream; names are UTF-16 of 64 bytes, followed by their length."""
    name = stream.encode("utf-16-le")
    return name + bytes(64 - len(name)) + (len(name) + 2).to_bytes(2, "little") in data


def _compound(data: bytes) -> str:
    """What a compound file is that is not read."""
    for stream, what in _COMPOUND_KINDS:
        if _has_stream(data, stream):
            return what
    return "an old Office file; save it in a newer format: .docx, .xlsx, .pptx or PDF"


_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_HEADER = re.compile(rb"(?:[!-9;-~]+:[ \t][^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+\r?\n")
_MAIL_NAMES = re.compile(rb"^(?:from|to|subject|date|message-id|mime-version|received|return-path):", re.I | re.M)

_UNMARKED = frozenset(("text", "markdown", "html", "csv", "json", "mail")) | {"jsonl"}
"""The formats whose files begin with no mark of their own; all others are known by it."""


def detect(data: bytes, name: str = "") -> str:
    """The format of a file.

    >>> detect(b"%PDF-1.7"), detect(b'{"a": 1}'), detect(b"<!doctype html><p>Hi"), detect(b"# Hi", "notes.md")
    ('pdf', 'json', 'html', 'markdown')
    """
    suffix = PurePath(name).suffix.lower()
    said = SUFFIXES.get(suffix, "")
    if not said and (plugged := plugin_format(data, suffix)):
        return plugged
    # Readers accept up to 1,024 bytes of anything before the mark of a PDF.
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data[:4] == b"PK\x03\x04" or data[:4] == b"PK\x05\x06":
        return kind(data, name)
    if data[:4] == b"PAR1":
        return "parquet"
    if data.startswith(b"{\\rtf"):
        return "rtf"
    if data.startswith(_COMPOUND):
        if _has_stream(data, "__properties_version1.0"):
            return "msg"
        raise FormatError(f"{name!r} is {_compound(data)}")
    for magic, what in _REFUSED:
        if data.startswith(magic):
            raise FormatError(f"{name!r} is {what}")
    if said and said not in _UNMARKED:
        raise FormatError(f"{name!r} is called {suffix} but its content is something else; check the file")
    start = data[:65536].removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(start):
        return "html"
    if said:
        return said
    header = _HEADER.match(start)
    if header and len({m.lower() for m in _MAIL_NAMES.findall(header.group())}) >= 2:
        return "mail"
    if start.lstrip()[:1] in (b"{", b"["):
        return _json(data)
    return "text"


def released_name(name: str, form: str) -> str:
    """The name of the release of a file that is written in a format. An Outlook message becomes an e-mail.

    >>> released_name("a.msg", "mail"), released_name("a.docx", "docx")
    ('a.eml', 'a.docx')
    """
    is_message = form in ("mail", "msg") and PurePath(name).suffix.lower() == ".msg"
    return f"{name[:-4]}.eml" if is_message else name


def _json(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(line.lstrip().startswith(("{", "[")) for line in lines[:20]):
            for line in lines[:20]:
                json.loads(line)
            return "jsonl"
        json.loads(text)
        return "json"
    except (ValueError, RecursionError):
        return "text"
