"""What is denied: terms, branches of a taxonomy and lists of strings that do not stand in the release at all.

Unlike the models that weigh what terms reveal, this one asks only whether a thing stands in the text, in any form that
has the same key, under any synonym, or as any kind of what a branch names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tacit.document import Span, Term
from tacit.knowledge import Knowledge
from tacit.language import Analysis, key
from tacit.models.base import Guarantee, Violation
from tacit.models.matching import Matcher, cut_terms, union
from tacit.models.protected import UnknownEntityError
from tacit.models.reading import NAMES, readings
from tacit.models.sensitive import named_terms
from tacit.plan import Edit, Figure, Plan, resolve
from tacit.replacement import MARK, Marks, MarkStyle, write_mark

__all__ = ["Denied"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_EVERYDAY = "wordnet"
_LONGEST = 6  # words of a phrase that is looked for under a branch

Found = tuple[Term, str]
"""A denied term and the rule that denies it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """Nothing that is denied stands in the release.

    ``terms``: by name, with their synonyms. ``branches``: every term that is a kind of these, by its likeliest sense.
    ``lists``: strings and patterns, by the name of the list. ``mark``: how a redaction looks.

    >>> Denied(terms=["HIV"]).name
    'denied'
    """

    terms: Sequence[str] = ()
    branches: Sequence[str] = ()
    lists: Mapping[str, Matcher] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    mark: MarkStyle = "redacted"

    def __post_init__(self) -> None:
        for name in ("terms", "branches"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        object.__setattr__(self, "lists", MappingProxyType(dict(self.lists)))
        if not self.terms and not self.branches and not any(len(m) for m in self.lists.values()):
            raise ValueError("nothing is denied: name terms, branches or lists")

    @property
    def name(self) -> str:
        return "denied"

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
            edits.append(
                Edit(written.start, written.end, original, written.text, reason, self.name, term.kind, figures)
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
        for rule, start, end in self._listed(text):
            violations.append(Violation(((start, end),), f"{text[start:end]!r} is denied: {rule}", {"rule": rule}))
        return Guarantee(
            self.name,
            "no denied term, no kind of a denied branch and no entry of a denied list stands in the text",
            not violations,
            -float(len(violations)) if violations else 1.0,
            {
                "terms": len(self.terms),
                "branches": len(self.branches),
                "list entries": sum(map(len, self.lists.values())),
            },
            {"expressions checked": len(found)},
            (*self.terms, *self.branches),
            tuple(violations),
        )

    def _names(self, knowledge: Knowledge) -> dict[str, str]:
        """The keys of the terms and of their synonyms, each with its rule."""
        names: dict[str, str] = {}
        for term in self.terms:
            own = key(term)
            for name in (own, *(s for t in knowledge.taxonomies for s in t.synonyms(own))):
                names.setdefault(name, f"term {term}")
        return names

    def _listed(self, text: str) -> Iterator[tuple[str, int, int]]:
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
        found += [(Term(a, b, text[a:b], key(text[a:b])), rule) for rule, a, b in self._listed(text)]
        if self.branches:
            found += _under_branches(analysis, _Branches(self.branches, knowledge))
        return found


class _Branches:
    """Which keys name a kind of something."""

    def __init__(self, branches: Sequence[str], knowledge: Knowledge) -> None:
        self._known: dict[tuple[str, bool], str | None] = {}
        nodes: dict[str, str] = {}
        for branch in branches:
            senses = [(t, n) for t in knowledge.taxonomies for n in t.senses(key(branch))[:1]]
            if not senses:
                raise UnknownEntityError(
                    f"no taxonomy knows {branch!r}, so its kinds cannot be denied; check the spelling"
                )
            nodes |= {f"{t.name}:{n.id}": f"branch {branch}" for t, n in senses}
        self._nodes = nodes
        self._taxonomies = [t for t in knowledge.taxonomies if any(n.startswith(f"{t.name}:") for n in nodes)]

    def rule(self, name: str, *, is_term: bool = True) -> str | None:
        """The rule that denies a key, by its likeliest sense in each taxonomy; None if none does.

        Of a small word outside all terms, perhaps a verb ("she left"), the taxonomy of everyday words says nothing.
        """
        asked = (name, is_term)
        if asked not in self._known:
            self._known[asked] = next(self._rules(name, is_term), None)
        return self._known[asked]

    def _rules(self, name: str, is_term: bool) -> Iterator[str]:
        for taxonomy in self._taxonomies:
            if is_term or taxonomy.name != _EVERYDAY:
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
