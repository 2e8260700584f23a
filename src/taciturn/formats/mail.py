"""E-mail: header fields that people read, every part, and attachments by their own formats.

Only From, Sender, Reply-To, To, Cc, Subject and Date are kept; the fields that machines add (Received, Message-ID,
X-...) are dropped, as are signatures, preambles and attachments that cannot be read. The message is written anew: same
parts, same order, UTF-8.
"""

from __future__ import annotations

import base64
import binascii
import email
import email.policy
import mimetypes
import quopri
import re
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial
from typing import Any

from taciturn.formats.base import Content, Context, FormatError, LimitError, Rewrite, Slot
from taciturn.formats.detect import released_name
from taciturn.formats.embedded import Adopted, Shelf
from taciturn.formats.headers import decode_field, encode_field, encode_file_name
from taciturn.formats.pictures import BLANK_PNG, without_metadata
from taciturn.formats.sweep import Sweeper

__all__ = ["ERRORS", "read"]

ERRORS: tuple[type[Exception], ...] = (ValueError, LookupError, AttributeError, TypeError, RecursionError)
"""What the libraries below raise on damaged files."""

_KEPT = ("From", "Sender", "Reply-To", "To", "Cc", "Subject", "Date")
_LONGEST_FIELD = 20_000
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_SUFFIX = {"text/html": ".html", "text/csv": ".csv", "application/json": ".json", "message/rfc822": ".eml"}


class _Bounded(email.policy.EmailPolicy):
    """The library's own policy, for the fields that say how a message is made up. They must have a usual length: their
    parser takes a thousand times that in memory."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        if len(value) > _LONGEST_FIELD:
            raise LimitError(
                f"the field {name!r} of the e-mail has {len(value):,} characters, as no program writes it; "
                "save the message again in its program"
            )
        return super().header_fetch_parse(name, value)


@dataclass(slots=True)
class _Part:
    """A part as it will be written: a container of parts, a text of its own, a file inside, or fixed bytes."""

    kind: str
    parts: list[_Part] = field(default_factory=list)
    holder: int = -1
    text: str = ""
    child: Adopted | None = None
    data: bytes = b""
    attachment: bool = False
    name_holder: int = -1
    name: str = ""
    extension: str = ""
    identity: str = ""


@dataclass(slots=True)
class _Reader:
    shelf: Shelf
    context: Context
    holders: int = 0
    parts: int = 0

    def store(self, place: str, text: str) -> int:
        self.shelf.add(place, [Slot(text, self.holders)])
        self.holders += 1
        return self.holders - 1


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of a message, its parts' and its attachments' among them."""
    try:
        message = email.message_from_bytes(data, policy=_Bounded())
    except LimitError:
        raise
    except (ValueError, IndexError, AttributeError, TypeError, LookupError, RecursionError) as error:
        raise FormatError(
            f"{name!r} is a damaged e-mail ({type(error).__name__}); save it again in its program"
        ) from None
    assert isinstance(message, EmailMessage)
    if not message.keys():
        raise FormatError(f"{name!r} has no header, so it is no e-mail; name it .txt to release it as text")
    reader = _Reader(Shelf(), context)
    headers: list[tuple[str, int, str]] = []
    for field_name in _KEPT:
        value = _header(message, field_name)
        if value.strip():
            headers.append((field_name, reader.store(f"header {field_name}", value), value))
    if {k.lower() for k in message} - {k.lower() for k in _KEPT} - {"mime-version"}:
        reader.shelf.dropped["header fields that machines add"] = None
    try:
        part = _read_part(message, reader, 0)
    except (LookupError, AttributeError, TypeError, RecursionError, binascii.Error) as error:
        raise FormatError(
            f"{name!r} is a damaged e-mail ({type(error).__name__}); save it again in its program"
        ) from None
    shelf = reader.shelf
    if part is None:
        part = _Part("text/plain")
    write = partial(_write, shelf, headers, part)
    lists = (tuple(found) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("mail", tuple(shelf.passages), write, *lists)


def _header(message: EmailMessage, name: str) -> str:
    values = [str(v) for k, v in message.raw_items() if k.lower() == name.lower()]
    return ", ".join(decode_field(v, addresses=name not in ("Subject", "Date")) for v in values)


def _read_part(part: EmailMessage, reader: _Reader, depth: int) -> _Part | None:
    limits = reader.context.options.limits
    reader.parts += 1
    if reader.parts > limits.members or depth > 50:
        raise LimitError(f"the e-mail has more than {limits.members:,} parts, or parts more than 50 deep; split it")
    kind = part.get_content_type()
    if not re.fullmatch(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+", kind):
        kind = "application/octet-stream"  # what is no kind at all
    if kind in ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"):
        raise FormatError("the e-mail is encrypted; decrypt it in its program and save it again")
    if kind == "message/rfc822":
        inner = part.get_payload()
        first = inner[0] if isinstance(inner, list) and inner else None
        data = first.as_bytes() if isinstance(first, EmailMessage) else b""
        return _read_file(part, data, kind, "", reader)
    if part.is_multipart():
        if kind == "multipart/signed":
            reader.shelf.dropped["signature"] = None
        made = [_read_part(p, reader, depth + 1) for p in part.iter_parts() if isinstance(p, EmailMessage)]
        return _Part(
            kind if kind in ("multipart/alternative", "multipart/related") else "multipart/mixed",
            parts=[p for p in made if p is not None],
        )
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    name = re.sub(r"\s+", " ", part.get_filename() or "")
    if kind == "text/plain" and not part.is_attachment() and not name:
        text = _decode(data, part.get_content_charset()).replace("\r\n", "\n")
        return _Part("text/plain", holder=reader.store("body", text), text=text)
    if kind == "text/html" and not part.is_attachment():
        data = _decode(data, part.get_content_charset()).encode("utf-8")
    return _read_file(part, data, kind, name, reader)


def _read_file(part: EmailMessage, data: bytes, kind: str, name: str, reader: _Reader) -> _Part | None:
    context, shelf = reader.context, reader.shelf
    given = re.sub("[\ud800-\udfff]", "\ufffd", name)
    name = given or f"part {reader.parts}"
    attachment = part.is_attachment()
    identity = re.sub(r"[^\w.@-]", "", str(part.get("Content-ID", "")))
    made = _Part(kind, attachment=attachment, name=given, identity=identity)
    if kind.startswith("image/"):
        if context.options.pictures == "refuse":
            raise FormatError(f"the e-mail holds a picture, {name!r}; options keep or blank it (pictures=)")
        clean = without_metadata(data) if context.options.pictures == "keep" else None
        if clean is None:
            shelf.dropped[f"picture {name}"] = None
            made.kind, made.data, made.name = "image/png", BLANK_PNG, ""
            return made
        shelf.unread[f"picture {name}"] = None
        made.data = clean
    else:
        if kind == "text/plain" or kind == "text/html":
            data = data if attachment or kind == "text/html" else _decode(data, part.get_content_charset()).encode()
        suffix = "" if _EXTENSION.search(given) else _SUFFIX.get(kind) or mimetypes.guess_extension(kind) or ""
        try:
            if not data.strip():
                return None
            content = context.nested(data, given + suffix if given else f"part {reader.parts}{suffix}")
        except LimitError:
            raise
        except FormatError:
            shelf.dropped[f"attachment {name} (cannot be read)"] = None
            return None
        made.child = shelf.adopt(content, name)
        given = released_name(given, content.format)
        made.kind = "message/rfc822" if content.format == "mail" else kind
        if not attachment and kind == "text/html":
            made.name = ""
            return made
    if given:
        made.name, made.extension = _cut_extension(given)
        made.name_holder = reader.store("attachment name", made.name)
    return made


def _cut_extension(name: str) -> tuple[str, str]:
    """A file's name and its extension, which says what the file is and is no text: programs open it by that.

    >>> _cut_extension("results.pdf"), _cut_extension(".profile")
    (('results', '.pdf'), ('.profile', ''))
    """
    found = _EXTENSION.search(name, 1)
    return (name[: found.start()], found.group()) if found else (name, "")


def _decode(data: bytes, charset: str | None) -> str:
    for encoding in (charset or "utf-8", "utf-8", "windows-1252"):
        try:
            return data.decode(encoding).replace("\0", "\ufffd")
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return data.decode("latin-1").replace("\0", "\ufffd")


def _write(shelf: Shelf, headers: list[tuple[str, int, str]], part: _Part, rewrite: Rewrite) -> bytes:
    filled = shelf.filled(rewrite)
    lines = [f"{name}: {encode_field(filled.get(holder, value))}" for name, holder, value in headers]
    lines.append("MIME-Version: 1.0")
    numbers = iter(range(1, 10**9))
    body = _write_part(part, filled, rewrite, numbers.__next__)
    return "\n".join(lines).encode("ascii") + b"\n" + body


def _write_part(part: _Part, filled: dict[int, str], rewrite: Rewrite, number: object) -> bytes:
    if part.kind.startswith("multipart/"):
        assert callable(number)
        boundary = f"=_taciturn_{number()}"
        pieces = [_write_part(p, filled, rewrite, number) for p in part.parts]
        if not pieces:
            return _entity("text/plain", b"", part, filled, rewrite.sweeper)
        head = f'Content-Type: {part.kind}; boundary="{boundary}"\n\n'.encode("ascii")
        mark = b"--" + boundary.encode("ascii")
        return head + b"".join(mark + b"\n" + piece + b"\n" for piece in pieces) + mark + b"--\n"
    if part.child is not None:
        return _entity(part.kind, part.child.write(rewrite), part, filled, rewrite.sweeper)
    data = filled.get(part.holder, part.text).encode("utf-8", errors="replace") if part.holder >= 0 else part.data
    return _entity(part.kind, data, part, filled, rewrite.sweeper)


def _entity(kind: str, data: bytes, part: _Part, filled: dict[int, str], sweeper: Sweeper) -> bytes:
    text = kind.startswith("text/")
    lines = [f"Content-Type: {kind}" + ("; charset=utf-8" if text else "")]
    name = filled.get(part.name_holder, part.name) + part.extension if part.name else ""
    if part.attachment or name:
        lines.append("Content-Disposition: " + ("attachment" if part.attachment else "inline") + encode_file_name(name))
    if part.identity and kind.startswith("image/"):
        lines.append(f"Content-ID: <{sweeper.clean(part.identity, mark='x')}>")
    if kind == "message/rfc822":
        coded = data  # the standard allows no encoding here; what is inside is ASCII already
    elif text and data.isascii() and b"\r" not in data and all(len(line) < 900 for line in data.split(b"\n")):
        lines.append("Content-Transfer-Encoding: 7bit")
        coded = data
    elif text:
        lines.append("Content-Transfer-Encoding: quoted-printable")
        coded = quopri.encodestring(data)
    else:
        lines.append("Content-Transfer-Encoding: base64")
        coded = base64.encodebytes(data)
    return "\n".join(lines).encode("ascii") + b"\n\n" + coded
