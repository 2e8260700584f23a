"""Text survives byte for byte outside the edits."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.formats import read, write
from tacit.models import CSanitized
from tacit.release import sanitize
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
    assert released == data[: 3 * mark] + expected.encode()
    if not release.edits:
        assert released == data
