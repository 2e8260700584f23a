"""Tables row by row: a row is a document of its own, and what is hidden in one is not looked for in another.

Rows are read one at a time from the file, so a table of any size takes little memory. The titles of columns are never
renamed, unless they hold a name that was removed or what is protected.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from taciturn.document import Document
from taciturn.formats.base import Budget, Context, FormatError, Options, RowSource
from taciturn.formats.declared import with_kinds
from taciturn.formats.detect import ROW_FORMATS, TABLE_SUFFIXES, detect
from taciturn.formats.file import File
from taciturn.formats.registry import import_format, open_content, wrapped
from taciturn.formats.stored import PIECE, Stored
from taciturn.formats.sweep import Sweeper

__all__ = ["Rows", "read_rows"]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table that was opened. ``dropped`` lists what the released table will not have."""

    name: str
    format: str
    titles: tuple[str, ...]
    options: Options = field(repr=False)
    source: RowSource = field(repr=False)
    stored: Stored = field(repr=False)

    @property
    def share(self) -> float:
        """How much of the file was read so far."""
        return min(self.stored.taken / max(self.stored.size, 1), 1.0)

    @property
    def dropped(self) -> tuple[str, ...]:
        return self.source.dropped

    def files(self) -> Iterator[tuple[int, File | bytes]]:
        """The rows by their numbers, each a file of its own; bytes for lines that hold nothing to read."""
        for number, content in self.source.rows():
            if isinstance(content, bytes):
                yield number, content
                continue
            ready = wrapped(content, self.name, self.format)
            joined = Document.join((p.place, p.text) for p in ready.passages)
            document = with_kinds(joined, self.options.declared)
            yield (
                number,
                File(self.name, self.format, document, ready.dropped, ready.unread, ready, self.options, ready.noticed),
            )

    def assemble(self, sweeper: Sweeper, rows: Iterable[bytes]) -> Iterator[bytes]:
        """The bytes of the table, piece by piece; the sweeper is for the titles."""
        return self.source.assemble(sweeper, rows)


def read_rows(data: bytes | str | os.PathLike[str], name: str = "", options: Options | None = None) -> Rows | None:
    """A table from its bytes or its path, to be read row by row; None if a file is no table.

    >>> table = read_rows(b"id,note\\n1,He has AIDS.\\n", "notes.csv")
    >>> [file.document.text for _, file in table.files()]
    ['1\\n\\nHe has AIDS.']
    """
    stored = Stored(data if isinstance(data, bytes) else Path(data))
    name = name or ("" if isinstance(data, bytes) else Path(data).name)
    options = options or Options()
    form = _form(stored, name)
    if form not in ROW_FORMATS:
        return None
    if stored.size > options.limits.size:
        # The reader of whole files says so.
        open_content(stored.whole(), name, Context(options, Budget(0), open_content))
    module = import_format(form, name)
    context = Context(options, Budget(options.limits.expanded), open_content)
    try:
        source: RowSource = module.rows(stored, name, context)
    except FormatError:
        raise
    except getattr(module, "ERRORS", ()) as error:
        raise FormatError(f"{name!r} is a damaged table ({type(error).__name__}); save it anew first") from None
    return Rows(name, form, source.titles, options, source, stored)


def _form(stored: Stored, name: str) -> str:
    """The format of a file. Where the name and the first bytes tell that it is a table, the rest is not looked at."""
    head = stored.head(PIECE)
    if not head:
        return "text"
    if PurePath(name).suffix.lower() in TABLE_SUFFIXES and (form := detect(head, name)) in ROW_FORMATS:
        return form
    return detect(stored.whole(), name)
