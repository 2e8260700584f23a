"""k-anonymous strings in documents: every entry is masked, and the check finds what was not."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.knowledge import Knowledge, TableCounts
from taciturn.language import analyze
from taciturn.models.kanonymous.model import KAnonymous
from taciturn.models.kanonymous.rows import Records
from taciturn.models.kanonymous.text import characters
from taciturn.plan import apply
from taciturn.solvers.masks import MaskIndex

KNOWLEDGE = Knowledge(TableCounts(10, {}))
NAMES = ["Smith", "Smyth", "Smits", "Jones", "Janes", "May", "New York", "New Ulm", "York"]


def release(model: KAnonymous, text: str | Document) -> str:
    document = Document.of(text) if isinstance(text, str) else text
    applied = apply(model.plan(analyze(document), KNOWLEDGE))
    assert model.check(analyze(applied.document), KNOWLEDGE, applied.spans).holds
    assert model.check(analyze(applied.document), KNOWLEDGE).holds  # by the text and the list alone
    if "*" not in document.text:  # then a further round of the same release changes nothing
        bound = model.bind(analyze(document), KNOWLEDGE)
        assert bound.plan(analyze(applied.document), KNOWLEDGE).edits == ()
    return applied.document.text


def test_entries_are_masked_and_nothing_else() -> None:
    model = KAnonymous(NAMES, k=2)
    assert release(model, "Ask Smith or Jones, not Smithers.") == "Ask Sm*th or J*nes, not Smithers."
    assert release(model, "Smith's, (Smith) Smith-Jones") == "Sm*th's, (Sm*th) Sm*th-J*nes"
    assert release(model, "nothing here") == "nothing here"
    assert release(model, "") == ""


def test_longest_match_first() -> None:
    model = KAnonymous(["York", "Yore", "New York", "Old York", "New"], k=2)
    assert release(model, "New York") == "*** York"  # what a mask keeps may be an entry
    assert release(model, "in York") == "in Yor*"


def test_length_that_too_few_share_is_not_shown() -> None:
    assert release(KAnonymous(NAMES, k=2), "in May") == "in [REDACTED]"  # the only entry of three letters
    assert release(KAnonymous(NAMES, k=100), "Smith of New York") == "[REDACTED] of [REDACTED]"
    assert release(KAnonymous(["a", "b", "c"], k=2), "a c") == "* *"


def test_ordinary_words_can_be_excluded() -> None:
    model = KAnonymous(NAMES, k=2, exclude=["May"])
    assert release(model, "In May Smith came.") == "In May Sm*th came."
    assert not KAnonymous(NAMES, k=2).check(analyze(Document.of("In May")), KNOWLEDGE).holds


def test_same_entry_same_mask() -> None:
    text = release(KAnonymous(NAMES, k=3), "Smith and Smith, then Smyth; Smith.")
    assert text == "Sm*t* and Sm*t*, then Sm*t*; Sm*t*."


def test_collapse_hides_the_length() -> None:
    model = KAnonymous(["Anderson", "Andresen", "Andersen", "Andrews"], k=3, collapse=True)
    assert release(model, "Dear Anderson,") == "Dear And*s*n,"
    alone = KAnonymous(["Anderson", "Smith", "Lee"], k=2, collapse=True)
    assert release(alone, "Dear Anderson,") == "Dear [REDACTED],"


def test_japanese_has_no_word_boundaries() -> None:
    model = KAnonymous(["森小路", "森大路", "田中", "田口"], k=2)
    assert release(model, "私は森小路へ田中と行く") == "私は森*路へ田*と行く"


def test_korean_entries_may_carry_particles() -> None:
    assert release(KAnonymous(["김철수", "김영수"], k=2), "김철수는 왔다") == "김*수는 왔다"


def test_decomposed_text_is_found_and_replaced_whole() -> None:
    model = KAnonymous(["Rémy", "Remo", "Rémi"], k=2)
    assert release(model, "Re\u0301my, Rémi") == "Rém*, Rém*"
    # A letter with another mark than the entry's is another letter.
    assert release(model, "Remo\u0301 x") == "Remo\u0301 x"


def test_emoji_and_mixed_scripts() -> None:
    model = KAnonymous(["😀森a", "😀林a", "Tシャツ", "Yシャツ"], k=2)
    assert release(model, "x 😀森a y Tシャツだ") == "x 😀*a y *シャツだ"


def test_stars_of_the_text_and_of_entries() -> None:
    model = KAnonymous(["a*b", "axb", "ayb", "Smith", "Smyth"], k=2)
    assert release(model, "a*b") == "a*b"  # three entries fit it already
    assert release(model, "axb * 2 ** 3") == "a*b * 2 ** 3"
    # A star of the original that singles out one entry is a mask that shows too much.
    assert release(model, "see Smit*") == "see [REDACTED]"


def test_redaction_marks_are_not_entries() -> None:
    assert release(KAnonymous(["REDACTED", "May"], k=2), "May [REDACTED]") == "[REDACTED] [REDACTED]"


def test_no_match_crosses_a_segment() -> None:
    document = Document.join([("a", "New"), ("b", "York")], between=" ")
    assert release(KAnonymous(["New York", "New Yore"], k=2), document) == "New York"


@pytest.mark.parametrize(
    ("text", "k"),
    [("Ask Smith.", 1), ("Ask Smit*.", 2), ("Ask Sm*t*.", 3)],
)
def test_check_counts_what_a_reader_can_tell(text: str, k: int) -> None:
    guarantee = KAnonymous(["Smith", "Smyth", "Smitt"], k=4).check(analyze(Document.of(text)), KNOWLEDGE)
    assert not guarantee.holds
    assert guarantee.margin == k - 4
    assert [v.figures["k"] for v in guarantee.violations] == [k]
    public = f"{guarantee.statement} {guarantee.parameters} {guarantee.figures}"
    assert "Sm" not in public


def test_empty_list_changes_nothing() -> None:
    assert release(KAnonymous([], k=2), "Smith * J***") == "Smith * J***"


def test_index_can_be_given() -> None:
    index = MaskIndex(NAMES)
    model = KAnonymous(index, k=2)
    assert model.check(analyze(Document.of("x")), KNOWLEDGE).figures["list"] == index.digest


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="k is 1"):
        KAnonymous(NAMES, k=1)
    assert KAnonymous(NAMES, exclude="May").exclude == ("May",)
    with pytest.raises(ValueError, match="list is 'Smith', but must be a list"):
        KAnonymous("Smith")
    with pytest.raises(ValueError, match="2 fields"):
        KAnonymous([("a", "b"), ("a", "b", "c")], together=True)
    with pytest.raises(ValueError, match="cannot be combined"):
        KAnonymous([("a", "b")], together=True, collapse=True)
    with pytest.raises(ValueError, match="together goes with rows"):
        KAnonymous(Records([("a", "b")]))


words = st.lists(st.text("ab林e\u0301 ", min_size=1, max_size=4), min_size=1, max_size=12)


@settings(deadline=None, max_examples=200)
@given(words, st.lists(st.integers(0, 11), max_size=6), st.text("ab林e\u0301 *,", max_size=12), st.integers(2, 4))
def test_release_always_holds(names: list[str], chosen: list[int], text: str, k: int) -> None:
    """Whatever stands in the text, the release holds by a check that reads text and list anew, and stays as it is."""
    model = KAnonymous(names, k=k)
    text += ", ".join(names[i % len(names)] for i in chosen)
    release(model, text)


@settings(deadline=None, max_examples=60)
@given(words, st.lists(st.integers(0, 11), max_size=4), st.text("ab ,", max_size=8), st.integers(2, 4))
def test_collapsed_release_always_holds(names: list[str], chosen: list[int], text: str, k: int) -> None:
    release(KAnonymous(names, k=k, collapse=True), text + ", ".join(names[i % len(names)] for i in chosen))


ROWS = [
    ("Smith", "Rome"),
    ("Smyth", "Rome"),
    ("Smith", "Oslo"),
    ("Smyth", "Oslo"),
    ("Jones", "Rome"),
    ("Janes", "Bari"),
]


def joint(rows: list[tuple[str, str]], shown: tuple[str, str]) -> int:
    expressions = [re.compile(re.escape(s).replace(r"\*", ".")) for s in shown]
    return sum(all(e.fullmatch(f) for e, f in zip(expressions, row, strict=True)) for row in rows)


def table(rows: list[tuple[str, str]]) -> Document:
    return Document.join(
        [(f"{title}: row {i + 2}", field) for i, row in enumerate(rows) for title, field in zip("nt", row, strict=True)]
    )


def test_fields_of_a_row_are_masked_together() -> None:
    """Alone each would keep more; together they would then fit one row only."""
    assert release(KAnonymous(ROWS, k=2, together=True), table([("Smith", "Rome")])) == "Sm*th\n\nRome"
    assert release(KAnonymous(ROWS, k=3, together=True), "Smith,Rome,1970") == "Sm*th,****,1970"
    assert joint(ROWS, ("Sm*th", "****")) == 4
    assert release(KAnonymous(ROWS, k=2, together=True), "Smith lives in Oslo.\nJones") == "Sm*th lives in Oslo.\nJ*nes"
    assert release(KAnonymous(ROWS, k=7, together=True), "Smith Rome") == "[REDACTED] [REDACTED]"


def test_joint_check_notices_what_single_fields_hide() -> None:
    model = KAnonymous(ROWS, k=2, together=True)
    assert model.check(analyze(Document.of("Smith")), KNOWLEDGE).holds  # two rows
    assert model.check(analyze(Document.of("Rome")), KNOWLEDGE).holds  # three rows
    assert not model.check(analyze(Document.of("Smith, Rome")), KNOWLEDGE).holds  # one row
    assert model.check(analyze(Document.of("Smith\nRome")), KNOWLEDGE).holds  # two records


small = st.lists(st.tuples(st.text("ab", min_size=1, max_size=3), st.text("xy", min_size=1, max_size=3)), min_size=1)


@settings(deadline=None, max_examples=60)
@given(small, st.integers(2, 4), st.data())
def test_joint_masks_are_the_fewest(rows: list[tuple[str, str]], k: int, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(rows))
    distinct = sorted(set(rows))
    shown, count = Records(rows).mask({0: row[0], 1: row[1]}, k)
    fits = [(a, b) for a, b in product(_patterns(row[0]), _patterns(row[1])) if joint(distinct, (a, b)) >= k]
    if shown is None:
        assert not fits
        assert count < k
    else:
        assert count == joint(distinct, (shown[0], shown[1])) >= k
        fewest = min(a.count("*") + b.count("*") for a, b in fits)
        assert (shown[0] + shown[1]).count("*") == fewest
    release(KAnonymous(rows, k=k, together=True), table(rows[:6]))


def _patterns(word: str) -> list[str]:
    return ["".join(p) for p in product(*((c, "*") for c in word))]


@settings(deadline=None)
@given(st.text("ae\u0301\u0308가\u1100\u1161森 bA\u030a", max_size=20))
def test_offsets_map_back(text: str) -> None:
    from unicodedata import normalize

    read = characters(Document.of(text))
    assert read.text(0, read.points.size) == normalize("NFC", text)
    for i in range(read.points.size):
        start, end = read.span(i, i + 1)
        assert read.text(i, i + 1) in normalize("NFC", text[start:end])


def test_a_record_with_too_many_fields_to_combine_fails_closed() -> None:
    rows = [(f"Ann{i}", f"Rome{j}") for i in range(8) for j in range(8)]
    model = KAnonymous(rows, k=2, together=True)
    few, many = (" ".join(["Ann1 Rome*"] * n) for n in (2, 150))
    assert model.check(analyze(Document.of(few)), KNOWLEDGE).holds
    found = model.check(analyze(Document.of(f"{few}\n{many}")), KNOWLEDGE)
    assert not found.holds
    assert [v.figures["k"] for v in found.violations] == [0] * 300, "the other record stands"
    assert found.figures["masks"] == 304
