"""Which format a file is in: by its content first, by its name only where contents look alike."""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import replace
from pathlib import PurePath

from tacit.formats.base import Content, Context, FormatError, LimitError, Rewrite

__all__ = ["SUFFIXES", "detect", "open_content"]

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
    ".docx": "docx",
    ".docm": "docx",
    ".dotx": "docx",
    ".odt": "odt",
    ".ott": "odt",
    ".pdf": "pdf",
    ".parquet": "parquet",
}

_MODULES = {
    "text": "text",
    "markdown": "markdown",
    "html": "html",
    "csv": "table",
    "json": "leaves",
    "jsonl": "leaves",
    "mail": "mail",
    "docx": "docx",
    "odt": "odt",
    "pdf": "pdf",
    "parquet": "parquet",
}

_REFUSED = (
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old Office file (.doc, .xls) or an encrypted one; save it as .docx",
    ),
    (b"{\\rtf", "RTF; save it as .docx"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it and release the files one by one"),
    (b"Rar!", "a RAR archive; unpack it and release the files one by one"),
    (b"\x1f\x8b", "gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd; unpack it first"),
    (b"BZh", "bzip2; unpack it first"),
    (b"\xfd7zXZ\0", "xz; unpack it first"),
    (b"\x89PNG", "a picture; Tacit reads text"),
    (b"\xff\xd8\xff", "a picture; Tacit reads text"),
    (b"GIF8", "a picture; Tacit reads text"),
    (b"II*\0", "a picture; Tacit reads text"),
    (b"MM\0*", "a picture; Tacit reads text"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3\0", "a database; export its tables as CSV"),
)

_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_HEADER = re.compile(rb"(?:[!-9;-~]+:[ \t][^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+\r?\n")
_MAIL_NAMES = re.compile(rb"^(?:from|to|subject|date|message-id|mime-version|received|return-path):", re.I | re.M)


def detect(data: bytes, name: str = "") -> str:
    """The format of a file.

    >>> detect(b"%PDF-1.7"), detect(b'{"a": 1}'), detect(b"<!doctype html><p>Hi"), detect(b"# Hi", "notes.md")
    ('pdf', 'json', 'html', 'markdown')
    """
    suffix = PurePath(name).suffix.lower()
    said = SUFFIXES.get(suffix, "")
    # Readers accept up to 1,024 bytes of anything before the mark of a PDF.
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data[:4] == b"PK\x03\x04" or data[:4] == b"PK\x05\x06":
        from tacit.formats.package import kind

        return kind(data, name)
    if data[:4] == b"PAR1":
        return "parquet"
    for magic, what in _REFUSED:
        if data.startswith(magic):
            raise FormatError(f"{name!r} is {what}")
    if said in ("docx", "odt", "pdf", "parquet"):
        raise FormatError(f"{name!r} is called {suffix} but its content is something else; check the file")
    start = data[:65536].removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(start):
        return "html"
    if said in ("html", "json", "jsonl", "mail", "csv"):
        return said
    if said in ("text", "markdown"):
        return said
    header = _HEADER.match(start)
    if header and len({m.lower() for m in _MAIL_NAMES.findall(header.group())}) >= 2:
        return "mail"
    if start.lstrip()[:1] in (b"{", b"["):
        return _json(data)
    return "text"


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


def open_content(data: bytes, name: str, context: Context) -> Content:
    """Read a file, or a file inside a file."""
    limit = context.options.limits.size
    if len(data) > limit:
        raise LimitError(f"{name!r} has {len(data):,} bytes, the limit is {limit:,}; raise Limits.size if you trust it")
    if not data:
        raise FormatError(f"{name!r} is empty; there is nothing to release")
    form = detect(data, name)
    try:
        module = importlib.import_module(f"tacit.formats.{_MODULES[form]}")
        read = module.read
    except ImportError as error:
        extra = "batch" if form == "parquet" else "files"
        raise FormatError(
            f"{name!r} is {form}, which needs the package {error.name!r}: pip install 'tacit[{extra}]'"
        ) from error
    errors: tuple[type[Exception], ...] = getattr(module, "ERRORS", ())
    try:
        content: Content = read(data, name, context)
    except FormatError:
        raise
    except errors as error:
        # What a parser trips over in a damaged or hostile file is a refusal. Its message may quote the file.
        raise FormatError(
            f"{name!r} is damaged: it could not be read as {form} ({type(error).__name__}); save it anew first"
        ) from None

    def rewrite(changes: Rewrite) -> bytes:
        try:
            return content.rewrite(changes)
        except FormatError:
            raise
        except errors as error:
            raise FormatError(
                f"{name!r} is damaged: it could not be written as {form} ({type(error).__name__}); save it anew first"
            ) from None

    return replace(content, rewrite=rewrite)
