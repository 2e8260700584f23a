from hypothesis import given
from hypothesis import strategies as st

from tacit.knowledge.strings import StringTable, pack_strings

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=300) | st.text("ab ", max_size=12)


@given(st.sets(texts, max_size=80), st.lists(texts, max_size=20))
def test_finds_exactly_what_it_holds(strings: set[str], others: list[str]) -> None:
    ordered = sorted(strings, key=str.encode)
    table = StringTable(pack_strings(ordered))
    assert list(table) == ordered
    assert [table.find(s) for s in ordered] == list(range(len(ordered)))
    assert [table[i] for i in range(len(ordered))] == ordered
    assert all((table.find(s) >= 0) == (s in strings) for s in others)


def test_many_strings_that_begin_alike() -> None:
    ordered = [f"carcinoma of the {n:05d}" for n in range(1000)]
    table = StringTable(pack_strings(ordered))
    assert all(table.find(s) == i for i, s in enumerate(ordered))
    assert table.find("carcinoma of the 00500x") == -1
    assert table.find("carcinoma") == -1
    assert table.find("\udc80") == -1
