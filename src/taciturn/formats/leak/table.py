"""Tables read twice more: by Python's csv reader, and cut at every separator."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from taciturn.formats.leak.found import BREAK, Found

__all__ = ["row_texts", "texts"]


def texts(data: bytes, name: str) -> Iterator[Found]:
    """Cells, whatever the separator: with a wrong one a cell is longer, and nothing is missed."""
    source = data.decode("utf-8-sig", errors="replace")
    for sep in (",", ";", "\t"):
        try:
            rows = list(csv.reader(io.StringIO(source, newline=""), delimiter=sep))
        except csv.Error:
            continue
        cells = (cell for row in rows[1:] for cell in row)
        if sep == "," or any(len(row) > 1 for row in rows):
            yield Found("header", f"csv {sep!r}", BREAK.join(rows[0] if rows else ()), title=True)
            yield Found("cell", f"csv {sep!r}", BREAK.join(cells), structure=not any(len(row) > 1 for row in rows))
    header, _, rest = source.partition("\n")
    yield Found("header", "cut", re.sub(r"[,;|\t]", BREAK, header), title=True)
    yield Found("cell", "cut", re.sub(r"[,;|\t]", BREAK, rest))


def row_texts(data: bytes, sep: str, titles: frozenset[int] = frozenset()) -> Iterator[Found]:
    """The cells of a row that was written, and the row cut at every separator. The numbers of cells that are titles
    are told apart."""
    source = data.decode("utf-8", errors="replace")
    try:
        cells = [cell for row in csv.reader(io.StringIO(source, newline=""), delimiter=sep) for cell in row]
        yield Found("header", f"csv {sep!r}", BREAK.join(cells[i] for i in titles if i < len(cells)), title=True)
        yield Found("cell", f"csv {sep!r}", BREAK.join(cell for i, cell in enumerate(cells) if i not in titles))
    except csv.Error:
        pass
    yield Found("cell", "cut", re.sub(r"[,;|\t]", BREAK, source), title=bool(titles))
