"""Files that hold other files: passages of their own beside those of the files inside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from taciturn.formats.base import Content, Passage, Rewrite, Slot, fill, passage, prefixed

__all__ = ["Adopted", "Shelf"]


@dataclass(frozen=True, slots=True)
class Adopted:
    """A file inside a file: its content, and where its passages stand among the outer one's."""

    content: Content
    first: int

    def write(self, rewrite: Rewrite) -> bytes:
        return self.content.rewrite(rewrite.part(self.first, len(self.content.passages)))


@dataclass(slots=True)
class Shelf:
    """Collects the passages of a file and of the files in it, in the order a reader meets them."""

    passages: list[Passage] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    dropped: dict[str, None] = field(default_factory=dict)
    unread: dict[str, None] = field(default_factory=dict)
    noticed: dict[str, None] = field(default_factory=dict)

    def add(self, place: str, slots: Iterable[Slot]) -> None:
        """A passage of this file, unless it is white space."""
        made = passage(place, slots)
        if made:
            self.own.append(len(self.passages))
            self.passages.append(made)

    def adopt(self, content: Content, name: str) -> Adopted:
        """The passages of a file inside."""
        adopted = Adopted(content, len(self.passages))
        self.passages.extend(prefixed(name, content.passages))
        self.dropped |= {f"{name}: {what}": None for what in content.dropped}
        self.unread |= {f"{name}: {what}": None for what in content.unread}
        self.noticed |= {f"{name}: {what}": None for what in content.noticed}
        return adopted

    def filled(self, rewrite: Rewrite) -> dict[int, str]:
        """The new content of this file's own holders."""
        return fill([self.passages[i] for i in self.own], [rewrite.changes[i] for i in self.own])
