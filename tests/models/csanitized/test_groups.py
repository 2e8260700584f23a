from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.knowledge.witnesses import Witnesses
from taciturn.models.csanitized import CSanitized
from taciturn.models.csanitized.check import _Asked, _supported
from taciturn.models.csanitized.groups import minimal_risky_groups
from taciturn.reading import ROUNDING
from taciturn.release import sanitize

KEYS = ["a", "b", "c", "d", "e"]
CORPUS = st.lists(st.sets(st.sampled_from([*KEYS, "x"]), max_size=5), min_size=3, max_size=25)


def brute(counts: ContextCounts, context: list[str], threshold: float, size: int, support: int) -> set[frozenset[str]]:
    """Every group that is supported and risky, and none of whose parts of two or more is."""
    risky = {
        frozenset(g)
        for n in range(2, size + 1)
        for g in combinations(sorted(context), n)
        if counts.count("x", *g) >= support and counts.pmi("x", *g) >= threshold - ROUNDING
    }
    return {g for g in risky if not any(o < g for o in risky)}


@settings(max_examples=300, deadline=None)
@given(CORPUS, st.sets(st.sampled_from(KEYS), min_size=2), st.integers(2, 4), st.integers(1, 3), st.floats(0.0, 3.0))
def test_minimal_groups_are_those_of_brute_force(
    corpus: list[set[str]], context: set[str], size: int, support: int, threshold: float
) -> None:
    counts = ContextCounts(corpus)
    if not counts.count("x"):
        return
    found = minimal_risky_groups([frozenset(context)], "x", threshold, Witnesses(counts), size, support)
    assert {g.keys for g in found} == brute(counts, list(context), threshold, size, support)
    for group in found:
        assert group.pmi == counts.pmi("x", *sorted(group.keys))
        assert group.support == counts.count("x", *group.keys)


@settings(max_examples=200, deadline=None)
@given(CORPUS, st.sets(st.sampled_from(KEYS), min_size=2), st.integers(2, 4), st.integers(1, 3))
def test_the_check_sees_every_supported_group(
    corpus: list[set[str]], context: set[str], size: int, support: int
) -> None:
    counts = ContextCounts(corpus)
    seen = set(_supported(sorted(context), "x", size, support, _Asked(Knowledge(counts))))
    assert seen == {
        g for n in range(2, size + 1) for g in combinations(sorted(context), n) if counts.count("x", *g) >= support
    }


def test_work_grows_with_the_text_and_not_with_its_square() -> None:
    """Sentences are looked at one by one: twice the sentences, about twice the groups asked for."""

    class Counting(ContextCounts):
        asked = 0

        def count_many(self, groups):  # type: ignore[no-untyped-def]
            self.asked += len(groups)
            return super().count_many(groups)

    def work(sentences: int) -> int:
        names = [f"k{i}" for i in range(6 * sentences)]
        counts = Counting([{"x", n} for n in names] * 2 + [{"x", *names[:6]}])
        contexts = [frozenset(names[6 * i : 6 * i + 6]) for i in range(sentences)]
        minimal_risky_groups(contexts, "x", 9.0, Witnesses(counts), 3, 1)
        return counts.asked

    assert work(40) < 2.5 * work(20)


def test_a_pair_is_broken_where_it_stands_and_not_elsewhere() -> None:
    together, apart = {"HIV", "fever", "night sweat"}, [{"fever"}, {"night sweat"}, {"table"}]
    knowledge = Knowledge(ContextCounts([together] * 10 + apart * 30))
    text = "He had a fever and night sweats. The fever went away. The night sweats did not."
    released = sanitize(text, CSanitized(protect=["HIV"], alpha=1.5), knowledge).text
    first, rest = released.split(". ", 1)
    assert ("fever" in first) != ("night sweats" in first)
    assert rest == "The fever went away. The night sweats did not."


def test_of_a_pair_the_patient_stays() -> None:
    together, apart = {"HIV", "patient", "night sweat"}, [{"patient"}, {"night sweat"}, {"table"}]
    knowledge = Knowledge(ContextCounts([together] * 10 + [{"patient"}] * 60 + apart * 5))
    released = sanitize("The patient has night sweats.", CSanitized(protect=["HIV"], alpha=1.5), knowledge).text
    assert released == "The patient has [REDACTED]."
