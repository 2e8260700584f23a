"""How a hidden term is written in the release: a redaction mark, or a more general phrase that reads as English.

A phrase follows the original in number, capitals and possessive, and brings the article it needs: "an AIDS test" ->
"a test", "Sacramento is" -> "a state capital is". A mark never shows how long the original was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from taciturn.document import Span, Term
from taciturn.generalize.phrasebook import MARKS, category_of_kind
from taciturn.language.inflection import article, is_plural, match_case, plural, singular
from taciturn.language.lexicon import LEXICON, any_word

__all__ = [
    "MARK",
    "MarkStyle",
    "Marks",
    "Written",
    "in_compound",
    "is_mark",
    "is_result",
    "is_shouted",
    "is_valued",
    "outside_marks",
    "possession",
    "stands_bare",
    "write_mark",
    "write_phrase",
]

MarkStyle = Literal["category", "redacted", "numbered", "kind", "block", "surrogate"]
"""How a redaction looks. "category" says what was there ("[medication]"), in plain words; where that is in doubt, it is
"[REDACTED]". "surrogate" is a value of the same form, where a model has such; elsewhere it is "kind"."""

# What a mark looks like in a released text: the check skips these, so the pattern is narrow.
_KINDS = "REDACTED|PERSON|ORGANIZATION|PLACE|TIME|QUANTITY|CODE|TERM"
MARK = re.compile(rf"\[(?:{'|'.join(MARKS)}|{_KINDS})(?: [1-9][0-9]{{0,8}})?\]|█{{8}}")
_PARTS = re.compile(r"\[(.*?)(?: ([0-9]+))?\]")

_BEFORE = re.compile(r"(?:(?P<word>[^\W_]+(?:['’.-][^\W_]+)*\.?)|(?P<other>[^\w\s]))(?P<gap>[ \t]*)$")
_AN = re.compile(r"\b[Aa][Nn](?P<gap>[ \t]+)$")
_HYPHEN_AFTER = re.compile(
    r"(?:[-‐‑][^\W_]+)+|(?: |[-‐‑])"
    rf"(?:{LEXICON.any_of('generalize.compound-prefix')})?{LEXICON.any_of('generalize.compound-end')}\b"
)
_RESULT = re.compile(
    rf"[ ‐‑-](?:{LEXICON.any_of('generalize.compound-prefix')})?{LEXICON.any_of('generalize.result')}\b", re.IGNORECASE
)
_VALUE = re.compile(rf"[ \t]*(?:[:=<>≤≥~]|{LEXICON.any_of('generalize.before-value')}|[ \t])*[0-9]", re.IGNORECASE)
_REST_OF_CODE = re.compile(r"(?<=[0-9])\.[0-9A-Z]+\b")
_HYPHEN_BEFORE = re.compile(r"(?:[^\W_]+[-‐‑])+$")
_DETERMINERS = LEXICON.word_set("function.determiner")
_MASS = LEXICON.word_set("generalize.mass")
_MASS_ENDINGS = LEXICON.words("generalize.mass-ending")
_COUNTED_ENDINGS = LEXICON.words("generalize.counted-ending")
# The head of a bare phrase stands bare as well ("HIV testing" -> "testing"), but for what is counted: "a syndrome".
_COUNTED = re.compile(rf"(?:^|[ -]){LEXICON.any_of('generalize.counted')}$", re.IGNORECASE)
# An adverb before a phrase belongs to its first word ("newly diagnosed lymphoma", "most recent") and goes with it.
_DEGREES = LEXICON.any_of("closed.degree")
_IS_ADVERB = "".join(f"(?<!{stem})" for stem in LEXICON.words("generalize.no-adverb"))
_ADVERB = re.compile(
    rf"\b(?:[^\W\d_]{{3,}}{_IS_ADVERB}{LEXICON.any_of('generalize.adverb-ending')}|{_DEGREES})[ \t]$", re.IGNORECASE
)
_DEGREE = re.compile(rf"\b{LEXICON.any_of('closed.article', 'closed.possessive')} ({_DEGREES}[ \t])$", re.IGNORECASE)
_QUALIFIED = re.compile(rf"[^\W\d_]+{LEXICON.any_of('generalize.qualified-ending')}[ -]")
_THE = re.compile(
    any_word(LEXICON.words("generalize.place-beginning")) + rf"|.*{LEXICON.any_of('generalize.place-ending')}$"
)
_INDEFINITE = LEXICON.words("generalize.indefinite")
_NO_ARTICLE_ENDINGS = LEXICON.words("generalize.no-article-ending")
_POSSESSIVE = re.compile(r"['’]s$|s['’]$")
_POSSESSED = re.compile(r"['’]s [^\W\d_]+")
_ACRONYMS = re.compile(r"(?:.* )?[A-Z]{2,}s")
_ARTICLES = LEXICON.word_set("function.in-place-of-article")
_COLON = re.compile(r":[ \t]*,?[ \t]*$")  # a statement after a heading, as transcribed notes have it
_FEW_WORDS = 3  # a line this short is a heading, not a sentence


@dataclass(frozen=True, slots=True)
class Written:
    """A replacement and the span of the original that it takes the place of: the term, and an article that changes."""

    start: int
    end: int
    text: str


@dataclass
class Marks:
    """Redaction marks of one document: the same key gets the same mark, and numbers start anew in each document.

    ``text`` is the text as it stands: numbers go on after those of the marks in it, which another model made.
    """

    style: MarkStyle = "category"
    text: str = ""

    def __post_init__(self) -> None:
        if self.style not in get_args(MarkStyle):
            raise ValueError(
                f"unknown redaction mark {self.style!r}: choose {', '.join(map(repr, get_args(MarkStyle)))}"
            )
        self._numbers: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}
        marks = MARK.findall(self.text) if self.style not in ("redacted", "block") else ()
        for parts in filter(None, map(_PARTS.fullmatch, marks)):
            label = parts[1] if self.style == "category" else ""
            self._last[label] = max(self._last.get(label, 0), int(parts[2] or self.style == "category"))

    def mark(self, term: Term, category: str = "", thing: str = "") -> str:
        """The mark for a term. ``category`` is what it is, if that is known; terms of one ``thing`` get one mark.

        A category has a number only where another thing of the same category was marked before, and only if it is known
        which thing it is: a number tells one from another.

        >>> marks = Marks("numbered")
        >>> aids, he = Term(0, 4, "AIDS", "AIDS"), Term(9, 12, "HIV", "HIV")
        >>> marks.mark(aids), marks.mark(he), marks.mark(aids)
        ('[REDACTED 1]', '[REDACTED 2]', '[REDACTED 1]')
        >>> marks = Marks()
        >>> [marks.mark(aids, "condition", "AIDS"), marks.mark(he, "condition", "HIV"), marks.mark(he, "condition")]
        ['[condition]', '[condition 2]', '[condition]']
        >>> marks.mark(Term(0, 3, "Ann", "ann", "person"))
        '[person]'
        """
        if self.style == "block":
            return "█" * 8
        if self.style == "category":
            if not category:
                category = category_of_kind(term.kind)
                thing = str(term.mention) if term.mention else ""
            number = self._number(category, thing) if thing else 1
            return f"[{category or 'REDACTED'}{f' {number}' if number > 1 else ''}]"
        if self.style == "redacted":
            return "[REDACTED]"
        number = self._number("", str(term.mention) if term.mention else term.key)
        label = "REDACTED" if self.style == "numbered" else term.kind.upper()
        if label not in _KINDS.split("|"):
            label = "TERM"
        return f"[{label} {number}]"

    def _number(self, label: str, thing: str) -> int:
        """The number of a thing among those with its label, by first appearance."""
        if (label, thing) not in self._numbers:
            self._last[label] = self._numbers[label, thing] = self._last.get(label, 0) + 1
        return self._numbers[label, thing]


def is_mark(text: str) -> bool:
    """Is this text a redaction mark and nothing else?

    >>> is_mark("[REDACTED]"), is_mark("[PERSON 2]"), is_mark("[sic]")
    (True, True, False)
    """
    return MARK.fullmatch(text) is not None


def outside_marks(terms: Sequence[Term], text: str) -> Sequence[Term]:
    """The terms that touch no mark: what stands in a mark says no more than the mark.

    >>> text = "A [condition 2] of old."
    >>> [t.text for t in outside_marks([Term(3, 12, "condition", "condition"), Term(19, 22, "old", "old")], text)]
    ['old']
    """
    marks = [m.span() for m in MARK.finditer(text)]
    if not marks or not terms:
        return terms
    starts, ends = np.array(marks).T
    at = np.searchsorted(ends, [t.start for t in terms], side="right")
    free = (at == len(marks)) | (starts[np.minimum(at, len(marks) - 1)] >= np.array([t.end for t in terms]))
    return [t for t, is_free in zip(terms, free.tolist(), strict=True) if is_free]


def in_compound(term: Term, text: str) -> bool:
    """Is the term a part of a longer compound word? No phrase can take its place there: "HIV-negative".

    >>> hiv = Term(3, 6, "HIV", "HIV")
    >>> in_compound(hiv, "Is HIV-negative."), in_compound(hiv, "Is HIV - bad.")
    (True, False)
    """
    return bool(_HYPHEN_AFTER.match(text, term.end) or _HYPHEN_BEFORE.search(text, max(0, term.start - 40), term.start))


def is_result(term: Term, text: str) -> bool:
    """Is a term with what follows it the result of a test, as in "HIV-negative"?

    >>> is_result(Term(3, 6, "HIV", "HIV"), "Is HIV-negative."), is_result(Term(3, 6, "HIV", "HIV"), "Is HIV bad?")
    (True, False)
    """
    return _RESULT.match(text, term.end) is not None


def possession(term: Term, text: str) -> str:
    """A name with the word that it possesses, as in "Kaposi's sarcoma"; empty if it possesses none.

    >>> possession(Term(0, 6, "Kaposi", "kaposi"), "Kaposi's sarcoma was seen.")
    "Kaposi's sarcoma"
    """
    found = _POSSESSED.match(text, term.start + len(_POSSESSIVE.sub("", term.text)))
    return text[term.start : found.end()] if found else ""


def is_valued(term: Term, text: str) -> bool:
    """Is a value said of a term, as of a test? A phrase does not fit there: "his blood test was less than 50".

    >>> is_valued(Term(4, 14, "viral load", "viral load"), "His viral load was less than 50.")
    True
    """
    return _VALUE.match(text, term.end) is not None


def write_mark(mark: str, term: Term, text: str) -> Written:
    """The mark in the place of ``term`` and of the rest of its hyphenated word.

    An "an" before it becomes "a", for it tells how the original began.

    >>> write_mark("[REDACTED]", Term(3, 8, "uncle", "uncle"), "An uncle.")
    Written(start=0, end=8, text='A [REDACTED]')
    >>> write_mark("[REDACTED]", Term(3, 6, "HIV", "HIV"), "Is HIV-negative.")
    Written(start=3, end=15, text='[REDACTED]')
    """
    after = _HYPHEN_AFTER.match(text, term.end) or _REST_OF_CODE.match(text, term.end)
    ahead = _HYPHEN_BEFORE.search(text, max(0, term.start - 40), term.start)
    start, end = ahead.start() if ahead else _with_adverb(term, text), after.end() if after else term.end
    if before := _AN.search(text, max(0, start - 10), start):
        return Written(before.start(), end, before.group()[0] + before.group("gap") + mark)
    return Written(start, end, mark)


def write_phrase(
    label: str, term: Term, text: str, sentence: Span, *, is_name: bool = False, is_guess: bool = False
) -> Written:
    """The general phrase ``label`` in the place of ``term``, as English wants it there.

    A name takes no "a", nor does the head of a bare original: "HIV testing" -> "testing". ``is_guess``: the label is
    no more than the kind of a name, which may end in -s without being a plural. A label may begin with a mark.

    >>> text = "An AIDS patient from Sacramento."
    >>> write_phrase("patient", Term(3, 15, "AIDS patient", "AIDS patient"), text, (0, len(text)))
    Written(start=0, end=15, text='A patient')
    >>> write_phrase("state capital", Term(21, 31, "Sacramento", "sacramento", "place"), text, (0, len(text))).text
    'a state capital'
    >>> write_phrase("[REDACTED] level", Term(3, 13, "HIV levels", "HIV level"), "An HIV levels", (0, 13)).text
    'A [REDACTED] levels'
    >>> write_phrase("Ohio", Term(3, 9, "Dayton", "dayton", "place"), "In Dayton, Ohio.", (0, 16), is_name=True)
    Written(start=3, end=15, text='Ohio')
    """
    end, original = term.end, term.text
    if marked := MARK.match(label):
        rest = label[marked.end() :].strip()
        return write_mark(f"{marked.group()} {_head(original, rest) or rest}", term, text)
    if " of " in original and " of " in label and label.split(" of ")[0].lower() == original.split(" of ")[0].lower():
        return Written(term.start, end, original[:1] + label[1:])  # the part before "of" stays with its grammar
    start = _with_adverb(term, text)
    tail = ""
    if (
        is_name
        and text.startswith(f", {label}", end)
        and not text[end + len(label) + 2 : end + len(label) + 3].isalnum()
    ):
        end += len(label) + 2  # "Dayton, Ohio" is "Ohio", not "Ohio, Ohio"
    if possessive := _POSSESSIVE.search(original):
        tail = possessive.group() if possessive.group()[-1] == "s" else possessive.group()[1:]
        original = original[: possessive.start()] if tail[-1] == "s" else original[:-1]
    if term.key == original.upper():
        original = term.key  # an acronym with small letters, as the British write "Aids", is no plural
    head = _head(original, label)
    if head:
        phrase, many = head, is_plural(head)
    else:
        in_many = is_plural(original.lower() if is_shouted(original) else original) and not is_name
        many = in_many and (_ACRONYMS.fullmatch(original) is not None or not (is_guess or _is_name(term)))
        phrase = plural(label) if many else label
    bare = many or is_name or is_mass(phrase) or is_shouted(original) or label.startswith("the ")
    # A name needs no article where what it is the name of does: "at LaGuardia Airport" -> "at an airport".
    bare = bare or (head != "" and original.split()[-1][0].islower() and _COUNTED.search(head) is None)
    before = _BEFORE.search(text, max(sentence[0], start - 60), start)
    opening = not text[sentence[0] : start].strip() or (
        text[start : start + 2].istitle() and _COLON.search(text, max(0, start - 6), start) is not None
    )
    word = before.group("word") if before else None
    if word is not None and word.lower() in _ARTICLES:
        phrase = phrase.removeprefix("the ")
    if word is not None and word.lower() in _INDEFINITE and before is not None:
        wanted = "" if bare and not head else article(phrase)
        if wanted != word.lower():
            start -= len(before.group())
            shown = match_case(wanted, word) if wanted else ""
            if not wanted:
                phrase = match_case(phrase, "Aa") if word[0].isupper() else phrase
            return Written(start, end, f"{shown}{before.group('gap') if wanted else ''}{phrase}{tail}")
        return Written(start, end, phrase + tail)
    if is_name and _THE.match(label) and (word is None or word.lower() != "the"):
        phrase = f"the {phrase}"
    elif not bare and _wants_article(term, text, sentence, word, before, opening):
        phrase = f"{article(phrase)} {phrase}"
    return Written(start, end, _capitalize(phrase, term, opening and text[start].isupper()) + tail)


def stands_bare(written: Written, text: str) -> bool:
    """Does a phrase in the singular stand without any article or other determiner? Nobody writes so in a sentence.

    >>> [stands_bare(Written(at, at + 4, "condition"), text) for at, text in ((4, "Had AIDS."), (7, "Had no AIDS."))]
    [True, False]
    >>> stands_bare(Written(4, 8, "a condition"), "Had AIDS.")
    False
    """
    first, _, rest = written.text.lower().partition(" ")
    if (first in _INDEFINITE and rest) or is_mass(written.text) or is_plural(written.text):
        return False
    before = _BEFORE.search(text, max(0, written.start - 60), written.start)
    word = before.group("word") if before else None
    return word is None or not (word.lower() in _DETERMINERS or word.lower().endswith(_NO_ARTICLE_ENDINGS))


def _with_adverb(term: Term, text: str) -> int:
    """Where the term starts with the adverb before it that would be left hanging."""
    ahead = max(0, term.start - 24)
    if _QUALIFIED.match(term.text) and (adverb := _ADVERB.search(text, ahead, term.start)):
        return adverb.start()
    if " " in term.text and (degree := _DEGREE.search(text, ahead, term.start)):
        return degree.start(1)
    return term.start


def _head(original: str, label: str) -> str:
    """The words at the end of the original that the label repeats, as they stand there; empty if it does not.

    >>> _head("HIV risk factors", "risk factor"), _head("Mercy Hospital", "hospital"), _head("gonorrhea", "disease")
    ('risk factors', 'hospital', '')
    """
    words = original.split()
    length = len(label.split())
    end = " ".join(words[-length:])
    if length >= len(words) or singular(end.lower()) != singular(label.lower()):
        return ""
    return end if words[-1][0].islower() else end.lower()


def is_mass(phrase: str) -> bool:
    """Is the head of a phrase a noun that takes no "a"?

    >>> [is_mass(p) for p in ("chronic pain", "viral hepatitis", "drug dependence", "disease")]
    [True, True, True, False]
    """
    head = phrase.rsplit(" ", 1)[-1].lower()
    return head in _MASS or (head.endswith(_MASS_ENDINGS) and not head.endswith(_COUNTED_ENDINGS))


def _is_name(term: Term) -> bool:
    return term.kind == "place" or (term.text.isupper() and not is_shouted(term.text))


def is_shouted(text: str) -> bool:
    """Is it in capitals because it is a heading, and not because it is an acronym or several ("HIV ELISA")?"""
    return text.isupper() and any(len(word) > 5 for word in text.split())


def _wants_article(
    term: Term, text: str, sentence: Span, word: str | None, before: re.Match[str] | None, opening: bool
) -> bool:
    """Does a countable phrase in the singular need "a" here? Where the original stood bare in running text, yes."""
    line = text[sentence[0] : sentence[1]].rstrip()
    if len(line.split()) <= _FEW_WORDS and not line.endswith((".", "!", "?")):
        return False
    following = text[term.end : term.end + 1]
    if following in ("-", "/", "–"):
        return False
    if opening:
        return following == " " and not text[term.end : term.end + 2].strip(" ").startswith((":", "-", "–"))
    if word is None:
        return before is not None and before.group("other") in ",;" and before.group("gap") == " "
    if before is not None and (not before.group("gap") or text.endswith("y/o ", 0, before.end())):
        return False
    lower = word.lower()
    if lower in _DETERMINERS or lower.endswith(_NO_ARTICLE_ENDINGS) or lower[0].isdigit():
        return False
    # An adjective that the extractor left outside the term carries the article already: "the severe AIDS".
    return _bare(text, sentence, term.start - len(before.group()) if before else term.start)


def _bare(text: str, sentence: Span, at: int) -> bool:
    """Is no determiner open just before the word that starts at ``at``?"""
    earlier = _BEFORE.search(text, max(sentence[0], at - 40), at)
    return not (earlier and earlier.group("word") and earlier.group("word").lower() in _ARTICLES)


def _capitalize(phrase: str, term: Term, opening: bool) -> str:
    if is_shouted(term.text):
        return phrase.upper()
    return phrase[:1].upper() + phrase[1:] if opening else phrase
