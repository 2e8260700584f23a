"""Plain text from wiki markup: what a reader of the article sees as prose, paragraphs on lines of their own.

One pass with a stack of open brackets finds templates, tables and file links, however deep they nest; the rest are
expressions that cannot backtrack. Linear in the length of the text, unclosed brackets included.
"""

from __future__ import annotations

import re
from html import unescape

from taciturn.language.lexicon import LEXICON

__all__ = ["strip_markup"]

_BRACKETS = re.compile(r"\{\{|\}\}|\{\||\|\}|\[\[|\]\]")
_PAIRS = {"}}": "{{", "|}": "{|", "]]": "[["}
_DROPPED = re.compile(rf"<!--|<({LEXICON.any_of('wikitext.no-prose')})\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_EXTERNAL = re.compile(r"\[(?:https?:)?//[^\s\[\]]*[ \t]*([^\[\]\n]*)\]")
_QUOTES = re.compile(r"'{2,}")
_HEADING = re.compile(r"^=[^\n]*$", re.MULTILINE)
_MARKS = re.compile(r"^[*#:;]+[ \t]*", re.MULTILINE)
_RULES = re.compile(r"^(?:-{4,}|__[A-Z]+__)[^\n]*$", re.MULTILINE)
_LINES = re.compile(r"\n[ \t\n]*")
_SPECIAL = re.compile(rf"\s*(?:{LEXICON.any_of('wikitext.namespace')}|[a-z]{{2,3}})\s*:", re.IGNORECASE)


def strip_markup(text: str) -> str:
    """The prose of a wikitext.

    >>> strip_markup("'''HIV''' {{IPA|x}} is a [[virus|retrovirus]].<ref>Smith</ref> [[File:a.png|A [[cell]].]]")
    'HIV is a retrovirus.'
    """
    text = _resolve_brackets(_drop_elements(text))
    for pattern, replacement in ((_EXTERNAL, r"\1"), (_TAG, ""), (_QUOTES, ""), (_HEADING, ""), (_RULES, "")):
        text = pattern.sub(replacement, text)
    text = unescape(_MARKS.sub("", text)).replace("\xa0", " ")
    text = re.sub(r"[ \t]{2,}", " ", text)
    return _LINES.sub("\n", text).strip()


def _drop_elements(text: str) -> str:
    """The text without comments and without elements that hold no prose; an element never closed loses its tag only."""
    low = text.lower()
    parts, at, missing = [], 0, set()
    for match in _DROPPED.finditer(text):
        if match.start() < at:
            continue
        parts.append(text[at : match.start()])
        at = match.end()
        if match.group().endswith("/>"):
            continue
        closing = f"</{match.group(1).lower()}" if match.group(1) else "-->"
        if closing in missing:  # each closing mark is searched in vain at most once: linear
            continue
        end = low.find(closing, at)
        if end < 0:
            missing.add(closing)
        elif closing == "-->":
            at = end + 3
        else:
            at = low.find(">", end) + 1 or len(text)
    return "".join(parts) + text[at:]


def _resolve_brackets(text: str) -> str:
    """The text without templates, tables and file links, and links replaced by what they show."""
    stack: list[tuple[str, list[str]]] = [("", [])]
    at = 0
    for match in _BRACKETS.finditer(text):
        stack[-1][1].append(text[at : match.start()])
        at = match.end()
        mark = match.group()
        if mark not in _PAIRS:
            stack.append((mark, []))
        elif stack[-1][0] == _PAIRS[mark]:
            opened, parts = stack.pop()
            if opened == "[[":
                stack[-1][1].append(_shown("".join(parts)))
    # What was opened and never closed stays as text, without its bracket.
    parts = [*stack[0][1]]
    for _, inner in stack[1:]:
        parts += inner
    return "".join(parts) + text[at:]


def _shown(link: str) -> str:
    target, bar, label = link.partition("|")
    if _SPECIAL.match(target):
        return ""
    if bar and label:
        return label.rpartition("|")[2] if "|" in label else label
    return target.lstrip(":").partition("#")[0]
