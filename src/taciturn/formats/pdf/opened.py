"""What is known of a PDF between reading and writing it."""

from __future__ import annotations

from dataclasses import dataclass, field

from taciturn.formats.base import Slot
from taciturn.formats.embedded import Adopted, Shelf
from taciturn.formats.pdf.flow import Paragraph
from taciturn.formats.pdf.scans import Scan
from taciturn.formats.pdf.sheets import Reader, Sheet, SheetText
from taciturn.formats.pdf.source import Key, Source

__all__ = ["Opened"]


@dataclass(slots=True)
class Opened:
    """A PDF that was read: what was found in it, and what writing it anew needs."""

    source: Source
    shelf: Shelf
    reader: Reader
    layers: dict[Key, tuple[str, int]] = field(default_factory=dict)
    attachments: list[tuple[str, int, Adopted]] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    texts: dict[int, SheetText] = field(default_factory=dict)
    """The texts of the first sheets, by their numbers."""
    hyphens: dict[int, int] = field(default_factory=dict)
    """Of a word that goes on in another paragraph: the last letter before the hyphen, and the hyphen."""
    paragraphs: list[list[list[Slot]]] = field(default_factory=list)
    """The slots of each paragraph of each sheet, until they are made passages."""
    outlines: list[list[Paragraph]] = field(default_factory=list)
    page_passages: int = 0
    """How many passages stand on pages; those of bookmarks, layers and attachments follow."""
    pictured: list[int] = field(default_factory=list)
    """The pages that are released as pictures."""
    drawn: int = 0
    """How many pictures stand in content streams themselves."""
    covered: dict[str, int] = field(default_factory=dict)
    """How many letters of each place lie under drawn boxes."""
    scans: dict[Key, Scan] = field(default_factory=dict)
    """What was recognized on scanned pages."""
    labelled: set[Key] = field(default_factory=set)
    """The pages that say that they were pictures."""
    holders: int = 0

    def store(self, place: str, text: str) -> int:
        self.shelf.add(place, [Slot(text, self.holders)])
        self.holders += 1
        return self.holders - 1

    def text(self, number: int) -> SheetText:
        """The text of a sheet, kept or read again."""
        return self.texts.get(number) or self.reader.read(self.sheets[number])
