"""The surrogates of one scope: the same value gets the same surrogate, and no two values share one.

Which surrogate a value gets is drawn by a keyed hash, so that the same secret gives the same surrogates in every
document of the scope, and nobody without it can compute from a surrogate what it stands for.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from taciturn.generalize.surrogates.dates import shifted
from taciturn.generalize.surrogates.names import is_name, names_like
from taciturn.language.letters import LETTER
from taciturn.language.lexicon import LEXICON
from taciturn.language.tagger import load_weights
from taciturn.language.words import normal

__all__ = ["Surrogates"]

_WORD = re.compile(rf"{LETTER}+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PARTICLES = LEXICON.word_set("names.particle", "names.suffix")
_ALL_WORDS = frozenset({"person", "handle", "email", "url"})
_WORDED = _ALL_WORDS | {"organization", "place", "address"}
_END_OF_HOST = re.compile(r"\.[a-z]{2,12}(?=/|$)")
_SCHEMES = frozenset({"http", "https", "ftp", "www"})
_PLACE_WORDS = LEXICON.word_set("places.street", "places.unit", "places.compass")
_HALF = 128  # of 255: the share of capitals above which a word is a name
_FURTHEST = 365 * 2  # days that dates may move
_LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"
_TRIES = 64


def _is_common(word: str) -> bool:
    """Whether a word is written small as a rule, or is a part of any address: "Hospital", "Suite", "Dr"."""
    weights = load_weights()
    row = weights.rows.get(normal(word), 0)
    return word in _PLACE_WORDS or (row > 0 and bool(weights.capitals[row] < _HALF))


@dataclass
class Surrogates:
    """What stands for what. ``avoid``: words that no surrogate may be, in small letters: those of the originals.

    ``steady``: the scope is wider than one document, so a surrogate must not depend on what else a document names. A
    word's surrogate then comes from the word alone, and two words may share one, as people share names.

    >>> book = Surrogates(b"secret")
    >>> full, short = book.of("person", "Anna Nowak"), book.of("person", "NOWAK, A.")
    >>> full.split()[1].upper() in short, "Nowak" in full
    (True, False)
    >>> len(book.of("phone", "617-555-0143")), book.of("phone", "617-555-0143") == "617-555-0143"
    (12, False)
    """

    secret: bytes
    weekdays: bool = False
    year: int = 2001
    avoid: frozenset[str] = frozenset()
    steady: bool = False
    words: dict[str, str] = field(default_factory=dict)
    values: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def for_text(
        cls,
        secret: bytes,
        text: str,
        *,
        weekdays: bool = False,
        steady: bool = False,
        met: frozenset[str] = frozenset(),
    ) -> Surrogates:
        """Surrogates for a document: none is a word of it, and dates without a year are of its most frequent one.

        ``met`` are the names of the other documents of its scope, in small letters; no surrogate is one of them.
        """
        years = [int(y) for y in _YEAR.findall(text)]
        year = max(years, key=lambda y: (years.count(y), y)) if years else 2001
        avoid = met | frozenset(w.casefold() for w in _WORD.findall(text))
        return cls(secret, weekdays, year, avoid, steady)

    @property
    def days(self) -> int:
        """By how many days dates move: never none, whole weeks if days of the week are to stay."""
        drawn = 1 + self._draw("days", "", _FURTHEST)
        sign = 1 if self._draw("sign", "", 2) else -1
        return sign * (7 * (1 + drawn // 7) if self.weekdays else drawn)

    def of(self, kind: str, text: str) -> str | None:
        """The surrogate of a value of a kind; None where there is none and a mark must do.

        A day of the calendar ("Easter") has none, nor has a name without letters.
        """
        known = self.values.get((kind, text))
        if known is None:
            known = self._new(kind, text)
            if known is None:
                return None
            self.values[kind, text] = known
        return known

    def is_surrogate(self, text: str) -> bool:
        """Whether a text was written here: a whole value, or words of names that stand for words of names."""
        if text in self.values.values():
            return True
        issued = {word.casefold() for word in self.words.values()}
        words = [w.casefold() for w in _WORD.findall(text)]
        return bool(words) and all(w in issued or w in _PARTICLES or len(w) == 1 for w in words)

    def _new(self, kind: str, text: str) -> str | None:
        if kind == "date":
            return shifted(text, self.days, self.year)
        if kind in _WORDED:
            written = self._renamed(kind, text)
            return None if written == text else written
        return self._same_form(kind, text)

    def _renamed(self, kind: str, text: str) -> str:
        """The text with another name for each name in it; words like "Hospital" and "Street" stay."""
        words = tuple(_WORD.findall(text))
        comma = "," in text

        kept = _END_OF_HOST.search(text) if kind in ("email", "url") else None

        def other(match: re.Match[str]) -> str:
            word = match.group()
            if word.isdigit():
                return self._digits("number", word)
            if word.lower() in _PARTICLES or word in _SCHEMES or (kept and kept.start() <= match.start() < kept.end()):
                return word
            if kind not in _ALL_WORDS and (not word[0].isupper() or _is_common(word)):
                return word
            if len(word) == 1 or (len(word) < 4 and (word.isupper() or word.islower()) and not is_name(word)):
                return "".join(map(self._initial, word))
            at = words.index(word)
            return self._word(word, words, first=(at == 0) != comma and len(words) > 1)

        return _WORD.sub(other, text)

    def _word(self, word: str, beside: Iterable[str], *, first: bool) -> str:
        folded = word.casefold()
        if folded in {w.casefold() for w in self.words.values()}:
            return word  # a surrogate that was read together with a name beside it
        if folded not in self.words:
            pool = names_like(word) if self.steady else names_like(word, tuple(beside), first=first)
            taken = set() if self.steady else {w.casefold() for w in self.words.values()}
            for attempt in range(_TRIES):
                found = pool[self._draw("name", f"{folded}/{attempt}", len(pool))]
                if found.casefold() not in self.avoid and found.casefold() not in taken:
                    break
            else:
                found = self._digits("name", "A" * 7).capitalize()
            self.words[folded] = found
        new = self.words[folded]
        return new.upper() if word.isupper() and len(word) > 1 else new.lower() if word.islower() else new

    def _initial(self, letter: str) -> str:
        """The initial of the surrogate of a name that begins with a letter, or another letter."""
        known = sorted(old for old in self.words if old[:1] == letter.casefold())
        new = self.words[known[0]][0] if known else _LETTERS[self._draw("letter", letter.casefold(), len(_LETTERS))]
        return new.lower() if letter.islower() else new.upper()

    def _same_form(self, kind: str, text: str) -> str | None:
        """Other digits for digits and other capitals for capitals; signs and small letters stay."""
        for attempt in range(_TRIES):
            found = self._digits(f"{kind}/{attempt}", text)
            if found != text and found not in self.values.values():
                return found
        return None

    def _digits(self, label: str, text: str) -> str:
        drawn = []
        for at, c in enumerate(text):
            if c.isdigit() and c.isascii():
                drawn.append(str(self._draw(label, f"{text}/{at}", 10)))
            elif c.isupper() and c.isascii():
                drawn.append(_LETTERS[self._draw(label, f"{text}/{at}", len(_LETTERS))])
            else:
                drawn.append(c)
        return "".join(drawn)

    def _draw(self, label: str, value: str, limit: int) -> int:
        digest = hmac.new(self.secret, f"{label}\0{value}".encode(), sha256).digest()
        return int.from_bytes(digest[:8], "big") % limit
