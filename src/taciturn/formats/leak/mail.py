"""E-mail read twice more: by the old parser of the standard library, and by undoing encodings line by line."""

from __future__ import annotations

import base64
import binascii
import email
import email.header
import email.policy
import quopri
import re
from collections.abc import Iterator

from taciturn.formats.leak.found import Found, Inside

__all__ = ["texts"]


def texts(data: bytes, name: str) -> Iterator[Found | Inside]:
    """Header fields, parts, attachments by their own formats; then the source with encodings undone."""
    message = email.message_from_bytes(data, policy=email.policy.compat32)
    for part in message.walk():
        for key, value in part.items():
            shown = (
                str(email.header.make_header(email.header.decode_header(str(value))))
                if "=?" in str(value)
                else str(value)
            )
            yield Found(f"header {key}", "email", shown, structure=key.lower().startswith("content-t"))
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes) or not payload:
            continue
        kind = part.get_content_type()
        if kind == "text/plain":
            yield Found("body", "email", payload.decode("utf-8", errors="replace"))
            continue
        inner = part.get_filename() or {"text/html": "body.html"}.get(kind, "part")
        if kind.startswith("image/"):
            yield Found("picture", "email", payload.decode("latin-1"), structure=True)
            continue
        unread = Found("attachment", "email", payload.decode("utf-8", errors="replace"))
        yield Inside("attachment", payload, inner, (unread,))
    yield Found(
        "source", "quoted-printable", quopri.decodestring(data).decode("utf-8", errors="replace"), structure=True
    )
    for block in re.findall(rb"(?:^[A-Za-z0-9+/=]{4,}\r?\n)+", data, re.M):
        try:
            plain = base64.b64decode(block)
        except (ValueError, binascii.Error):
            continue
        yield Found("source", "base64", plain.decode("utf-8", errors="replace"), structure=True)
