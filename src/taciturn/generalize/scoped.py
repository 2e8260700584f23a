"""Redaction marks whose numbers are the same in several documents: drawn from a secret, not counted."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from hashlib import sha256

from taciturn.document import Term
from taciturn.generalize.writing import Marks

__all__ = ["ScopedMarks"]

_DRAWN = 999_999  # numbers to draw from


@dataclass
class ScopedMarks(Marks):
    """Marks of a scope wider than the document, whose ``secret`` gives the same key the same number.

    >>> ann = Term(0, 3, "Ann", "ann", "person")
    >>> one, two, other = (ScopedMarks("kind", secret=secret).mark(ann) for secret in (b"1", b"1", b"2"))
    >>> one == two, one == other
    (True, False)
    """

    secret: bytes = b""

    def mark(self, term: Term, category: str = "", thing: str = "") -> str:
        """The mark for a term; chains of mentions are one document's own, so a term goes by its key."""
        return super().mark(replace(term, mention=0), category, thing)

    def _number(self, label: str, thing: str) -> int:
        drawn = hmac.new(self.secret, f"mark\0{thing}".encode(), sha256).digest()
        return 1 + int.from_bytes(drawn[:8], "big") % _DRAWN
