"""What all recognizers share: the value :class:`Identifier`, the kinds of identifiers, and late compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["FAMILIES", "FAMILY", "KINDS", "DigitFinder", "Finder", "Found", "Identifier", "Late"]

Found = tuple[int, int, str]
"""A candidate: start, end, kind."""

Finder = Callable[[str, int, int], Iterable[Found]]
"""Given a text, the place of a trigger and the end of the part to search: the candidates there. Each looks at a bounded
number of characters around the trigger, which is what makes the whole search linear."""

DigitFinder = Callable[[str, int, int, int], Iterable[Found]]
"""The same for a trigger that is a digit; the last argument is where its run of digits stops, which rules most out."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """A span that names a thing by its form alone: ``value`` is the text there, ``kind`` one of :data:`KINDS`."""

    start: int
    end: int
    kind: str
    value: str

    def __post_init__(self) -> None:
        if self.start < 0 or self.end - self.start != len(self.value) or not self.value:
            raise ValueError(f"the identifier {self.value!r} does not fit the span from {self.start} to {self.end}")


FAMILIES = ("person", "organization", "place", "time", "quantity", "code")
"""The coarse kinds of terms."""

# The order decides between two readings of one span: what is checked by a checksum or a key word comes first.
FAMILY: Mapping[str, str] = MappingProxyType(
    {
        "email": "code",
        "url": "code",
        "ip-address": "code",
        "mac-address": "code",
        "iban": "code",
        "payment-card": "code",
        "national-id": "code",
        "tax-id": "code",
        "device-id": "code",
        "vehicle-id": "code",
        "licence-number": "code",
        "account-number": "code",
        "record-number": "code",
        "case-number": "code",
        "phone": "code",
        "handle": "code",
        "address": "place",
        "postal-code": "place",
        "age": "quantity",
        "date": "time",
        "time": "time",
        "duration": "time",
        "money": "quantity",
        "percentage": "quantity",
        "quantity": "quantity",
    }
)
"""Each kind of identifier with the coarse kind of term that it is."""

KINDS: tuple[str, ...] = tuple(FAMILY)


class Late:
    """A pattern that is compiled when first used: most texts need few of them, and start-up is bounded.

    >>> Late(r"\\d+").match("12 May").group()
    '12'
    """

    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]

    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Callable[..., re.Match[str] | None]:
        # Reached only while the attribute is missing, which is until the first use.
        compiled = re.compile(self._source)
        self.match, self.search = compiled.match, compiled.search
        if name not in ("match", "search"):
            raise AttributeError(name)
        return self.match if name == "match" else self.search
