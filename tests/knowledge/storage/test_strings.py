import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.storage import strings as searching
from taciturn.knowledge.storage.strings import StringTable, pack_strings
from tests.loops import in_both_ways, loops, needs_compiler

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=300) | st.text("ab \0", max_size=12)


@in_both_ways
@given(strings=st.sets(texts, max_size=80), others=st.lists(texts, max_size=20))
def test_finds_exactly_what_it_holds(compiled: bool, strings: set[str], others: list[str]) -> None:
    ordered = sorted(strings, key=str.encode)
    table = StringTable(pack_strings(ordered))
    assert list(table) == ordered
    assert [table[i] for i in range(len(ordered))] == ordered
    with loops(searching, compiled):
        assert [table.find(s) for s in ordered] == list(range(len(ordered)))
        assert all((table.find(s) >= 0) == (s in strings) for s in others)


@in_both_ways
@given(
    strings=st.sets(texts | st.text("ab", min_size=250, max_size=260), min_size=1, max_size=120),
    others=st.lists(texts, max_size=20),
    times=st.integers(1, 4),
)
def test_many_are_found_like_one(compiled: bool, strings: set[str], others: list[str], times: int) -> None:
    table = StringTable(pack_strings(sorted(strings, key=str.encode)))
    near = [s[:-1] for s in strings] + [s + "a" for s in strings] + [f"{s}\0" for s in strings]
    asked = [*others, *sorted(strings), *near] * times + [""] * 64
    with loops(searching, False):
        one_by_one = [table.find(s) for s in asked]
    with loops(searching, compiled):
        assert table.find_many(asked).tolist() == one_by_one


@needs_compiler
@given(
    strings=st.sets(texts, min_size=1, max_size=60),
    asked=st.lists(texts, max_size=9),
    flips=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(1, 255)), min_size=1, max_size=4),
)
def test_a_damaged_table_is_refused_or_answers(
    strings: set[str], asked: list[str], flips: list[tuple[int, int]]
) -> None:
    arrays = pack_strings(sorted(strings, key=str.encode))
    for name in ("blob", "starts"):
        damaged = bytearray(arrays[name].tobytes())
        for at, mask in flips:
            damaged[at % len(damaged)] ^= mask
        table = StringTable(arrays | {name: np.frombuffer(bytes(damaged), dtype=arrays[name].dtype)})
        try:
            found = table.find_many([*asked, *strings])
        except ValueError:
            continue
        assert ((found >= -1) & (found < len(strings))).all()


@in_both_ways
def test_many_strings_that_begin_alike(compiled: bool) -> None:
    ordered = [f"carcinoma of the {n:05d}" for n in range(1000)] + ["x" * 250 + f"{n:02d}" * 9 for n in range(100)]
    table = StringTable(pack_strings(ordered))
    with loops(searching, compiled):
        assert all(table.find(s) == i for i, s in enumerate(ordered))
        assert table.find_many(ordered).tolist() == list(range(len(ordered)))
        others = [s[:n] for s in ordered for n in (9, len(s) - 1)] + [f"{s} x" for s in ordered]
        assert set(table.find_many(others).tolist()) == {-1}
        assert table.find("carcinoma of the 00500x") == -1
        assert table.find("carcinoma") == -1
        assert table.find("\udc80") == -1
