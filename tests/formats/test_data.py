from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.formats import FormatError, LimitError, Options, read, write
from taciturn.plan import Plan, apply
from tests.formats import nasty
from tests.formats.plans import release

numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
leaf = st.none() | st.booleans() | numbers | st.text(max_size=12)
values = st.recursive(
    leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)


@given(values, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_json_without_edits_stays_byte_by_byte(value: Any, ascii_only: bool, indent: Any) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8", errors="surrogatepass")
    try:
        data.decode()
    except UnicodeDecodeError:
        return
    file = read(data, "a.json")
    assert write(file, apply(Plan(file.document))) == data


@given(values)
def test_json_leaves_are_all_read(value: Any) -> None:
    def leaves(v: Any) -> list[str]:
        if isinstance(v, dict):
            return [t for inner in v.values() for t in leaves(inner)]
        if isinstance(v, list):
            return [t for inner in v for t in leaves(inner)]
        return [] if v is None or isinstance(v, bool) else [v if isinstance(v, str) else json.dumps(v)]

    file = read(json.dumps(value).encode(), "a.json")
    found = [file.document.text[s.start : s.end] for s in file.document.segments if not s.place.startswith("key ")]
    assert found == [t for t in leaves(value) if t.strip()]


def test_json_hides_values_keys_and_escapes() -> None:
    file, data = release(nasty.leaves(), "a.json", nasty.HIDE)
    assert "banderas" not in data.decode().lower()
    loaded = json.loads(data)
    assert loaded["an actor"]["list"] == ["an actor", {"deep": ["by an actor"]}]
    assert loaded["escaped"] == "an actor"
    assert loaded["an actor 2"] == "a key that is an identifier"
    assert "Antonio Banderas.list[1].deep[0]" in {s.place for s in file.document.segments}


def test_json_lines() -> None:
    file, data = release(nasty.lines(), "a.jsonl", nasty.HIDE)
    assert [json.loads(line) for line in data.decode().splitlines()] == [
        {"name": "an actor", "city": "Málaga"},
        {"name": "Ann", "by": ["an actor"]},
        ["x", "an actor"],
        "an actor",
    ]
    assert file.document.segments[0].place == "line 1: name"
    assert file.format == "jsonl"


def test_an_edited_number_becomes_a_string() -> None:
    assert release(b'{"age": 93, "n": 4}', "a.json", {"93": "90 or more"})[1] == b'{"age": "90 or more", "n": 4}'


def test_deep_json_is_refused_in_time() -> None:
    for depth in (1000, 1_000_000):
        with pytest.raises(LimitError, match="nested more than"):
            read(b"[" * depth + b"]" * depth, "a.json")


def test_broken_json_is_refused() -> None:
    with pytest.raises(FormatError, match=r"'a.json' is not valid JSON .column 8"):
        read(b'{"a": 1', "a.json")
    with pytest.raises(FormatError, match="in line 2"):
        read(b'{"a": 1}\n{"a": }\n', "a.jsonl")


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=8)


@given(
    st.lists(st.lists(cells, min_size=2, max_size=4), min_size=1, max_size=4), st.sampled_from(",;\t|"), st.booleans()
)
def test_csv_is_read_as_python_reads_it(rows: list[list[str]], sep: str, quote_all: bool) -> None:
    buffer = io.StringIO(newline="")
    quoting: Any = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(buffer, delimiter=sep, quoting=quoting).writerows(rows)
    data = buffer.getvalue().encode()
    name = "a.tsv" if sep == "\t" else "a.csv"
    file = read(data, name)
    assert write(file, apply(Plan(file.document))) == data
    from taciturn.formats.table import _records, _text

    source = buffer.getvalue()
    mine = [[_text(source[a:b]) for a, b in record] for record in _records(source, sep)]
    theirs = list(csv.reader(io.StringIO(source, newline=""), delimiter=sep))
    assert [r for r in mine if r != [""]] == [r for r in theirs if r]


def test_csv_hides_the_name_and_keeps_the_rest() -> None:
    file, data = release(nasty.table(), "a.csv", nasty.HIDE)
    assert data == (
        b'id;name;"note"\r\n1;an actor;"said ""an actor"";\r\nand left"\r\n2;"Ann; B";an actor\r\n3;"an actor";\r\n'
    )
    assert "name: row 2" in {s.place for s in file.document.segments}


def test_csv_columns_are_chosen_and_the_others_swept() -> None:
    source = b"id,name,note\n1,Antonio Banderas,by Antonio Banderas\n2,Ann Lee,none\n"
    file, data = release(source, "a.csv", nasty.HIDE | {"Ann Lee": "X"}, Options(columns=("name",)))
    assert data == b"id,name,note\n1,an actor,by an actor\n2,X,none\n"
    assert not any("note: " in s.place for s in file.document.segments)
    with pytest.raises(FormatError, match="no column 'nmae'; is it 'name'"):
        read(source, "a.csv", Options(columns=("nmae",)))


def test_a_table_without_a_header_is_refused_without_a_word_of_it() -> None:
    with pytest.raises(FormatError, match="in the first line") as refused:
        read(b"1,Ann Lee,She has AIDS\n", "a.csv", Options(columns=("note",)))
    assert "Ann" not in str(refused.value)


def test_an_edit_that_needs_quotes_gets_them() -> None:
    assert release(b"a,b\nAIDS,1\n", "a.csv", {"AIDS": 'a, "b"'})[1] == b'a,b\n"a, ""b""",1\n'


def test_an_open_quote_and_long_lines_cost_no_more_than_their_length() -> None:
    read(b'a,b\n"' + b"x" * 1_000_000, "a.csv")
    read(b"a," * 20_000 + b"\n", "a.csv")
