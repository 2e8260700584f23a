"""What is written for one term of a sentence when it must go and nothing forbids what may stand for it."""

from __future__ import annotations

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.language import analyze, key
from taciturn.models.csanitized.subjects import Decision, Subject, edits_of, safe_rungs
from taciturn.plan import Plan, apply
from taciturn.reading import Reading, phrases, readings

__all__ = ["said"]


def said(sentence: str, term: str, knowledge: Knowledge) -> str:
    """The sentence with its best true words for ``term``, or a mark."""
    analysis = analyze(Document.of(sentence))
    at = sentence.index(term)
    name = key(term)
    known = (r for r in readings(analysis) if at in r.starts and r.text == term)
    own = Reading(term, (name, *phrases(term, name)), "other", 0, "term", (at,))
    reading = next(known, own)._replace(starts=(at,))
    subject = Subject((reading,), None, 0.0, None)
    (rungs,) = safe_rungs([subject], knowledge, {})
    edits = edits_of([Decision(subject, changed=True, rungs=rungs)], analysis, "category", "test", knowledge)
    return apply(Plan(analysis.document, edits)).document.text
