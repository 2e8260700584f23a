"""A stand-in for the extractor until the trained one lands: runs of words between stop words and punctuation."""

from __future__ import annotations

import re

from tacit.document import Document, Term
from tacit.language.analysis import Analysis
from tacit.language.keys import key

_STOP = set(
    "a an the this that these those his her its their my your our he she it they we you i who whom which what "
    "is was were are be been being am has have had do does did will would can could may might must shall should "
    "of in on at by to for from with without and or but not no nor so than then as if when where while because "
    "about into over under after before during between there here very also only both all any each some such".split()
)
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_BREAK = re.compile(r"[.!?]+\s+|\n+")


def analyze(document: Document) -> Analysis:
    text = document.text
    sentences, terms = [], []
    for segment in document.segments:
        at = segment.start
        ends = [m.end() for m in _BREAK.finditer(text, segment.start, segment.end)]
        for end in [*ends, segment.end]:
            if end > at:
                sentences.append((at, end))
            at = end
    for start, end in sentences:
        run: list[tuple[int, int]] = []
        for word in [*_WORD.finditer(text, start, end), None]:
            plain = word is not None and word.group().lower() not in _STOP
            if run and (not plain or word is None or text[run[-1][1] : word.start()] != " "):
                s, e = run[0][0], run[-1][1]
                terms.append(Term(s, e, text[s:e], key(text[s:e])))
                run = []
            if plain and word is not None:
                run.append(word.span())
    return Analysis(document, tuple(sentences), tuple(sentences), tuple(terms))
