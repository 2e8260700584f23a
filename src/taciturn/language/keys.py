"""Keys: the one form under which knowledge knows a term, however a text writes it.

What a key keeps and drops, all of it a choice that packs depend on (``KEY_VERSION`` changes with it):

- Characters: compatibility forms are folded (NFKC), typographic quotes and dashes become plain, zero-width characters
  go, white space and underscores become one space, quotes and brackets around a word go.
- Hyphens: a hyphen inside a word becomes a space, so "blood-transfusion" and "HIV-1" have the keys of "blood
  transfusion" and "HIV 1"; between digits it stays ("1984-03-12"), and where a part at its edge is a stop word
  ("a-fib", "to-do list"), which would otherwise be lost.
- Edges: determiners, possessives, quantifiers, conjunctions and most prepositions at the start or end go, and a
  final 's; a phrase of nothing else stays ("he").
- Number: the last word becomes singular, and the word before a first "of"; other inner words stay as they are. Names
  that end in a plural stay ("United States").
- Capitals: lower case, but a word written in capitals keeps them ("AIDS" is not "aids", "mRNA", "CD4"), "STDs" is
  "STD", "U.S." is "US". Where *every* letter of a phrase is a capital, a heading is assumed: words of six or more
  letters and common short words become small and known acronyms stay ("HIV STATUS" has the key "HIV status"); a lone
  word becomes small from four letters on ("PAIN", but not "AIDS" or "COPD").

A key is its own key: ``key(key(text)) == key(text)``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from taciturn.document import Key
from taciturn.language.inflection import singular
from taciturn.language.lexicon import LEXICON

__all__ = ["KEY_VERSION", "Key", "is_ordinary", "key", "keys_of", "tails"]

KEY_VERSION = "1"
"""Changes whenever a key of some text may change; packs record it and refuse another's keys."""

_FIRST = LEXICON.word_set("function.key-start")
_LAST = LEXICON.word_set("function.key-end")
_SMALL = LEXICON.word_set("function.key-small")
_SMALL_OR_ACRONYM = LEXICON.word_set("function.key-acronym")
(_OF,) = LEXICON.words("function.of")
_PLURAL_NAME = LEXICON.words("function.plural-name")
_PLAIN = re.compile(r"[A-Za-z]+(?: [A-Za-z]+)*")
_CAPITALS = re.compile(r"[A-Z][A-Z]")
_DOTTED = re.compile(r"\b(?:[A-Z]\.){2,}")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_EDGE = "\"'()[]{}<>,.;:!?*|/\\~`-«»…•"
_FOLD = str.maketrans(
    dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’‛ʼ´", "'") | dict.fromkeys("“”„", '"') | {"_": " "}
    | dict.fromkeys("\xad\u200b\u200c\u200d\u2060\ufeff", "")
)  # fmt: skip


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """(acronyms, common words of two to five letters, names that end in a plural); see training/build_inflection.py."""
    lines = LEXICON.file("keys.txt").read_text("utf-8").splitlines()
    acronyms, short, names = (line for line in lines if not line.startswith("#"))
    return frozenset(acronyms.split()), frozenset(short.split()), frozenset(names.split("|"))


_KEPT = 200
"""Longer texts are not kept in the cache, so that its size has a bound."""


def key(text: str) -> Key:
    """The key of a term.

    >>> [key(t) for t in ("the Blood Transfusions", "his HIV-positive patients'", "“AIDS”", "STDs", "hearing aids")]
    ['blood transfusion', 'HIV positive patient', 'AIDS', 'STD', 'hearing aid']
    >>> [key(t) for t in ("PAST MEDICAL HISTORY", "HIV STATUS", "diseases of the kidneys", "the U.S.", "vitamin A")]
    ['past medical history', 'HIV status', 'disease of the kidney', 'US', 'vitamin a']
    """
    return _kept_key(text) if len(text) <= _KEPT else _key(text)


def _key(text: str) -> Key:
    if _PLAIN.fullmatch(text) and not _CAPITALS.search(text):
        words = text.lower().split(" ")
        return _trim(words)
    found = _key_once(text)
    # Where capitals are left the edges decide whether a text shouts, and Unicode may need a second round to settle.
    for _ in range(4):
        if (found.isascii() and found.islower() and found[-2:] != "'s") or (again := _key_once(found)) == found:
            break
        found = again
    return found


_kept_key = lru_cache(maxsize=1 << 17)(_key)


def keys_of(texts: Iterable[str]) -> list[Key]:
    """The keys of many terms; repeated ones come from a bounded cache.

    >>> keys_of(["Cats", "the cat"])
    ['cat', 'cat']
    """
    return list(map(key, texts))


def tails(key: Key) -> list[Key]:
    """A key and what is left of it when words go from the left, longest first.

    >>> tails(key("massive blood transfusions"))
    ['massive blood transfusion', 'blood transfusion', 'transfusion']
    """
    words = key.split(" ")
    return [Key(" ".join(words[first:])) for first in range(len(words))]


def is_ordinary(word: str) -> bool:
    """Is a word in small letters, of two to five of them, an ordinary English word or the plural of one?

    >>> [is_ordinary(w) for w in ("aids", "who", "hiv")]
    [True, True, False]
    """
    short = _words()[1]
    return word in _SMALL or word in short or singular(word) in short


def _key_once(text: str) -> Key:
    words = _clean_words(text)
    return _trim(words) if words else Key(" ".join(text.split()).lower())


def _clean_words(text: str) -> list[str]:
    """The words of a text with plain characters, hyphens opened, and small letters where capitals mean nothing."""
    folded = unicodedata.normalize("NFKC", text).translate(_FOLD)
    folded = _DOTTED.sub(lambda m: m.group().replace(".", ""), folded)
    words: list[str] = []
    for word in folded.split():
        word = word.strip(_EDGE)
        if "-" in word:
            words.extend(_open_hyphens(word))
        elif word:
            words.append(word)
    if not words:
        return words
    while words[-1][-2:] in ("'s", "'S"):
        words[-1] = words[-1][:-2].rstrip(_EDGE)
    joined = "".join(words)
    shouted = joined.isupper() and len(joined) > 3 and any(len(w) > 3 and _is_shouted(w) for w in words)
    return [w if _is_capitals(w) and not (shouted and _is_shouted(w)) else w.lower() for w in words]


def _open_hyphens(word: str) -> list[str]:
    parts = _HYPHEN.split(word)
    if parts[0].lower() in _FIRST or parts[-1].lower() in _LAST:
        return [word]
    opened = [parts[0]]
    for part in parts[1:]:
        if opened[-1][-1].isdigit() and part[0].isdigit():
            opened[-1] += "-" + part
        else:
            opened.append(part)
    return opened


def _is_capitals(word: str) -> bool:
    """Whether the capitals of a word mean something: all of its letters, or two in a row (mRNA)."""
    return len(word) > 1 and (word.isupper() or _CAPITALS.search(word) is not None)


def _is_shouted(word: str) -> bool:
    """Whether a word in capitals, within a text in capitals, is an ordinary word."""
    low = word.lower()
    if low in _SMALL:
        return word not in _SMALL_OR_ACRONYM
    acronyms, short, _ = _words()
    if not word.isalpha():
        return False
    if len(word) > 5:
        return word not in acronyms
    return (low in short or (singular(low) in short and word not in acronyms)) and (
        len(word) > 3 or word not in acronyms
    )


def _trim(words: list[str]) -> Key:
    """The words without stop words at the edges, the head in the singular."""
    first, last = 0, len(words)
    while first < last and words[first] in _FIRST:
        first += 1
    while first < last and words[last - 1] in _LAST:
        last -= 1
    if first == last:
        return Key(" ".join(words))
    words = words[first:last]
    end = words[-1]
    one = singular(end)
    if one != end:
        names = _words()[2]
        if len(words) == 1 or (" ".join(words) not in names and " ".join(words[-2:]) not in names):
            words[-1] = one
    if len(words) > 2 and _OF in words:
        at = words.index(_OF) - 1
        if tuple(words[at - 1 : at + 1]) == _PLURAL_NAME:
            return Key(" ".join(words))
        words[at] = singular(words[at])
    return Key(" ".join(words))
