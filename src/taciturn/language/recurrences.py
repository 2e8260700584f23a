"""Where the names that a document uses occur again in it: exact forms, word by word, in one pass over the text.

A form is the words of a name. It is found word-bounded, in the same case or in capitals, across a hyphen, an
apostrophe or the dot of an initial.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from taciturn.language.chunks import Chunks, find_in, occurrences
from taciturn.language.names import TITLE_BEFORE, TITLES
from taciturn.language.wordtable import WordMemo

__all__ = ["WORD", "Forms", "Group", "Occurrence", "find_forms", "small_words"]

WORD = re.compile(r"[^\W_]+")
_SMALL = re.compile(r"(?<![\w'’])[^\W\d_A-Z][^\W\d_A-Z]+(?!\w)")
_NEXT = re.compile(r"(?:(?<![^\W_]{4})\.)?[^\S\n]{0,2}['’&/-]?[^\S\n]{0,1}(?P<word>[^\W_]+)")
_LONGEST = 8

Group = tuple[str, str | int]
"""What terms that belong together have in common: ("person", number), ("name", key) or ("acronym", key)."""

Forms = dict[tuple[str, ...], Group]
Occurrence = tuple[int, int, Group | None]


def find_forms(text: str, chunks: Chunks, forms: Forms) -> Iterator[Occurrence]:
    """Where a form occurs, the longest at each place, from left to right; a person's with the title before it."""
    single: dict[str, Group] = {}
    table: dict[str, dict[int, Forms]] = {}
    for form, group in forms.items():
        if len(form) == 1:
            single[form[0]] = group
        elif len(form) <= _LONGEST:
            for written in (form, tuple(word.upper() for word in form)):
                table.setdefault(written[0], {}).setdefault(len(written), {}).setdefault(written, group)
    longer = {first: sorted(by_length.items(), reverse=True) for first, by_length in table.items()}
    pairs = {written[:2] for choices in longer.values() for _, known in choices for written in known}
    done = 0
    for start, first in _first_words(chunks, single.keys() | longer.keys()):
        if start < done:
            continue
        found = None
        end = start + len(first)
        if first in longer and (after := _NEXT.match(text, end)) and (first, after["word"]) in pairs:
            found = _longer_form(text, start, first, longer[first])
        if found is None:
            if first not in single or len(first) == 1 or not _is_bounded(text, start, end):
                continue
            found = end, single[first]
        end, group = found
        begin = start - _title_length(text[max(done, start - 14) : start]) if group[0] == "person" else start
        yield begin, end, group
        done = end


def _longer_form(text: str, start: int, first: str, choices: list[tuple[int, Forms]]) -> tuple[int, Group] | None:
    """The end and the group of the longest form of two words or more that begins with a word at a place."""
    words, ends = _words_from(text, start, first, choices[0][0])
    for length, known in choices:
        if length > len(words) or (group := known.get(tuple(words[:length]))) is None:
            continue
        end = ends[length - 1]
        if not _is_bounded(text, start, end):
            continue
        if len(first) > 1 or any(len(word) > 1 for word in words[:length]):
            return end, group
        # Initials have their dots.
        if text.count(".", start, end) >= length - 1:
            return end + text.startswith(".", end), group
    return None


def _first_words(chunks: Chunks, firsts: Iterable[str]) -> list[tuple[int, str]]:
    """Where the words stand that forms begin with, as a run of letters and digits with none beside it."""
    wanted = frozenset(firsts)
    if not wanted:
        return []
    plain = {word for word in wanted if word.isascii() and word.isalpha()}
    hits = [(chunks.numbers[word], 0, word) for word in plain & chunks.numbers.keys()]
    parts = _PARTS.of([chunks.types[number] for number in chunks.mixed])
    hits += [
        (number, at, word)
        for number, (words, _) in zip(chunks.mixed, parts, strict=True)
        for at, word in words
        if word in wanted
    ]
    return occurrences(chunks, hits)


def _title_length(before: str) -> int:
    """How many characters a title takes at the end of what stands before a name."""
    # The look at the ends is what every name costs; few get further.
    if before[-1:].isspace() and before[:-1].removesuffix(".").endswith(TITLES):
        title = TITLE_BEFORE.search(before)
        return len(title.group()) if title else 0
    return 0


def _words_from(text: str, start: int, first: str, count: int) -> tuple[list[str], list[int]]:
    """The words that follow one another from a first word on, at most a number of them, and their ends."""
    words, ends = [first], [start + len(first)]
    while len(words) < count and (word := _NEXT.match(text, ends[-1])) and word.start("word") > ends[-1]:
        words.append(word["word"])
        ends.append(word.end())
    return words, ends


def _is_bounded(text: str, start: int, end: int) -> bool:
    """Whether no letter, hyphen or the like goes on from a span."""
    return text[end : end + 1] not in ("-", "_") and text[start - 1 : start] not in ("-", "_", "@", ".")


def small_words(chunks: Chunks) -> set[str]:
    """The words of two letters or more that the text writes without capitals."""
    small = {word for word in chunks.numbers if word.islower() and len(word) > 1 and word.isalpha()}
    return small.union(*(small for _, small in _PARTS.of([chunks.types[number] for number in chunks.mixed])))


_Parts = tuple[tuple[tuple[int, str], ...], tuple[str, ...]]
"""The words within a chunk, each with its place; and those of them in small letters."""


def _parts(chunks: list[str]) -> list[_Parts]:
    found = zip(find_in(chunks, WORD), find_in(chunks, _SMALL), strict=True)
    return [(tuple(words), tuple([word for _, word in small])) for words, small in found]


_PARTS = WordMemo(_parts, 1 << 15)
