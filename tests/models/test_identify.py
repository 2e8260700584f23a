"""Identifiers by what stands around them: hand-made sentences, all scripts, and the marked documents."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn import sanitize
from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.language import analyze
from taciturn.models.kinds.identify import identify
from taciturn.models.kinds.identify.pieces import read_pieces

PRESET = "hipaa-safe-harbor"


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Ms. Hernandez reports pain.", ["Hernandez"]),
        ("Dear Dr. Okafor,\n\nThank you for seeing him.", ["Okafor"]),
        ("Mr. Alan Whitcomb and Mrs. Jane Whitcomb came.\nRefer Whitcomb to the clinic.", ["Whitcomb", "Alan", "Jane"]),
        ("PATIENT: LINDGREN, ASTRID M.\nLindgren is well.", ["LINDGREN", "Lindgren", "ASTRID"]),
        ("Seen by Dr. נַפְתָּלִי כֹּהֵן today.", ["נַפְתָּלִי", "כֹּהֵן", "נַ"]),
        ("Signed: Dr. नेहा शर्मा", ["नेहा", "शर्मा"]),
        ("Seen in 08/07 for the same pain.", ["08/07"]),
        ("The scan was filed as mri_KowalskiAnna_20230512.pdf", ["Kowalski", "Anna", "20230512"]),
    ],
)
def test_what_identifies_is_gone(text: str, gone: list[str]) -> None:
    released = sanitize(text, PRESET).text
    assert [word for word in gone if word in released] == [], released


@pytest.mark.parametrize(
    "text",
    [
        "Blood pressure was 120/80, strength 4/5 in both legs.",
        "The neck is supple. The patient takes Tylenol and aspirin for pain.",
        "He has Parkinson's disease and Crohn's disease.",
    ],
)
def test_clinical_words_stay(text: str) -> None:
    assert sanitize(text, PRESET).text == text


def test_town_state_and_code_each_by_their_own_rule() -> None:
    released = sanitize("She lives in Houston, TX 77030 with her son.", PRESET).text
    assert released == "She lives in TX 770** with her son."


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_pieces_are_the_text_without_its_gaps(text: str) -> None:
    pieces = read_pieces(text)
    starts, ends = pieces.tokens.starts.tolist(), pieces.tokens.ends.tolist()
    words = [pieces.tokens.types[i] for i in pieces.tokens.ids.tolist()]
    assert [text[a:b] for a, b in zip(starts, ends, strict=True)] == words
    assert "".join(words) == "".join(c for c in text if not c.isspace())


def test_the_terms_do_not_overlap() -> None:
    text = "Dr. Anna Lee (617-555-0143), 12 Oak Street, Boston, MA 02138, saw Mr. Smith on 3/4 and 5 March 2020."
    terms = identify(analyze(Document.of(text)), Knowledge.default()).terms
    assert all(one.end <= other.start for one, other in pairwise(terms))
    assert {"person", "phone", "address", "date"} <= {term.kind for term in terms}


def test_a_name_after_a_date_is_no_part_of_it() -> None:
    released = sanitize("On 12 March 2019 Mary Okafor wrote.", PRESET).text
    assert released == "In 2019 [PERSON 1] wrote."
