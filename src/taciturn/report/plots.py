"""Charts as hand-written SVG, and a self-contained page that holds them.

No plotting library: a reproduction needs lines, bars, axes and a legend, and SVG is text that can be compared.
The same values give the same bytes. Colours follow the reader's light or dark scheme; series differ by marker
as well as by colour, so that a print in grey can still be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Section", "Table", "bar_chart", "line_chart", "page"]

Points = Sequence[tuple[float, float]]

# Okabe and Ito's palette without black and yellow, which vanish on a dark or a light ground.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c6d1f", "#56b4e9", "#7f7f7f", "#e69f00")
_MARKERS = ("circle", "square", "triangle", "diamond", "cross")
_WIDTH, _HEIGHT = 720.0, 420.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 78.0, 24.0, 46.0, 58.0
_LEGEND_LINE, _LETTER = 20.0, 6.6
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

_STYLE = """
.plot{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#222}
.plot .ground{fill:#fff}.plot .axis{stroke:#555;fill:none}.plot .grid{stroke:#ddd;stroke-width:1}
.plot .head{font-size:14px;font-weight:600}.plot .line{fill:none;stroke-width:2;stroke-linejoin:round}
@media (prefers-color-scheme:dark){.plot{fill:#e4e4e4}.plot .ground{fill:#1b1b1d}
.plot .axis{stroke:#aaa}.plot .grid{stroke:#3a3a3d}}
"""

_PAGE_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;
max-width:54rem;margin:2rem auto;padding:0 1rem}
svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .7rem;border-bottom:1px solid #8886;text-align:right}
th:first-child,td:first-child{text-align:left}
"""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column names, as a page shows them; floats are shown with four significant digits."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    def __post_init__(self) -> None:
        if bad := [row for row in self.rows if len(row) != len(self.columns)]:
            raise ValueError(f"the row {bad[0]!r} does not fit the columns {self.columns!r}")


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a page: a heading, plain text (blank lines part paragraphs), SVG figures and tables."""

    heading: str
    text: str = ""
    figures: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class _Axis:
    """A map from values to a range of pixels, with its ticks."""

    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]
    start: float
    end: float

    def __call__(self, value: float) -> float:
        low, high, at = (
            (math.log10(v) for v in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        )
        return self.start + (at - low) / (high - low) * (self.end - self.start)


def line_chart(
    title: str,
    series: Mapping[str, Points],
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
    x_ticks: Sequence[float] = (),
) -> str:
    """An SVG chart with one line for each named series of (x, y), drawn in the order of x.

    ``x_ticks`` fixes the ticks below, for values that were chosen and not measured. A logarithmic axis refuses values
    that are not positive.

    >>> svg = line_chart("Time", {"ours": [(10, .1), (50, .4)], "paper": [(10, 1), (50, 30)]}, "words", "s", log_y=True)
    >>> svg.startswith("<svg"), svg.count("<polyline")
    (True, 2)
    """
    lines = {name: sorted(points) for name, points in series.items() if points}
    if not lines:
        raise ValueError(f"the chart {title!r} has no points; give at least one series with a point")
    legend = _legend_height(lines)
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    x_axis = _axis(title, xs, log_x, _LEFT, _WIDTH - _RIGHT, tuple(x_ticks), tight=True)
    y_axis = _axis(title, ys, log_y, _HEIGHT - _BOTTOM, _TOP + legend)
    body = [_frame(x_axis, y_axis, x_label, y_label)]
    body += [_tick_below(x_axis(tick), _number(tick)) for tick in x_axis.ticks]
    for i, points in enumerate(lines.values()):
        colour = _COLOURS[i % len(_COLOURS)]
        places = [(x_axis(x), y_axis(y)) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        body.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        body += [_marker(i, x, y) for x, y in places]
    return _svg(title, body, list(lines), markers=True)


def bar_chart(
    title: str,
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    x_label: str,
    y_label: str,
    log_y: bool = False,
) -> str:
    """An SVG chart with a group of bars for each category, one bar for each named series.

    >>> bar_chart("Found", ["names", "dates"], {"ours": [.9, .8], "theirs": [.5, .7]}, "kind", "recall").count("<rect")
    7
    """
    if not categories or not series:
        raise ValueError(f"the chart {title!r} has no bars; give at least one category and one series")
    for name, heights in series.items():
        if len(heights) != len(categories):
            raise ValueError(f"the series {name!r} has {len(heights)} values for {len(categories)} categories")
    values = [h for heights in series.values() for h in heights]
    y_axis = _axis(title, values if log_y else [0.0, *values], log_y, _HEIGHT - _BOTTOM, _TOP + _legend_height(series))
    slot = (_WIDTH - _LEFT - _RIGHT) / len(categories)
    wide = slot * 0.8 / len(series)
    floor = y_axis(y_axis.low if log_y else 0.0)
    body = [_frame(None, y_axis, x_label, y_label)]
    for c, category in enumerate(categories):
        left = _LEFT + c * slot + slot * 0.1
        body.append(_tick_below(left + slot * 0.4, category))
        for i, heights in enumerate(series.values()):
            top = y_axis(heights[c])
            body.append(
                f'<rect x="{left + i * wide:.1f}" y="{min(top, floor):.1f}" width="{max(wide - 1, 0.5):.1f}" '
                f'height="{abs(floor - top):.1f}" fill="{_COLOURS[i % len(_COLOURS)]}">'
                f"<title>{escape(category)}: {_number(heights[c])}</title></rect>"
            )
    return _svg(title, body, list(series), markers=False)


def page(title: str, sections: Sequence[Section]) -> str:
    """A self-contained HTML page: no script, nothing loaded from elsewhere; all text is escaped, figures are not.

    >>> "<h2>A &amp; B</h2>" in page("Results", [Section("A & B", "One.\\n\\nTwo.")])
    True
    """
    parts = [
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>',
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n<style>{_PAGE_STYLE}</style>\n</head>',
        f"<body>\n<h1>{escape(title)}</h1>",
    ]
    for section in sections:
        parts.append(f"<section>\n<h2>{escape(section.heading)}</h2>")
        parts += [f"<p>{escape(paragraph)}</p>" for paragraph in section.text.split("\n\n") if paragraph.strip()]
        parts += section.figures
        parts += [_table(table) for table in section.tables]
        parts.append("</section>")
    return "\n".join([*parts, "</body>\n</html>\n"])


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = ("".join(f"<td>{escape(_cell(value))}</td>" for value in row) for row in table.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)


def _axis(
    title: str,
    values: Sequence[float],
    log: bool,
    start: float,
    end: float,
    ticks: tuple[float, ...] = (),
    tight: bool = False,
) -> _Axis:
    """An axis over the values: ``tight`` ends at them, otherwise it is widened to whole ticks."""
    if bad := [v for v in values if not math.isfinite(v) or (log and v <= 0)]:
        raise ValueError(f"the chart {title!r} cannot show {bad[0]!r} on a {'logarithmic' if log else 'linear'} axis")
    low, high = min(values), max(values)
    if low == high:
        low, high = (low / 2, high * 2) if log else (low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2)
    ticks = ticks or (_log_ticks if log else _linear_ticks)(low, high)
    if not tight:
        low, high = min(low, ticks[0]), max(high, ticks[-1])
    return _Axis(low, high, log, tuple(t for t in ticks if low <= t <= high), start, end)


def _linear_ticks(low: float, high: float) -> tuple[float, ...]:
    """Five or so round numbers, the first not above ``low`` and the last not below ``high``."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(k * step for k in range(first, last + 1))


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    """Powers of ten around the values, thinned when many, with 2 and 5 between them when few."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    if last - first <= 2:
        ticks = [f * 10.0**k for k in range(first, last + 1) for f in (1, 2, 5)]
        below = max((t for t in ticks if t <= low), default=ticks[0])
        above = min((t for t in ticks if t >= high), default=ticks[-1])
        return tuple(t for t in ticks if below <= t <= above)
    step = -(-(last - first) // 8)
    return tuple(10.0**k for k in range(first, last + step, step))


def _number(value: float) -> str:
    if value and not 1e-3 <= abs(value) < 1e6:
        power = math.floor(math.log10(abs(value)) + 1e-9)
        digits = f"{value / 10.0**power:.3g}"
        exponent = f"10{str(power).translate(_SUPERSCRIPT)}"
        return exponent if digits == "1" else f"{digits}·{exponent}"
    return f"{value:,.4f}".rstrip("0").rstrip(".") if abs(value) < 100 else f"{value:,.6g}"


def _frame(x_axis: _Axis | None, y_axis: _Axis, x_label: str, y_label: str) -> str:
    """The grid, both axes, the ticks on the left and the labels."""
    right, below, top = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM, y_axis.end
    parts = []
    for tick in y_axis.ticks:
        y = y_axis(tick)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
    for tick in x_axis.ticks if x_axis else ():
        x = x_axis(tick) if x_axis else 0.0
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{below}"/>')
    parts.append(f'<path class="axis" d="M{_LEFT},{top:.1f}V{below}H{right}"/>')
    middle = (_LEFT + right) / 2
    parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(x_label)}</text>')
    turned = f"translate(18,{(top + below) / 2:.1f}) rotate(-90)"
    parts.append(f'<text transform="{turned}" text-anchor="middle">{escape(y_label)}</text>')
    return "\n".join(parts)


def _tick_below(x: float, label: str) -> str:
    return f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{escape(label)}</text>'


def _marker(series: int, x: float, y: float) -> str:
    colour, shape, r = _COLOURS[series % len(_COLOURS)], _MARKERS[series % len(_MARKERS)], 4.0
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{colour}"/>'
    if shape == "cross":
        arms = f"M{x - r:.1f},{y - r:.1f}l{2 * r},{2 * r}m0,{-2 * r}l{-2 * r},{2 * r}"
        return f'<path d="{arms}" stroke="{colour}" stroke-width="2"/>'
    outline = {
        "square": f"M{x - r:.1f},{y - r:.1f}h{2 * r}v{2 * r}h{-2 * r}z",
        "triangle": f"M{x:.1f},{y - r - 1:.1f}l{r + 1},{2 * r}h{-2 * (r + 1)}z",
        "diamond": f"M{x:.1f},{y - r - 1:.1f}l{r + 1},{r + 1}l{-r - 1},{r + 1}l{-r - 1},{-r - 1}z",
    }[shape]
    return f'<path d="{outline}" fill="{colour}"/>'


def _legend_rows(names: Sequence[str]) -> list[list[tuple[float, int]]]:
    """Where each name stands in the legend: rows of (x, series), broken where the width is used up."""
    rows: list[list[tuple[float, int]]] = [[]]
    x = _LEFT
    for i, name in enumerate(names):
        wide = 34 + _LETTER * len(name)
        if rows[-1] and x + wide > _WIDTH - _RIGHT:
            rows.append([])
            x = _LEFT
        rows[-1].append((x, i))
        x += wide
    return rows


def _legend_height(names: Mapping[str, object]) -> float:
    return _LEGEND_LINE * len(_legend_rows(list(names))) if len(names) > 1 else 0.0


def _svg(title: str, body: list[str], names: list[str], markers: bool) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" '
        f'width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>",
        f'<rect class="ground" width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}"/>',
        f'<text class="head" x="{_LEFT}" y="24">{escape(title)}</text>',
    ]
    for row, entries in enumerate(_legend_rows(names) if len(names) > 1 else []):
        y = _TOP + _LEGEND_LINE * row
        for x, i in entries:
            colour = _COLOURS[i % len(_COLOURS)]
            if markers:
                parts.append(f'<line x1="{x}" x2="{x + 20}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
                parts.append(_marker(i, x + 10, y))
            else:
                parts.append(f'<rect x="{x + 4}" y="{y - 6}" width="12" height="12" fill="{colour}"/>')
            parts.append(f'<text x="{x + 26}" y="{y + 4}">{escape(names[i])}</text>')
    return "\n".join([*parts, *body, "</svg>"])
