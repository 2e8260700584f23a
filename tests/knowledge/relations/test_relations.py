"""Relations: shares against brute force, links, kinds, what is inherited, and a user's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.lexicon import Lexicon, LexiconBuilder
from taciturn.knowledge.relations import PREDICATES, RelationRow, Relations, pack_relations
from taciturn.language.keys import key

SOURCES = ["one", "two"]


class Tiny:
    """A lexicon of a few conditions and things that go with them; relations are added by label."""

    def __init__(self) -> None:
        self.builder = LexiconBuilder(SOURCES, key)
        self.rows: list[RelationRow] = []
        disease = self.add("disease", "condition")
        hemophilia = self.add("hemophilia", "condition", disease)
        self.add("hemophilia A", "condition", hemophilia)
        self.add("hemophilia B", "condition", hemophilia)
        self.add("asthma", "condition", disease)
        group = self.add("clotting factor", "medication class")
        self.add("factor VIII", "medication", group)
        self.add("Advate", "medication")
        self.add("spray", "medication")

    def add(self, label: str, kind: str, *parents: int) -> int:
        return self.builder.add(label, kind, ["one"], parents)

    def number(self, label: str) -> int:
        (sense,) = Lexicon(self.builder.arrays(), SOURCES).lookup(key(label))
        return sense.concept

    def relate(self, expression: str, predicate: str, matter: str, weight: float = 1.0, source: int = 1) -> None:
        self.rows.append(RelationRow(self.number(expression), predicate, self.number(matter), source, weight))

    def relations(self) -> Relations:
        lexicon = Lexicon(self.builder.arrays(), SOURCES)
        return Relations(pack_relations(self.rows, len(lexicon)), SOURCES, lexicon)

    def share(self, matter: str, expression: str) -> float:
        return self.relations().share(self.number(matter), self.number(expression))


ROWS = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from(["treats", "sign of"]), st.integers(4, 7), st.sampled_from([0.5, 1.0])
    ),
    max_size=20,
)


@given(ROWS)
def test_a_share_is_the_part_among_all_that_is_related(rows: list[tuple[int, str, int, float]]) -> None:
    builder = LexiconBuilder(["one"], key)
    for number in range(8):
        builder.add(f"thing {number}", "device" if number < 4 else "condition", ["one"])
    lexicon = Lexicon(builder.arrays(), ["one"])
    relations = Relations(pack_relations([RelationRow(e, p, m, 1, w) for e, p, m, w in rows], 8), ["one"], lexicon)
    for e in range(4):
        for m in range(4, 8):
            shares = [0.0]
            for predicate in ("treats", "sign of"):
                weights: dict[int, float] = {}
                for e2, p, m2, w in rows:
                    if (e2, p) == (e, predicate):
                        weights[m2] = max(weights.get(m2, 0.0), w)
                if weights:
                    shares.append(weights.get(m, 0.0) / sum(weights.values()))
            assert relations.share(m, e) == pytest.approx(max(shares))


def test_a_kind_speaks_for_what_it_is_a_kind_of() -> None:
    tiny = Tiny()
    tiny.relate("Advate", "treats", "hemophilia A")
    tiny.relate("Advate", "treats", "asthma")
    assert tiny.share("hemophilia", "Advate") == pytest.approx(0.5)
    assert tiny.share("disease", "Advate") == pytest.approx(1.0)


def test_a_matter_and_its_ancestor_are_one() -> None:
    tiny = Tiny()
    tiny.relate("Advate", "treats", "hemophilia A")
    tiny.relate("Advate", "treats", "hemophilia")
    assert tiny.share("hemophilia A", "Advate") == pytest.approx(1.0)


def test_usual_matters_have_the_greater_share() -> None:
    tiny = Tiny()
    tiny.relate("spray", "treats", "asthma")
    tiny.relate("spray", "treats", "hemophilia A")
    tiny.builder.used(tiny.number("asthma"), 99)
    assert tiny.share("asthma", "spray") == pytest.approx(10 / 11)


def test_a_wider_name_speaks_by_the_part_of_the_narrower() -> None:
    tiny = Tiny()
    tiny.builder.used(tiny.number("hemophilia A"), 79)
    tiny.builder.used(tiny.number("hemophilia B"), 18)
    evidence = tiny.relations().evidence(tiny.number("hemophilia A"), tiny.number("hemophilia"))
    assert evidence is not None
    assert evidence.predicate == "wider than"
    assert evidence.share == pytest.approx(80 / 100)


def test_links_lead_on() -> None:
    tiny = Tiny()
    tiny.relate("spray", "contains", "Advate")
    tiny.relate("Advate", "treats", "hemophilia A")
    assert tiny.share("hemophilia", "spray") == pytest.approx(1.0)


def test_a_combination_says_what_its_parts_have_in_common() -> None:
    tiny = Tiny()
    for part in ("Advate", "factor VIII"):
        tiny.relate("spray", "contains", part)
        tiny.relate(part, "treats", "asthma")
    tiny.relate("Advate", "treats", "hemophilia A")
    assert tiny.share("asthma", "spray") == pytest.approx(4 / 5)


def test_a_class_speaks_for_its_members_where_they_have_nothing_to_say() -> None:
    tiny = Tiny()
    tiny.relate("clotting factor", "treats", "hemophilia")
    assert tiny.share("hemophilia", "factor VIII") == pytest.approx(1.0)
    tiny.relate("factor VIII", "treats", "asthma")
    assert tiny.share("hemophilia", "factor VIII") == 0.0


def test_shares_counted_in_texts_are_not_divided() -> None:
    tiny = Tiny()
    tiny.relate("spray", "described with", "asthma", 0.2)
    assert tiny.share("asthma", "spray") == pytest.approx(0.2, abs=0.01)


def test_agreement_adds_up_over_sources_only() -> None:
    tiny = Tiny()
    tiny.relate("spray", "treats", "asthma", 1.0, source=1)
    tiny.relate("spray", "treats", "asthma", 1.0, source=1)
    tiny.relate("spray", "treats", "asthma", 1.0, source=2)
    (relation,) = tiny.relations().related(tiny.number("spray"))
    assert (relation.weight, relation.sources) == (2.0, ("one", "two"))


def test_everything_that_speaks_for_a_matter_is_found() -> None:
    tiny = Tiny()
    tiny.relate("Advate", "treats", "hemophilia A")
    tiny.relate("spray", "treats", "asthma")
    relations, hemophilia = tiny.relations(), tiny.number("hemophilia")
    assert [r.expression for r in relations.expressions(hemophilia)] == [tiny.number("Advate")]
    assert relations.expressions(hemophilia, kinds=False) == ()


def test_nothing_is_related_in_an_empty_table() -> None:
    assert len(Tiny().relations()) == 0
    assert Tiny().share("asthma", "spray") == 0.0


def test_files_of_two_builds_do_not_go_together(tmp_path: Path) -> None:
    tiny = Tiny()
    lexicon_path, path = tmp_path / "en.lexicon", tmp_path / "en.relations"
    digest = Lexicon.write(lexicon_path, tiny.builder.arrays(), SOURCES, "")
    tiny.relate("spray", "treats", "asthma")
    Relations.write(path, pack_relations(tiny.rows, len(tiny.builder)), SOURCES, digest, "")
    assert len(Relations.open(path, Lexicon.open(lexicon_path))) == 1
    tiny.add("gout", "condition")
    Lexicon.write(lexicon_path, tiny.builder.arrays(), SOURCES, "")
    with pytest.raises(ValueError, match="built with another lexicon"):
        Relations.open(path, Lexicon.open(lexicon_path))


def test_predicates_keep_their_places() -> None:
    assert PREDICATES[:3] == ("treats", "measures", "monitors"), "files hold their numbers"


def test_a_part_of_the_body_says_what_is_found_in_its_whole() -> None:
    tiny = Tiny()
    larynx = tiny.add("larynx", "anatomy")
    tiny.add("vocal fold", "anatomy", larynx)
    tiny.relate("larynx", "located in", "asthma")
    relations = tiny.relations()
    assert relations.share(tiny.number("asthma"), tiny.number("vocal fold")) > 0


def test_what_is_against_a_sign_speaks_for_what_has_it() -> None:
    tiny = Tiny()
    tiny.add("joint bleeding", "sign")
    tiny.relate("joint bleeding", "sign of", "hemophilia")
    tiny.relate("spray", "treats", "joint bleeding")
    rows = tiny.relations().shares(tiny.number("spray"))
    shares = {matter: share for matter, _, _, share, _ in rows}
    assert shares[tiny.number("joint bleeding")] == 1
    assert 0 < shares[tiny.number("hemophilia")] < 1
