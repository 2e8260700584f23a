"""Style sheets: kept without comments, embedded data and shown words, swept of what was removed and is protected.

Words that a page shows by ``content`` belong to no text that a model reads, so they go. Names that an author made up
(of classes, identifiers, custom properties) are swept like texts. Words of the language are swept only of what says
enough by itself. Time is linear in the sheet.
"""

from __future__ import annotations

import re

from taciturn.formats.sweep import Sweeper

__all__ = ["clean_css", "is_sheet", "plain_css", "strings_and_names"]

_STRING = r"""(?:"(?:[^"\\\n]|\\.)*(?:"|\n|\\?\Z)|'(?:[^'\\\n]|\\.)*(?:'|\n|\\?\Z))"""
_TOKEN = re.compile(
    rf"""(?P<comment>/\*.*?(?:\*/|\Z))
      | (?P<strings>{_STRING}(?:[ \t\r\n]*{_STRING})*)
      | (?P<address>url\([^)]*(?:\)|\Z))
      | (?P<made>(?:--|[.\#])(?:[\w-]|[^\x00-\x7f]|\\[^\n])+)
      | (?P<word>(?:[\w-]|[^\x00-\x7f]|\\[^\n])+)""",
    re.S | re.I | re.X,
)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.S)
_TAG = re.compile("<[a/]")
_WORD = re.compile(r"[^\W\d_]{2}")
_ONE_STRING = re.compile(_STRING, re.S)


def plain_css(token: str) -> str:
    r"""A token with its escapes undone.

    >>> plain_css(r"'\48 IV'")
    "'HIV'"
    """
    return _ESCAPE.sub(lambda m: chr(min(int(m[1], 16), 0x10FFFF)) if m[1] else m[2].replace("\n", ""), token)


def _shown(strings: str) -> str:
    return "".join(plain_css(s[1:-1]) for s in _ONE_STRING.findall(strings))


def is_sheet(css: str) -> bool:
    """Whether a text can be a style sheet. One that holds tags is a page that a lost quote or brace has taken in.

    >>> is_sheet("@media (width <= 60em) { p { color: red } }"), is_sheet("p { color: red <b>Ann</b>")
    (True, False)
    """
    return not _TAG.search(_TOKEN.sub(lambda found: "a" if found["word"] else " ", css))


def clean_css(css: str, sweeper: Sweeper) -> str:
    """A style sheet, or the value of a style attribute, swept.

    >>> import re
    >>> watch = lambda text: [m.span() for m in re.finditer("HIV", text)]
    >>> clean_css("p::after { content: 'H' 'IV' } .HIV { color: red /* HIV */ }", Sweeper([], watch))
    'p::after { content: "" } .x { color: red  }'
    """
    if not is_sheet(css):
        return ""
    pieces: list[str] = []
    at, shows = 0, False
    for found in _TOKEN.finditer(css):
        between = css[at : found.start()]
        at = found.end()
        shows = shows and not re.search("[;{}]", between)
        pieces += (between, _cleaned(found, sweeper, shows))
        if (found["word"] or "").lower() == "content":
            shows = True
    pieces.append(css[at:])
    made = sweeper.clean("".join(pieces), structure=True, mark="x")
    return "" if "</style" in made.lower() else made


def _cleaned(found: re.Match[str], sweeper: Sweeper, shows: bool) -> str:
    """A token of a sheet, swept; ``shows``: a page shows the strings of this declaration."""
    token = found.group()
    if found["comment"] is not None or "data:" in token.lower():
        return ""
    if found["strings"] is not None:
        words = shows and _WORD.search(_shown(token))
        return '""' if words or sweeper.hits(_shown(token)) or sweeper.hits(plain_css(token)) else token
    if found["address"] is not None:
        return "url()" if sweeper.hits(plain_css(token[4:].rstrip(")"))) else token
    if found["made"] is not None:
        prefix = token[: 2 if token.startswith("--") else 1]
        return f"{prefix}x" if sweeper.hits(plain_css(token)) else token
    return "x" if sweeper.watched(plain_css(token)) else token


def strings_and_names(css: str) -> tuple[list[str], list[str]]:
    """What a style sheet shows or addresses, and the names that its author made up, both with escapes undone."""
    shown: list[str] = []
    names: list[str] = []
    for found in _TOKEN.finditer(css):
        if found["strings"] is not None:
            shown.append(_shown(found.group()))
        elif found["address"] is not None:
            shown.append(plain_css(found.group()[4:].rstrip(")")))
        elif found["made"] is not None:
            names.append(plain_css(found.group()))
    return shown, names
