"""The charts: well-formed, where the values say, and refusing what an axis cannot show."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from taciturn.report.plots import Section, Table, bar_chart, line_chart, page

SVG = "{http://www.w3.org/2000/svg}"


def places(svg: str) -> list[tuple[float, float]]:
    line = ElementTree.fromstring(svg).find(f"{SVG}polyline")
    assert line is not None
    return [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]  # type: ignore[misc]


def test_a_line_runs_where_its_values_say() -> None:
    (x0, y0), (x1, y1), (x2, y2) = places(line_chart("t", {"a": [(2, 20), (0, 0), (1, 10)]}, "x", "y"))
    assert x0 < x1 < x2
    assert y0 > y1 > y2
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2)


def test_equal_ratios_are_equal_distances_on_logarithmic_axes() -> None:
    svg = line_chart("t", {"a": [(1, 1e-6), (10, 1e-3), (100, 1)]}, "x", "y", log_x=True, log_y=True)
    (x0, y0), (x1, y1), (x2, y2) = places(svg)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.2)


def test_bars_stand_on_the_floor_and_have_heights_in_proportion() -> None:
    svg = bar_chart("t", ["a", "b"], {"only": [1.0, 3.0]}, "x", "y")
    bars = [r for r in ElementTree.fromstring(svg).iter(f"{SVG}rect") if r.find(f"{SVG}title") is not None]
    heights = [float(r.attrib["height"]) for r in bars]
    floors = [float(r.attrib["y"]) + float(r.attrib["height"]) for r in bars]
    assert heights[1] == pytest.approx(3 * heights[0], abs=0.3)
    assert floors[0] == pytest.approx(floors[1], abs=0.2)


@pytest.mark.parametrize("points", [[(1, 1)], [(1, 0), (2, 0)], [(0, -3), (5, 1e9)], [(1, 1e-12), (2, 2e-12)]])
def test_any_values_give_well_formed_pictures_with_ticks(points: list[tuple[float, float]]) -> None:
    svg = line_chart("a < b & c", {"x & y": points, "z": points}, "<x>", "&")
    ElementTree.fromstring(svg)
    assert svg.count('class="grid"') >= 3


def test_names_are_escaped_everywhere() -> None:
    html = page("<t>", [Section("<h>", "<p>", (), (Table(("<c>",), (("<v>",),)),))])
    assert not re.search(r"<(t|c|v|p><)>", html)
    assert "&lt;v&gt;" in html


def test_what_an_axis_cannot_show_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot show 0 on a logarithmic"):
        line_chart("t", {"a": [(1, 0)]}, "x", "y", log_y=True)
    with pytest.raises(ValueError, match="nan"):
        line_chart("t", {"a": [(1, float("nan"))]}, "x", "y")
    with pytest.raises(ValueError, match="no points"):
        line_chart("t", {"a": []}, "x", "y")
    with pytest.raises(ValueError, match="2 values for 1 categories"):
        bar_chart("t", ["a"], {"s": [1, 2]}, "x", "y")
    with pytest.raises(ValueError, match="does not fit the columns"):
        Table(("a",), ((1, 2),))


def test_the_same_values_give_the_same_bytes() -> None:
    assert line_chart("t", {"a": [(1, 2)]}, "x", "y") == line_chart("t", {"a": [(1, 2)]}, "x", "y")
