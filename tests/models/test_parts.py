"""What belongs to an address, to a list of dates, and numbers within a house."""

from __future__ import annotations

import numpy as np
import pytest

from taciturn.document import Term
from taciturn.language import key
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.parts import add_parts, with_units
from taciturn.models.kinds.identify.pieces import read_pieces


@pytest.mark.parametrize(
    ("text", "given", "found"),
    [
        ("at 80 Oak St., #4, today", "80 Oak St", "80 Oak St., #4"),
        ("at 80 Oak St., Apt. 4B today", "80 Oak St", "80 Oak St., Apt. 4B"),
        ("at 80 Oak St, room for four", "80 Oak St", "80 Oak St"),
        ("to The Old Mill, Kirk Rd, now", "Kirk Rd", "The Old Mill, Kirk Rd"),
        ("from Dr. Young Way on", "Young Way", "Dr. Young Way"),
    ],
)
def test_an_address_has_its_flat_and_its_house(text: str, given: str, found: str) -> None:
    at = text.index(given)
    inside = Term(text.index("Mill"), text.index("Mill") + 4, "Mill", key("Mill"), "place") if "Mill" in text else None
    address = Term(at, at + len(given), given, key(given), "address")
    assert [t.text for t in with_units([t for t in (inside, address) if t], text)] == [found]


@pytest.mark.parametrize(
    ("text", "label", "given", "found"),
    [
        ("on 1/17 and 2/6, grip 4/5", "DATE", "1 / 17", "1 / 17 2 / 6"),
        ("on 3/2, 3/9, 3/16", "DATE", "3 / 16", "3 / 2 3 / 9 3 / 16"),
        ("pager 0417, room 0417", "PHONE", "", "0417"),
    ],
)
def test_dates_of_a_list_and_pagers(text: str, label: str, given: str, found: str) -> None:
    pieces = read_pieces(text)
    words = [pieces.tokens.types[i] for i in pieces.tokens.ids.tolist()]
    number, wanted = CLASSES.index(label), given.split()
    classes = np.zeros(len(words), np.int64)
    for at in range(len(words)):
        if wanted and words[at : at + len(wanted)] == wanted:
            classes[at : at + len(wanted)] = number
    add_parts(pieces, classes)
    assert [word for word, c in zip(words, classes.tolist(), strict=True) if c == number] == found.split()
