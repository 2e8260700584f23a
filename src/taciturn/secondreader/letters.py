"""The letters of a text as a reader sees them: one plain alphabet, with the way back to the original offsets.

Compatibility forms (full width, mathematical, circled, superscript) are decomposed, accents and invisible characters
dropped, look-alike letters of other scripts read as the Latin letters that they pass for. Everything that is neither a
letter nor a digit stays as it is or becomes a blank.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from taciturn.secondreader.words import lines

__all__ = ["Atom", "Plain", "atoms", "plain"]

# Scripts that write words without blanks: every character is an atom of its own.
_SINGLE = (
    "\u0e00-\u0eff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# A word is cut where capitals follow small letters (hivStatus) and between letters and digits (HIV1).
_ASCII_ATOM = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ATOM = re.compile(rf"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[{_SINGLE}]|[^\W\d_A-Za-z{_SINGLE}]+")
_ODD = re.compile(r"[^\x00-\x7f]|%(?:2[0-9A-Fa-f]|5[Ff]|0[9AaDd]|[Cc]2%[Aa]0)")
_NAMED = re.compile(
    r"LATIN (CAPITAL |SMALL )?(?:LETTER|LIGATURE) (?:SMALL CAPITAL |SCRIPT |DOTLESS |AFRICAN |INSULAR |REVERSED )?"
    r"([A-Z]|AE|OE|IJ)(?: WITH .+)?$"
)
_APOSTROPHE = re.compile(
    r"(?:MODIFIER LETTER|LATIN SMALL LETTER SALTILLO).*(?:APOSTROPHE|COMMA|PRIME|SALTILLO|VERTICAL LINE)$"
)
_FLAG = re.compile(r"REGIONAL INDICATOR SYMBOL LETTER ([A-Z])$")
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u034f")  # letters and marks that show nothing

Atom = tuple[int, int, str]
"""A run of letters or of digits of a plain text: start, end, and the run in small letters."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A text in plain letters. ``origin[i]`` is where its character i stood; None: at the same place."""

    text: str
    origin: list[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that a span of the plain text stands for."""
        return (start, end) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)


def plain(text: str) -> Plain:
    """The text as it looks, letter by letter.

    >>> plain("Ｓyph\\u200bi\\u0301lis¹").text
    'Syphilis1'
    >>> plain("hepatitis%20C").text
    'hepatitis C'
    """
    if text.isascii() and "%" not in text:
        return Plain(text, None)
    pieces: list[str] = []
    origin: list[int] = []
    at = 0
    for match in _ODD.finditer(text):
        start, end = match.span()
        piece = _letters(match.group()) if end - start == 1 else " "
        pieces += (text[at:start], piece)
        origin.extend(range(at, start))
        origin.extend([start] * len(piece))
        at = end
    if not at:
        return Plain(text, None)
    pieces.append(text[at:])
    origin.extend(range(at, len(text)))
    return Plain("".join(pieces), origin)


def atoms(text: str) -> list[Atom]:
    """The atoms of a plain text in order.

    >>> [a[2] for a in atoms("hivStatus HIV1 don't")]
    ['hiv', 'status', 'hiv', '1', 'don', 't']
    """
    pattern = _ASCII_ATOM if text.isascii() else _ATOM
    return [(m.start(), m.end(), m.group().lower()) for m in pattern.finditer(text)]


@cache
def _lookalikes() -> dict[str, str]:
    """The look-alike letters of ``data/lookalikes.tsv``."""
    return dict(line.split("\t")[:2] for line in lines("lookalikes.tsv"))


@cache
def _letters(char: str) -> str:
    """What one character looks like in plain letters: usually one letter, nothing, or a blank."""
    category = unicodedata.category(char)
    if char in _UNSEEN or category in ("Cf", "Mn", "Me"):
        return ""
    if category in ("Zl", "Zp") or char == "\x85":
        return "\n"
    whole = unicodedata.normalize("NFKD", char)
    made = "".join(map(_letter, whole))
    if category[0] == "S" and sum(map(str.isalpha, made)) > 1:
        return " "  # a sign such as the trademark: no part of the word before it
    # A raised letter is a footnote's as often as a word's: with a blank before it both are found.
    return f" {made}" if unicodedata.decomposition(char).startswith("<super>") and made.isalpha() else made


def _letter(char: str) -> str:
    if char.isascii():
        return char
    if found := _lookalikes().get(char):
        return found
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    name = unicodedata.name(char, "")
    if _APOSTROPHE.match(name):
        return "'"
    if match := _NAMED.match(name):
        return match[2] if match[1] == "CAPITAL " else match[2].lower()
    if match := _FLAG.match(name):
        return match[1]
    if "LATIN" in name and (match := re.search(r"LATIN (CAPITAL|SMALL) LETTER ([A-Z])$", name)):
        return match[2] if match[1] == "CAPITAL" else match[2].lower()  # squared, circled in black
    if char == "ß":
        return "ss"
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    return char if char.isalpha() else " "
