"""Caches of results that depend on the knowledge alone. Each cache belongs to the module that fills it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from taciturn.knowledge.base import Knowledge

__all__ = ["KnowledgeCache"]

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class KnowledgeCache(Generic[Question, Answer]):
    """Results by knowledge and question. It keeps at most ``most`` for each knowledge, as long as the knowledge lives.

    >>> from taciturn.knowledge import ContextCounts, Knowledge
    >>> totals: KnowledgeCache[str, int] = KnowledgeCache(most=100)
    >>> knowledge = Knowledge(ContextCounts([{"HIV"}, {"virus"}]))
    >>> totals.get(knowledge, "total", lambda: knowledge.counts.total)
    2
    >>> totals.get(knowledge, "total", lambda: 0)
    2
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: WeakKeyDictionary[Knowledge, dict[Question, Answer]] = WeakKeyDictionary()

    def get(self, knowledge: Knowledge, question: Question, work_out: Callable[[], Answer]) -> Answer:
        """The result for a question: the cached one, or that of ``work_out``."""
        answers = self._answers.get(knowledge)
        if answers is None:
            answers = self._answers[knowledge] = {}
        if question not in answers:
            answer = work_out()
            if len(answers) >= self._most:
                answers.clear()
            answers[question] = answer
        return answers[question]
