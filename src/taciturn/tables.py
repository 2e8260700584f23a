"""Tables: every row is a document, released and checked by itself, one at a time.

What a row hides is not hidden in another row for that reason, and the certificate speaks of each row. If one row cannot
be released, nothing is; ``taciturn batch --text`` releases the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from taciturn.certificate import Certificate
from taciturn.document import Document
from taciturn.errors import NotReleasedError
from taciturn.formats import Inventory, removed, write
from taciturn.formats.base import FormatError, LeakError, Watch
from taciturn.formats.declared import column_of
from taciturn.formats.file import File
from taciturn.formats.rows import Rows
from taciturn.formats.spool import Spool
from taciturn.formats.sweep import Removed, Sweeper
from taciturn.knowledge import Knowledge
from taciturn.models.base import Guarantee, Model, Violation
from taciturn.plan import Edit, Figure, Plan, apply
from taciturn.processes import tell
from taciturn.release import ModelsLike, Release, check, sanitize, several_models, watch

__all__ = ["RowEdit", "TableRelease", "check_table", "release_table"]

_MOST_VIOLATIONS = 100


class RowEdit(NamedTuple):
    """An edit, the number of its row, and the column that it stands in."""

    row: int
    column: str
    edit: Edit


@dataclass(frozen=True, slots=True)
class TableRelease:
    """A released table: its bytes in pieces, what is guaranteed of each of its rows, and what happened to it.

    ``utility`` is the mean of the rows' shares of information that are kept.
    """

    pieces: Spool = field(repr=False)
    certificate: Certificate
    inventory: Inventory
    rows: int
    edits: int
    utility: float

    @property
    def data(self) -> bytes:
        return b"".join(self.pieces)


def release_table(
    table: Rows,
    models: ModelsLike,
    knowledge: Knowledge | None = None,
    note: Callable[[RowEdit], None] = lambda edit: None,
    folder: Path | None = None,
) -> TableRelease:
    """Release a table row by row. ``note`` is given every edit, for a private report. Rows that were released wait in
    files in the ``folder``, if one is given, else in memory.

    >>> from taciturn.formats import read_rows
    >>> from taciturn.models import CSanitized
    >>> table = read_rows(b"id,note\\n1,He has AIDS.\\n2,Well.\\n", "a.csv")
    >>> release_table(table, CSanitized(protect=["HIV"])).data
    b'id,note\\n1,He has an infection.\\n2,Well.\\n'
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    several = several_models(models)
    said = _Said(knowledge)
    places: Counter[str] = Counter()
    edits: Counter[str] = Counter()
    dropped = dict.fromkeys(table.dropped)
    unread: dict[str, None] = {}
    names: dict[str, Removed] = {}
    pieces = Spool(folder)
    kept = 0.0
    for number, file in table.files():
        tell(table.share)
        if isinstance(file, bytes):
            pieces.add(file)
            continue
        places.update(file.places)
        dropped |= dict.fromkeys(file.dropped)
        unread |= dict.fromkeys(file.unread)
        if not file.document.segments:
            pieces.add(write(file, apply(Plan(file.document)), watch(file.document, several, knowledge)))
            continue
        release = _released(file, number, several, knowledge)
        pieces.add(_written(file, number, release, watch(release.document, several, knowledge)))
        said.add(number, release.certificate, release.text)
        kept += release.report.utility
        edits.update(file.edits_by_place(release.applied))
        names |= _in_titles(removed(release.applied), table.titles)
        for column, edit in _by_column(file, release.edits):
            note(RowEdit(number, column, edit))
    sweeper = Sweeper(names.values(), watch(Document.of(""), several, knowledge))
    whole = Spool(folder)
    for piece in table.assemble(sweeper, pieces):
        whole.add(piece)
    pieces.remove()
    certificate = said.certificate(several)
    inventory = Inventory(table.format, places, edits, tuple(dropped), tuple(unread))
    utility = kept / said.rows if said.rows else 1.0
    return TableRelease(whole, certificate, inventory, said.rows, sum(edits.values()), utility)


def check_table(table: Rows, models: ModelsLike, knowledge: Knowledge | None = None) -> Certificate:
    """Do the guarantees hold for each row of a table? Messages of violations begin with the row's number.

    >>> from taciturn.formats import read_rows
    >>> from taciturn.models import CSanitized
    >>> check_table(read_rows(b"id,note\\n1,He has AIDS.\\n", "a.csv"), CSanitized(protect=["HIV"])).holds
    False
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    several = several_models(models)
    said = _Said(knowledge)
    for number, file in table.files():
        if isinstance(file, File) and file.document.segments:
            said.add(number, check(file.document, several, knowledge), file.document.text)
    return said.certificate(several)


def _released(file: File, number: int, models: Sequence[Model], knowledge: Knowledge) -> Release:
    try:
        return sanitize(file.document, models, knowledge)
    except NotReleasedError as error:
        raise NotReleasedError(
            f"row {number} of {file.name!r}: {error}. To release the other rows: taciturn batch --text COLUMN",
            error.certificate,
        ) from None


def _written(file: File, number: int, release: Release, watched: Watch) -> bytes:
    try:
        return write(file, release.applied, watched)
    except LeakError as error:
        raise LeakError(f"{error.name}, row {number}", error.leaks) from None
    except FormatError as error:
        raise FormatError(f"row {number}: {error}") from None


def _by_column(file: File, edits: Iterable[Edit]) -> Iterator[tuple[str, Edit]]:
    segments = iter(file.document.segments)
    segment = next(segments, None)
    for edit in edits:
        while segment is not None and segment.end < edit.end:
            segment = next(segments, None)
        yield (column_of(segment.place) if segment is not None else ""), edit


def _in_titles(gone: Sequence[Removed], titles: Sequence[str]) -> dict[str, Removed]:
    """The names that a row hides and that stand in a title."""
    named = [r for r in gone if r.name]
    sweeper = Sweeper(named)
    if not named or not any(sweeper.hits(title, title=True) for title in titles):
        return {}
    return {r.text: r for r in named}


class _Said:
    """What the certificates of rows come to: each guarantee holds if it holds for every row."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.rows = 0
        self._knowledge = knowledge
        self._digest = sha256()
        self._guarantees: list[Guarantee] = []

    def add(self, number: int, certificate: Certificate, text: str) -> None:
        self.rows += 1
        self._digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        found = [replace(g, violations=_numbered(number, g.violations)) for g in certificate.guarantees]
        self._guarantees = list(map(_joined, self._guarantees, found)) if self._guarantees else found

    def certificate(self, models: Sequence[Model]) -> Certificate:
        guarantees = self._guarantees or list(check("", models, self._knowledge).guarantees)
        each = (
            replace(
                g,
                statement=f"{g.statement}; this holds of each row by itself",
                figures={**g.figures, "rows": self.rows},
                public=(*g.public, "rows"),
            )
            for g in guarantees
        )
        return Certificate(self._digest.hexdigest(), self._knowledge.digest, tuple(each))


def _numbered(row: int, violations: Sequence[Violation]) -> tuple[Violation, ...]:
    return tuple(replace(v, message=f"row {row}: {v.message}") for v in violations)


def _joined(one: Guarantee, other: Guarantee) -> Guarantee:
    """What is guaranteed of both of two texts. Counts add up; of shares and other measures the largest is told."""
    figures: dict[str, Figure] = dict(one.figures)
    for name, value in other.figures.items():
        before = figures.get(name)
        if isinstance(before, int) and isinstance(value, int) and not isinstance(value, bool):
            figures[name] = before + value
        elif isinstance(before, int | float) and isinstance(value, int | float):
            figures[name] = max(before, value)
        else:
            figures.setdefault(name, value)
    return replace(
        one,
        holds=one.holds and other.holds,
        margin=min(one.margin, other.margin),
        figures=figures,
        violations=(*one.violations, *other.violations)[:_MOST_VIOLATIONS],
    )
