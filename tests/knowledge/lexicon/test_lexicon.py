"""The lexicon against plain dictionaries: names to concepts, concepts to names, kinds above and below."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.lexicon import HOWS, Lexicon, LexiconBuilder
from taciturn.knowledge.lexicon.build import without_circles
from taciturn.language.keys import key

WORDS = st.sampled_from(["asthma", "liver", "cancer", "HIV", "AIDS", "B20", "pain", "ill health"])
NAMES = st.lists(
    st.tuples(st.integers(0, 4), WORDS, st.sampled_from(HOWS[1:]), st.sampled_from(["one", "two"])), max_size=25
)
PARENTS = st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=7, max_size=7)


def tiny() -> Lexicon:
    builder = LexiconBuilder(["one", "two"], key)
    disease = builder.add("disease", "condition", ["one"])
    infection = builder.add("HIV infection", "condition", ["one"], [disease])
    builder.name(infection, "HIV", "abbreviation", ["one", "two"])
    builder.name(infection, "042.9", "code", ["two"])
    builder.add("HIV", "organism", ["two"])
    builder.name(disease, "aids", "synonym", ["one"])
    builder.ordinary("aids")
    builder.used(infection, 3)
    builder.used(disease, 2)
    return Lexicon(builder.arrays(), builder.sources)


@given(NAMES)
def test_lookup_agrees_with_a_dictionary(names: list[tuple[int, str, str, str]]) -> None:
    builder = LexiconBuilder(["one", "two"], key)
    for number in range(5):
        builder.add(f"concept {number}", "condition", ["one"])
    known: dict[str, dict[int, tuple[int, set[str]]]] = {}
    for number, text, how, source in names:
        builder.name(number, text, how, [source])
        best, sources = known.setdefault(key(text), {}).get(number, (len(HOWS), set()))
        known[key(text)][number] = (min(best, HOWS.index(how)), sources | {source})
    lexicon = Lexicon(builder.arrays(), builder.sources)
    for name, meant in known.items():
        found = {s.concept: (HOWS.index(s.how), set(s.sources)) for s in lexicon.lookup(key(name))}
        assert found == meant
        for number in meant:
            assert name in {key(n.text) for n in lexicon.names(number)}
            (own,) = [n for n in lexicon.names(number) if n.text == name]
            assert own.others == len(meant) - 1
    assert lexicon.lookup_many([key("asthma"), key("nothing")]) == [lexicon.lookup(key("asthma")), ()]


@given(PARENTS)
def test_walks_agree_with_the_closure(parents: list[list[int]]) -> None:
    builder = LexiconBuilder(["one"], key)
    for number in range(len(parents)):
        builder.add(f"concept {number}", "condition", ["one"])
    for number, above in enumerate(parents):
        builder.put_under(number, above)
        builder.used(number, 1)
    lexicon = Lexicon(builder.arrays(), builder.sources)
    kept = without_circles([dict.fromkeys(a) for a in parents])
    above = {n: set(p) for n, p in enumerate(kept)}
    for _ in parents:
        above = {n: a | {x for p in a for x in above[p]} for n, a in above.items()}
    for number in range(len(parents)):
        assert number not in above[number], "a circle was kept"
        assert set(lexicon.ancestors(number)) == above[number]
        assert set(lexicon.descendants(number)) == {n for n, a in above.items() if number in a}
        assert lexicon.uses(number) == 1 + len(lexicon.descendants(number))
        assert {n for n in range(len(parents)) if lexicon.is_a(n, number)} == {number, *lexicon.descendants(number)}


def test_names_are_found_however_they_are_written() -> None:
    lexicon = tiny()
    assert [lexicon.label(s.concept) for s in lexicon.senses("hiv")] == ["HIV", "HIV infection"]
    assert [s.how for s in lexicon.senses("0429")] == ["code"]
    assert [(s.how, s.ordinary) for s in lexicon.senses("aids")] == [("synonym", True)]
    assert lexicon.senses("aid") == lexicon.senses("aids"), "a key is a key"
    assert lexicon.senses("unheard of") == ()
    assert lexicon.senses("H-IV") == lexicon.senses("HIV"), "a hyphen within an abbreviation"


def test_codes_are_listed_with_and_without_their_dot() -> None:
    lexicon = tiny()
    (sense,) = lexicon.senses("042.9")
    assert {n.text for n in lexicon.names(sense.concept) if n.how == "code"} == {"042.9", "0429"}


def test_meanings_are_chances() -> None:
    lexicon = tiny()
    found = dict(lexicon.meanings("HIV"))
    # The condition: two sources, used in three paragraphs, an abbreviation; the organism: one source, its label.
    assert found == pytest.approx({1: 2 * 4**0.5 / 2 / 3, 2: 1 / 3})
    assert dict(lexicon.meanings("aids")) == {0: 0.5}, "an everyday word is meant every other time"
    assert lexicon.meanings("unheard of") == ()


def test_uses_add_up_over_kinds() -> None:
    lexicon = tiny()
    assert [lexicon.uses(c) for c in range(len(lexicon))] == [5, 3, 0]


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    built = tiny()
    path = tmp_path / "en.lexicon"
    builder = LexiconBuilder(["one"], key)
    builder.add("asthma", "condition", ["one"])
    digest = Lexicon.write(path, builder.arrays(), builder.sources, "here")
    lexicon = Lexicon.open(path)
    assert lexicon.digest == digest
    assert lexicon.concept(0).label == "asthma"
    assert built.digest is None
    Lexicon.write(tmp_path / "again", builder.arrays(), builder.sources, "here")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_a_file_with_other_keys_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = LexiconBuilder(["one"], key)
    builder.add("asthma", "condition", ["one"])
    monkeypatch.setattr("taciturn.knowledge.lexicon.packed.KEY_VERSION", "0")
    Lexicon.write(tmp_path / "old", builder.arrays(), builder.sources, "")
    monkeypatch.undo()
    with pytest.raises(ValueError, match="keys of version 0"):
        Lexicon.open(tmp_path / "old")


def test_there_are_no_more_sources_than_bits() -> None:
    with pytest.raises(ValueError, match="at most 32 sources, not 33"):
        LexiconBuilder([str(n) for n in range(33)], key)
