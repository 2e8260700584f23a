"""Replacements that stand next to each other, and what belongs to one: sentences stay sentences.

A dose goes with its drug and a value with its test. A name in brackets behind another name of the same kind of thing
goes with it. Several things of one category in a list become one phrase ("two conditions"), and one thing is told from
another ("another condition") where it is certain that it is another.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from taciturn.document import Document
from taciturn.generalize.phrasebook import RESULT
from taciturn.generalize.writing import is_mark
from taciturn.language.inflection import plural
from taciturn.language.lexicon import LEXICON, any_word
from taciturn.plan import Edit

__all__ = ["CONCEPT", "PHRASE", "WHAT", "joined"]

WHAT, PHRASE, CONCEPT = "category", "phrase", "concept"
"""Figures of an edit: the category of what it hides, the phrase without its article, the number of the concept."""

_UNIT = any_word(LEXICON.words("units.dose"))
_NUMBER = r"[0-9][0-9.,]*(?:[-–/][0-9.,]+)?"
_DOSE = re.compile(rf"(?:[ \t]+{_NUMBER}(?:[ \t]?(?:{_UNIT})(?:/[a-z0-9]+)?)?)+(?![\w/-])", re.IGNORECASE)
_DATE = re.compile(r"[ \t:]*(?:(?:19|20)[0-9]{2}\b|[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?\b)")
_VALUE = re.compile(rf"[ \t]*[:=]?[ \t]*[<>≤≥~]?[ \t]*{_NUMBER}(?:[ \t]?%)?(?![\w/-])")
_BRACKET = re.compile(r"[ \t]?\(")
_LIST = re.compile(r", (?:and )?| and ")
_SLASH = re.compile(r"[ \t]?[/+][ \t]?")
_ARTICLE = re.compile(r"an?[ \t]+", re.IGNORECASE)
_NUMBERS = ("", "", *LEXICON.words("numbers.digit")[1:])
_TAKEN = frozenset(("medication", "substance", "treatment"))
_MEASURED = frozenset(("test", RESULT))


def joined(edits: Sequence[Edit], document: Document, differ: Callable[[int, int], bool]) -> tuple[Edit, ...]:
    """Edits in order without overlap, joined with what belongs to them.

    ``differ``: are two concepts certainly not the same thing?

    >>> text = "He takes Zoloft (sertraline) 50 mg daily."
    >>> brand = Edit(9, 15, "Zoloft", "an antidepressant", figures={WHAT: "medication", PHRASE: "antidepressant"})
    >>> name = Edit(17, 27, "sertraline", "[medication]", figures={WHAT: "medication"})
    >>> [edit] = joined([brand, name], Document.of(text), lambda a, b: a != b)
    >>> edit.original, edit.replacement
    ('Zoloft (sertraline) 50 mg', 'an antidepressant')
    """
    made = _without_twins(list(edits), document)
    made = [_with_amount(e, document, made[i + 1].start if i + 1 < len(made) else None) for i, e in enumerate(made)]
    return tuple(_told_apart(_without_lists(made, document, differ), differ))


def _grown(edit: Edit, end: int, replacement: str, document: Document) -> Edit:
    """The edit up to ``end``; as it is if that lies in another segment."""
    starts = [s.start for s in document.segments]
    if end > document.segments[max(bisect_right(starts, edit.start) - 1, 0)].end:
        return edit
    return replace(edit, end=end, original=document.text[edit.start : end], replacement=replacement)


def _without_twins(edits: list[Edit], document: Document) -> list[Edit]:
    """Names in brackets behind a name of the same category, and marks with a slash between them, become one."""
    text, made = document.text, list[Edit]()
    for edit in edits:
        last = made[-1] if made else None
        if last is not None and last.figures.get(WHAT) and last.figures.get(WHAT) == edit.figures.get(WHAT):
            between = text[last.end : edit.start]
            in_brackets = _BRACKET.fullmatch(between) and text[edit.end : edit.end + 1] == ")"
            is_list = _SLASH.fullmatch(between) and is_mark(last.replacement) and is_mark(edit.replacement)
            if in_brackets or is_list:
                grown = _grown(last, edit.end + bool(in_brackets), last.replacement, document)
                if grown is not last:
                    made[-1] = replace(grown, local=last.local and edit.local)
                    continue
        made.append(edit)
    return made


def _with_amount(edit: Edit, document: Document, limit: int | None) -> Edit:
    """An edit of a drug with its dose, or of a test with its value; ``limit`` is where the next edit starts."""
    what = edit.figures.get(WHAT)
    text = document.text
    if _DATE.match(text, edit.end):
        return edit
    if what in _TAKEN and (dose := _DOSE.match(text, edit.end)) and (limit is None or dose.end() <= limit):
        return _grown(edit, dose.end(), edit.replacement, document)
    if what in _MEASURED and is_mark(edit.replacement):
        value = _VALUE.match(text, edit.end)
        if value and (limit is None or value.end() <= limit):
            return _grown(edit, value.end(), f"[{RESULT}]", document)
    return edit


def _without_lists(edits: list[Edit], document: Document, differ: Callable[[int, int], bool]) -> list[Edit]:
    """Edits in which a list of several things under the same phrase is one phrase in the plural."""
    made: list[Edit] = []
    at = 0
    while at < len(edits):
        end = at + 1
        while end < len(edits) and _same_phrase(edits[end - 1], edits[end], document.text):
            end += 1
        run = edits[at:end]
        at = end
        if len(run) > 1:
            first = run[0]
            phrase = plural(str(first.figures[PHRASE]))
            concepts = [e.figures.get(CONCEPT) for e in run]
            known = [c for c in concepts if isinstance(c, int)]
            apart = len(known) == len(run) and all(differ(a, b) for i, a in enumerate(known) for b in known[:i])
            if apart and len(run) < len(_NUMBERS):
                phrase = f"{_NUMBERS[len(run)]} {phrase}"
            phrase = phrase[:1].upper() + phrase[1:] if first.replacement[:1].isupper() else phrase
            grown = _grown(first, run[-1].end, phrase, document)
            if grown is not first:
                figures = {**first.figures, PHRASE: phrase, CONCEPT: ""}
                made.append(replace(grown, figures=figures, local=all(e.local for e in run)))
                continue
        made += run
    return made


def _same_phrase(one: Edit, other: Edit, text: str) -> bool:
    phrase = one.figures.get(PHRASE)
    return (
        bool(phrase)
        and phrase == other.figures.get(PHRASE)
        and bool(_ARTICLE.match(one.replacement) and _ARTICLE.match(other.replacement))
        and bool(_LIST.fullmatch(text, one.end, other.start))
    )


def _told_apart(edits: list[Edit], differ: Callable[[int, int], bool]) -> list[Edit]:
    """Edits in which the second thing under a phrase is "another", and the only one, once mentioned, is "the"."""
    met: dict[str, list[int]] = {}
    made = []
    for edit in edits:
        phrase, concept, article = edit.figures.get(PHRASE), edit.figures.get(CONCEPT), _ARTICLE.match(edit.replacement)
        if isinstance(phrase, str) and phrase and isinstance(concept, int) and article:
            before = met.setdefault(phrase, [])
            word = ""
            if before == [concept]:
                word = "the"
            elif before and concept not in before and all(differ(concept, other) for other in before):
                word = "another"
            if concept not in before:
                before.append(concept)
            if word:
                word = word.capitalize() if edit.replacement[0].isupper() else word
                edit = replace(edit, replacement=f"{word} {edit.replacement[article.end() :]}")
        made.append(edit)
    return made
