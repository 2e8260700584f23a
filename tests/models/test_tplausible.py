"""t-plausibility on texts: what is chosen, how it reads, what the check counts, and that it fails closed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.errors import NotReleasedError
from taciturn.knowledge import EdgeTaxonomy, Knowledge, TableCounts
from taciturn.knowledge.taxonomies import PackedTaxonomy
from taciturn.language import analyze
from taciturn.models import Informative, NotPlausibleError, TPlausible
from taciturn.models.tplausible.chains import chain_of, reader_volume
from taciturn.opening import Opening
from taciturn.plan import Plan, apply
from taciturn.policy import Policy
from taciturn.policy.protected import Protected
from taciturn.release import check, sanitize
from tests.fixtures import tiny_knowledge

CHILDREN = {
    "state capital": ["Sacramento", "Albany", "Boston", "Denver"],
    "capital": ["state capital", *(f"capital {i}" for i in range(28))],
    "drug": ["marijuana", "ecstasy"],
    "pain": ["lumbar pain", "migraine"],
    "carcinoma": ["liver cancer", "lung cancer"],
}
FIGURE_2 = EdgeTaxonomy("figure 2", [(c.lower(), p) for p, cs in CHILDREN.items() for c in cs])
PAPER = Knowledge(TableCounts(1, {}), (FIGURE_2,))
TEXT = "A Sacramento resident purchased marijuana for the lumbar pain caused by liver cancer."
WORDS = ("Sacramento", "marijuana", "lumbar pain", "liver cancer")


def wordnet() -> Knowledge:
    path = Path(str(files("taciturn"))) / "packs/en/wordnet.taxonomy"
    return Knowledge(TableCounts(1, {}), (PackedTaxonomy.open(path),))


def test_example_2_of_the_paper_prefers_the_even_choice() -> None:
    release = sanitize(TEXT, TPlausible(protect=WORDS, t=32), PAPER)
    assert release.text == "A state capital resident purchased a drug for the pain caused by a carcinoma."
    figures = release.certificate.guarantees[0].figures
    assert figures["fewest base texts"] == 32
    assert figures["bits of each word"] == "2.00 1.00 1.00 1.00"
    assert figures["optimal"] == "yes"
    assert figures["cost"] == pytest.approx(0.094, abs=5e-4)


def test_the_least_product_may_leave_words_as_they_are() -> None:
    release = sanitize(TEXT, TPlausible(protect=WORDS, t=27, uniform=False), PAPER)
    assert release.certificate.guarantees[0].figures["fewest base texts"] == 32
    small = sanitize(TEXT, TPlausible(protect=WORDS, t=2, uniform=False), PAPER)
    assert len(small.edits) == 1


def test_the_papers_sentence_about_phantom_limb_pain() -> None:
    model = TPlausible(protect=["marijuana", "phantom limb pain"], t=10, alpha=0.5, meanings={"marijuana": "drug"})
    release = sanitize("Uses marijuana for phantom limb pain.", model, wordnet())
    assert release.text == "Uses a soft drug for a pain sensation."
    # The second word is WordNet's synset {pain, pain sensation, painful sensation}, which the paper calls "pain".
    assert "pain" in wordnet().taxonomies[0].keys(wordnet().taxonomies[0].senses("pain sensation")[0])


@pytest.mark.parametrize("given", [{"search": "exact"}, {"search": "lub"}, {"search": "prune"}, {"uniform": False}])
def test_with_a_taxonomy_like_the_papers_its_sentence_comes_out_to_the_letter(given: dict[str, Any]) -> None:
    """Steps of 4 and of 3 leaves, then much larger ones: by all approaches, as the paper says."""
    drugs = [(w, "soft drug") for w in ("marijuana", "khat", "hashish", "bhang")]
    drugs += [("soft drug", "drug of abuse"), *((f"hard drug {i}", "drug of abuse") for i in range(40))]
    pains = [(w, "pain") for w in ("phantom limb pain", "referred pain", "growing pain")]
    pains += [("pain", "symptom"), *((f"symptom {i}", "symptom") for i in range(60))]
    knowledge = Knowledge(TableCounts(1, {}), (EdgeTaxonomy("tiny", drugs + pains),))
    model = TPlausible(protect=["marijuana", "phantom limb pain"], t=10, **given)
    assert sanitize("Uses marijuana for phantom limb pain.", model, knowledge).text == "Uses a soft drug for pain."


MET = {("ecstasy",): 1, ("marijuana",): 998, ("migraine",): 500, ("lumbar pain",): 499}
UNEVEN = Knowledge(TableCounts(10_000, MET),
                   (FIGURE_2,))  # fmt: skip


def test_a_likely_word_leaves_a_reader_less_doubt_than_its_volume_says() -> None:
    """Equations 2 to 4: two drugs alike are one bit, and next to nothing if one is met 500 times as often."""
    text = "He took marijuana for the lumbar pain."
    words = ["marijuana", "lumbar pain"]
    alike = sanitize(text, TPlausible(protect=words, t=4), UNEVEN)
    assert alike.certificate.guarantees[0].figures["bits of each word"] == "1.00 1.00"
    with pytest.raises(NotPlausibleError, match="t = 4 cannot be reached"):
        sanitize(text, TPlausible(protect=words, t=4, words="counts"), UNEVEN)
    counted = sanitize(text, TPlausible(protect=words, t=2, words="counts"), UNEVEN)
    guarantee = counted.certificate.guarantees[0]
    assert guarantee.figures["bits of each word"] == "0.02 1.00"
    assert guarantee.figures["fewest bits"] == pytest.approx(1.0208, abs=1e-3)
    assert guarantee.margin == pytest.approx(0.0208, abs=1e-3)
    assert "bits of doubt" in guarantee.statement
    assert guarantee.parameters["words"] == "counts"
    # The same release does not hold for who asks for more: the check computes the entropies anew.
    more = TPlausible(protect=words, t=3, words="counts")
    again = analyze(Document.of(counted.text))
    assert not more.check(again, UNEVEN, counted.applied.spans).holds
    assert TPlausible(protect=words, t=3).check(again, UNEVEN, counted.applied.spans).holds


def test_a_more_sensitive_word_gets_more_of_the_doubt() -> None:
    tree = EdgeTaxonomy("t", [
        *((w, "gem") for w in ("ruby", "opal")), *((w, "metal") for w in ("zinc", "iron")), ("gem", "stone"),
        ("metal", "ore"), *((f"stone {i}", "stone") for i in range(30)), *((f"ore {i}", "ore") for i in range(30)),
    ])  # fmt: skip
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    text, words = "She sold a ruby and the zinc.", ["ruby", "zinc"]

    def released(**given: Any) -> str:
        return sanitize(text, TPlausible(protect=words, t=32, alpha=0.0, **given), knowledge).text

    assert released(sensitivity={"ruby": 5}) == "She sold a stone and the metal."
    assert released(sensitivity={"zinc": 5}) == "She sold a gem and the ore."


def test_each_segment_has_its_own_t() -> None:
    text = "He took marijuana.\n\nDiagnosis: he came from Sacramento.\n"
    model = TPlausible(protect=WORDS, t=2, segment="paragraph", t_of={"diagnosis": 20})
    release = sanitize(text, model, PAPER)
    assert release.text == "He took a drug.\n\nDiagnosis: he came from a capital.\n"
    assert sanitize(text, TPlausible(protect=WORDS, t=2, segment="paragraph"), PAPER).text.count("state capital") == 1
    stated = release.certificate.guarantees[0].parameters
    assert stated["t of units that begin so"] == "diagnosis: 20", "a certificate must not claim t for all"
    # The check asks for the same of the released text alone.
    weak = "He took a drug.\n\nDiagnosis: he came from a state capital.\n"
    spans = tuple((weak.index(p), weak.index(p) + len(p)) for p in ("drug", "state capital"))
    found = model.check(analyze(Document.of(weak)), PAPER, spans)
    assert [v.message for v in found.violations] == ["paragraph 2 has 4 base texts, fewer than 20"]
    with pytest.raises(NotPlausibleError, match=r"t = 5 cannot be reached.*paragraph 1"):
        sanitize(text, TPlausible(protect=WORDS, t=2, segment="paragraph", t_of={"he took": 5}), PAPER)


def test_sensitive_words_are_found_by_a_model_that_is_named_and_by_a_policy() -> None:
    text = "He takes zidovudine."
    tiny = tiny_knowledge()
    named = sanitize(text, TPlausible(protect=["HIV"], t=1), tiny)
    assert named.text == text
    model = TPlausible(protect=["HIV"], t=2, found_by="c-sanitized")
    found = sanitize(text, model, tiny)
    assert [e.original for e in found.edits] == ["zidovudine"]
    assert found.certificate.holds
    policy = Policy(name="mine", protect=(Protected(terms=("HIV",)),))
    assert sanitize(text, TPlausible(protect=policy, t=2), tiny).text == found.text  # type: ignore[arg-type]
    # What was found goes with the opening, so that the release can be checked by who is given it.
    opening = Opening.from_json(json.loads(json.dumps(found.opening(bytes(32)).to_json())))
    (again,) = opening.build()
    assert again.check(analyze(Document.of(found.text)), tiny, opening.replaced).holds
    assert not again.check(analyze(Document.of(text)), tiny, ()).holds


@pytest.mark.parametrize("search", ["exact", "lub", "prune"])
def test_every_search_gives_a_text_that_the_check_accepts(search: str) -> None:
    for t in (1, 2, 7, 32, 100, 256):
        release = sanitize(TEXT, TPlausible(protect=WORDS, t=t, search=search), PAPER)  # type: ignore[arg-type]
        assert release.certificate.holds
        assert release.certificate.margin >= 0


def test_what_cannot_be_reached_is_refused_with_the_largest_t() -> None:
    with pytest.raises(NotPlausibleError, match=r"t = 257 cannot be reached.*ask for t = 256") as error:
        sanitize(TEXT, TPlausible(protect=WORDS, t=257), PAPER)
    assert error.value.largest == 256
    assert not any(word.lower() in str(error.value).lower() for word in WORDS)
    two = "He took marijuana. He came from Sacramento."
    with pytest.raises(NotPlausibleError, match="sentence 1 has 1 sensitive term, ") as error:
        sanitize(two, TPlausible(protect=WORDS, t=3, segment="sentence"), PAPER)
    assert error.value.largest == 2
    assert sanitize(two, TPlausible(protect=WORDS, t=3), PAPER).certificate.holds


def test_units_are_counted_one_by_one_and_a_term_is_the_same_everywhere() -> None:
    text = "Sacramento was hot. Sacramento and marijuana. Nothing here."
    release = sanitize(text, TPlausible(protect=WORDS, t=4, segment="sentence"), PAPER)
    shown = {e.replacement.lower().removeprefix("a ") for e in release.edits if e.original == "Sacramento"}
    assert shown == {"state capital"}
    assert release.certificate.guarantees[0].figures["units"] == 2
    assert "Nothing here." in release.text
    # The second sentence alone would be content with both words at 2 and 4; the first asks for 4 either way.
    assert release.certificate.guarantees[0].figures["fewest base texts"] == 4


def test_repeated_mentions_and_synonyms_count_once() -> None:
    tree = EdgeTaxonomy(
        "t", [("marijuana", "drug"), ("ecstasy", "drug"), ("drug", "substance"), ("water", "substance")],
        {"marijuana": ["ganja"]},
    )  # fmt: skip
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    model = TPlausible(protect=["marijuana", "ganja"], t=3)
    release = sanitize("Marijuana, marijuana and ganja.", model, knowledge)
    assert [e.figures["volume"] for e in release.edits] == [3, 3, 3]
    with pytest.raises(NotPlausibleError, match="ask for t = 3"):
        sanitize("Marijuana, marijuana and ganja.", replace(model, t=4), knowledge)


def test_the_check_counts_from_the_released_text_alone() -> None:
    model = TPlausible(protect=WORDS, t=32)
    released = "A state capital resident purchased a drug for pain caused by carcinomas."
    spans = []
    for phrase in ("state capital", "a drug", "pain", "carcinomas"):
        at = released.index(phrase)
        spans.append((at, at + len(phrase)))
    analysis = analyze(Document.of(released))
    assert model.check(analysis, PAPER, tuple(spans)).holds
    fewer = model.check(analysis, PAPER, tuple(spans[:3]))
    assert not fewer.holds
    assert fewer.margin == pytest.approx(-1)
    assert fewer.figures["fewest base texts"] == 16
    assert "16 base texts, fewer than 32" in fewer.violations[0].message


def test_a_tampered_release_fails_the_check() -> None:
    model = TPlausible(protect=WORDS, t=32)
    analysis = analyze(Document.of(TEXT))
    plan = model.plan(analysis, PAPER)
    worse = tuple(replace(e, replacement=e.original) if e.original == "marijuana" else e for e in plan.edits)
    applied = apply(Plan(plan.document, worse))
    guarantee = model.check(analyze(applied.document), PAPER, applied.spans)
    assert not guarantee.holds


def test_a_sensitive_term_left_in_the_text_is_seen_by_the_check() -> None:
    model = TPlausible(protect=WORDS, t=2)
    assert not check("He took marijuana.", model, PAPER).holds
    # Nothing replaced, nothing sensitive: a text alone cannot be t-plausible.
    assert not check("He took a drug.", model, PAPER).holds
    # A document in which nothing is sensitive may pass unchanged.
    release = sanitize("The weather was fine.", model, PAPER)
    assert release.text == "The weather was fine."


def test_unknown_sensitive_terms_are_redacted_and_count_one() -> None:
    release = sanitize("He took zorblax and marijuana.", TPlausible(protect=["zorblax", "marijuana"], t=2), PAPER)
    assert release.text == "He took [REDACTED] and a drug."
    assert release.certificate.guarantees[0].figures["fewest base texts"] == 2


def test_a_phrase_known_by_its_head_generalizes_to_the_head() -> None:
    # "severe pain" is no node, "pain" has two leaves.
    assert [(s.label, s.volume) for s in chain_of("severe pain", PAPER)] == [("pain", 2)]
    assert [s.label for s in chain_of("sacramento", PAPER)] == ["state capital", "capital"]
    assert chain_of("zorblax", PAPER) == ()


def test_no_replacement_says_another_sensitive_term() -> None:
    drugs = EdgeTaxonomy(
        "drugs",
        [
            ("isoniazid", "tuberculosis drug"),
            ("rifampicin", "tuberculosis drug"),
            ("tuberculosis drug", "drug"),
            ("aspirin", "drug"),
            ("tuberculosis", "infection"),
            ("measles", "infection"),
        ],
    )
    knowledge = Knowledge(TableCounts(1, {}), (drugs,))
    text = "He has tuberculosis and takes isoniazid."
    release = sanitize(text, TPlausible(protect=["tuberculosis", "isoniazid"], t=4), knowledge)
    assert release.text == "He has an infection and takes a drug."
    alone = sanitize(text, TPlausible(protect=["isoniazid"], t=2), knowledge)
    assert alone.text == "He has tuberculosis and takes a tuberculosis drug."


def test_a_bound_model_leaves_a_released_text_alone() -> None:
    model = TPlausible(protect=["zorblax"], kinds=["other"], t=2)
    text = "He took marijuana and zorblax."
    release = sanitize(text, model, PAPER)
    assert release.text == "He took a drug and [REDACTED]."
    bound = model.bind(analyze(Document.of(text)), PAPER)
    assert bound.plan(analyze(release.document), PAPER).edits == ()
    # Without the document it was bound to, "drug" is one more sensitive term with nothing above it.
    with pytest.raises(NotPlausibleError):
        model.plan(analyze(release.document), PAPER)


def test_the_first_taxonomy_that_knows_a_phrase_counts() -> None:
    other = EdgeTaxonomy("other", [(f"drug {i}", "drug") for i in range(50)])
    assert reader_volume("drug", Knowledge(TableCounts(1, {}), (other, FIGURE_2))) == 50
    assert reader_volume("drug", Knowledge(TableCounts(1, {}), (FIGURE_2, other))) == 2
    assert reader_volume("nothing known", PAPER) == 1
    # The plan takes the smaller of what the check will count and what the step's own taxonomy says.
    assert [s.volume for s in chain_of("marijuana", Knowledge(TableCounts(1, {}), (other, FIGURE_2)))] == [2]
    few = EdgeTaxonomy("few", [("khat", "drug")])
    assert chain_of("marijuana", Knowledge(TableCounts(1, {}), (few, FIGURE_2))) == ()


def test_the_best_paths_use_every_ancestor() -> None:
    edges = [("migraine", "brain disease"), *((f"d{i}", "brain disease") for i in range(9))]
    tree = EdgeTaxonomy("t", [*edges, ("migraine", "pain"), ("back pain", "pain")])
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    assert [(s.label, s.volume) for s in chain_of("migraine", knowledge)] == [("brain disease", 10)]
    steps = chain_of("migraine", knowledge, paths="best")
    assert [(s.label, s.volume) for s in steps] == [("pain", 2), ("brain disease", 10)]


def test_level_counts_values_at_the_words_own_depth() -> None:
    tree = EdgeTaxonomy(
        "deep", [("a", "x"), ("b", "x"), ("x", "top"), ("y", "top"), ("c", "y"), ("d", "c"), ("e", "c"), ("f", "c")]
    )
    knowledge = Knowledge(TableCounts(1, {}), (tree,))
    assert [s.volume for s in chain_of("a", knowledge)] == [2, 5]
    # At the depth of a: a, b and c; the leaves d, e and f lie deeper.
    assert [s.volume for s in chain_of("a", knowledge, base="level")] == [2, 3]
    release = sanitize("An a was seen there.", TPlausible(protect=["b"], kinds=["other"], t=1, base="level"), knowledge)
    assert release.certificate.holds


def test_terms_by_kind_and_by_another_model() -> None:
    by_kind = TPlausible(kinds=["place"], t=4)
    text = "She moved to Sacramento last year."
    places = [t for t in analyze(Document.of(text)).terms if t.kind == "place"]
    assert [e.original for e in by_kind.plan(analyze(Document.of(text)), PAPER).edits] == [t.text for t in places]
    counts = TableCounts(1000, {("marijuana",): 1, ("man",): 400, ("drug",): 300})
    knowledge = Knowledge(counts, (FIGURE_2,))
    marked = TPlausible(protect=Informative(beta=5.0, unknown="keep"), t=2)
    assert sanitize("The man took marijuana.", marked, knowledge).text == "The man took a drug."


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"t": 0}, "t is 0, but must be a whole number, 1 or more"),
        ({"t": 2.5}, r"t is 2\.5, but must be a whole number"),
        ({"alpha": 2}, "alpha is 2, but must be from 0 to 1"),
        ({"protect": ()}, "needs protect or kinds"),
        ({"segment": "page"}, "segment is 'page'"),
        ({"search": "lub", "uniform": False}, "uniform variant"),
    ],
)
def test_wrong_parameters_are_quoted(wrong: dict[str, object], message: str) -> None:
    parameters: dict[str, object] = {"t": 2, "protect": ["x"], **wrong}
    with pytest.raises(ValueError, match=message):
        TPlausible(**parameters)  # type: ignore[arg-type]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), st.integers(1, 400), st.sampled_from([0.0, 0.5, 1.0]))
def test_whatever_is_released_holds_and_shows_at_most_the_product_asked(words: list[str], t: int, alpha: float) -> None:
    text = f"The notes mention {', then '.join(words)} in this order."
    largest = math.prod({"Sacramento": 32}.get(w, 2) for w in set(words))
    model = TPlausible(protect=WORDS, t=t, alpha=alpha)
    if t > largest:
        with pytest.raises(NotPlausibleError) as error:
            sanitize(text, model, PAPER)
        assert error.value.largest == largest
        return
    release = sanitize(text, model, PAPER)
    assert release.certificate.holds
    shown = {e.original: e.figures["volume"] for e in release.edits}
    assert math.prod(int(v) for v in shown.values()) >= t


@pytest.mark.parametrize("first", [True, False])
def test_it_holds_beside_another_model_or_nothing_is_released(first: bool) -> None:
    counts = TableCounts(
        1000, {("marijuana",): 1, ("drug",): 300, ("pain",): 400, ("lumbar pain",): 300, ("ruby",): 1, ("man",): 500}
    )
    knowledge = Knowledge(counts, (FIGURE_2,))
    plausible = TPlausible(protect=["marijuana", "lumbar pain"], t=4)
    informative = Informative(beta=8.0, unknown="keep", action="redact")
    models = [plausible, informative] if first else [informative, plausible]
    text = "The man with lumbar pain took marijuana and a ruby."
    if first:
        release = sanitize(text, models, knowledge)
        assert release.certificate.holds
        assert "ruby" not in release.text
        assert "marijuana" not in release.text
    else:
        # What the first model redacts has no base values left to count: nothing is released rather than too little.
        with pytest.raises((NotPlausibleError, NotReleasedError)):
            sanitize(text, models, knowledge)
