"""What C-sanitized hides of matters that are not medical, in twelve documents written before anything was tuned.

``fixtures/matters.jsonl`` has a line a document: what must stay unsaid, the text, and every expression that gives it
away, alone or together with others, as an expert would mark it. All of it is fiction.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import taciturn

DOCUMENTS = [json.loads(line) for line in Path(__file__).with_name("fixtures").joinpath("matters.jsonl").open()]
_WORD = re.compile(r"[^\W_]{3,}")


def _covered(text: str, spans: list[tuple[int, int]]) -> bytearray:
    cover = bytearray(len(text))
    for start, end in spans:
        cover[start:end] = b"\1" * (end - start)
    return cover


def _places(document: dict[str, Any], span: dict[str, Any]) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer(re.escape(span["text"]), document["text"])]


def test_the_marks_stand_in_their_texts() -> None:
    assert len(DOCUMENTS) == 12
    assert all(_places(d, s) for d in DOCUMENTS for s in d["spans"])


@pytest.mark.slow
def test_what_gives_a_matter_away_is_touched_and_little_else() -> None:
    """Measured: .27 touched at precision .81 before; the bounds are what it must not fall below."""
    told = touched = changed = right = 0
    for document in DOCUMENTS:
        text = document["text"]
        release = taciturn.sanitize(text, taciturn.CSanitized(protect=[document["hide"]]))
        cover = _covered(text, [(e.start, e.end) for e in release.edits])
        marks = _covered(text, [place for span in document["spans"] for place in _places(document, span)])
        words = [m.span() for m in _WORD.finditer(text) if all(cover[m.start() : m.end()])]
        changed += len(words)
        right += sum(all(marks[start:end]) for start, end in words)
        for span in document["spans"]:
            if span["alone"]:
                told += 1
                touched += all(any(cover[start:end]) for start, end in _places(document, span))
    assert touched / told >= 0.38
    assert right / changed >= 0.75
