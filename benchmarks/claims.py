"""Figures in the documentation that come from ``results.json``, so that a stale one is found and can be renewed.

    python -m benchmarks.claims        write the figures, tables and charts of README.md and docs/ anew

A figure has a comment behind it that says where it comes from: the benchmark, what picks the row, the column.

    ... <number> <!-- figure: sanitize; groups=1; words/s -->

A table stands between comments that name the benchmark, what picks its rows, and the columns; rows that have them all
are shown.

    <!-- table: sanitize; entity; alpha; kept, redacted % -->
    <!-- end -->

A figure that no benchmark of ours measures (a definition, a limit, another's result) says so in its paragraph, or in
the line before its table:

    ... <!-- not measured: the paper's figure -->

:func:`benchmarks.unmarked.unmarked` finds what looks measured and has no such comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import attack
from benchmarks.__main__ import RESULTS, as_markdown
from taciturn.lab.reproduce.c_sanitized import Measure, chart

ROOT = Path(__file__).resolve().parents[1]
FIGURE = re.compile(
    r"(?P<number>(?:\d[\d,]*)?(?:\.\d+)?(?<=\d))(?P<unit>[^\d<>\n]{0,16})<!-- figure: (?P<source>[^>]+?) -->"
)
TABLE = re.compile(r"<!-- table: (?P<source>[^>]+?) -->\n(?P<body>.*?)<!-- end -->", re.DOTALL)


def pages() -> list[Path]:
    """Every page that may have figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rows_of(results: Mapping[str, Any], benchmark: str) -> list[dict[str, Any]]:
    """A benchmark's rows."""
    if benchmark not in results or "rows" not in results[benchmark]:
        raise LookupError(f"no results of {benchmark!r}; run `python -m benchmarks {benchmark}`")
    rows: list[dict[str, Any]] = results[benchmark]["rows"]
    return rows


def _picked(rows: Sequence[dict[str, Any]], picks: Sequence[str]) -> list[dict[str, Any]]:
    """The rows that agree with every ``column=value``."""
    wanted = dict(pick.split("=", 1) for pick in picks)
    return [row for row in rows if all(str(row.get(name)) == value for name, value in wanted.items())]


def figure(results: Mapping[str, Any], source: str) -> float:
    """The figure that a comment names.

    >>> figure({"speed": {"rows": [{"groups": 1, "words/s": 9.5}]}}, "speed; groups=1; words/s")
    9.5
    """
    benchmark, *picks, column = [part.strip() for part in source.split(";")]
    found = [row for row in _picked(rows_of(results, benchmark), picks) if column in row]
    if len(found) != 1:
        raise LookupError(f"{source!r} picks {len(found)} rows of {benchmark!r}, and should pick one")
    return float(found[0][column])


def refresh(text: str, results: Mapping[str, Any]) -> str:
    """The text with its marked figures, to as many decimals as it shows, and its marked tables as they are now.

    >>> results = {"s": {"rows": [{"w/s": 9.4, "F1": 0.876}]}}
    >>> refresh("about 8 words <!-- figure: s; w/s -->, F1 .91 <!-- figure: s; F1 -->", results)
    'about 9 words <!-- figure: s; w/s -->, F1 .88 <!-- figure: s; F1 -->'
    """

    def new_figure(match: re.Match[str]) -> str:
        decimals = len(match["number"].partition(".")[2])
        number = f"{figure(results, match['source']):,.{decimals}f}"
        if match["number"].startswith("."):
            number = number.removeprefix("0")
        return f"{number}{match['unit']}<!-- figure: {match['source']} -->"

    def new_table(match: re.Match[str]) -> str:
        benchmark, *parts = [part.strip() for part in match["source"].split(";")]
        columns = [p for p in parts if "=" not in p]
        chosen = _picked(rows_of(results, benchmark), [p for p in parts if "=" in p])
        names = _named(chosen, columns)
        rows = [row for row in chosen if all(name in row for name in names)]
        if not rows:
            raise LookupError(f"no row of {benchmark!r} is as {match['source']!r} says")
        return f"<!-- table: {match['source']} -->\n\n{as_markdown(rows, names)}\n\n<!-- end -->"

    return TABLE.sub(new_table, FIGURE.sub(new_figure, text))


def _named(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[str]:
    """Columns as the rows spell them: a second column of one name has a space at its end."""
    used: list[str] = []
    for column in columns:
        spelt = [name for row in rows for name in row if name.strip() == column and name not in used]
        used.append(spelt[0] if spelt else column)
    return used


def charts(results: Mapping[str, Any]) -> dict[Path, str]:
    """The charts of the documentation."""
    measures = [Measure(*row.values()) for row in rows_of(results, "sanitize") if "entity" in row]
    found = {ROOT / "docs" / "models" / "c-sanitized-kept.svg": chart(measures)}
    for name, task in (("actors", "which actor"), ("diseases", "which disease")):
        found[ROOT / "docs" / f"adversary-{name}.svg"] = attack.chart(rows_of(results, "attack"), task)
    return found


def write_pages(results: Mapping[str, Any]) -> None:
    """Write figures, tables and charts anew."""
    for path in pages():
        path.write_text(refresh(path.read_text("utf-8"), results), "utf-8")
    for path, svg in charts(results).items():
        path.write_text(svg, "utf-8")


if __name__ == "__main__":
    write_pages(json.loads(RESULTS.read_text("utf-8")))
