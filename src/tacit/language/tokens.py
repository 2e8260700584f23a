"""Words, numbers and marks with exact offsets.

One regular expression that matches *every* character (white space included) cuts the text, so the offsets are the
running sum of the lengths: no match objects, and nothing can be lost. Each alternative consumes what it scanned, or
scans a bounded number of characters, so the time is linear in the text whatever it holds.

Words are cut where a noun phrase can begin or end: at hyphens, slashes and possessives ("15-year term",
"Norton's"), but not inside contractions ("don't"), initialisms ("U.S."), numbers ("18,403.5") or abbreviations
("Inc."), whose full stop belongs to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.document import Span

__all__ = ["ABBREVIATIONS", "Ints", "Tokens", "tokenize"]

Ints = NDArray[np.int64]

ABBREVIATIONS = frozenset(
    # Titles, ranks, companies, months and days, addresses, scholarly and clinical shorthand.
    "mr mrs ms mx messrs dr drs prof rev fr sr jr st ste gen col lt sgt capt cpt cmdr adm maj brig gov sen rep hon "
    "pres atty supt det insp ph md esq "
    "inc ltd co corp bros llc plc dept univ assn assoc intl natl govt est mfg "
    "jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thur thurs fri "
    "ave blvd rd hwy apt ft mt bldg "
    "v vs etc al cf ca approx ed eds vol vols fig figs pp para no nos sec ch ver ext tel fax misc ie eg viz resp "
    "max avg min "
    "pt pts hx dx rx tx sx fx wt ht temp neg abd bilat".split()
)
"""Words whose following full stop is part of them, in lower case. An error costs one mark in one phrase."""

_WORD = r"[^\W\d_][\w\u0300-\u036f\u00ad\u200d]*(?:['’](?!(?:[sS]|ll|LL|re|RE|ve|VE|[dD]|[mM])\b)\w+)*"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
_REST = (
    r"\s+"
    r"|(?:https?://|www\.)[^\s<>\"]*[\w/]"
    r"|(?:[^\W\d_]\.){2,}(?![^\W\d_])"
    rf"|{_WORD}"
    r"|\d+(?:[.,]\d+)*(?:(?:st|nd|rd|th|s)(?!\w))?"
    r"|['’](?:[sS]|ll|LL|re|RE|ve|VE|[dD]|[mM])\b"
    r"|\.{2,}|-{2,}|={2,}|\*{2,}|_{2,}|#{2,}|~{2,}"
    r"|[\s\S]"
)
_PLAIN = re.compile(_REST)
_WITH_MAIL = re.compile(rf"{_MAIL}|{_REST}")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: where each starts and ends, and which of the ``types`` it is.

    ``types`` holds every different token once, so whatever depends on the word alone is computed once for each.
    """

    starts: Ints
    ends: Ints
    ids: Ints
    types: list[str]

    def __len__(self) -> int:
        return len(self.ids)


class _Interner(dict[str, int]):
    """A number for every different string, in order of first use."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


def tokenize(text: str, spans: Iterable[Span] | None = None) -> Tokens:
    """The tokens of ``text``, or of the given spans of it; no token crosses the end of a span.

    >>> text = "Norton's 15-year term at Acme Inc. isn't over."
    >>> tokens = tokenize(text)
    >>> [text[s:e] for s, e in zip(tokens.starts, tokens.ends)]
    ['Norton', "'s", '15', '-', 'year', 'term', 'at', 'Acme', 'Inc.', "isn't", 'over', '.']
    """
    spans = [(0, len(text))] if spans is None else list(spans)
    interner = _Interner()
    number = interner.__getitem__
    shares: list[int] = []
    runs: list[Ints] = []
    for start, end in spans:
        pattern = _WITH_MAIL if text.find("@", start, end) >= 0 else _PLAIN
        pieces = pattern.findall(text, start, end)
        runs.append(np.fromiter(map(number, pieces), np.int64, len(pieces)))
        shares.append(len(pieces))
    ids = np.concatenate(runs) if runs else np.zeros(0, np.int64)
    types = list(interner)
    if not types:
        return Tokens(ids, ids, ids, types)
    lengths = np.fromiter(map(len, types), np.int64, len(types))
    blank = np.fromiter(map(str.isspace, types), np.bool_, len(types))
    # Each span's pieces cover it, so the running sum is off by what lies between the spans, the same within each.
    ends = np.cumsum(lengths[ids])
    covered = np.cumsum([0, *(end - start for start, end in spans)])[:-1]
    ends += np.repeat(np.array([start for start, _ in spans], np.int64) - covered, shares)
    solid = np.flatnonzero(~blank[ids])
    ids, ends = ids[solid], ends[solid]
    return _join_abbreviations(Tokens(ends - lengths[ids], ends, ids, types))


def _join_abbreviations(tokens: Tokens) -> Tokens:
    """Give the full stop that touches an abbreviation to it."""
    types, ids = tokens.types, tokens.ids
    try:
        stop = types.index(".")
    except ValueError:
        return tokens
    shortened = np.fromiter((t.lower() in ABBREVIATIONS for t in types), np.bool_, len(types))
    joined = np.flatnonzero(shortened[ids[:-1]] & (ids[1:] == stop) & (tokens.starts[1:] == tokens.ends[:-1]))
    if not len(joined):
        return tokens
    types = list(types)
    with_stop = np.zeros(len(types), np.int64)
    for number in np.unique(ids[joined]).tolist():
        with_stop[number] = len(types)
        types.append(types[number] + ".")
    ids, ends = ids.copy(), tokens.ends.copy()
    ids[joined] = with_stop[ids[joined]]
    ends[joined] += 1
    kept = np.ones(len(ids), np.bool_)
    kept[joined + 1] = False
    return Tokens(tokens.starts[kept], ends[kept], ids[kept], types)
