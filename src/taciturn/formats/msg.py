"""Outlook messages (.msg): their text, addresses and attachments are taken out and released as an e-mail (.eml).

A .msg is a compound file, a small disc with a stream for each property. Other properties (identifiers, times, servers,
conversation indexes, drafts of replies) would have to be understood one by one to write it again, so it is not written
again. An e-mail is what every mail program opens, Outlook among them.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import olefile

from taciturn.formats import mail
from taciturn.formats.base import Content, Context, FormatError, LimitError
from taciturn.formats.headers import encode_field, encode_file_name

__all__ = ["ERRORS", "as_mail", "read", "unpacked_rtf"]

ERRORS: tuple[type[Exception], ...] = (*mail.ERRORS, OSError, OverflowError)
"""What the library below raises on damaged files."""

_SUBJECT, _BODY, _HTML, _RTF, _SENT, _RECEIVED = 0x0037, 0x1000, 0x1013, 0x1009, 0x0039, 0x0E06
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_NAME, _ADDRESS, _SMTP, _RECIPIENT = 0x3001, 0x3003, 0x39FE, 0x0C15
_ATTACHED, _LONG_NAME, _SHORT_NAME, _CONTENT_ID = 0x3701, 0x3707, 0x3704, 0x3712
_PAGES = (0x3FFD, 0x3FDE)
_FIELDS = {1: "To", 2: "Cc"}  # by the kind of recipient; the third is a blind copy
_PROPERTIES = "__properties_version1.0"
_DEEPEST = 8


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of an Outlook message, which is written as an e-mail."""
    made, dropped = as_mail(data, name, context)
    content = mail.read(made, name, context)
    told = "an Outlook message is released as an e-mail (.eml), which every mail program opens"
    return replace(content, dropped=(*content.dropped, *dropped), noticed=(*content.noticed, told))


def as_mail(data: bytes, name: str, context: Context) -> tuple[bytes, tuple[str, ...]]:
    """An Outlook message as an e-mail, and what that does not have."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as disc:
            if len(disc.direntries) > context.options.limits.members:
                raise LimitError(f"{name!r} has more than {context.options.limits.members:,} streams (Limits.members)")
            message = _Message(disc, (), context, name)
            return message.mail(), tuple(message.dropped)
    except FormatError:
        raise
    except ERRORS as error:
        raise FormatError(
            f"{name!r} is a damaged Outlook message ({type(error).__name__}); save it again in Outlook"
        ) from None


@dataclass(slots=True)
class _Message:
    """A message on the disc: the whole of it, or one that is attached to another."""

    disc: olefile.OleFileIO
    at: tuple[str, ...]
    context: Context
    name: str
    depth: int = 0
    dropped: dict[str, None] = field(default_factory=dict)

    def mail(self) -> bytes:
        """The message as an e-mail."""
        if self.depth > _DEEPEST:
            raise LimitError(f"{self.name!r} holds messages more than {_DEEPEST} deep; take them out first")
        lines = [f"{title}: {encode_field(value)}" for title, value in self._headers() if value.strip()]
        parts = [*self._bodies(), *self._attachments()]
        self.dropped["properties that Outlook adds"] = None
        mark = f"=_outlook_{self.depth}"
        head = "\n".join((*lines, "MIME-Version: 1.0", f'Content-Type: multipart/mixed; boundary="{mark}"', "", ""))
        body = b"".join(f"--{mark}\n".encode() + part + b"\n" for part in parts)
        return head.encode("ascii") + body + f"--{mark}--\n".encode()

    def _headers(self) -> Iterator[tuple[str, str]]:
        sender = self._text(_SENDER_SMTP) or self._text(_SENDER_ADDRESS)
        yield "From", _person(self._text(_SENDER), sender)
        people: dict[str, list[str]] = {"To": [], "Cc": []}
        for entry in self._children("__recip_version1.0_"):
            kind = _FIELDS.get(self._number(_RECIPIENT, entry) or 1)
            if kind is None:
                self.dropped["blind copies"] = None
                continue
            address = self._text(_SMTP, entry) or self._text(_ADDRESS, entry)
            people[kind].append(_person(self._text(_NAME, entry), address))
        for kind, found in people.items():
            yield kind, ", ".join(person for person in found if person)
        yield "Subject", self._text(_SUBJECT)
        moment = self._number(_SENT) or self._number(_RECEIVED)
        if moment:
            yield "Date", format_datetime(datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment // 10))

    def _bodies(self) -> Iterator[bytes]:
        text = self._text(_BODY)
        html = self._text(_HTML) or self._decoded(self._data(_HTML) or b"")
        if text.strip():
            yield _part("text/plain; charset=utf-8", text.encode("utf-8", "replace"))
        if html.strip():
            yield _part("text/html; charset=utf-8", html.encode("utf-8", "replace"))
        packed = self._data(_RTF)
        if packed and not text.strip() and not html.strip():
            rich = unpacked_rtf(packed, self.context.budget.left)
            self.context.budget.spend(len(rich), self.name)
            yield _part("application/rtf", rich, "body.rtf")
        elif packed:
            self.dropped["the body in rich text (its plain text stays)"] = None

    def _attachments(self) -> Iterator[bytes]:
        for entry in self._children("__attach_version1.0_"):
            name = self._text(_LONG_NAME, entry) or self._text(_SHORT_NAME, entry)
            data = self._data(_ATTACHED, entry)
            inner = (*entry, f"__substg1.0_{_ATTACHED:04X}000D")
            if data is not None:
                yield _part("application/octet-stream", data, name or "attachment", self._text(_CONTENT_ID, entry))
            elif self.disc.exists("/".join((*inner, _PROPERTIES))):
                message = _Message(self.disc, inner, self.context, self.name, self.depth + 1, self.dropped)
                yield _part("message/rfc822", message.mail())
            else:
                self.dropped["embedded objects"] = None

    def _children(self, prefix: str) -> list[tuple[str, ...]]:
        """The storages of recipients or attachments, in order."""
        depth = len(self.at)
        found = {
            tuple(path[: depth + 1])
            for path in self.disc.listdir()
            if tuple(path[:depth]) == self.at and len(path) > depth + 1 and path[depth].startswith(prefix)
        }
        return sorted(found)

    def _stream(self, path: tuple[str, ...]) -> bytes | None:
        where = "/".join(path)
        if not self.disc.exists(where) or self.disc.get_type(where) != olefile.STGTY_STREAM:
            return None
        self.context.budget.spend(self.disc.get_size(where), self.name)
        return bytes(self.disc.openstream(where).read())

    def _data(self, number: int, at: tuple[str, ...] | None = None) -> bytes | None:
        return self._stream((*(self.at if at is None else at), f"__substg1.0_{number:04X}0102"))

    def _text(self, number: int, at: tuple[str, ...] | None = None) -> str:
        where = self.at if at is None else at
        wide = self._stream((*where, f"__substg1.0_{number:04X}001F"))
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream((*where, f"__substg1.0_{number:04X}001E"))
        return self._decoded(narrow or b"").rstrip("\0")

    def _decoded(self, data: bytes) -> str:
        for page in (*(f"cp{self._number(page)}" for page in _PAGES), "utf-8"):
            try:
                return data.decode({"cp65001": "utf-8", "cp20127": "ascii", "cp28591": "latin-1"}.get(page, page))
            except (LookupError, UnicodeDecodeError):
                continue
        return data.decode("cp1252", "replace")

    def _number(self, number: int, at: tuple[str, ...] | None = None) -> int:
        """A property of fixed size; 0 if there is none."""
        where = self.at if at is None else at
        data = self._stream((*where, _PROPERTIES)) or b""
        start = 8 if at is not None else 24 if self.at else 32
        for i in range(start, len(data) - 15, 16):
            if int.from_bytes(data[i + 2 : i + 4], "little") == number:
                size = 8 if data[i : i + 2] == b"\x40\x00" else 4
                return int.from_bytes(data[i + 8 : i + 8 + size], "little")
        return 0


def _person(name: str, address: str) -> str:
    """A name with an address; only an address of the Internet is one.

    >>> _person("Ann Lee", "ann@example.org"), _person("Ann Lee", "/O=CLINIC/CN=ALEE")
    ('"Ann Lee" <ann@example.org>', 'Ann Lee')
    """
    name = name.strip().strip("'\"")
    if "@" not in address:
        return name
    return f'"{name}" <{address.strip()}>' if name and name != address else address.strip()


def _part(kind: str, data: bytes, name: str = "", identity: str = "") -> bytes:
    lines = [f"Content-Type: {kind}"]
    if name:
        lines.append("Content-Disposition: attachment" + encode_file_name(name))
    if identity and identity.isascii() and identity.isprintable():
        lines.append(f"Content-ID: <{identity}>")
    if kind == "message/rfc822":
        return "\n".join((*lines, "", "")).encode("ascii") + data
    lines.append("Content-Transfer-Encoding: base64")
    return "\n".join((*lines, "", "")).encode("ascii") + base64.encodebytes(data)


_KNOWN = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS "
    b"Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b"
    b"\\i\\u\\tab\\tx"
)
"""What the dictionary of compressed RTF begins with, by the standard (MS-OXRTFCP)."""


def unpacked_rtf(data: bytes, most: int) -> bytes:
    r"""Rich text as Outlook compresses it, expanded to ``most`` bytes at the most.

    >>> unpacked_rtf(bytes.fromhex("2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232"
    ...                            "0af32068656c090020627705b06c647d0a800fa0"), 1000)
    b'{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n'
    """
    if len(data) < 16:
        raise ValueError("the rich text is cut off")
    if data[8:12] == b"MELA":
        return data[16 : 16 + most]
    if data[8:12] != b"LZFu":
        raise ValueError("the rich text is packed in a way that nobody knows")
    window = bytearray(_KNOWN + bytes(4096 - len(_KNOWN)))
    at, end = 16, len(data)
    place = len(_KNOWN)
    made = bytearray()
    while at < end and len(made) <= most:
        control = data[at]
        at += 1
        for bit in range(8):
            if at >= end:
                break
            if control >> bit & 1:
                if at + 1 >= end:
                    return bytes(made)
                offset, length = data[at] << 4 | data[at + 1] >> 4, (data[at + 1] & 15) + 2
                at += 2
                if offset == place:
                    return bytes(made)
                for step in range(length):
                    made.append(window[(offset + step) % 4096])
                    window[place] = made[-1]
                    place = (place + 1) % 4096
            else:
                made.append(data[at])
                window[place] = made[-1]
                place = (place + 1) % 4096
                at += 1
    return bytes(made)
