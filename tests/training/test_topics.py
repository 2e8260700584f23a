"""Matters and relations on a WordNet of eleven synsets and a corpus of a few sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.topics.build import Relation, promote, relate
from training.topics.contexts import count_contexts, named_paragraphs
from training.topics.families import Family, read_families
from training.topics.files import read_matters, read_relations, records, related, write
from training.topics.leads import read_lead
from training.topics.matters import Matter, set_parents, wordnet_matters
from training.topics.measure import Reach, measure
from training.topics.merge import Registry, is_member
from training.topics.priors import Names, lead_priors, wordnet_priors
from training.topics.resolve import Resolver
from training.topics.stream import find_phrases, read_stream, usual_case
from training.topics.synsets import Pointer, Synset, WordNet, read_wordnet
from training.topics.weigh import lines_of

FAMILY = Family("faith", "faith", ("faith.1",), (), ("believer.1",), ("K01",), ("denomination",), "creed")


def _synset(id_: str, words: str, links: str = "", gloss: str = "") -> Synset:
    pairs = [link.split(":") for link in links.split()]
    return Synset(id_, tuple(words.split("|")), tuple(Pointer(s, t, 0, 0) for s, t in pairs), gloss)


def _wordnet() -> WordNet:
    synsets = [
        _synset("n1", "faith", "~:n2 ~:n3"),
        _synset("n2", "Zorism", "@:n1 ~:n9"),
        _synset("n3", "Zorist Church", "@:n1 #p:n2"),
        _synset("n4", "believer", "~:n5"),
        _synset("n5", "Zorist", "@:n4 #m:n3", "a member of the Zorist Church"),
        _synset("a6", "Zoristic", "", "of or relating to the Zorists"),
        _synset("n7", "mask", ";c:n2", "(Zorism) a silver cover of the face"),
        _synset("n8", "mask", "", "a cover of the face"),
        _synset("n9", "Old Zorism", "@:n2"),
        _synset("n10", "membership|origin", "@:n12"),
        _synset("n12", "abstraction", "~:n10"),
    ]
    senses: dict[str, list[str]] = {}
    for synset in synsets:
        for word in synset.words:
            senses.setdefault(word.lower(), []).append(synset.id)
    senses["abstraction"] = ["n12"] * 6  # named by its sixth sense
    return WordNet({s.id: s for s in synsets}, senses, {("mask", "n8"): 1})


@pytest.fixture
def matters() -> dict[str, Matter]:
    return {m.id: m for m in wordnet_matters(_wordnet(), FAMILY)}


def test_belief_church_follower_and_adjective_are_one_matter(matters: dict[str, Matter]) -> None:
    zorism = matters["faith/n2"]
    assert zorism.names == {"Zorism": "noun", "Zorist Church": "noun", "Zorist": "member", "Zoristic": "adjective"}
    assert zorism.parents == {"faith"}
    assert matters["faith/n9"].parents == {"faith/n2"}
    assert lines_of(matters)["faith/n9"] == {"faith/n9", "faith/n2", "faith"}


def test_a_link_that_closes_a_circle_is_left_out() -> None:
    two = [Matter("f/a", "a", "f"), Matter("f/b", "b", "f")]
    set_parents(two, {("f/a", "f/b"): 2, ("f/b", "f/a"): 1})
    assert [m.parents for m in two] == [{"f/b"}, {"f"}]


def test_definitions_share_their_weight(matters: dict[str, Matter]) -> None:
    found = {
        (p.expression, p.matter): p for p in wordnet_priors(_wordnet(), matters, lines_of(matters), Names(matters))
    }
    mask = found["mask", "faith/n2"]
    assert (mask.predicate, mask.source) == ("belongs to", "WordNet")
    assert mask.share == pytest.approx(0.25)  # one of four taggings: 0.5 against 1.5
    assert ("mask", "faith/n9") not in found


def test_leads_name_members_and_matters(matters: dict[str, Matter]) -> None:
    lead = read_lead(
        "Blue Lodge", "The Blue Lodge (BLL), also known as the Blues, is a Zorist denomination in Ruritania. X."
    )
    assert is_member(FAMILY, lead)
    registry = Registry(matters.values(), {})
    assert registry.add_lead(FAMILY, lead).names == {"Blue Lodge": "title", "Blues": "synonym"}  # type: ignore[union-attr]
    feast = read_lead("Mask Day", "Mask Day is a Zorist holiday that Old Zorism has given up. It is in May.")
    shares = {p.matter: p.share for p in lead_priors(feast, Names(matters), lines_of(matters), matters, "time")}
    assert shares == pytest.approx({"faith": 0.9, "faith/n2": 0.9, "faith/n9": 0.45})


def test_mesh_headings_join_and_nest(matters: dict[str, Matter]) -> None:
    registry = Registry(matters.values(), {"Zorism": "Zorism"})
    registry.add_mesh(
        FAMILY, [["D1", "Zorism", "Zorist Faith|Faith, Zorist", "K01.2"], ["D2", "Green Zorism", "", "K01.2.7"]]
    )
    assert registry.matters["faith/n2"].names["Zorist Faith"] == "heading"
    assert "Faith, Zorist" not in registry.matters["faith/n2"].names
    assert registry.matters["faith/D2"].parents == {"faith/n2"}


def test_a_first_word_is_read_as_inside_sentences() -> None:
    stream = read_stream(["The Masks fell. Masks fall. The Mass is long and a mask falls, masks fall."] * 3, rare=1)
    words = [stream.words[i] for i in stream.ids[:6]]
    assert words == ["The", "Mask", "fell", ".", "mask", "fall"]
    assert usual_case(stream, ["Mass", "Mask"]) == {"Mass": "Mass", "Mask": "mask"}


@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), min_size=1, max_size=5),
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=4, unique_by=tuple),
)
def test_phrases_are_found_as_by_brute_force(paragraphs: list[list[str]], phrases: list[list[str]]) -> None:
    stream = read_stream(["\n".join(" ".join(words) for words in paragraphs)], rare=1)
    found = {
        (int(stream.paragraphs[place]), " ".join(phrases[number]))
        for places, numbers in find_phrases(stream, [stream.encode(" ".join(p)) for p in phrases])
        for place, number in zip(places.tolist(), numbers.tolist(), strict=True)
    }
    expected = {
        (at, " ".join(p))
        for at, words in enumerate(paragraphs)
        for p in phrases
        if any(words[i : i + len(p)] == p for i in range(len(words) - len(p) + 1))
    }
    assert found == expected


CORPUS = [
    "A silver veil is worn in Zorism.\nHe took the silver veil of a Zorist.\nA Zorist hid the silver veil.",
    "Zoristic silver veils shine.\nOld Zorism: no silver veil.\nThe silver veil is old.\nZorism and the silver veil.",
    "A rugby Zorist is a ball.\nA barn is red.\nA barn is blue.\nA barn is green.\nThe barn stands.\nA barn fell.",
    *["The mayor of the town opened a road."] * 400,
]


def test_contexts_are_counted_outside_names() -> None:
    stream = read_stream(CORPUS, rare=1)
    own, covered = named_paragraphs(stream, {"z": ["Zorism", "Zorist", "Zoristic"]}, ["rugby Zorist"])
    assert len(own["z"]) == 6  # the ball names nobody
    contexts = count_contexts(stream, covered, ["veil is old"])
    at = contexts.texts.index("silver veil")
    assert (contexts.totals[at], contexts.with_matter(own["z"])[at]) == (7, 6)
    assert "Zorism" not in contexts.texts
    assert contexts.totals[contexts.texts.index("barn")] == 5
    assert contexts.with_matter(np.zeros(0, np.int64)).sum() == 0


def test_relations_weigh_what_the_corpus_says(matters: dict[str, Matter]) -> None:
    stream = read_stream(CORPUS, rare=1)
    found, _ = relate(stream, _wordnet(), matters, [], {"ZCR": {"Zorist Church of Ruritania": 3, "Zebra Club": 1}})
    by_pair = {(r.expression, r.matter): r for r in found}
    veil = by_pair["silver veil", "faith/n2"]
    assert veil.source == "Wikipedia contexts"
    assert 0.3 < veil.weight < 1
    assert veil.weight == by_pair["silver veil", "faith"].weight
    assert by_pair["ZCR", "faith/n2"].weight == pytest.approx(0.9 * 3 / 4)
    assert not any(r.expression in ("barn", "mayor", "Zorist") for r in found)


def test_a_word_of_many_senses_becomes_a_name_by_its_company() -> None:
    matter = Matter(
        "f/a", "Zorism", "f", set(), {"Zorism": "noun", "Zorist": "member"}, (), {"veiled": "x", "red": "y"}
    )
    text = "Zorism is veiled.\nA veiled Zorist.\nVeiled, a Zorist.\nZorism, veiled.\nThe Zorist is veiled and red.\n"
    stream = read_stream([text * 5 + "It is red.\n" * 30], rare=1)
    own, _ = named_paragraphs(stream, {"f/a": list(matter.names)})
    assert promote(stream, {"f/a": matter}, own, []) == 1
    assert "veiled" in matter.names
    assert "red" in matter.unsure


def test_phrases_are_resolved_by_grammar(matters: dict[str, Matter]) -> None:
    resolver = Resolver(matters, _wordnet())
    for phrase in ("Zorism", "Zorist membership", "being a Zorist", "Zorists", "membership of the Zorist Church"):
        assert resolver.resolve(phrase.replace("being a ", "being ")) == ["faith/n2"], phrase
    assert resolver.resolve("faith (Old Zorism)") == ["faith", "faith/n9"]
    assert resolver.resolve("zoristical leanings") == ["faith/n2"]
    assert resolver.resolve("weather") == []


def test_tables_are_read_as_they_were_written(tmp_path: Path, matters: dict[str, Matter]) -> None:
    relations = [Relation("silver veil", "phrase", "goes with", "faith/n2", "Wikipedia contexts", 0.5)]
    write(tmp_path, matters, relations)
    again = read_matters(tmp_path)
    assert {m.id: (m.label, m.parents, m.names) for m in again.values()} == {
        m.id: (m.label, m.parents, m.names) for m in matters.values()
    }
    assert list(read_relations(tmp_path)) == relations
    record = next(r for r in records(tmp_path) if r.id == "TOPIC:faith/n2")
    assert ("Zoristic", "derived") in record.names
    assert record.parents == ["TOPIC:faith"]
    assert [r.matter for r in related(tmp_path, 0.4)] == ["TOPIC:faith/n2"]
    assert not list(related(tmp_path, 0.6))


def test_measure_counts_spans_and_words() -> None:
    stream = read_stream(["He took the silver veil off in a red barn."], rare=1)
    document = {
        "id": "1",
        "text": "He took the silver veil off in a red barn.",
        "spans": [
            {"text": "silver veil", "role": "custom", "alone": True},
            {"text": "off", "role": "x", "alone": True},
        ],
    }
    figures = measure([document], {"1": Reach({"silver veil": 0.6, "barn": 0.4}, [], stream)}, stream)
    assert list(figures.rows())[-1] == ("all", 2, 0.5, 0.5)
    assert (figures.right, figures.wrong) == (2, 1)


def test_every_sense_of_the_families_exists() -> None:
    folder = Path("/usr/share/wordnet")
    if not (folder / "data.noun").exists():
        pytest.skip("Debian's wordnet-base is not installed")
    wordnet = read_wordnet(folder)
    for family in read_families():
        for name in (*family.names, *family.roots, *family.persons):
            assert wordnet.synsets[wordnet.sense(name)].words
    with pytest.raises(ValueError, match=r"religion\.99"):
        wordnet.sense("religion.99")
