"""The floor under every model that protects something named: no written form of it stands in the release.

What is protected comes from the model, its written forms from the knowledge (:mod:`taciturn.models.names`), and the
search is the second reader's (:mod:`taciturn.secondreader`), which shares nothing with the language layer that models
plan and check by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import dropwhile
from typing import NamedTuple

from taciturn.document import Document, Span, Term
from taciturn.generalize.categories import called
from taciturn.generalize.writing import MARK, Marks, Written, is_mark, write_mark
from taciturn.knowledge import Knowledge
from taciturn.language import Key, key
from taciturn.language.lexicon import LEXICON
from taciturn.models.base import Guarantee, Model, Violation
from taciturn.models.denied import Denied
from taciturn.models.excepting import Excepting
from taciturn.models.names import index, inner_model, protected, word_test
from taciturn.plan import Applied, Edit, resolve
from taciturn.secondreader import Form, Forms, Hit, forms_of, read

__all__ = ["NAMED", "Findings", "find", "floor_edits", "named_in", "with_floor"]

NAMED = "written form of what is protected, found by the second reader"
_LEFT = "hidden elsewhere in the document, found by the second reader"
_COUNTED = ("written forms searched", "removed strings searched", "ambiguous written forms")
_ARTICLES = LEXICON.word_set("closed.article")
_SHORTEST = 3  # letters and figures of a removed string that is searched for


def _outside(hits: Sequence[Hit], model: Model, document: Document, also: Sequence[Span] = ()) -> tuple[Hit, ...]:
    """The hits outside marks, outside what a policy allows, and outside other spans."""
    if not hits:
        return ()
    covered: list[Span] = [*also, *(m.span() for m in MARK.finditer(document.text))]
    if isinstance(model, Excepting):
        covered += model.allowed(document)
    return tuple(h for h in hits if not any(a < h.end and h.start < b for a, b in covered))


def _names(model: Model, document: Document, knowledge: Knowledge) -> tuple[Hit, ...]:
    """Where what the model protects is written in a text."""
    names = protected(model)
    return _outside(_read(document.text, index(names, knowledge)), model, document) if names else ()


_LAST: dict[tuple[int, str], tuple[Forms, tuple[Hit, ...]]] = {}
_KEPT = 4  # texts of which the answers are kept: a document and what becomes of it


def _read(text: str, forms: Forms) -> tuple[Hit, ...]:
    """:func:`taciturn.secondreader.read`, asked once for the same text and forms."""
    asked = (id(forms), text)  # the forms are kept beside their number, so that no others can have it
    if asked not in _LAST:
        while len(_LAST) >= _KEPT:
            del _LAST[next(iter(_LAST))]
        _LAST[asked] = (forms, read(text, forms))
    return _LAST[asked][1]


@lru_cache(maxsize=2)
def _index_removed(strings: tuple[str, ...], is_word: Callable[[str], bool]) -> Forms:
    return forms_of((Form(string, "removed") for string in strings), is_word)


def named_in(text: str, model: Model, knowledge: Knowledge) -> list[Hit]:
    """Where a string that belongs to no document (a key, a link) names what the model protects or denies."""
    document = Document.of(text, "")
    inner = inner_model(model)
    listed = [Hit(a, b, Form(r), "listed") for r, a, b in inner.listed(text)] if isinstance(inner, Denied) else []
    return [*_names(model, document, knowledge), *_outside(listed, model, document)]


class Findings(NamedTuple):
    """What the second reader finds in a text, for one model.

    ``named``: names of what is protected. ``left``: strings that the plan hid in another place. ``other``: names that
    mean something else here, as far as the document tells. ``searched``: how many forms and strings were searched for.
    """

    named: tuple[Hit, ...]
    left: tuple[Hit, ...]
    other: tuple[Hit, ...]
    searched: tuple[int, int]


def find(model: Model, document: Document, knowledge: Knowledge, applied: Applied | None = None) -> Findings:
    """Search a text for what the model protects and for what it hid; ``applied`` is the plan that made the text.

    An ambiguous name in its own capitals is taken for what is protected if the document, or the one it was made from,
    mentions under another name the very thing that it may stand for.
    """
    hits = _names(model, document, knowledge)
    mentioned: set[str] = set()
    if any(h.ambiguous and h.exact for h in hits):
        before = _names(model, applied.plan.document, knowledge) if applied is not None else ()
        mentioned.update(thing for h in (*hits, *before) if not h.ambiguous for thing in h.form.of)
    named = tuple(h for h in hits if not h.ambiguous or (h.exact and not mentioned.isdisjoint(h.form.of)))
    removed = _removed(model, applied) if applied is not None else {}
    left: tuple[Hit, ...] = ()
    if applied is not None and removed:
        forms = _index_removed(tuple(removed), word_test(knowledge))
        spans = [*applied.spans, *((h.start, h.end) for h in named)]
        left = tuple(h for h in _outside(_read(document.text, forms), model, document, spans) if not h.ambiguous)
    searched = (len(index(names, knowledge)) if (names := protected(model)) else 0, len(removed))
    return Findings(named, left, tuple(h for h in hits if h.exact and h not in named), searched)


def _removed(model: Model, applied: Applied) -> dict[str, str]:
    """The strings that a model hid for what they say anywhere, without the articles that its edits took with them, and
    the mark that each got."""
    strings: dict[str, str] = {}
    for edit in applied.plan.edits:
        if edit.model == model.name and not edit.local:
            words = dropwhile(lambda word: word.lower() in _ARTICLES, edit.original.split())
            strings.setdefault(" ".join(words), edit.replacement)
    return {s: mark for s, mark in strings.items() if sum(map(str.isalnum, s)) >= _SHORTEST}


def floor_edits(model: Model, applied: Applied, knowledge: Knowledge, *, left: bool) -> tuple[Edit, ...]:
    """A mark for each written form of what the model protects that still stands in an edited text, and, if what is
    ``left`` is asked for, for each string that is hidden elsewhere in it: the mark that it has there."""
    document = applied.document
    text = document.text
    found = find(model, document, knowledge, applied)
    marks = Marks(getattr(inner_model(model), "mark", "category"), text)
    given = _removed(model, applied)
    edits = []
    for hit, reason in [*((h, NAMED) for h in found.named), *((h, _LEFT) for h in found.left if left)]:
        # A form that is split over cells is hidden in each: no edit crosses a segment's end.
        for segment in document.segments:
            start, end = max(hit.start, segment.start), min(hit.end, segment.end)
            if shown := text[start:end] if start < end else "":
                mark = given.get(hit.form.text, "")
                if not is_mark(mark):
                    term = Term(start, end, shown, key(shown) or Key(shown))
                    names = (term.key, key(hit.form.text), *map(key, hit.form.of))
                    mark = marks.mark(term, next((c for n in names if (c := called(n, knowledge).mark)), ""))
                figures = {"entity": hit.form.text, "way": hit.way}
                # An article that tells how the original began goes too, if it is in the same place.
                written = Written(start, end, mark)
                if (wider := write_mark(mark, Term(start, end, shown, Key(shown)), text)).end == end:
                    written = wider if wider.start >= segment.start else written
                original = text[written.start : written.end]
                edits.append(
                    Edit(written.start, written.end, original, written.text, reason, model.name, figures=figures)
                )
    return resolve(edits, document)


def with_floor(
    guarantee: Guarantee, model: Model, document: Document, knowledge: Knowledge, applied: Applied | None = None
) -> Guarantee:
    """A model's guarantee together with the second reader's search of the same text."""
    found = find(model, document, knowledge, applied)
    figures = dict(guarantee.figures)
    counted = (*found.searched, len(found.other))
    figures |= {name: number for name, number in zip(_COUNTED, counted, strict=True) if number}
    violations = [_violation(h, document, f"is a written form of {h.form.text!r}") for h in found.named]
    violations += [_violation(h, document, f"is hidden elsewhere as {h.form.text!r}") for h in found.left]
    if not violations:
        return replace(guarantee, figures=figures)
    return replace(
        guarantee,
        holds=False,
        margin=min(guarantee.margin, -1.0),
        figures=figures,
        violations=(*guarantee.violations, *violations),
    )


def _violation(hit: Hit, document: Document, what: str) -> Violation:
    text = document.text
    shown = text[hit.start : hit.end]
    place = next((s.place for s in document.segments if s.start <= hit.start < s.end), "")
    where = f"line {text.count(chr(10), 0, hit.start) + 1}" + (f", {place}" if place else "")
    allow = f"if it means something else here, let it stand by a policy: [allow] exact = [{shown!r}]"
    return Violation(((hit.start, hit.end),), f"{shown!r} ({where}) {what}; {allow}")
