"""Kinds of terms: no name, number or address of the given kinds stands in the release, but as far as a level allows.

This is what laws that list identifiers ask for: hide every e-mail address, show of a date the year, of a place the
state, of an age nothing above 89. All mentions of one thing are shown alike, those too that only other mentions tell
("Smith" after "John Smith").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tacit.document import Span, Term
from tacit.knowledge import Knowledge
from tacit.language import Analysis, key
from tacit.language.identifiers import FAMILY
from tacit.models.base import Guarantee, Violation
from tacit.models.levels import LEVELS, is_allowed, shown
from tacit.models.matching import Matcher, cut_terms, union
from tacit.plan import Edit, Figure, Plan, resolve
from tacit.replacement import MARK, Marks, MarkStyle, Written, write_mark, write_phrase

__all__ = ["ALL_KINDS", "Kinds", "family"]

_FAMILIES = ("person", "organization", "place", "time", "quantity", "code")
ALL_KINDS = tuple(dict.fromkeys((*_FAMILIES, *FAMILY)))
"""Every kind that can be hidden: families, and identifiers by their own names."""

_ON = re.compile(r"\b([Oo])n (?:the )?$")
_OR_OLDER = re.compile(r" or older\b")
_NAMED = frozenset({"person", "organization", "place", "code"})
_HIDDEN = "hidden"
_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s+")
_SHORTEST = 4  # characters of a single word that is looked for as a name wherever it stands


def family(kind: str) -> str:
    """The coarse kind of a kind.

    >>> family("email"), family("person")
    ('code', 'person')
    """
    return FAMILY.get(kind, kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """Hide terms by what they are.

    ``hide``: kinds of which nothing stays, by name ("email") or by family ("code"). ``keep``: how much of a kind may
    stay: ``{"date": "year", "age": "under 90", "place": "state", "postal-code": "three digits"}``, or ``"all"`` for a
    kind of a hidden family. ``mark``: how a redaction looks. ``names`` are those hidden in the original with
    their kinds, set by :meth:`bind`: the check looks for them wherever they stand.

    >>> Kinds(hide=["code"], keep={"date": "year"}).level("email")
    'hidden'
    """

    hide: Sequence[str] = ()
    keep: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    mark: MarkStyle = "redacted"
    names: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hide", (self.hide,) if isinstance(self.hide, str) else tuple(self.hide))
        object.__setattr__(self, "keep", MappingProxyType(dict(self.keep)))
        if not self.hide and not self.keep:
            raise ValueError("nothing to hide: name kinds, such as hide=['person', 'email']")
        for kind in (*self.hide, *self.keep):
            if kind not in ALL_KINDS:
                raise ValueError(f"{kind!r} is no kind of term; choose from {', '.join(ALL_KINDS)}")
        for kind, level in self.keep.items():
            levels = LEVELS.get(kind, ("all",))
            if level not in levels:
                raise ValueError(f"{level!r} is no level of {kind!r}; choose {' or '.join(map(repr, levels))}")
            if kind in self.hide:
                raise ValueError(f"{kind!r} is to be hidden and to be kept as {level!r}; give one of the two")
        Marks(self.mark)

    @property
    def name(self) -> str:
        return "kinds"

    def level(self, kind: str) -> str | None:
        """How much of a kind may stay: "hidden", a level, or None if this model does not care for it.

        A rule for the kind itself comes first; a level of a family is for names, its identifiers are hidden.
        """
        if kind in self.keep:
            return self.keep[kind]
        coarse = family(kind)
        if kind in self.hide or coarse in self.hide or coarse in self.keep:
            return _HIDDEN if self.keep.get(coarse) != "all" else "all"
        return None

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Kinds:
        """The model with the names that it hides in this document."""
        words = set(_WORD.findall(analysis.document.text))
        found: dict[str, str] = {}
        for term, kind, level in self._protected(analysis):
            if family(kind) in _NAMED and _shown(term, kind, level, knowledge, analysis.document.text) != term.text:
                lower = term.text.lower()
                if " " in term.text or (len(lower) >= _SHORTEST and (lower == term.text or lower not in words)):
                    found.setdefault(term.text, kind)
        return replace(self, names=tuple(found.items()))

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits after which every term of the kinds is hidden, or shown at its level."""
        document, text = analysis.document, analysis.document.text
        marks = Marks(self.mark, text)
        starts = [s for s, _ in analysis.sentences] or [0]
        edits = []
        for term, kind, level in self._protected(analysis):
            text_shown = _shown(term, kind, level, knowledge, text)
            if text_shown == term.text:
                continue
            if text_shown is None:
                written = write_mark(marks.mark(replace(term, kind=family(kind))), term, text)
                reason = f"a term of the kind {kind!r} is hidden"
            else:
                sentence = analysis.sentences[max(bisect_right(starts, term.start) - 1, 0)]
                written = _written(text_shown, term, kind, text, sentence)
                reason = f"of a term of the kind {kind!r} the {level!r} level is shown"
            original = text[written.start : written.end]
            figures: dict[str, Figure] = {"rule": f"kind {kind}", "level": level}
            edits.append(Edit(written.start, written.end, original, written.text, reason, self.name, kind, figures))
        return Plan(document, resolve(edits, document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Find the terms of a released text anew; each must be of no protected kind, or in a form its level allows."""
        violations: list[Violation] = []
        allowed: Counter[str] = Counter()
        for term, kind, level in self._protected(analysis):
            if level != _HIDDEN and is_allowed(term.text, kind, level, knowledge):
                allowed[f"{kind} as {level}"] += 1
            else:
                message = f"{term.text!r} is of the kind {kind!r}, of which {_says(level)}"
                violations.append(Violation(((term.start, term.end),), message, {"kind": kind}))
        figures: dict[str, Figure] = {"terms checked": len(analysis.terms), "names looked for": len(self.names)}
        figures |= {f"kept: {form}": number for form, number in sorted(allowed.items())}
        kept = {f"keep {kind}": level for kind, level in sorted(self.keep.items())}
        return Guarantee(
            self.name,
            "no term of the kinds stands in the text, as far as terms are recognized, but at the level that is kept",
            not violations,
            -float(len(violations)) if violations else 1.0,
            {"hide": ", ".join(self.hide), **kept},
            figures,
            (),
            tuple(violations),
        )

    def _protected(self, analysis: Analysis) -> list[tuple[Term, str, str]]:
        """The terms that the model cares for, each with its kind and level; what hides one mention hides all."""
        text = analysis.document.text
        marks = [m.span() for m in MARK.finditer(text)]
        terms = list(cut_terms(analysis.terms, marks))
        rules: dict[int, tuple[str, str]] = {}
        for term in terms:
            level = self.level(term.kind)
            if term.mention and level is not None and rules.get(term.mention, ("", ""))[1] != _HIDDEN:
                rules[term.mention] = (term.kind, level)
        found = []
        for term in terms:
            kind, known = rules.get(term.mention) or (term.kind, self.level(term.kind))
            if known is not None:
                found.append((_whole_age(term, text) if kind == "age" else term, kind, known))
        if self.names:
            kinds = {_SPACE.sub(" ", name): kind for name, kind in self.names}
            taken = union([*marks, *((t.start, t.end) for t, _, _ in found)])
            spans = Matcher(exact=[name for name, _ in self.names]).spans(text)
            named = (Term(a, b, text[a:b], key(text[a:b]), kinds.get(text[a:b], "person")) for a, b in spans)
            found += [(t, t.kind, self.level(t.kind) or _HIDDEN) for t in cut_terms(named, taken)]
        return found


def _shown(term: Term, kind: str, level: str, knowledge: Knowledge, text: str) -> str | None:
    return None if level == _HIDDEN else shown(term, kind, level, knowledge, text[term.end : term.end + 40])


def _whole_age(term: Term, text: str) -> Term:
    """An age with the words after it that make it a range: the extractor takes "90" of "90 or older"."""
    if not (more := _OR_OLDER.match(text, term.end)):
        return term
    return replace(term, end=more.end(), text=text[term.start : more.end()])


def _says(level: str) -> str:
    return "nothing may stay" if level == _HIDDEN else f"no more than the level {level!r} may stay"


def _written(shown_as: str, term: Term, kind: str, text: str, sentence: Span) -> Written:
    """What stands in a term's place; "on 12 March 1984" becomes "in 1984"."""
    if kind == "place":
        return write_phrase(shown_as, term, text, sentence, is_name=True)
    if kind == "date" and (before := _ON.search(text, max(term.start - 8, 0), term.start)):
        return Written(before.start(), term.end, f"{'I' if before[1] == 'O' else 'i'}n {shown_as}")
    return Written(term.start, term.end, shown_as)
