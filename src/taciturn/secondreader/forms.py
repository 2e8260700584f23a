"""The written forms to search for, and the index over all of them.

A form is compared by its letters alone, all words run together ("hepatitisc"), so that every separator, line end and
missing blank is one case; where its words begin is kept beside it and decides which gaps a text may show.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from taciturn.secondreader.letters import atoms, plain

__all__ = ["Entry", "Form", "Forms", "How", "canonical", "form_of", "forms_of"]

How = Literal["name", "abbreviation", "code", "derived", "homograph", "removed"]
IsOrdinary = Callable[[str], bool]

_CODE = re.compile(r"[A-TV-Z][0-9][0-9A-Z](?:\.?[0-9A-Z]{1,4})?$|[0-9]{3}\.[0-9]{1,2}$|[EV][0-9]{2,3}\.[0-9]{1,2}$")
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9&./-]{1,7}$")
_SPELLING = (
    (re.compile("ae|oe"), "e"),
    (re.compile("our"), "or"),
    (re.compile("sulph"), "sulf"),
    (re.compile("ys(?=e[ds]?$|ing$)"), "yz"),
    (re.compile("is(?=e[ds]?$|ing$|ations?$)"), "iz"),
    (re.compile("ll(?=ed$|ing$)"), "l"),
    (re.compile("(?<=[bt])re$"), "er"),
)
_CHANGED = re.compile("ae|oe|our|sulph|[iy]s(?:e|ing|ation)|ll(?:ed|ing)$|[bt]re$")
_PLURALS = (
    ("y", "ies"),
    ("is", "es"),
    ("us", "i"),
    ("um", "a"),
    ("a", "ae"),
    ("ma", "mata"),
    ("ex", "ices"),
    ("s", ""),
)
_SPELLED = 5  # letters of a word that may have two spellings
_LONG = 7  # letters of a word in which one may be wrong, in any name
_SLIP = 5  # letters of a word in which one but the first may be wrong, in what a thing is called
_VERY_LONG = 10  # letters of a form that is recognized inside any word
_LONGEST_TOGETHER = 24  # letters of a name whose words are written together with one of them wrong
_CUT_OFF = 3  # letters that a clipped word lacks, at least
_CLIPPED = 200  # entries that are looked at for one
_KEPT = 1 << 16
_FIRST = 4  # letters by which the lengths of entries are found


@dataclass(frozen=True, slots=True)
class Form:
    """A written form. ``how`` says how strictly it is matched, ``of`` which things it names.

    ``name``: in every variant. ``abbreviation``: in capitals, or in any case where the small letters make no ordinary
    word. ``code``: word-bounded, dots optional. ``derived``: a word made of a name; it and its plural, without wrong
    letters, for it may be no word itself. ``homograph``: an ordinary word that names the thing as well; found,
    and always called ambiguous. ``removed``: a string that a plan took out; its words as they are, in any case.
    """

    text: str
    how: How = "name"
    of: tuple[str, ...] = ()

    @property
    def is_own_name(self) -> bool:
        """Is it what its thing is called here, and not one of its other names?"""
        return not self.of or self.text in self.of


class Entry(NamedTuple):
    """A way to write a form: its number, and a bit for each offset at which a word of it begins."""

    form: int
    words: int


class Near(NamedTuple):
    """A word in an entry: the entry's letters and where in them the word stands."""

    letters: str
    start: int
    end: int


class Clue(NamedTuple):
    """What a run of letters may be: the beginning of an entry, words it is close to, entries that it holds, and a name
    of one word that it is short for."""

    begins: bool
    near: tuple[tuple[Near, str], ...] = ()
    holds: tuple[str, ...] = ()
    clipped: str = ""


_NOTHING = Clue(False)


def _never(word: str) -> bool:
    return False


def forms_of(names: Iterable[str | Form], is_ordinary_word: IsOrdinary = _never) -> Forms:
    """The index over names, each a form already or a string, which is told to be a name, an abbreviation or a code.

    ``is_ordinary_word`` answers for a word in small letters; such words raise no alarm for looking like a form.

    >>> [f.how for f in forms_of(["multiple sclerosis", "MS", "G35", "F20.0"]).forms]
    ['name', 'abbreviation', 'code', 'code']
    """
    made: dict[tuple[str, How], dict[str, None]] = {}
    for name in names:
        form = name if isinstance(name, Form) else form_of(name)
        if any(map(str.isalnum, form.text)):
            made.setdefault((form.text, form.how), {}).update(dict.fromkeys(form.of))
    # A name that is certain for one thing is no homograph because another thing has it as well.
    certain = {text for text, how in made if how != "homograph"}
    return Forms(
        tuple(
            Form(text, how, tuple(of)) for (text, how), of in made.items() if how != "homograph" or text not in certain
        ),
        is_ordinary_word,
    )


def form_of(text: str, *of: str) -> Form:
    """A string as a form: a name, an abbreviation or a code, by its looks.

    >>> form_of("MS", "multiple sclerosis").how
    'abbreviation'
    """
    if _CODE.match(text):
        return Form(text, "code", of)
    return Form(text, "abbreviation" if _ABBREVIATION.match(text) else "name", of)


@dataclass(frozen=True)
class Forms:
    """All forms, ready to be searched for. Made once for what is protected; its clues about words are kept.

    ``table`` has the entries by their letters, ``lengths`` the lengths of those that begin with the same four, and
    ``several`` the words of the names that users themselves gave.
    """

    forms: tuple[Form, ...]
    is_ordinary: IsOrdinary = _never
    table: dict[str, list[Entry]] = field(init=False, repr=False, compare=False)
    lengths: dict[str, tuple[int, ...]] = field(init=False, repr=False, compare=False)
    several: tuple[tuple[int, tuple[str, ...]], ...] = field(init=False, repr=False, compare=False)
    _sorted: list[str] = field(init=False, repr=False, compare=False)
    _near: dict[tuple[str, int, bool], list[str]] = field(init=False, repr=False, compare=False)
    _places: dict[str, list[Near]] = field(init=False, repr=False, compare=False)
    _clues: dict[str, Clue] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table: dict[str, list[Entry]] = {}
        places: dict[str, dict[Near, None]] = {}
        several: list[tuple[int, tuple[str, ...]]] = []
        for number, form in enumerate(self.forms):
            shown = tuple(a[2] for a in atoms(plain(form.text).text))
            words = tuple(map(canonical, shown))
            for way in dict.fromkeys(_ways(form, shown, words, self.is_ordinary)):
                letters, starts = _joined(way)
                entries = table.setdefault(letters, [])
                if Entry(number, starts) not in entries:
                    entries.append(Entry(number, starts))
            if form.text in form.of[:1] and len(words) > 1 and all(len(w) > 2 and w.isalpha() for w in words):
                several.append((number, words))
            if form.how == "name":
                _index_words(words, places, _SLIP if form.is_own_name else _LONG)
        near: dict[tuple[str, int, bool], list[str]] = {}
        for word in places:  # of two words that differ by a letter, or two that changed places, one half is the same
            part = (len(word) - 1) // 2
            near.setdefault((word[:part], len(word), True), []).append(word)
            near.setdefault((word[-part:], len(word), False), []).append(word)
        lengths: dict[str, set[int]] = {}
        for letters in (e for e in table if len(e) >= _FIRST):
            lengths.setdefault(letters[:_FIRST], set()).add(len(letters))
        set_ = object.__setattr__
        set_(self, "table", table)
        set_(self, "lengths", {first: tuple(sorted(found)) for first, found in sorted(lengths.items())})
        set_(self, "several", tuple(several))
        set_(self, "_sorted", sorted(table))
        set_(self, "_near", near)
        set_(self, "_places", {word: list(found) for word, found in places.items()})
        set_(self, "_clues", {})

    def __len__(self) -> int:
        return len(self.forms)

    def __bool__(self) -> bool:
        return bool(self.forms)

    def clues(self, words: Sequence[str]) -> list[Clue]:
        """What each of some runs of letters may be."""
        known = self._clues
        if len(known) > _KEPT:
            known.clear()
        for word in set(words).difference(known):  # the order makes no difference: each is asked for itself
            known[word] = self._clue(word)
        return [known[w] for w in words]

    def at(self, letters: str, start: int) -> Iterator[tuple[int, list[Entry]]]:
        """The entries that stand in run-together letters from an offset on, with their ends."""
        table = self.table
        for size in range(2, _FIRST):
            if (entries := table.get(letters[start : start + size])) and start + size <= len(letters):
                yield start + size, entries
        for length in self.lengths.get(letters[start : start + _FIRST], ()):
            if start + length > len(letters):
                break
            if entries := table.get(letters[start : start + length]):
                yield start + length, entries

    def begins(self, letters: str) -> bool:
        """Do any entries begin with these letters?"""
        at = bisect_left(self._sorted, letters)
        return at < len(self._sorted) and self._sorted[at].startswith(letters)

    def _clue(self, shown: str) -> Clue:
        word = canonical(shown)
        at = bisect_left(self._sorted, word)
        begins = self.begins(word) or any(word[:-cut] in self.table for cut in (1, 2) if len(word) > cut)
        # A wrong letter may look like the other spelling: "diaetes".
        near = tuple(dict.fromkeys(n for w in dict.fromkeys((word, shown)) for n in self._close(w)))
        holds = tuple(self._inside(word)) if len(word) >= 6 else ()
        clipped = self._clipped(word, at) if begins and len(word) >= _SLIP else ""
        return Clue(begins, near, holds, clipped) if begins or near or holds else _NOTHING

    def _close(self, word: str) -> Iterator[tuple[Near, str]]:
        """The words that differ from this one by a letter, unless it is a word of its own."""
        candidates: dict[str, str] = {}
        for end in ("", "s", "es"):
            stem = word.removesuffix(end) if end else word
            if (end and stem == word) or len(stem) < _SLIP - 1:
                continue
            for size in (len(stem) - 1, len(stem), len(stem) + 1):
                if size < _SLIP:
                    continue
                part = (size - 1) // 2
                for side, text in ((True, stem[:part]), (False, stem[-part:])):
                    for other in self._near.get((text, size, side), ()):
                        near = size >= _LONG or stem[0] == other[0]
                        if near and other not in candidates and _one_off(stem, other):
                            candidates[other] = end
        if candidates and not self.is_ordinary(word):
            for other, end in candidates.items():
                yield from ((place, end) for place in self._places[other])

    def _clipped(self, word: str, at: int) -> str:
        """The name of one word that a string, no word itself, begins: "adenoca", "brady". ``at`` is where it would
        stand among the entries."""
        for entry in self._sorted[at : at + _CLIPPED]:
            if not entry.startswith(word):
                break
            names = (e for e in self.table[entry] if e.words == 1 and self.forms[e.form].how == "name")
            if len(entry) >= len(word) + _CUT_OFF and any(names) and not self.is_ordinary(word):
                return entry
        return ""

    def _inside(self, word: str) -> Iterator[str]:
        """The forms of one word with which a longer, unknown word begins or ends: "hivpositive", "antisyphilis".

        What is left must be a word, unless the form is long; a short form counts if it is what its thing is called.
        """
        found = []
        for size in range(len(word) - 2, 2, -1):
            for part, rest in ((word[:size], word[size:]), (word[-size:], word[:-size])):
                if any(self._may_stand_inside(e, part, rest) for e in self.table.get(part, ())):
                    found.append((part, rest))
        if found and not self.is_ordinary(word):
            yield from (part for part, rest in found if len(part) >= _VERY_LONG or self.is_ordinary(rest))

    def _may_stand_inside(self, entry: Entry, part: str, rest: str) -> bool:
        form = self.forms[entry.form]
        if form.how not in ("name", "abbreviation") or entry.words != 1:
            return False
        return len(part) >= _LONG or (form.is_own_name and len(rest) > len(part))


def canonical(word: str) -> str:
    """A word in one of its spellings, the same for all of them: British and American.

    >>> [canonical(w) for w in ("leukaemia", "leukemia", "oesophagus", "tumour", "hospitalised", "fibre")]
    ['leukemia', 'leukemia', 'esophagus', 'tumor', 'hospitalized', 'fiber']
    """
    if len(word) >= _SPELLED and _CHANGED.search(word):
        for pattern, made in _SPELLING:
            word = pattern.sub(made, word)
    return word


def _joined(words: Sequence[str]) -> tuple[str, int]:
    starts, at = 0, 0
    for word in words:
        starts |= 1 << at
        at += len(word)
    return "".join(words), starts


def _ways(
    form: Form, shown: tuple[str, ...], words: tuple[str, ...], is_ordinary: IsOrdinary
) -> Iterator[tuple[str, ...]]:
    """The words of a form, as shown and canonical, in each way to write them that the text's side cannot undo."""
    yield words
    yield shown  # for letters spaced out, which are not canonical
    if form.how not in ("name", "derived"):
        return
    # "Crohn's disease" is written "Crohn disease" and "Crohns disease" as well.
    for i, word in enumerate(words[:-1]):
        if word == "s" and i:
            yield (*words[:i], *words[i + 1 :])
        elif len(word) >= 4 and words[i + 1] != "s" and not word.endswith("s"):
            yield (*words[: i + 1], "s", *words[i + 1 :])
    last = words[-1]
    for end, plural in _PLURALS:
        if last.endswith(end) and len(last) >= 5 and not last.endswith("ss"):
            made = canonical(last.removesuffix(end) + plural)
            if len(words) > 1 or (len(made) > 3 and not is_ordinary(made)):
                yield (*words[:-1], made)


def _index_words(words: Sequence[str], places: dict[str, dict[Near, None]], least: int) -> None:
    letters, at = "".join(words), 0
    for word in words:
        if len(word) >= least and word.isalpha():
            places.setdefault(word, {})[Near(letters, at, at + len(word))] = None
        at += len(word)
    # "#prostaatecancer"; but "hepatitis" is no misspelling of "hepatitisc".
    if len(words) > 1 and letters.isalpha() and len(letters) <= _LONGEST_TOGETHER and min(map(len, words)) > 2:
        places.setdefault(letters, {})[Near(letters, 0, len(letters))] = None


def _one_off(a: str, b: str) -> bool:
    """Do two different words differ by one letter too many, too few or another, or by two that changed places?

    >>> [_one_off("syphillis", w) for w in ("syphilis", "syphillsi", "syphillis", "phyllis")]
    [True, True, False, False]
    """
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    if len(a) != len(b):
        short, long = sorted((a, b), key=len)
        return short[i:] == long[i + 1 :]
    return a[i + 1 :] == b[i + 1 :] or (a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :])
