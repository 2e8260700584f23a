"""Find identifiers: three scans for triggers, then patterns at those places only.

Every identifier holds a digit, a sign such as @ or $, or one of a few hundred words (a month, a number word, a
currency, a word that announces a number). Three compiled scans find these; at a trigger the finders for it look at a
bounded stretch of text. So the time is linear in the text whatever it holds, and prose without triggers costs the scans
alone. (One scan for all three was four times slower: the engine then tries every branch at every character.)

One resolver: triggers from left to right; at one trigger the longest reading wins, of equally long ones the kind that
stands first in :data:`KINDS`; what begins inside a found identifier is dropped. E-mail and web addresses, which are
recognized in their middle, take back what was found in their first half.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from taciturn.language.chunks import Chunks, chunk, find_in, occurrences
from taciturn.language.lexicon import LEXICON, any_word
from taciturn.language.wordtable import WordMemo
from taciturn.recognizers import amounts, codes, contacts, places, times, words
from taciturn.recognizers.base import KINDS, DigitFinder, Finder, Found, Identifier
from taciturn.recognizers.plugins import with_plugins

__all__ = ["Trigger", "find_identifiers", "identify", "triggers"]

Trigger = tuple[int, tuple[int, str]]
"""Where an identifier may begin, which of the three scans saw it, and the word it saw."""

_BY_WORD, _BY_DIGIT, _BY_SIGN = range(3)

_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


_SEASONS, _ORDINALS = LEXICON.words("times.season"), LEXICON.words("numbers.ordinal")
_WORDS: list[tuple[list[str], tuple[Finder, ...]]] = [
    (
        [*words.MONTHS, *(m.upper() for m in words.MONTHS), *LEXICON.words("times.month-short", "times.weekday"),
         *_SEASONS, *(s.capitalize() for s in _SEASONS), *LEXICON.words("times.decade"),
         *(h.split()[0] for h in LEXICON.words("times.holiday"))],
        (times.at_name,),
    ),
    (
        words.cased([*words.ONES, *words.TENS, *_ORDINALS, *(v.split()[0] for v in words.VAGUE)]),
        (times.at_number_word, amounts.at_number),
    ),
    (words.cased(LEXICON.words("times.age", "times.turned")), (times.at_age,)),
    ([*LEXICON.words("units.currency", "units.before-sign")], (amounts.at_currency,)),
    (words.cased(LEXICON.words("codes.no")), (codes.at_no,)),
    (["P", "PO", "p", "po"], (places.at_box,)),
    ([*LEXICON.words("places.street-before-house")], (places.at_street,)),
    (words.cased(codes.CONTEXT_WORDS), (codes.at_context,)),
]  # fmt: skip
_WORD_FINDERS: dict[str, tuple[Finder, ...]] = {}
for _names, _finders in _WORDS:
    for _name in _names:
        _WORD_FINDERS[_name] = tuple(dict.fromkeys(_WORD_FINDERS.get(_name, ()) + _finders))
_PLAIN_WORDS = {name for name in _WORD_FINDERS if name.isascii() and name.isalpha()}

_WORD = re.compile(r"\b(?:" + any_word(_WORD_FINDERS) + r")(?![a-zA-Z])")
_DIGIT = re.compile(r"(?<!\d)\d")
_RUN = re.compile(r"\d+")
_SIGN = re.compile(
    r"[@$€£¥₹₽₺₪₩№#]|:(?=//|[0-9a-fA-F:])|[wW]{3}\.(?=\w)"
    rf"|\.(?={LEXICON.any_of('contacts.domain')}(?![\w-]))"
)
_TOKEN = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z0-9]{1,16}|[0-9a-fA-F]{1,4})$")
_CAPITALS = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,6}[ -]$")
_HEX = re.compile(r"(?<![\w:.])[0-9a-fA-F]{0,4}$")
_DIGIT_FINDERS: tuple[DigitFinder, ...] = (
    times.at_digit,
    amounts.at_digit,
    codes.at_digit,
    places.at_digit,
    contacts.at_digit,
)
_CAPITAL_FINDERS: tuple[Finder, ...] = (codes.at_capital, places.at_capital_code, contacts.at_colons)


def _at_digit(text: str, at: int, end: int, start: int) -> Iterator[Found]:
    """What a run of digits begins, ends, or is the middle of."""
    before = text[at - 1] if at > start else ""
    if before.isalnum():
        if token := _TOKEN.search(text[max(start, at - 17) : at]):
            for finder in _CAPITAL_FINDERS:
                yield from finder(text, at - len(token.group()), end)
        return
    if before and before in ".,:/-" and at - 1 > start and text[at - 2].isdigit():
        return
    if before and before in "+(":
        yield from contacts.at_phone(text, at - 2 if at - 1 > start and text[at - 2] == "(" else at - 1, end)
    if before and before in " -" and (token := _CAPITALS.search(text[max(start, at - 8) : at])):
        for finder in _CAPITAL_FINDERS:
            yield from finder(text, at - len(token.group()), end)
    run = _RUN.match(text, at, end)
    stop = run.end() if run else at
    for find in _DIGIT_FINDERS:
        yield from find(text, at, end, stop)


def _at_sign(text: str, at: int, end: int, start: int) -> Iterator[Found]:
    """What stands around a sign."""
    sign = text[at]
    if sign == "@":
        yield from contacts.at_sign(text, at, end, start)
    elif sign == ".":
        yield from contacts.at_dot(text, at, end, start)
    elif sign == ":":
        if text.startswith("//", at + 1):
            yield from contacts.at_scheme(text, at, end, start)
        elif token := _HEX.search(text[max(start, at - 5) : at]):
            yield from contacts.at_colons(text, at - len(token.group()), end)
    elif sign in "wW":
        yield from contacts.at_scheme(text, at, end, start)
    elif sign in "№#":
        yield from codes.at_no(text, at, end)
    else:
        yield from amounts.at_currency(text, at, end)


def _at_word(text: str, at: int, end: int, word: str) -> Iterator[Found]:
    for finder in _WORD_FINDERS[word]:
        yield from finder(text, at, end)


def _better(one: Found, other: Found) -> bool:
    """Whether the first of two readings that overlap is the one to keep."""
    return (one[1] - one[0], -_RANK[one[2]]) > (other[1] - other[0], -_RANK[other[2]])


def _resolved(candidates: Iterable[Found]) -> list[Found]:
    """The better one of every two candidates that overlap, in order."""
    kept: list[Found] = []
    for candidate in candidates:
        rivals = [other for other in kept if other[0] < candidate[1] and candidate[0] < other[1]]
        if all(_better(candidate, other) for other in rivals):
            kept = [other for other in kept if other not in rivals]
            kept.append(candidate)
    return sorted(kept)


def find_identifiers(text: str, start: int = 0, end: int | None = None) -> list[Identifier]:
    """The identifiers in a text, or in the part from ``start`` to ``end``, in order and without overlap.

    >>> [(i.value, i.kind) for i in find_identifiers("Born on 12 March 1984; write to j.doe@example.org by 2 p.m.")]
    [('12 March 1984', 'date'), ('j.doe@example.org', 'email'), ('2 p.m.', 'time')]
    >>> [(i.value, i.kind) for i in find_identifiers("a 47-year-old on 5 mg, application no. 18403/91")]
    [('47-year-old', 'age'), ('5 mg', 'quantity'), ('18403/91', 'case-number')]
    """
    end = len(text) if end is None else end
    found = identify(text, start, end, triggers(chunk(text, [(start, end)])))
    return [Identifier(s, e, kind, text[s:e]) for s, e, kind in found]


def triggers(chunks: Chunks) -> list[Trigger]:
    """The triggers in chunks, in order; looked for in the different chunks only, for none holds white space."""
    hits = [(chunks.numbers[word], 0, (_BY_WORD, word)) for word in _PLAIN_WORDS & chunks.numbers.keys()]
    seen = _SEEN.of([chunks.types[number] for number in chunks.mixed])
    hits += [(number, at, what) for number, here in zip(chunks.mixed, seen, strict=True) for at, what in here]
    return occurrences(chunks, hits)


def _scan(words: list[str]) -> list[tuple[Trigger, ...]]:
    """The triggers in each of many chunks."""
    scans = zip(find_in(words, _WORD), find_in(words, _DIGIT), find_in(words, _SIGN), strict=True)
    return [
        (
            *((at, (_BY_WORD, word)) for at, word in by_word),
            *((at, (_BY_DIGIT, "")) for at, _ in by_digit),
            *((at, (_BY_SIGN, "")) for at, _ in by_sign),
        )
        for by_word, by_digit, by_sign in scans
    ]


_SEEN = WordMemo(_scan, 1 << 15)


def identify(text: str, start: int, end: int, triggers: Iterable[Trigger]) -> list[Found]:
    """The identifiers at the triggers of a part of a text, in order and without overlap."""
    found: list[Found] = []
    done = start
    for at, (scan, word) in triggers:
        if at < done:
            continue
        if scan == _BY_WORD:
            candidates = _at_word(text, at, end, word)
        elif scan == _BY_DIGIT:
            candidates = _at_digit(text, at, end, start)
        else:
            candidates = _at_sign(text, at, end, start)
        here = list(candidates)
        for candidate in _resolved(here) if len(here) > 1 else here:
            if candidate[0] < start:
                continue
            if candidate[0] < done:
                if candidate[2] not in ("email", "url") and not _better(candidate, found[-1]):
                    continue
                while found and found[-1][1] > candidate[0]:
                    found.pop()
            found.append(candidate)
            done = candidate[1]
    return with_plugins(text, start, end, found)
