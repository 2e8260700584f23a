"""Tables read twice more: by Python's csv reader, and cut at every separator."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from tacit.formats.leak.search import BREAK, Found

__all__ = ["texts"]


def texts(data: bytes, name: str, depth: int) -> Iterator[Found]:
    """Cells, whatever the separator: with a wrong one a cell is longer, and nothing is missed."""
    source = data.decode("utf-8-sig", errors="replace")
    for sep in (",", ";", "\t"):
        try:
            rows = list(csv.reader(io.StringIO(source, newline=""), delimiter=sep))
        except csv.Error:
            continue
        cells = (cell for row in rows for cell in row)
        if sep == "," or any(len(row) > 1 for row in rows):
            yield Found("cell", f"csv {sep!r}", BREAK.join(cells), structure=not any(len(row) > 1 for row in rows))
    yield Found("cell", "cut", re.sub(r"[,;|\t]", BREAK, source))
