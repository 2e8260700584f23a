"""Denied terms: terms, branches of a taxonomy and lists of strings that must not occur in the release.

Other models weigh how much a term reveals. This one only asks whether a term occurs: in any form with the same key, as
a synonym, or as a hyponym of a denied branch.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from taciturn.document import Span, Term
from taciturn.generalize.writing import MARK, Marks, MarkStyle, write_mark
from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.knowledge.taxonomies.flags import GENERAL
from taciturn.language import Analysis, Key, key
from taciturn.models.base import Guarantee, Violation
from taciturn.models.declare import declare, parameter, verify
from taciturn.models.matching import Matcher, cut_terms, union
from taciturn.models.parameter import MARK as MARK_PARAMETER
from taciturn.models.tplausible.sensitive import named_terms
from taciturn.plan import Edit, Figure, Plan, resolve
from taciturn.reading import NAMES, readings

__all__ = ["Denied"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LONGEST = 6  # words of a phrase that is looked for under a branch

Found = tuple[Term, str]
"""A denied term and the rule that denies it."""


@declare(needs=("protect", "branches", "lists"), local=True)
@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """Nothing that is denied stands in the release.

    >>> Denied(protect=["HIV"]).name
    'denied'
    """

    name: ClassVar[str] = "denied"

    protect: str | Sequence[str] = field(
        default=(),
        metadata=parameter(
            "Words and phrases that must not stand in the text, in any form or under a synonym.",
            takes="words",
            holds="concepts",
        ),
    )
    branches: str | Sequence[str] = field(
        default=(),
        metadata=parameter(
            "Every kind of these, by its likeliest sense in each taxonomy.",
            takes="branches",
            holds="concepts",
            option="protect-branch",
        ),
    )
    lists: Mapping[str, Matcher] = field(
        default_factory=lambda: MappingProxyType({}),
        hash=False,
        metadata=parameter("Strings and patterns, by the name of the list.", takes="matchers"),
    )
    mark: MarkStyle = field(default="category", metadata=MARK_PARAMETER)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists", {name: m for name, m in self.lists.items() if len(m)})
        verify(self)

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that put a mark in the place of everything denied."""
        text = analysis.document.text
        marks = Marks(self.mark, text)
        edits = []
        for term, rule in sorted(self._found(analysis, knowledge), key=lambda pair: (pair[0].start, -pair[0].end)):
            written = write_mark(marks.mark(term), term, text)
            original = text[written.start : written.end]
            figures: dict[str, Figure] = {"rule": rule}
            reason = f"{term.text!r} is denied: {rule}"
            # An everyday word is denied where it is a noun: "a prior", and not "prior to".
            local = rule.startswith("branch ") and original.isalpha() and original.islower()
            edits.append(
                Edit(written.start, written.end, original, written.text, reason, self.name, term.kind, figures, local)
            )
        return Plan(analysis.document, resolve(edits, analysis.document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Read a released text anew, expression by expression; none may be denied."""
        text = analysis.document.text
        names = self._names(knowledge)
        branches = _Branches(self.branches, knowledge)
        violations = []
        found = readings(analysis)
        for reading in found:
            # Of a name the whole counts, as everywhere: "San Antonio" does not say "Antonio".
            keys = reading.keys[:1] if reading.kind in NAMES else reading.keys
            is_term = reading.role != "word" or reading.text[0].isupper()
            rule = next((r for k in keys if (r := names.get(k) or branches.rule(k, is_term=is_term))), None)
            if rule:
                spans = tuple((start, start + len(reading.text)) for start in reading.starts)
                violations.append(Violation(spans, f"{reading.text!r} is denied: {rule}", {"rule": rule}))
        for rule, start, end in self.listed(text):
            violations.append(Violation(((start, end),), f"{text[start:end]!r} is denied: {rule}", {"rule": rule}))
        return Guarantee(
            self.name,
            "no denied term, no kind of a denied branch and no entry of a denied list stands in the text",
            not violations,
            -float(len(violations)) if violations else 1.0,
            {
                "terms": len(self.protect),
                "branches": len(self.branches),
                "list entries": sum(map(len, self.lists.values())),
            },
            {"expressions checked": len(found)},
            (*self.protect, *self.branches),
            tuple(violations),
            ("expressions checked",),
        )

    def _names(self, knowledge: Knowledge) -> dict[Key, str]:
        """The keys of the terms and of their synonyms, each with its rule."""
        names: dict[Key, str] = {}
        for term in self.protect:
            own = key(term)
            for name in (own, *(s for t in knowledge.taxonomies for s in t.synonyms(own))):
                names.setdefault(name, f"term {term}")
        return names

    def listed(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Where entries of the lists stand in a text, outside marks: the rule, start and end.

        >>> list(Denied(lists={"staff": Matcher(exact=["Ann Miller"])}).listed("Ask Ann Miller."))
        [('staff', 4, 14)]
        """
        marks = [m.span() for m in MARK.finditer(text)]
        starts = [start for start, _ in marks]
        for name, matcher in self.lists.items():
            for start, end in matcher.spans(text):
                at = bisect_right(starts, start) - 1
                if at < 0 or end > marks[at][1]:  # not inside a mark
                    yield name, start, end

    def _found(self, analysis: Analysis, knowledge: Knowledge) -> list[Found]:
        text = analysis.document.text
        names = self._names(knowledge)
        found: list[Found] = [(t, names[t.key]) for t in named_terms(analysis, names)]
        found += [(Term(a, b, text[a:b], key(text[a:b])), rule) for rule, a, b in self.listed(text)]
        if self.branches:
            found += _under_branches(analysis, _Branches(self.branches, knowledge))
        return found


class _Branches:
    """Which keys name a kind of something."""

    def __init__(self, branches: Sequence[str], knowledge: Knowledge) -> None:
        self._known: dict[tuple[Key, bool], str | None] = {}
        nodes: dict[str, str] = {}
        for branch in branches:
            senses = [(t, n) for t in knowledge.taxonomies for n in t.senses(key(branch))[:1]]
            if not senses:
                raise UnknownTermError(
                    f"no taxonomy knows {branch!r}, so its kinds cannot be denied; check the spelling"
                )
            nodes |= {f"{t.name}:{n.id}": f"branch {branch}" for t, n in senses}
        self._nodes = nodes
        self._taxonomies = [t for t in knowledge.taxonomies if any(n.startswith(f"{t.name}:") for n in nodes)]

    def rule(self, name: Key, *, is_term: bool = True) -> str | None:
        """The rule that denies a key, by its likeliest sense in each taxonomy; None if none does.

        Of a small word outside all terms, perhaps a verb ("she left"), the taxonomy of everyday words says nothing.
        """
        asked = (name, is_term)
        if asked not in self._known:
            self._known[asked] = next(self._rules(name, is_term), None)
        return self._known[asked]

    def _rules(self, name: Key, is_term: bool) -> Iterator[str]:
        for taxonomy in self._taxonomies:
            if is_term or GENERAL not in taxonomy.flags:
                for sense in taxonomy.senses(name)[:1]:
                    for node in (sense, *taxonomy.ancestors(sense)):
                        if rule := self._nodes.get(f"{taxonomy.name}:{node.id}"):
                            yield rule


def _under_branches(analysis: Analysis, branches: _Branches) -> Iterator[Found]:
    """The longest phrases, sentence by sentence, that name a kind of a branch; names of people and places apart."""
    text = analysis.document.text
    marks = [m.span() for m in MARK.finditer(text)]
    names = [t for t in cut_terms(analysis.terms, marks) if t.kind in NAMES]
    taken = union([*marks, *((t.start, t.end) for t in names)])
    for term in names:
        if rule := branches.rule(term.key):
            yield term, rule
    terms = union((t.start, t.end) for t in analysis.terms)
    for first, last in analysis.sentences:
        words = [m.span() for m in _WORD.finditer(text, first, last)]
        hidden, inside = _touching(words, taken), _touching(words, terms)
        i = 0
        while i < len(words):
            for length in range(min(_LONGEST, len(words) - i), 0, -1):
                if any(hidden[i : i + length]):
                    continue
                start, end = words[i][0], words[i + length - 1][1]
                name = key(text[start:end])
                # A key drops stop words at the edges; a phrase that has any is not the phrase itself.
                if len(name.split()) != length:
                    continue
                if rule := branches.rule(name, is_term=any(inside[i : i + length]) or text[start].isupper()):
                    yield Term(start, end, text[start:end], name), rule
                    i += length - 1
                    break
            i += 1


def _touching(words: Sequence[Span], spans: Sequence[Span]) -> list[bool]:
    """Which words reach into one of the spans, both in order."""
    ends = [end for _, end in spans]
    at = [bisect_right(ends, start) for start, _ in words]
    return [i < len(spans) and spans[i][0] < end for i, (_, end) in zip(at, words, strict=True)]
