"""A cache of answers from a knowledge: bounded, one for each knowledge, gone with it."""

from __future__ import annotations

import gc
from itertools import count
from weakref import ref

from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.knowledge.cache import KnowledgeCache


def made() -> Knowledge:
    return Knowledge(ContextCounts([{"HIV"}]))


def test_an_answer_is_worked_out_once_for_each_knowledge() -> None:
    cache: KnowledgeCache[str, int] = KnowledgeCache(most=10)
    one, other, numbers = made(), made(), count()
    answers = [cache.get(k, q, lambda: next(numbers)) for k in (one, other, one) for q in ("a", "b", "a")]
    assert answers == [0, 1, 0, 2, 3, 2, 0, 1, 0]


def test_no_more_than_most_are_kept() -> None:
    cache: KnowledgeCache[int, int] = KnowledgeCache(most=3)
    knowledge, numbers = made(), count()
    asked = [0, 1, 2, 0, 3, 3, 0]
    assert [cache.get(knowledge, q, lambda: next(numbers)) for q in asked] == [0, 1, 2, 0, 3, 3, 4]


def test_answers_go_with_their_knowledge() -> None:
    class Answer:
        pass

    cache: KnowledgeCache[str, Answer] = KnowledgeCache(most=10)
    knowledge = made()
    answer = ref(cache.get(knowledge, "a", Answer))
    gc.collect()
    assert answer() is not None
    del knowledge
    gc.collect()
    assert answer() is None
