"""What belongs to a name: the parts that say nothing by themselves are joined to it, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from taciturn.models.kinds.identify.belonging import add_belonging
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.pieces import read_pieces

PERSON = CLASSES.index("PERSON")


@pytest.mark.parametrize(
    ("text", "named", "likely", "joined"),
    [
        ("by Ganz, R. today", ["Ganz"], ["R"], ["Ganz", ",", "R"]),
        ("by L. X. Lee today", ["Lee"], ["L", "X"], ["L", ".", "X", ".", "Lee"]),
        ("by Lee\nX came", ["Lee"], ["X"], ["Lee"]),
        ("Rich Price, III came", ["Rich", "Price"], [], ["Rich", "Price", ",", "III"]),
        ("Anna (Ann) Lee came", ["Anna", "Lee"], [], ["Anna", "(", "Ann", ")", "Lee"]),
        ("CL/rb  page 2", ["CL"], [], ["CL", "rb"]),
        ("Tom Cole wrote.\n\nTC\n\nMRI", ["Tom", "Cole"], [], ["Tom", "Cole", "TC"]),
        ("seen by כהן נפתלי today, and again by the nurse", ["כהן"], [], ["כהן", "נפתלי"]),
        ("Lee had an MRI scan", ["Lee"], [], ["Lee"]),
        ("seen by t. okoye", ["okoye"], [], ["t", ".", "okoye"]),
        ("clear b/l. okoye", ["okoye"], [], ["okoye"]),
        ("Dr. Papado-\npoulos came", ["Papado"], [], ["Papado", "-", "poulos"]),
        ("a low-\ngrade fever", [], [], []),
        ("Nora Page wrote. Signed: N.P. of the E.R.", ["Nora", "Page"], [], ["Nora", "Page", "N", ".", "P", "."]),
        ("Cat Lowe\nCL/rb  Encl.", ["Cat", "Lowe"], [], ["Cat", "Lowe", "CL", "rb"]),
        ("Cat Lowe came. BP/hr stable", ["Cat", "Lowe"], [], ["Cat", "Lowe"]),
    ],
)
def test_what_belongs_to_a_name(text: str, named: list[str], likely: list[str], joined: list[str]) -> None:
    pieces = read_pieces(text)
    words = [pieces.tokens.types[i] for i in pieces.tokens.ids.tolist()]
    best = np.array([PERSON if word in named else 0 for word in words], np.int64)
    found = add_belonging(pieces, words, best, np.array([word in likely for word in words], np.bool_))
    assert [word for word, label in zip(words, found.tolist(), strict=True) if label == PERSON] == joined


def test_a_name_in_another_script_needs_no_title() -> None:
    from taciturn import sanitize

    assert "כהן" not in sanitize("נפתלי כהן and his wife came on foot.", "hipaa-safe-harbor").text


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Blood pressure ran from 120/80 to 135/85.", "135/85"),
        ("Mr. Bell was seen. Bell's palsy is known.", "Bell's palsy"),
        ("Signed by HOPE GRANT, R.N., and Tom Page, M.D. on the ward.", "M.D."),
    ],
)
def test_what_identifies_nobody_stays(text: str, stays: str) -> None:
    from taciturn import sanitize

    assert stays in sanitize(text, "hipaa-safe-harbor").text
