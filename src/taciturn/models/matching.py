"""Search a text for given strings and patterns, as whole words, in time linear in the text.

Strings are looked up word by word in a table, so a million of them cost no more than one. Patterns are run by RE2, an
automaton without backtracking: no pattern and no text can make it slow. That is why back references and look-around
are not part of its language, and are refused with a message.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from taciturn.document import Span, Term
from taciturn.language import key
from taciturn.language.letters import LETTER

__all__ = ["Matcher", "cut_terms", "union"]

_WORD = re.compile(rf"{LETTER}+")
_HIDE = "hide"
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Matcher:
    """Strings as they are written (``exact``), in any capitals (``ignore_case``), and regular expressions of RE2.

    A string is found where whole words of the text are its words, whatever white space is between them. A pattern is
    found wherever it matches, and may not match nothing at all; of one with a group ``(?P<hide>...)``, that part is.

    >>> text = "Ann met ANN  LEE (case 17/4)."
    >>> [text[a:b] for a, b in Matcher(exact=["Ann"], ignore_case=["ann lee"], pattern=[r"[0-9]+/[0-9]+"]).spans(text)]
    ['Ann', 'ANN  LEE', '17/4']
    """

    exact: Sequence[str] = ()
    ignore_case: Sequence[str] = ()
    pattern: Sequence[str] = ()
    _exact: dict[tuple[str, ...], set[str]] = field(init=False, repr=False, compare=False)
    _folded: dict[tuple[str, ...], set[str]] = field(init=False, repr=False, compare=False)
    _patterns: tuple[Any, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("exact", "ignore_case", "pattern"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise ValueError(f"{name} is the one string {value!r}; give a list of strings")
            object.__setattr__(self, name, tuple(value))
        object.__setattr__(self, "_exact", _table(self.exact))
        object.__setattr__(self, "_folded", _table(s.casefold() for s in self.ignore_case))
        object.__setattr__(self, "_patterns", tuple(_compiled(p) for p in self.pattern))

    def __len__(self) -> int:
        return len(self.exact) + len(self.ignore_case) + len(self.pattern)

    def spans(self, text: str) -> list[Span]:
        """The places, in order and without overlap; those that overlap are one."""
        found: list[Span] = []
        if self._exact or self._folded:
            words = [m.span() for m in _WORD.finditer(text)]
            found += _strings(text, words, self._exact, fold=False)
            found += _strings(text, words, self._folded, fold=True)
        for compiled in self._patterns:
            group = compiled.groupindex.get(_HIDE, 0)
            found += (m.span(group) for m in compiled.finditer(text) if m.end(group) > m.start(group))
        return union(found)


def union(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that overlap made one.

    >>> union([(4, 6), (0, 3), (2, 4)])
    [(0, 4), (4, 6)]
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def cut_terms(terms: Iterable[Term], spans: Sequence[Span]) -> Iterator[Term]:
    """The terms without what lies in the spans; of a term that reaches into one, what is left of it stays a term.

    >>> [t.text for t in cut_terms([Term(0, 15, "Boston Marathon", "boston marathon", "place")], [(0, 6)])]
    ['Marathon']
    """
    ends = [end for _, end in spans]
    for term in terms:
        at, i = term.start, bisect_left(ends, term.start + 1)
        if i == len(spans) or spans[i][0] >= term.end:
            yield term
            continue
        edges: list[Span] = []
        while i < len(spans) and spans[i][0] < term.end:
            edges.append((at, spans[i][0]))
            at = spans[i][1]
            i += 1
        for start, end in (*edges, (at, term.end)):
            words = [m.span() for m in _WORD.finditer(term.text, max(start - term.start, 0), max(end - term.start, 0))]
            if words and (name := key(term.text[words[0][0] : words[-1][1]])):
                first, last = words[0][0], words[-1][1]
                yield Term(term.start + first, term.start + last, term.text[first:last], name, term.kind, term.mention)


def _table(strings: Iterable[str]) -> dict[tuple[str, ...], set[str]]:
    """Strings by their words: for those words, each way to write what stands between and around them."""
    table: dict[tuple[str, ...], set[str]] = {}
    for string in strings:
        words = tuple(_WORD.findall(string))
        if not words:
            raise ValueError(f"{string!r} has no letter and no figure, so it is no term; write a pattern for it")
        table.setdefault(words, set()).add(_SPACE.sub(" ", string.strip()))
    return table


def _strings(text: str, words: Sequence[Span], table: dict[tuple[str, ...], set[str]], *, fold: bool) -> Iterator[Span]:
    if not table:
        return
    lengths: dict[str, set[int]] = {}
    for listed in table:
        lengths.setdefault(listed[0], set()).add(len(listed))
    shown = [text[a:b].casefold() if fold else text[a:b] for a, b in words]
    for first, word in enumerate(shown):
        for length in lengths.get(word, ()):
            entry = tuple(shown[first : first + length])
            # At the end of the text fewer words are left: they would pass for a shorter entry.
            for string in table.get(entry, ()) if len(entry) == length else ():
                inside = [m.span() for m in _WORD.finditer(string)]
                start = words[first][0] - inside[0][0]
                end = words[first + length - 1][1] + len(string) - inside[-1][1]
                here = _SPACE.sub(" ", text[max(start, 0) : end])
                if start >= 0 and (here.casefold() if fold else here) == string:
                    yield start, end


def _compiled(pattern: str) -> Any:
    import re2  # type: ignore[import-untyped]

    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise ValueError(
            f"the pattern {pattern!r} cannot be used: {reason}; write it in RE2's language, "
            "which has no back references and no look-around"
        ) from None
    if compiled.search("") is not None:
        raise ValueError(f"the pattern {pattern!r} matches nothing at all, and so everywhere; make a part obligatory")
    return compiled
