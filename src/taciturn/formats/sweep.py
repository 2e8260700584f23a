"""Finding removed strings wherever they hide: one way of matching, used by the sweep and by the leak check.

How strings are matched
    Both sides are folded: compatibility forms (ligatures, full width), case, accents, soft hyphens and invisible
    characters make no difference. A match starts and ends at a border between letters, digits and anything else, so
    "Banderas_2024.pdf" holds "Banderas" and "anticancer" does not hold "cancer". Between the words of a string up to
    four other characters may stand ("antonio-banderas", "Antonio%20Banderas"), or none ("AntonioBanderas").
    Ideographs, kana, Thai and Hangul have no word borders and match anywhere.
What counts as removed
    A string that an edit replaced and that the released text no longer has anywhere; and each word of it, on the same
    condition, if it has at least three letters and is no function word. So after "liver cancer" -> "cancer" the word
    "liver" is searched for and "cancer" is not. What no reader sees is swept for every string that an edit replaced,
    left over or not. Another spelling that a plan left readable ("antonio.banderas@...") is
    the plan's business: that spelling is let through, and no other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from taciturn.formats.base import Watch, unwatched
from taciturn.language.lexicon import LEXICON
from taciturn.plan import Applied, Edit

__all__ = ["Matcher", "Removed", "Sweeper", "fold", "is_specific", "removed", "to_sweep"]

_SINGLE = (
    "\u0e00-\u0eff\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3040-\u318f\u31f0-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b2ff\U00020000-\U0003ffff"
)
# Indic scripts write vowels as marks, which \w leaves out: their blocks count as letters whole.
_TOKEN = re.compile(rf"[{_SINGLE}]|\d+|(?:[^\W\d_{_SINGLE}]|[\u0900-\u0dff\u0f00-\u109f])+")
_IGNORED = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\ufe00-\ufe2f]"
)
_LONGEST_GAP = 4
_MARK = "[REDACTED]"
_FEW = 100  # up to so many words are faster looked for one by one
_SPACED = re.compile(r"(?<!\w)\w(?:[ \u00a0\u2009\t\r\n]\w(?!\w)){2,}")

_FUNCTION_WORDS = LEXICON.word_set("function.everywhere")


def _fold_char(char: str) -> str:
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(c for c in text if not _IGNORED.match(c) and unicodedata.category(c) != "Cf")


_folded: dict[str, str] = {}


def fold(text: str) -> tuple[str, list[int] | None]:
    """The text as it is compared, and where each of its characters came from (None: at the same place).

    >>> fold("Mu\\u0308ller")
    ('muller', [0, 1, 3, 4, 5, 6])
    >>> fold("HIV")
    ('hiv', None)
    """
    if text.isascii():
        return text.lower(), None
    pieces: list[str] = []
    origin: list[int] = []
    for i, char in enumerate(text):
        piece = _folded.get(char)
        if piece is None:
            piece = _fold_char(char)
            if len(_folded) < 20_000:
                _folded[char] = piece
        pieces.append(piece)
        origin.extend([i] * len(piece))
    return "".join(pieces), origin


def is_specific(text: str) -> bool:
    """Whether a string says enough to be searched for in structure too, and not in texts only.

    "12" or "ab" stand in every file as a measure or a key; a name or a long number does not.

    >>> [is_specific(t) for t in ("12", "Ann", "Banderas", "1985-03-12", "0123456")]
    [False, False, True, True, True]
    """
    letters = sum(c.isalpha() for c in text)
    digits = sum(c.isdigit() for c in text)
    return letters >= 4 or digits >= 7 or letters + digits >= 8


class _Node:
    """A word in the tree: the words that may follow, and the strings that end here."""

    __slots__ = ("next", "numbers")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.numbers: list[int] = []


class Matcher:
    """Finds many strings at once by a tree of their words: time is linear in the text, whatever their number.

    >>> list(Matcher(["Antonio Banderas"]).find("see /antonio-banderas.html"))
    [(5, 21, 0)]
    """

    __slots__ = ("_allowed", "_exact", "_first", "_joined", "_tree", "strings")

    def __init__(self, strings: Sequence[str], allowed: Sequence[frozenset[str]] | None = None) -> None:
        self.strings = tuple(strings)
        self._allowed = tuple(allowed or ())
        self._tree = _Node()
        self._joined: dict[str, list[int]] = {}
        self._exact: list[tuple[str, int]] = []
        for number, string in enumerate(self.strings):
            folded = fold(string)[0].strip()
            tokens = tuple(_TOKEN.findall(folded))
            if not folded:
                continue
            if sum(map(len, tokens)) <= 2 and "".join(tokens) != folded:
                self._exact.append((folded, number))  # "C++" is not "c"
                continue
            node = self._tree
            for token in tokens:
                node = node.next.setdefault(token, _Node())
            node.numbers.append(number)
            if len(tokens) > 1 and not re.match(f"[{_SINGLE}0-9]", tokens[0]):
                self._joined.setdefault("".join(tokens), []).append(number)
        self._first = frozenset((*self._tree.next, *self._joined))

    @classmethod
    def of(cls, gone: Iterable[Removed]) -> Matcher:
        """A matcher of removed strings, which lets through the spellings that stayed readable."""
        items = tuple(gone)
        return cls([r.text for r in items], [r.allowed for r in items])

    def __bool__(self) -> bool:
        return bool(self._tree.next or self._exact)

    def _all(self, text: str) -> Iterator[tuple[int, int, int, str]]:
        """Every match, overlapping ones too, in offsets of the text, with its spelling."""
        folded, origin = fold(text)
        for start, end, number in self._in_folded(folded):
            spelling = _spelling(folded[start:end])
            if not self._allowed or spelling not in self._allowed[number]:
                if origin is not None:
                    start, end = origin[start], origin[end - 1] + 1
                yield start, end, number, spelling

    def _in_folded(self, folded: str) -> Iterator[tuple[int, int, int]]:
        # Most texts hold none of the first words; where they stand is asked only of the others.
        if self._exact or (
            any(word in folded for word in self._first)
            if len(self._first) <= _FEW
            else not self._first.isdisjoint(_TOKEN.findall(folded))
        ):
            yield from self._with_places(folded)

    def _with_places(self, folded: str) -> Iterator[tuple[int, int, int]]:
        tokens = [(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(folded)]
        for i, (word, start, end) in enumerate(tokens):
            node = self._tree.next.get(word)
            k = i
            while node is not None:
                for number in node.numbers:
                    yield start, tokens[k][2], number
                k += 1
                if k == len(tokens) or tokens[k][1] - tokens[k - 1][2] > _LONGEST_GAP:
                    break
                node = node.next.get(tokens[k][0])
            for number in self._joined.get(word, ()):
                yield start, end, number
        for string, number in self._exact:
            at = folded.find(string)
            while at >= 0:
                before, after = folded[at - 1 : at] if at else "", folded[at + len(string) : at + len(string) + 1]
                if not (before.isalnum() and string[0].isalnum()) and not (after.isalnum() and string[-1].isalnum()):
                    yield at, at + len(string), number
                at = folded.find(string, at + 1)

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Matches as (start, end, number of the string), from left to right without overlap, longest first."""
        if not self:
            return
        at = 0
        for start, end, number, _ in sorted(self._all(text), key=lambda m: (m[0], -m[1], m[2])):
            if start >= at:
                yield start, end, number
                at = end

    def spellings(self, text: str) -> dict[int, set[str]]:
        """How the text spells each string that it holds, overlapping ones included, escapes undone."""
        found: dict[int, set[str]] = {}
        if self and text:
            for view in _views(text):
                for _, _, number, spelling in self._all(view):
                    found.setdefault(number, set()).add(spelling)
        return found

    def present(self, text: str) -> set[int]:
        """The numbers of all strings that the text holds."""
        return set(self.spellings(text))


def _spelling(folded: str) -> str:
    return re.sub(r"\s+", " ", folded).strip()


def _views(text: str) -> Iterator[str]:
    """The text as it is, and with what hides a word from a search undone: %20, hyphens at line ends, l e t t e r s."""
    yield text
    if "%" in text:
        plain = unquote(text, errors="replace")
        if plain != text:
            yield plain
    if "-\n" in text or "\u00ad" in text or "-\r" in text or "\u2010" in text:
        yield re.sub(r"[-\u00ad\u2010]\r?\n[ \t]*", "", text)
    if _SPACED.search(text):
        yield _SPACED.sub(lambda m: re.sub(r"\s", "", m.group()), text)


@dataclass(frozen=True, slots=True)
class Removed:
    """A string that the released text no longer has, what stands in its place, whether it is a word of a longer one
    that was removed, which other spellings of it a reader still sees, and whether it names or identifies something: a
    person, a place, a number; such a string is no title of a column."""

    text: str
    replacement: str
    part: bool = False
    allowed: frozenset[str] = frozenset()
    name: bool = False


def removed(applied: Applied) -> tuple[Removed, ...]:
    """What a plan took out of a document for good: the strings to sweep and to search for.

    >>> from taciturn.document import Document
    >>> from taciturn.plan import Edit, Plan, apply
    >>> d = Document.of("His liver cancer is back.")
    >>> [(r.text, r.part) for r in removed(apply(Plan(d, (Edit(4, 16, "liver cancer", "cancer"),))))]
    [('liver cancer', False), ('liver', True)]
    """
    candidates: dict[str, Removed] = {}
    for edit in applied.plan.edits:
        candidates.setdefault(fold(edit.original)[0].strip(), _removed(edit))
    for edit in applied.plan.edits:
        words = re.findall(r"[^\W_]+", edit.original)
        for word in words if len(words) > 1 else ():
            if _counts_alone(word):
                part = Removed(word, _MARK, part=True, name=edit.kind != "other")
                candidates.setdefault(fold(word)[0], part)
    candidates.pop("", None)
    items = list(candidates.values())
    matcher = Matcher([item.text for item in items])
    left: dict[int, set[str]] = {}
    for segment in applied.document.segments:
        for number, spellings in matcher.spellings(applied.document.text[segment.start : segment.end]).items():
            left.setdefault(number, set()).update(spellings)
    return tuple(
        replace(item, allowed=frozenset(left.get(number, ())))
        for number, item in enumerate(items)
        if _spelling(fold(item.text)[0]) not in left.get(number, ())
    )


def to_sweep(applied: Applied, gone: Iterable[Removed]) -> tuple[Removed, ...]:
    """What to clean from the places that no reader sees: all that a plan replaced, even where a reader still meets it
    elsewhere, and the words that are ``gone`` (see :func:`removed`). Hidden places need no benefit of the doubt."""
    wholes = {fold(e.original)[0].strip(): _removed(e) for e in reversed(applied.plan.edits)}
    parts = (replace(r, allowed=frozenset()) for r in gone if r.part)
    return (*(r for key, r in reversed(wholes.items()) if key), *parts)


def _removed(edit: Edit) -> Removed:
    return Removed(edit.original, edit.replacement, name=edit.kind != "other")


def _counts_alone(word: str) -> bool:
    if word.isdigit():
        return len(word) >= 5
    return len(word) >= 3 and word.casefold() not in _FUNCTION_WORDS and not re.match(f"[{_SINGLE}]", word)


class Sweeper:
    """Cleans the strings of a file that no reader sees as text: attributes, names, links, properties.

    They are cleaned of what a plan removed and of what the ``watch`` finds in them: nobody planned for them, so
    what is protected may stand in them alone.

    >>> Sweeper([Removed("Antonio Banderas", "an actor")]).clean("https://e.org/Antonio%20Banderas/")
    'https://e.org/an%20actor/'
    >>> Sweeper([], lambda text: [m.span() for m in re.finditer("hiv", text)]).clean("hiv_status")
    '[REDACTED]_status'
    """

    __slots__ = ("_all", "_known", "_names", "_watch", "_whole", "replacements")

    def __init__(self, gone: Iterable[Removed], watch: Watch = unwatched) -> None:
        items = tuple(gone)
        whole = [r for r in items if not r.part and is_specific(r.text)]
        self.replacements = {r.text: r.replacement for r in items}
        self._all = Matcher.of(items)
        self._whole = Matcher.of(whole)
        self._names = Matcher.of(r for r in items if r.name)
        self._watch = watch
        self._known: dict[str, bool] = {}

    def watched(self, text: str) -> bool:
        """Whether the watch finds anything in a string, its %20 undone or not."""
        known = self._known.get(text)
        if known is None:
            known = bool(self._watch(text)) or ("%" in text and bool(self._watch(_unquoted(text))))
            if len(self._known) < 100_000:
                self._known[text] = known
        return known

    def hits(self, text: str, *, structure: bool = False, title: bool = False) -> bool:
        """Whether a string holds anything removed or watched for. In ``structure`` (style sheets, enumerations) only
        whole strings that say enough by themselves count, and nothing is watched for. In a ``title`` (of a column, a
        key) only what is watched for and names count: "patient" may be hidden in a text and be a column's title."""
        matcher = self._matcher(structure, title)
        return (bool(matcher) and bool(matcher.present(text))) or (not structure and self.watched(text))

    def _matcher(self, structure: bool, title: bool) -> Matcher:
        return self._whole if structure else self._names if title else self._all

    def clean(self, text: str, *, structure: bool = False, title: bool = False, mark: str | None = None) -> str:
        """The string with everything removed replaced, by what the plan put in its place or by ``mark``."""
        if not self.hits(text, structure=structure, title=title):
            return text
        matcher = self._matcher(structure, title)
        plain = _unquoted(text)
        made = plain
        if not structure:
            for start, end in sorted(self._watch(plain), reverse=True):
                made = f"{made[:start]}{_MARK if mark is None else mark}{made[end:]}"
        made = self._replace(matcher, made, mark)
        if plain != text:
            # Undone first, or a word would go and leave the rest of a name behind its %20.
            made = quote(made, safe="/:?#[]@!$&'()*+,;=~%")
        if not matcher.present(made) and (structure or not self.watched(made)):
            return made
        # Spread over a line end or letter by letter: no part of it is worth keeping.
        return _MARK if mark is None else mark

    def _replace(self, matcher: Matcher, text: str, mark: str | None) -> str:
        pieces: list[str] = []
        at = 0
        for start, end, number in matcher.find(text):
            pieces += (text[at:start], self.replacements[matcher.strings[number]] if mark is None else mark)
            at = end
        return "".join((*pieces, text[at:]))


def _unquoted(text: str) -> str:
    return unquote(text, errors="replace") if "%" in text else text
