"""Text survives byte for byte outside the edits."""

from __future__ import annotations

from unicodedata import normalize

from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.formats import read, write
from taciturn.models import CSanitized
from taciturn.release import sanitize
from tests.fixtures import tiny_knowledge

TINY = tiny_knowledge()
MODEL = CSanitized(protect=["HIV"], alpha=1.5, support=3)
PIECES = st.sampled_from(
    [
        "AIDS",
        " ",
        "\r\n",
        "\t",
        "e\u0301",
        "\u05e9\u05dc\u05d5\u05dd",
        "🩺",
        "influenza. ",
        "\n\n",
        "\u200f",
        "HIV",
        "ﬁ",
        "a",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=25).map("".join), st.booleans())
def test_bytes_outside_edits_survive(text: str, mark: bool) -> None:
    if not text.strip():
        return
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    file = read(data, "note.txt")
    release = sanitize(file.document, MODEL, TINY)
    at, expected = 0, ""
    for edit in release.edits:
        expected += file.document.text[at : edit.start] + edit.replacement
        at = edit.end
    expected += file.document.text[at:]
    released = write(file, release.applied)
    # Accents that stand apart are read as letters with accents, and are written apart as they were.
    assert normalize("NFC", released.decode()) == normalize("NFC", "\ufeff" * mark + expected)
    assert "\u00e9" not in released.decode()
    if not release.edits:
        assert released == data
