from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.formats import FormatError, read, write
from taciturn.plan import Edit, Plan, apply
from tests.formats.plans import release


@given(
    st.text(min_size=1).filter(lambda t: "\0" not in t and not t.startswith(("\ufeff", "{\\rtf", "BZh"))), st.booleans()
)
def test_no_edit_no_change(text: str, mark: bool) -> None:
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    file = read(data, "a.txt")
    assert write(file, apply(Plan(file.document))) == data


@pytest.mark.parametrize(
    "text",
    [
        "one\r\ntwo\tAIDS\r\n",
        "\ufeffAIDS at the start",
        "שלום AIDS עולם",
        "e\u0301 👩‍⚕️ AIDS 🏳️‍🌈\n",
        "no newline at the end: AIDS",
        "old Mac\rAIDS\r",
        "\u2028line separators\u2029AIDS\x0c",
    ],
)
def test_bytes_outside_edits_stay(text: str) -> None:
    data = text.encode()
    assert release(data, "a.txt", {"AIDS": "a disease"})[1] == text.replace("AIDS", "a disease").encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"caf\xe9", "not UTF-8 .byte 0xe9 at 3.; convert it"),
        (b"\xff\xfea\0", "UTF-16; save it as UTF-8"),
        (b"ab\0cd", "NUL bytes"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\x1f\x8b\x08", "unpack it first"),
    ],
)
def test_what_is_no_text_is_refused_with_its_name(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read(data, "notes.txt")
    assert "'notes.txt'" in str(caught.value)


def test_a_plan_of_another_document_is_refused() -> None:
    file, other = read(b"AIDS", "a.txt"), read(b"AIDS!", "a.txt")
    with pytest.raises(ValueError, match="another document"):
        write(file, apply(Plan(other.document, (Edit(0, 4, "AIDS", "x"),))))
