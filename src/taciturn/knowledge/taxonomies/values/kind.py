"""The interface of a kind of value, such as dates. A value is a string in the kind's own notation: ``1984-03-12``."""

from __future__ import annotations

from typing import Protocol

__all__ = ["ValueKind"]


class ValueKind(Protocol):
    """A kind of value: how it is read and written, what lies above and below it, how many base values it covers."""

    name: str

    def read(self, text: str) -> str | None:
        """The value that a text in small letters names; None if it names none of this kind."""

    def above(self, value: str) -> str | None:
        """The next more general value; None for the most general."""

    def below(self, value: str) -> list[str]:
        """The next more special values; empty for a base value."""

    def label(self, value: str) -> str:
        """The value as a reader gets it."""

    def forms(self, value: str) -> tuple[str, ...]:
        """Ways to write the value that :meth:`read` reads back, the label's first."""

    def volume(self, value: str) -> int:
        """How many base values it covers."""
