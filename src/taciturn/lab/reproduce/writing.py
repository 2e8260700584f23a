"""What the experiments share: measures as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

__all__ = ["as_csv"]


def as_csv(measures: Sequence[Any]) -> str:
    """Measures (dataclasses of one kind) as CSV with a line of names.

    >>> from dataclasses import make_dataclass
    >>> as_csv([make_dataclass("M", ["w", "F1"])(0.5, 0.8)])
    'w,F1\\n0.5,0.8\\n'
    """
    out = io.StringIO()
    rows = [asdict(m) for m in measures]
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
