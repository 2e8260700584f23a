"""The code of a documentation page, run as it stands there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
_BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)


def blocks(page: str, *, having: str = "") -> list[str]:
    """The sessions of a page, those with a certain word in them."""
    return [block for block in _BLOCK.findall((DOCS / page).read_text()) if having in block]


def run(page: str, sessions: list[str]) -> int:
    """Run sessions one after the other, in one namespace; returns how many examples failed and prints them."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    names: dict[str, object] = {}
    parser = doctest.DocTestParser()
    for number, session in enumerate(sessions, 1):
        test = parser.get_doctest(session, names, f"{page}, session {number}", page, 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.tries
    return runner.failures
