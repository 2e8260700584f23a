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
from hashlib import sha256
from secrets import token_bytes
from types import MappingProxyType
from typing import ClassVar, Literal

from taciturn.document import Key, Span, Term
from taciturn.generalize.phrasebook import category_of_kind
from taciturn.generalize.scoped import ScopedMarks
from taciturn.generalize.surrogates import Surrogates
from taciturn.generalize.writing import MARK, Marks, MarkStyle, Written, write_mark, write_phrase
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, key
from taciturn.models.base import Guarantee, Violation
from taciturn.models.declare import declare, parameter, verify
from taciturn.models.kinds.identify import KIND_OF, identify
from taciturn.models.kinds.levels import LEVELS, is_allowed, shown, state_after
from taciturn.models.matching import Matcher, cut_terms, union
from taciturn.models.parameter import MARK as MARK_PARAMETER
from taciturn.plan import Edit, Figure, Plan, resolve
from taciturn.recognizers import all_kinds, family

__all__ = ["Kinds"]

_ON = re.compile(r"\b([Oo])n (?:the )?$")
_OR_OLDER = re.compile(r" or older\b")
_STARS = re.compile(r"\*\*")
_NAMED = frozenset({"person", "organization", "place", "code"})
_HIDDEN = "hidden"
_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s+")
_READ = frozenset(KIND_OF.values()) - {"url", "email", "ip-address"}  # kinds that a pattern alone does not find
_MOVED = frozenset({"date", "place", "postal-code"})  # kinds of which a surrogate stands for what a level would show
_SHORTEST = 4  # characters of a single word that is looked for as a name wherever it stands


@declare(needs=("hide", "keep"), local=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """Hide terms by what they are.

    ``keep`` is such as ``{"date": "year", "age": "under 90", "place": "state", "postal-code": "three digits"}``.
    ``names`` are those hidden in the original with their kinds, set by :meth:`bind`: the check looks for them wherever
    they stand.

    >>> Kinds(hide=["code"], keep={"date": "year"}).level("email")
    'hidden'
    """

    name: ClassVar[str] = "kinds"

    hide: str | Sequence[str] = field(
        default=(),
        metadata=parameter(
            "Kinds of which nothing stays, by name (email) or by family (code).", takes="kinds", holds="kinds"
        ),
    )
    keep: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}),
        hash=False,
        metadata=parameter(
            "How much of a kind may stay: its level by kind, or all for a kind of a hidden family.",
            takes="keep",
            holds="kinds",
        ),
    )
    mark: MarkStyle = field(default="category", metadata=MARK_PARAMETER)
    secret: str = field(
        default="",
        repr=False,
        metadata=parameter(
            "What surrogates are drawn from: the same secret gives the same ones. Without it they differ each time."
        ),
    )
    scope: Literal["document", "dossier", "batch"] = field(
        default="document",
        metadata=parameter(
            "How far a surrogate or a numbered mark stands for the same value: in one document, in the documents of "
            "a dossier, or wherever the secret is."
        ),
    )
    weekdays: bool = field(
        default=False, metadata=parameter("Move dates by whole weeks, so that days of the week stay true.")
    )
    names: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    own: frozenset[str] = field(default=frozenset(), repr=False)
    book: Surrogates | None = field(default=None, repr=False, compare=False)
    dossier: str = field(default="", repr=False)
    met: frozenset[str] = field(default=frozenset(), repr=False)

    def __post_init__(self) -> None:
        verify(self)
        for kind in (*self.hide, *self.keep):
            if kind not in all_kinds():
                raise ValueError(f"{kind!r} is no kind of term; choose from {', '.join(all_kinds())}")
        for kind, level in self.keep.items():
            levels = LEVELS.get(kind, ("all",))
            if level not in levels:
                raise ValueError(f"{level!r} is no level of {kind!r}; choose {' or '.join(map(repr, levels))}")
            if kind in self.hide:
                raise ValueError(f"{kind!r} is to be hidden and to be kept as {level!r}; give one of the two")
        if self.scope != "document" and not self.secret and self.mark in ("numbered", "kind", "surrogate"):
            raise ValueError(
                f"the scope {self.scope!r} needs a secret, from which surrogates and numbers are drawn alike in every "
                "document; give secret"
            )

    def within(self, dossier: str, met: frozenset[str] = frozenset()) -> Kinds:
        """The model for the documents of one dossier; ``met`` are the names of these, in small letters.

        >>> model = Kinds(hide=["person"], mark="kind", scope="dossier", secret="s")
        >>> model.within("case 7") == model.within("case 8")
        False
        """
        return replace(self, dossier=dossier, met=met) if self.scope == "dossier" else self

    def level(self, kind: str) -> str | None:
        """How much of a kind may stay: "hidden", a level, or None if this model does not care for it.

        A rule for the kind itself comes first; a level of a family is for names, its identifiers are hidden.

        >>> model = Kinds(hide=["person"], keep={"date": "year"})
        >>> model.level("person"), model.level("date"), model.level("email")
        ('hidden', 'year', None)
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
        for term, kind, level in self._protected(analysis, knowledge):
            if family(kind) in _NAMED and _shown(term, kind, level, knowledge, analysis.document.text) != term.text:
                lower = term.text.lower()
                if " " in term.text or (len(lower) >= _SHORTEST and (lower == term.text or lower not in words)):
                    found.setdefault(term.text, kind)
        own = self._own(analysis)
        return replace(
            self, names=tuple({**found, **own}.items()), own=frozenset(own), book=self._book(analysis.document.text)
        )

    def _own(self, analysis: Analysis) -> dict[str, str]:
        """The words of the names that cells were declared to be, as they may stand elsewhere in the row."""
        text = analysis.document.text
        found: dict[str, str] = {}
        for segment in analysis.document.segments:
            if segment.kind == "person" and self.level("person") is not None:
                for word in _WORD.findall(text[segment.start : segment.end]):
                    if len(word) > 1:
                        found |= dict.fromkeys((word, word.capitalize(), word.upper()), "person")
        return found

    def _book(self, text: str) -> Surrogates | None:
        """The surrogates of a document, if surrogates are asked for."""
        if self.mark != "surrogate":
            return None
        steady = self.scope != "document"
        return Surrogates.for_text(self._key(text), text, weekdays=self.weekdays, steady=steady, met=self.met)

    def _key(self, text: str) -> bytes:
        """What surrogates and numbers of the scope of a text are drawn from."""
        secret = self.secret.encode() or token_bytes(32)
        if self.scope == "batch":
            return sha256(secret).digest()
        own = text if self.scope == "document" else f"dossier\0{self.dossier}"
        return sha256(secret + sha256(own.encode("utf-8", "surrogatepass")).digest()).digest()

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits after which every term of the kinds is hidden, or shown at its level."""
        document, text = analysis.document, analysis.document.text
        wide = self.scope != "document"
        marks = ScopedMarks(self.mark, text, secret=self._key(text)) if wide else Marks(self.mark, text)
        starts = [s for s, _ in analysis.sentences] or [0]
        edits = []
        for term, kind, level in self._protected(analysis, knowledge):
            text_shown = _shown(term, kind, level, knowledge, text)
            if text_shown == term.text or (self.book and self.book.is_surrogate(term.text)):
                continue
            other = self.book.of(kind, term.text) if self.book and (level == _HIDDEN or kind in _MOVED) else None
            if other is not None:
                written = Written(term.start, term.end, other)
                reason = f"a surrogate stands for a term of the kind {kind!r}"
            elif text_shown is None:
                mark = marks.mark(replace(term, kind=family(kind)), category_of_kind(kind), str(term.mention or ""))
                written = write_mark(mark, term, text)
                reason = f"a term of the kind {kind!r} is hidden"
            else:
                sentence = analysis.sentences[max(bisect_right(starts, term.start) - 1, 0)]
                written = _written(text_shown, term, kind, text, sentence)
                reason = f"of a term of the kind {kind!r} the {level!r} level is shown"
            original = text[written.start : written.end]
            figures: dict[str, Figure] = {"rule": f"kind {kind}", "level": level}
            local = self._is_local(term, kind)
            edits.append(
                Edit(written.start, written.end, original, written.text, reason, self.name, kind, figures, local)
            )
        return Plan(document, resolve(edits, document))

    def _is_local(self, term: Term, kind: str) -> bool:
        """Is a term of its kind only where it stands? A name that is also a word of the document, a word such as
        "last" that is a time by its sentence, a small number."""
        if family(kind) in _NAMED:
            return all(name != term.text for name, _ in self.names)
        return (term.text.isalpha() and term.text.islower()) or (term.text.isdigit() and len(term.text) < _SHORTEST + 1)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Find the terms of a released text anew; each must be of no protected kind, or in a form its level allows."""
        violations: list[Violation] = []
        allowed: Counter[str] = Counter()
        for term, kind, level in self._protected(analysis, knowledge):
            if self.book and self.book.is_surrogate(term.text):
                allowed[f"{kind} as surrogate"] += 1
            elif level != _HIDDEN and is_allowed(term.text, kind, level, knowledge):
                allowed[f"{kind} as {level}"] += 1
            else:
                message = f"{term.text!r} is of the kind {kind!r}, of which {_says(level)}"
                violations.append(Violation(((term.start, term.end),), message, {"kind": kind}))
        figures: dict[str, Figure] = {"terms checked": len(analysis.terms), "names looked for": len(self.names)}
        figures |= {f"kept: {form}": number for form, number in sorted(allowed.items())}
        kept = {f"keep {kind}": level for kind, level in sorted(self.keep.items())}
        statement = (
            "no term of the kinds stands in the text, as far as terms are recognized, but at the level that is kept"
        )
        if self.book:
            kept["mark"] = self.mark
            statement += (
                "; surrogates stand in the place of terms, and were told from terms by the record of their making"
            )
        return Guarantee(
            self.name,
            statement,
            not violations,
            -float(len(violations)) if violations else 1.0,
            {"hide": ", ".join(self.hide), **kept},
            figures,
            (),
            tuple(violations),
            ("terms checked", *(name for name in figures if name.startswith("kept: "))),
        )

    def _protected(self, analysis: Analysis, knowledge: Knowledge) -> list[tuple[Term, str, str]]:
        """The terms that the model cares for, each with its kind and level; what hides one mention hides all."""
        text = analysis.document.text
        marks = [m.span() for m in MARK.finditer(text)]
        identified = identify(analysis, knowledge) if any(self.level(kind) for kind in _READ) else None
        recognized = identified.terms if identified else analysis.terms
        terms = list(cut_terms(_with_declared(recognized, analysis), marks))
        rules: dict[int, tuple[str, str]] = {}
        for term in terms:
            level = self.level(term.kind)
            if term.mention and level is not None and rules.get(term.mention, ("", ""))[1] != _HIDDEN:
                rules[term.mention] = (term.kind, level)
        found = []
        for term in terms:
            kind, known = rules.get(term.mention) or (term.kind, self.level(term.kind))
            if known is not None:
                found.append((_whole(term, kind, text), kind, known))
        if self.names:
            kinds = {_SPACE.sub(" ", name): kind for name, kind in self.names}
            taken = union([*marks, *((t.start, t.end) for t, _, _ in found)])
            spans = Matcher(exact=[name for name, _ in self.names]).spans(text)
            named = (Term(a, b, text[a:b], key(text[a:b]), kinds.get(text[a:b], "person")) for a, b in spans)
            for term in cut_terms(named, taken):
                sure = " " in term.text or term.text in self.own
                if sure or not identified or not identified.is_plain(term.start, term.end):
                    found.append((term, term.kind, self.level(term.kind) or _HIDDEN))
        return found


def _with_declared(terms: Sequence[Term], analysis: Analysis) -> Sequence[Term]:
    """The terms, with a segment that was declared to be of a kind as one term of it."""
    text = analysis.document.text
    declared = [s for s in analysis.document.segments if s.kind and text[s.start : s.end].strip()]
    if not declared:
        return terms
    whole = []
    for s in declared:
        inner = text[s.start : s.end]
        start = s.start + len(inner) - len(inner.lstrip())
        written = inner.strip()
        whole.append(Term(start, start + len(written), written, key(written) or Key(written), s.kind))
    others = (t for t in terms if not any(s.start <= t.start < s.end for s in declared))
    return sorted([*others, *whole], key=lambda t: t.start)


def _shown(term: Term, kind: str, level: str, knowledge: Knowledge, text: str) -> str | None:
    if level == _HIDDEN:
        return None
    found = shown(term, kind, level, knowledge, text[term.end : term.end + 40])
    # What the check would not let pass is not kept as it is.
    return None if found == term.text and not is_allowed(term.text, kind, level, knowledge) else found


def _whole(term: Term, kind: str, text: str) -> Term:
    """A term with what a release has written after it: the extractor takes "90" of "90 or older", "770" of "770**"."""
    after = {"age": _OR_OLDER, "postal-code": _STARS}.get(kind)
    more = after.match(text, term.end) if after else None
    return replace(term, end=more.end(), text=text[term.start : more.end()]) if more else term


def _says(level: str) -> str:
    return "nothing may stay" if level == _HIDDEN else f"no more than the level {level!r} may stay"


def _written(shown_as: str, term: Term, kind: str, text: str, sentence: Span) -> Written:
    """What stands in a term's place; "on 12 March 1984" becomes "in 1984"."""
    if kind == "place":
        if code := state_after(shown_as, text[term.end : term.end + 40]):
            return Written(term.start, term.end + code[1], code[0])  # "Houston, TX" is "TX", not "Texas, TX"
        return write_phrase(shown_as, term, text, sentence, is_name=True)
    if kind == "date" and (before := _ON.search(text, max(term.start - 8, 0), term.start)):
        return Written(before.start(), term.end, f"{'I' if before[1] == 'O' else 'i'}n {shown_as}")
    return Written(term.start, term.end, shown_as)
