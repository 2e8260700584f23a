"""What all file formats have in common: slots, passages, and the result of reading a file.

A *slot* is the smallest place where a format stores text (a run, an attribute, a cell, a glyph run). A *passage* is
what a reader sees as one text (a paragraph, a header, a comment, a property), made of slots. Edits are made on the
passage's text and mapped back to the slots (:func:`fill`), so a name half in bold is one term. Passages become the
segments of a :class:`taciturn.document.Document`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from taciturn.errors import FormatError
from taciturn.formats.declared import kinds_declared

if TYPE_CHECKING:
    from taciturn.formats.leak.found import Found
    from taciturn.formats.sweep import Sweeper

__all__ = [
    "GLUE",
    "Change",
    "Content",
    "Context",
    "FormatError",
    "Leak",
    "LeakError",
    "LimitError",
    "Limits",
    "Options",
    "Passage",
    "Rewrite",
    "RowSource",
    "Slot",
    "Watch",
    "fill",
    "passage",
    "prefixed",
    "unwatched",
]

GLUE = -1
"""The holder of a slot that shows text but stores none: a tab element, a line break, a computed space."""


Watch = Callable[[str], Sequence[tuple[int, int]]]
"""The spans of a string that no released file may hold, whatever a plan did: what is protected, what is denied."""


def unwatched(text: str) -> Sequence[tuple[int, int]]:
    """The watch of somebody who protects nothing by name."""
    return ()


class LimitError(FormatError):
    """A file that would cost more time or memory than the limits allow."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A removed string found in released bytes: ``where`` it was found, and by ``way`` of which extractor."""

    text: str
    where: str
    way: str


class LeakError(FormatError):
    """The released file would still hold what was removed or is protected. The message names places and no text;
    ``private`` quotes what was found, for whoever has the original."""

    def __init__(self, name: str, leaks: Sequence[Leak]) -> None:
        places = list(dict.fromkeys(f"{leak.where} ({leak.way})" for leak in leaks))
        more = f" and {len(places) - 5} more places" if len(places) > 5 else ""
        count = len({leak.text for leak in leaks})
        found = "a string that was removed or is protected" if count == 1 else f"{count} removed or protected strings"
        super().__init__(
            f"{name or 'the file'!r} was not written: {found} would still be found in {', '.join(places[:5])}{more}. "
            "Take it out there in the program that made the file, or release the file as text (.txt); if it may stand "
            "there, keep the term in `taciturn review`"
        )
        self.name, self.leaks = name, tuple(leaks)
        self.private = tuple(f"{leak.text!r} in {leak.where} ({leak.way})" for leak in self.leaks[:20])

    def __reduce__(self) -> tuple[type[LeakError], tuple[str, tuple[Leak, ...]]]:
        return LeakError, (self.name, self.leaks)  # or another process could not send it


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep a hostile file from eating the machine. Sizes are bytes.

    ``seconds`` and ``memory`` bound the whole work on a document, from reading to the last check, where it is done in a
    process of its own: on the command line, in batches and in the service.
    """

    size: int = 512 * 2**20
    expanded: int = 512 * 2**20
    ratio: int = 200
    members: int = 10_000
    depth: int = 4
    nesting: int = 400
    pages: int = 20_000
    page_points: float = 14_400.0
    operators: int = 2_000_000
    seconds: float = 600.0
    memory: int = 4 * 2**30


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may choose. The defaults leak nothing.

    ``boxes``: in a PDF what stands for removed words stands on a light box of their size, so that no reader takes a gap
    for the author's, and the line grows where they are long. ``keep_layout``: in a PDF the rest of the line stays where
    it was; ``False`` closes the gap, for a gap's width narrows a surname to about 1 in 120. ``unreadable``: what to do
    with text of a PDF that cannot be read with certainty (no map to Unicode, unknown CMaps, Type 3 without a map):
    ``remove`` it, ``refuse`` the file, or ``rasterize`` the page: it becomes a picture of the page *after* removal,
    with a bar where such text stood; no text, font or other stream of it remains. A picture of the original would still
    show it. ``pictures``: ``blank`` replaces them by a grey area, ``keep`` keeps their pixels unread (never their
    metadata), ``read`` recognizes the words of scanned pages of PDFs and blanks other pictures (it needs the extra
    ``ocr``), ``refuse`` refuses a file that has any. ``columns``: the columns of a table that are read as text (None:
    all); the others are still swept. ``declared``: columns by title with what their cells are, as a whole: a name, a
    date, an identifier, or free text; they are read, too.
    """

    keep_layout: bool = True
    boxes: bool = True
    unreadable: Literal["remove", "refuse", "rasterize"] = "remove"
    pictures: Literal["blank", "keep", "read", "refuse"] = "blank"
    columns: tuple[str, ...] | None = None
    declared: tuple[tuple[str, str], ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        return (*(self.columns or ()), *(title for title, _ in self.declared))

    @property
    def chosen(self) -> tuple[str, ...] | None:
        """The columns of a table that are read; None: all.

        >>> Options(columns=("note",), declared=(("patient", "name"),)).chosen
        ('note', 'patient')
        """
        return None if self.columns is None else self.named

    def __post_init__(self) -> None:
        kinds_declared(self.declared)
        if self.unreadable not in ("remove", "refuse", "rasterize"):
            raise ValueError(f"unreadable is 'remove', 'refuse' or 'rasterize', not {self.unreadable!r}")
        if self.pictures not in ("blank", "keep", "read", "refuse"):
            raise ValueError(f"pictures is 'blank', 'keep', 'read' or 'refuse', not {self.pictures!r}")


class Slot(NamedTuple):
    """The smallest place of a file that stores text.

    ``holder`` is the number under which the format finds the place again. ``raw`` is what the file holds there when
    a reader sees something else (a run of white space that shows as one space).
    """

    text: str
    holder: int = GLUE
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """What a reader sees as one text, and the slots it is made of. All slots of a holder are in one passage."""

    place: str
    slots: tuple[Slot, ...]

    @property
    def text(self) -> str:
        return "".join(slot.text for slot in self.slots)


Change = tuple[int, int, str]
"""Start and end within a passage's text, and the replacement."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What a format needs to write a released file: the changes of each passage, and the sweep for all the rest.

    ``check`` raises if bytes still hold what was removed. A format that turns text into a picture calls it with what it
    is about to draw, because nothing can be searched afterwards.
    """

    changes: tuple[tuple[Change, ...], ...]
    sweeper: Sweeper
    check: Callable[[bytes], None] = lambda data: None

    def part(self, first: int, count: int) -> Rewrite:
        """The rewrite of a file inside the file, whose passages are ``count`` from number ``first``."""
        return Rewrite(self.changes[first : first + count], self.sweeper, self.check)


@dataclass(frozen=True, slots=True)
class Content:
    """What a format hands back: the passages, and how to write them.

    ``dropped`` lists what the released file will not have, ``unread`` what is kept although nothing could be read
    in it (pictures, by option), ``noticed`` what people should know of it (text that somebody only covered).
    ``extract`` is how the leak check reads what was written, where that is no file by itself: a row of a table.
    """

    format: str
    passages: tuple[Passage, ...]
    rewrite: Callable[[Rewrite], bytes]
    dropped: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    noticed: tuple[str, ...] = ()
    extract: Callable[[bytes], Iterable[Found]] | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class RowSource:
    """What a format knows of a table: the titles of its columns, its rows by the numbers that people give them (bytes
    where a row holds nothing), and how titles and rows that were written make up the bytes of the table."""

    titles: tuple[str, ...]
    rows: Callable[[], Iterator[tuple[int, Content | bytes]]]
    assemble: Callable[[Sweeper, Iterable[bytes]], Iterator[bytes]]
    dropped: tuple[str, ...] = ()


@dataclass(slots=True)
class Budget:
    """Bytes that may still be expanded from archives and streams of one file, whatever their nesting."""

    left: int

    def spend(self, size: int, name: str) -> None:
        self.left -= size
        if self.left < 0:
            raise LimitError(
                f"{name!r} expands to more than the limit; if you trust it, raise Limits.expanded in the options"
            )


@dataclass(frozen=True, slots=True)
class Context:
    """What is known while a file is read: the options, how deep inside other files it lies, what is left to spend."""

    options: Options
    budget: Budget
    open: Callable[[bytes, str, Context], Content]
    depth: int = 0

    def nested(self, data: bytes, name: str) -> Content:
        """The content of a file inside the file."""
        if self.depth + 1 > self.options.limits.depth:
            raise LimitError(
                f"{name!r} lies more than {self.options.limits.depth} files deep; take it out and release it on its own"
            )
        return self.open(data, name, Context(self.options, self.budget, self.open, self.depth + 1))


def passage(place: str, slots: Iterable[Slot]) -> Passage | None:
    """A passage without empty slots; None if a reader sees nothing but white space.

    >>> passage("title", [Slot("HIV", 0), Slot("", 1)]).slots
    (Slot(text='HIV', holder=0, raw=None),)
    >>> passage("title", [Slot("  ", 0)])
    """
    kept = tuple(slot for slot in slots if slot.text)
    return Passage(place, kept) if any(not slot.text.isspace() for slot in kept) else None


def prefixed(prefix: str, passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """The passages of a file inside the file, their places preceded by its name."""
    return tuple(Passage(f"{prefix}: {p.place}", p.slots) for p in passages)


def fill(passages: Sequence[Passage], changes: Sequence[Sequence[Change]]) -> dict[int, str]:
    """The new content of each holder that a change touches.

    A replacement goes into the first storing slot that its change touches; the others lose what it covers. A change
    that covers glue only goes to the nearest storing slot before it, else after it. Linear in slots and changes.

    >>> half_bold = Passage("body", (Slot("Dear An", 0), Slot("tonio,", 1)))
    >>> fill([half_bold], [[(5, 12, "X")]])
    {0: 'Dear X', 1: ','}
    """
    filled: dict[int, str] = {}
    for item, edits in zip(passages, changes, strict=True):
        if edits:
            _fill_one(item, edits, filled)
    return filled


def _fill_one(item: Passage, edits: Sequence[Change], filled: dict[int, str]) -> None:
    ends: list[int] = []
    at = 0
    for slot in item.slots:
        at += len(slot.text)
        ends.append(at)
    pieces: list[list[str]] = [[] for _ in item.slots]
    touched = [False] * len(item.slots)
    number = begin = 0  # the slot being written, and its start in the passage
    copied = 0  # how far the passage is written

    def copy(until: int) -> None:
        nonlocal number, begin, copied
        while copied < until:
            slot, end = item.slots[number], ends[number]
            if copied == begin and until >= end:
                pieces[number].append(slot.text if slot.raw is None else slot.raw)
            else:
                pieces[number].append(slot.text[copied - begin : min(until, end) - begin])
            copied = min(until, end)
            if copied == end:
                number, begin = number + 1, end

    for start, stop, replacement in edits:
        copy(start)
        target = None
        while copied < stop:
            if target is None and item.slots[number].holder != GLUE:
                target = number
            touched[number] = True
            copied = min(stop, ends[number])
            if copied == ends[number]:
                number, begin = number + 1, copied
        if target is None:
            target = _nearest(item, number - 1)
        touched[target] = True
        pieces[target].append(replacement)
    copy(at)
    holders = {slot.holder for slot, hit in zip(item.slots, touched, strict=True) if hit} - {GLUE}
    for holder in sorted(holders):
        filled[holder] = ""
    for slot, texts in zip(item.slots, pieces, strict=True):
        if slot.holder in holders:
            filled[slot.holder] += "".join(texts)


def _nearest(item: Passage, number: int) -> int:
    order: list[int] = list(range(min(number, len(item.slots) - 1), -1, -1))
    order += range(max(number, 0), len(item.slots))
    for n in order:
        if item.slots[n].holder != GLUE:
            return n
    raise FormatError(f"an edit in {item.place!r} covers a place that stores no text; leave that span out of the plan")
