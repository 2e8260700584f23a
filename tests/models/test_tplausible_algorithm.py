"""The stronger t-plausibility: at least t base texts would have been released as this one, found by releasing them."""

from __future__ import annotations

import os
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.errors import NotReleasedError
from taciturn.knowledge import EdgeTaxonomy, Knowledge, Node, TableCounts, Taxonomy
from taciturn.language import analyze
from taciturn.models import Informative, NotPlausibleError, TPlausible
from taciturn.release import sanitize

KINDS = [f"{letter} kind" for letter in ("alpha", "beta", "gamma", "delta", "eta", "zeta")]
NAMES = [a + b for a in ("bra", "cro", "dri", "flu", "gna") for b in ("dax", "fen", "gol", "mip", "zor")]


@st.composite
def trees(draw: st.DrawFn, most: int = 14) -> Knowledge:
    """A random tree whose inner nodes are called "alpha kind" to "zeta kind" and whose leaves have made-up names."""
    inner = KINDS[: draw(st.integers(1, min(6, most - 2)))]
    edges = [(name, inner[draw(st.integers(0, at - 1))]) for at, name in enumerate(inner) if at]
    leaves = NAMES[: draw(st.integers(2, most))]
    edges += [(leaf, inner[draw(st.integers(0, len(inner) - 1))]) for leaf in leaves]
    return Knowledge(TableCounts(1, {}), (EdgeTaxonomy("tree", edges),))


def leaves_of(knowledge: Knowledge) -> list[str]:
    tree = knowledge.taxonomies[0]
    return [name for name in NAMES + KINDS if (nodes := tree.senses(name)) and not tree.children(nodes[0])]


def released(words: tuple[str, ...], knowledge: Knowledge, t: int) -> str | None:
    text = "We saw " + " and then ".join(words) + " there."
    try:
        return sanitize(text, TPlausible(protect=words, t=t, against="algorithm"), knowledge).text
    except NotPlausibleError:
        return None


@settings(max_examples=25, deadline=None)
@given(trees(), st.integers(2, 8))
def test_brute_force_over_every_word_of_small_trees(knowledge: Knowledge, t: int) -> None:
    texts = Counter(released((leaf,), knowledge, t) for leaf in leaves_of(knowledge))
    assert all(count >= t for text, count in texts.items() if text is not None)


@settings(max_examples=12, deadline=None)
@given(trees(most=6), st.integers(2, 20))
def test_brute_force_over_every_pair_of_words(knowledge: Knowledge, t: int) -> None:
    texts = Counter(released(pair, knowledge, t) for pair in permutations(leaves_of(knowledge), 2))
    assert all(count >= t for text, count in texts.items() if text is not None)


def test_the_choice_of_a_step_for_each_word_does_not_promise_it() -> None:
    tree = EdgeTaxonomy(
        "t", [("bradax", "alpha kind"), ("brafen", "alpha kind"), ("alpha kind", "beta kind"), ("crodax", "beta kind")]
    )
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    text = "We saw crodax there."
    chosen = sanitize(text, TPlausible(protect=["crodax"], t=2), knowledge)
    # Three base texts generalize to it, but the other two would have been released as "alpha kind".
    assert chosen.text == "We saw a beta kind there."
    assert chosen.certificate.guarantees[0].figures["fewest base texts"] == 3
    with pytest.raises(NotPlausibleError):
        sanitize(text, TPlausible(protect=["crodax"], t=2, against="algorithm"), knowledge)
    alike = sanitize("We saw bradax there.", TPlausible(protect=["bradax"], t=2, against="algorithm"), knowledge)
    assert (alike.text, alike.certificate.holds) == ("We saw an alpha kind there.", True)
    assert "would have been released" in alike.certificate.guarantees[0].statement


def test_a_label_that_says_what_another_word_may_be_is_none() -> None:
    drugs = EdgeTaxonomy(
        "drugs", [("isoniazid", "tuberculosis drug"), ("rifampicin", "tuberculosis drug"),
                  ("tuberculosis drug", "drug"), ("aspirin", "drug"), ("codeine", "drug"), ("morphine", "drug")],
    )  # fmt: skip
    diseases = EdgeTaxonomy("diseases", [(f, "infection") for f in ("tuberculosis", "measles", "mumps", "rubella")])
    knowledge = Knowledge(TableCounts(1, {}), (drugs, diseases))
    model = TPlausible(protect=["isoniazid"], t=2, against="algorithm")
    assert sanitize("He takes isoniazid.", model, knowledge).text == "He takes a tuberculosis drug."
    both = TPlausible(protect=["isoniazid", "measles"], t=2, against="algorithm")
    # Whatever infection he has: measles may stand for tuberculosis, so no label may say it.
    assert sanitize("He takes isoniazid for measles.", both, knowledge).text == "He takes a drug for an infection."


def test_what_stands_in_the_rest_of_the_text_is_in_no_class() -> None:
    """Who saw crodax in the ward for bradax did not see bradax: that text would name it twice, and be another one."""
    tree = EdgeTaxonomy(
        "t", [("bradax", "alpha kind"), ("crodax", "alpha kind"), ("alpha kind", "beta kind"), ("dridax", "beta kind")]
    )
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    model = TPlausible(protect=["crodax"], t=2, against="algorithm")
    assert sanitize("We saw crodax there.", model, knowledge).text == "We saw an alpha kind there."
    rest = sanitize("In the ward for bradax we saw crodax.", model, knowledge)
    assert rest.text == "In the ward for bradax we saw a beta kind."
    assert rest.certificate.guarantees[0].figures["fewest base texts"] == 2
    weak = "In the ward for bradax we saw an alpha kind."
    span = (weak.index("alpha"), len(weak) - 1)
    assert not model.check(analyze(Document.of(weak)), knowledge, (span,)).holds


def test_number_and_form_of_the_word_are_not_told() -> None:
    tree = EdgeTaxonomy("t", [("mumps", "infection"), ("rubella", "infection")])
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    texts = {
        sanitize(f"He has {w}.", TPlausible(protect=[w], t=2, against="algorithm"), knowledge).text
        for w in ("mumps", "rubella")
    }
    assert texts == {"He has an infection."}


def test_words_found_by_a_model_count_and_other_models_edits_do_not() -> None:
    tree = EdgeTaxonomy("t", [(w, "drug") for w in ("marijuana", "ecstasy")] + [("ruby", "gem"), ("opal", "gem")])
    counts = TableCounts(1000, {("marijuana",): 1, ("man",): 400, ("drug",): 300, ("gem",): 300, ("ruby",): 300})
    knowledge = Knowledge(counts, (tree,))
    text = "The man took marijuana and a ruby."
    alone = TPlausible(protect=["marijuana"], t=2)
    beside = [alone, TPlausible(protect=["ruby"], t=2)]
    for guarantee in sanitize(text, beside, knowledge).certificate.guarantees:
        assert guarantee.figures["fewest base texts"] == 2
        assert guarantee.figures["words"] == 1
    found = sanitize(text, TPlausible(protect=Informative(beta=5.0, unknown="keep"), t=2), knowledge)
    assert found.certificate.guarantees[0].protected == ("marijuana",)


@pytest.mark.slow
def test_brute_force_over_467_single_disease_terms() -> None:
    knowledge, t = Knowledge.default(), 10
    diseases = next(taxonomy for taxonomy in knowledge.taxonomies if taxonomy.name == "diseases")
    nodes = {n.id: n for k in diseases.starting("") if k.isalpha() for n in diseases.senses(k)[:1]}
    words = sorted(n.key for n in nodes.values() if n.key.isalpha() and knowledge.counts.count(n.key) >= 2)
    assert len(words) >= 467
    step = len(words) / 467
    terms = [words[int(i * step)] for i in range(467)][:: 1 if os.environ.get("TACITURN_WHOLE") else 3]
    texts: dict[str, str | None] = {}

    def release(word: str) -> str | None:
        if word not in texts:
            try:
                model = TPlausible(protect=[word], t=t, against="algorithm")
                texts[word] = sanitize(f"He has {word}.", model, knowledge).text
            except (NotPlausibleError, NotReleasedError):
                texts[word] = None
        return texts[word]

    by_text: dict[str, str] = {}
    for term in terms:
        if (text := release(term)) is not None:
            by_text.setdefault(text, term)
    # The second reader refuses what its label names by a synonym, a code or an adjective.
    assert sum(texts[term] is None for term in terms) < 12
    every = 1 if os.environ.get("TACITURN_WHOLE") else 6  # all of them take a quarter of an hour
    for text, term in list(by_text.items())[::every]:
        alike = 0
        for leaf in _near(term, diseases):
            alike += release(leaf) == text
            if alike >= t:
                break
        assert alike >= t, f"{text!r} was made of {alike} terms only"


def _near(term: str, taxonomy: Taxonomy) -> list[str]:
    """The leaves of a taxonomy under each hypernym of a term in turn, nearest first."""
    found: dict[str, None] = {}
    for above in taxonomy.chain(taxonomy.senses(term)[0])[1:]:
        found.update(dict.fromkeys(n.key for n in taxonomy.descendants(above) if not taxonomy.children(n)))
    return list(found)


def test_near_lists_leaves_from_near_to_far() -> None:
    tree = EdgeTaxonomy("t", [("x", "a"), ("y", "a"), ("a", "b"), ("z", "b")])
    assert _near("x", tree) == ["x", "y", "z"]
    assert isinstance(tree.senses("x")[0], Node)
