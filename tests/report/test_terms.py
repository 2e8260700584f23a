"""The display of terms: every term in its colour, a true legend, nothing that could steer a terminal."""

from __future__ import annotations

import json

from rich.console import Console

from taciturn.document import Document, Term
from taciturn.language.analysis import Analysis
from taciturn.report.terms import render_terms, terms_json


def analysis(text: str, *terms: Term) -> Analysis:
    return Analysis(Document.of(text), ((0, len(text)),), ((0, len(text)),), terms)


TEXT = "Anna [Smith] wrote on 5 May. Anna left."
SEEN = analysis(
    TEXT,
    Term(0, 12, "Anna [Smith]", "anna smith", "person", 1),
    Term(22, 27, "5 May", "5 may", "date"),
    Term(29, 33, "Anna", "anna", "person", 1),
)


def shown(found: Analysis, *, colour: bool) -> str:
    console = Console(width=80, force_terminal=colour, color_system="truecolor" if colour else None)
    with console.capture() as capture:
        console.print(render_terms(found))
    return capture.get()


def test_the_text_the_legend_and_the_mentions() -> None:
    lines = [line.rstrip() for line in shown(SEEN, colour=False).splitlines()]
    assert lines[0] == TEXT
    assert [line.split() for line in lines[3:5]] == [["person", "2"], ["time", "1", "date", "1"]]
    assert lines[-1].split(None, 1) == ["1", "Anna [Smith] (1), Anna (1)"]


def test_terms_are_painted_and_other_text_is_not() -> None:
    first = shown(SEEN, colour=True).splitlines()[0]
    assert "\x1b[1;35mAnna [Smith]\x1b[0m" in first
    assert "\x1b[1;33m5 May\x1b[0m" in first
    assert "m wrote on" in first


def test_json_holds_every_term() -> None:
    rows = json.loads(json.dumps(terms_json(SEEN)))
    assert [(TEXT[r["start"] : r["end"]], r["kind"], r["family"], r["mention"]) for r in rows] == [
        ("Anna [Smith]", "person", "person", 1),
        ("5 May", "date", "time", 0),
        ("Anna", "person", "person", 1),
    ]


def test_nothing_steers_the_terminal() -> None:
    text = "a \x1b[31mred\x07 \ud800 b"
    assert shown(analysis(text), colour=False).splitlines()[0] == "a �[31mred� � b"


def test_an_empty_text() -> None:
    assert terms_json(analysis("")) == []
    assert shown(analysis(""), colour=False).strip().startswith("kind")
