"""The search: every place of a text where a form is written, whatever stands between its letters."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from taciturn.secondreader.forms import Clue, Entry, Form, Forms
from taciturn.secondreader.letters import atoms, plain
from taciturn.secondreader.loose import apart, coordinated
from taciturn.secondreader.text import Text, between_words

__all__ = ["Hit", "read"]

_NO_FORMS = Forms(())
_LINE_HYPHEN = re.compile(r"-[ \t]*\r?\n[\s>|*#]*$")
_EMPHASIS = re.compile(r"[*_~`]{1,3}$")
_CAPITALS_THEN = re.compile(r"(?<![A-Z])[A-Z]{3,}(?=[a-z]{2})")
_FIGURES_IN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z@$][A-Za-z]*[0-9@$!|]+[A-Za-z][A-Za-z0-9@$!|]*(?![A-Za-z0-9])")
_AS_LETTERS = (str.maketrans("0134578@$!|", "oieastbasii"), str.maketrans("0134578@$!|", "oleastbasll"))
_ICD = re.compile(r"\bICD\b", re.IGNORECASE)
_ANNOUNCED = 60
_BEFORE_FIGURES = ("", " ", "-", "_", "\u2013", "\u2011", "/")
_SPACED_GAP = 3


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a form is written: its span in the text, the form, and ``way`` (how it was recognized).

    ``ambiguous``: the string may as well be something else: an ordinary word, other initials, a plain number.
    ``exact``: it has the form's own capitals, so that "MS" may be the abbreviation where "Ms" is not.
    """

    start: int
    end: int
    form: Form
    way: str
    ambiguous: bool = False
    exact: bool = True


def read(text: str, forms: Forms, removed: Forms = _NO_FORMS) -> tuple[Hit, ...]:
    """Every place where the text has one of the forms, or a string that was removed, in order.

    Hits never overlap: the longest is kept, and one that is certain before one that is ambiguous.

    >>> from taciturn.secondreader.forms import forms_of
    >>> [(h.start, h.form.text, h.way) for h in read("s y p h i l i s, syphillis", forms_of(["syphilis"]))]
    [(0, 'syphilis', 'letters apart'), (17, 'syphilis', 'a letter off')]
    """
    if not forms and not removed:
        return ()
    view = plain(text)
    found = Text(view, atoms(view.text))
    hits = [hit for index in (forms, removed) if index for hit in _Search(found, index).hits()]
    # The piece of a word that a line end cuts off may look like a British spelling: "bre-ast".
    if starts := sorted(
        {i - k for i, a in enumerate(found.atoms) if a[2] != found.words[i] for k in range(min(i, 3) + 1)}
    ):
        as_written = Text(view, found.atoms, spelled=False)
        hits += [h for index in (forms, removed) if index for h in _Search(as_written, index).split(starts)]
    if not hits:
        return ()
    spans = [replace(h, start=start, end=end) for h in hits for start, end in (view.span(h.start, h.end),)]
    return _longest(spans)


def _longest(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda h: (h.ambiguous, h.start - h.end, h.start, h.form.text)):
        if not any(hit.start < k.end and k.start < hit.end for k in kept):
            kept.append(hit)
    return tuple(sorted(kept, key=lambda h: h.start))


class _Search:
    def __init__(self, found: Text, forms: Forms) -> None:
        self.t = found
        self.forms = forms

    def hits(self) -> Iterator[Hit]:
        clues = self.forms.clues([a[2] for a in self.t.atoms])
        for i, clue in enumerate(clues):
            if clue.begins:
                yield from self._from(i)
            if clue.near:
                yield from self._close(i, clue)
            for part in clue.holds:
                yield from self._hit(i, i, self.forms.table[part], "inside a word")
            if clue.clipped and self.t.is_alone(i):
                yield from self._hit(i, i, self._names(clue.clipped), "cut short")
        for first, last, letters in coordinated(self.t, [c.begins for c in clues], self.forms):
            yield from self._hit(first, last, self._names(letters), "in a list of several")
        for first, last, number in apart(self.t, self.forms.several):
            yield from self._hit(first, last, [Entry(number, 1)], "words apart")
        yield from self._written_together()

    def _names(self, letters: str) -> list[Entry]:
        return [e for e in self.forms.table[letters] if self.forms.forms[e.form].how == "name"]

    def split(self, starts: Sequence[int]) -> Iterator[Hit]:
        """Forms that begin with one of some atoms."""
        for i in starts:
            yield from self._from(i)

    def _from(self, i: int) -> Iterator[Hit]:
        """Forms that begin with an atom and end with one, a plural's s apart."""
        t, start = self.t, self.t.offsets[i]
        for end, entries in self.forms.at(t.letters, start):
            last = bisect_left(t.offsets, end, i) - 1
            rest = t.letters[end : t.offsets[last + 1]]
            if rest not in ("", "s", "es") or (rest and (len(t.words[last]) == len(rest) or end - start < 3)):
                continue
            fitting = [e for e in entries if self._gaps(i, last, e, end - start)]
            if rest:
                fitting = [e for e in fitting if self._is_plural(e, i, last, end - start, rest)]
            if fitting:
                apart = last - i + 1 == end - start > 1
                yield from self._hit(i, last, fitting, "letters apart" if apart else "written")

    def _is_plural(self, entry: Entry, first: int, last: int, length: int, rest: str) -> bool:
        """Is the end of the last atom a plural's? "HIVES" is no plural of an abbreviation, "STDs" is."""
        form = self.forms.forms[entry.form]
        if length - (entry.words.bit_length() - 1) < 3 and self.forms.is_ordinary(self.t.words[last]):
            return False  # "type is" is no plural of "type I"
        if form.how == "abbreviation":
            small = "".join(self.t.words[first : last + 1])
            return rest == "s" and (self.t.shown(first, last)[-1] == "s" or not self.forms.is_ordinary(small))
        return form.how in ("name", "derived")

    def _gaps(self, first: int, last: int, entry: Entry, length: int) -> bool:
        """May a form be written with what stands between these atoms?"""
        if first == last:
            # "ball" is a word of its own and no "B-ALL".
            return entry.words == 1 or not self.forms.is_ordinary(self.t.words[first])
        t, how = self.t, self.forms.forms[entry.form].how
        gaps = [(t.offsets[i + 1] - t.offsets[first], t.gap(i)) for i in range(first, last)]
        if how == "code":
            dot = self.forms.forms[entry.form].text.find(".")
            return all(not gap or (gap == "." and at == dot) for at, gap in gaps) and t.is_apart(first)
        if last - first + 1 == length and how != "removed":  # letters apart, all by the same
            same = len({gap for _, gap in gaps}) == 1 and len(gaps[0][1]) <= _SPACED_GAP
            return same and (length > 2 or "." in gaps[0][1])
        wide = 0
        for i, (at, gap) in enumerate(gaps, first + 1):
            if entry.words >> at & 1:
                # "HIV-2", but not a list that goes on: "HIV, 2 weeks".
                if not between_words(gap) or (t.words[i].isdigit() and gap not in _BEFORE_FIGURES):
                    return False
            elif not gap or _LINE_HYPHEN.match(gap) or _EMPHASIS.match(gap):
                continue
            elif len(gap) == 1 and not gap.isspace():
                if length < 5:
                    return False
            elif length < 6 or not between_words(gap):
                return False
            else:
                wide += 1
        return not wide or (wide == 1 and not all(map(self.forms.is_ordinary, t.words[first : last + 1])))

    def _hit(self, first: int, last: int, entries: Sequence[Entry], way: str) -> Iterator[Hit]:
        t, forms = self.t, self.forms.forms
        # A text without a next atom after a code's digits, or with one that is apart, ends the code.
        start, end = t.atoms[first][0], t.atoms[last][1]
        for form in dict.fromkeys(forms[e.form] for e in entries):
            if form.how == "code":
                if not t.is_apart(first) or not (last + 1 == len(t.atoms) or t.is_apart(last + 1)):
                    continue
                if form.text[0].isdigit() and "." not in t.shown(first, last) and not self._is_announced(first):
                    continue  # a number, as a year is
            ambiguous = self._is_ambiguous(form, first, last, way)
            exact = not ambiguous or (_has_capitals(t.shown(first, last), form.text) and not form.text[0].isdigit())
            yield Hit(start, end, form, way, ambiguous, exact)

    def _is_ambiguous(self, form: Form, first: int, last: int, way: str) -> bool:
        shown = self.t.shown(first, last)
        if form.how == "homograph":
            return True
        small = "".join(self.t.words[first : last + 1])
        if form.how == "code":
            # "D50" is a solution of dextrose as well: without a dot a code is one among codes, or by itself.
            if self._is_announced(first):
                return False
            return form.text[0].isdigit() or not ("." in shown or self._is_by_itself(first, last))
        if form.how == "abbreviation":
            if way == "letters apart":
                return len(small) < 3
            if not self.forms.is_ordinary(small):
                return False
            capitals = _has_capitals(shown, form.text)
            return not capitals or (len(small) < 4 and self._line_in_capitals(first, last))
        if form.how == "removed":
            # "SHE" may be a disease where "She" is not; a capital after a full stop says nothing: "Patient".
            alike = _has_capitals(shown, form.text) and (form.text.isupper() or not self._begins_sentence(first))
            return form.text != form.text.lower() and not alike and self.forms.is_ordinary(small)
        # "Hepatitis A" is not "hepatitis a year ago".
        if last == first or shown[-1] not in ("a", "i") or len(self.t.words[last]) > 1 or way != "written":
            return False
        return not form.text[-2:-1].isalnum()

    def _line(self, i: int) -> str:
        start = self.t.text.rfind("\n", 0, self.t.atoms[i][0]) + 1
        end = self.t.text.find("\n", start)
        return self.t.text[start : end if end >= 0 else None]

    def _is_announced(self, first: int) -> bool:
        """Does the text say, shortly before, that codes of the classification of diseases follow?"""
        start = self.t.atoms[first][0]
        return _ICD.search(self.t.text, max(0, start - _ANNOUNCED), start) is not None

    def _is_by_itself(self, first: int, last: int) -> bool:
        """Do marks or borders of the line stand on both sides: "Dx: B20, Z21", "(D66)", a cell of a table?"""
        text, start, end = self.t.text, self.t.atoms[first][0], self.t.atoms[last][1]
        before = text[:start].rstrip(" ")[-1:]
        after = text[end:].lstrip(" ")[:1]
        return not before.isalnum() and not after.isalnum()

    def _begins_sentence(self, first: int) -> bool:
        return self.t.text[: self.t.atoms[first][0]].rstrip()[-1:] in ("", *".:!?,;*-#>|")

    def _line_in_capitals(self, first: int, last: int) -> bool:
        line = self._line(first)
        return line.isupper() and sum(map(str.isalpha, line)) > sum(map(str.isalpha, self.t.shown(first, last))) + 1

    def _close(self, i: int, clue: Clue) -> Iterator[Hit]:
        """Forms of which one long word is written with a letter off, and the words around it as they are."""
        t = self.t
        for (letters, start, end), plural in clue.near:
            begin, after = t.offsets[i] - start, t.offsets[i + 1]
            rest = letters[end:]
            if begin < 0 or t.letters[begin : t.offsets[i]] != letters[:start]:
                continue
            if t.letters[after : after + len(rest)] != rest or (plural and rest):
                continue
            first = bisect_left(t.offsets, begin)
            last = bisect_left(t.offsets, after + len(rest)) - 1
            if t.offsets[first] == begin and t.offsets[last + 1] == after + len(rest):
                gaps = [t.gap(k) for k in range(first, last)]
                if all(map(between_words, gaps)):
                    yield from self._hit(first, last, self.forms.table[letters], "a letter off")

    def _written_together(self) -> Iterator[Hit]:
        """Capitals with small letters after them (HIVpositive), and digits or signs that stand for letters (H1V)."""
        text = self.t.text
        table, forms = self.forms.table, self.forms.forms
        for match in _CAPITALS_THEN.finditer(text):
            for entry in table.get(match.group().lower(), ()):
                if forms[entry.form].how in ("name", "abbreviation"):
                    yield Hit(match.start(), match.end(), forms[entry.form], "inside a word")
        for match in _FIGURES_IN.finditer(text):
            if self.forms.is_ordinary(match.group().lower()):
                continue  # "a1c"
            for made in dict.fromkeys(match.group().lower().translate(table_) for table_ in _AS_LETTERS):
                for entry in table.get(made, ()):
                    form = forms[entry.form]
                    if form.how in ("name", "abbreviation") and (len(made) > 3 or form.is_own_name):
                        yield Hit(match.start(), match.end(), form, "figures for letters")


def _has_capitals(shown: str, text: str) -> bool:
    """Is every capital of a form a capital where it is shown?

    >>> _has_capitals("MS", "MS"), _has_capitals("Ms", "MS"), _has_capitals("Clap", "clap")
    (True, False, True)
    """
    letters, own = ([c for c in t if c.isalnum()] for t in (shown, text))
    return all(a.isupper() or not b.isupper() for a, b in zip(letters, own, strict=False))
