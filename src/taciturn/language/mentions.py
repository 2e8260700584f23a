"""Terms that name the same thing within one document, found once and known everywhere.

What belongs together: the forms of a person's name ("Angelina Jolie Voight", "Jolie", "Ms Voight", "A. J. Voight",
"A.J.V."), a name of a place or organization wherever it recurs, with or without "Ltd", and what the text itself
defines in brackets ("acquired immunodeficiency syndrome (AIDS)", 'Human Rights Commission ("the Commission")'). Other
terms share nothing, even under the same key. A name that could be two persons' (a bare "Smith" with two Smiths in the
document) belongs to neither and stands alone.

Occurrences that the extractor missed are added, word-bounded and in the same case (or all capitals):
- where no term stands, as a new term, with the title before it;
- where it encloses whole terms, in their place;
- where the name of a person known by two words or a title stands inside a longer term of kind ``other``, that term is
  cut around it;
- where it overlaps a term otherwise, the term stays.
A single word is searched for only if the text defines it or never writes it small ("Will" and "May" are too common).

Time is linear in the text: one pass over its words with a table of first words; forms have at most eight words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from taciturn.document import Key, Term
from taciturn.language.chunks import Chunks, chunk
from taciturn.language.definitions import Definition, definitions
from taciturn.language.keys import key
from taciturn.language.lexicon import LEXICON
from taciturn.language.names import Name, Persons, parse_name
from taciturn.language.recurrences import WORD, Forms, Group, Occurrence, find_forms, small_words

__all__ = ["Row", "link_mentions", "link_rows"]

_NAMED = ("organization", "place")
_LEGAL_FORMS = LEXICON.words("names.legal-form")
_LEGAL = re.compile(rf"(?:,?\s{LEXICON.any_of('names.legal-form')}\.?){{1,3}}$")
_ACRONYM = re.compile(r"(?=\w*[A-Z]\w*[A-Z])[A-Z0-9][\w&/-]{1,11}")
_ACRONYM_LENGTH = 12
_AROUND = re.compile(r"^(?:[Tt]he|[Aa]n?)\s|['’]s?$")

Row = tuple[int, int, str, Key, str]
"""A term before it is linked: start, end, text, key, kind. Terms are made last, for there are many of them."""


def link_mentions(terms: Sequence[Term], text: str) -> list[Term]:
    """The terms with ``mention`` numbers, and with the occurrences that were missed; in order, without overlap.

    >>> text = "Angelina Jolie Voight acts. Ms Voight won. They saw Jolie."
    >>> terms = [Term(0, 21, text[:21], "angelina jolie voight", "person")]
    >>> [(term.text, term.mention) for term in link_mentions(terms, text)]
    [('Angelina Jolie Voight', 1), ('Ms Voight', 1), ('Jolie', 1)]
    """
    rows = sorted([(t.start, t.end, t.text, t.key, t.kind) for t in terms])
    return [Term(*row, number) for row, number in zip(*link_rows(rows, text, chunk(text)), strict=True)]


def link_rows(rows: list[Row], text: str, chunks: Chunks) -> tuple[list[Row], list[int]]:
    """The rows of a text's terms, given in order, with those that were missed; and the mention number of each."""
    small = small_words(chunks)
    defined = list(definitions(text))
    groups: list[Group | None] = [None] * len(rows)
    rows, groups = _merged(rows, groups, _definition_spans(defined), text)
    called = dict.fromkeys(row[2] for row in rows if row[4] == "person")
    names = {written: name for written in called if (name := _person_name(written, small))}
    persons = Persons(list(names.values()))
    groups = _groups(rows, names, persons)
    forms: Forms = {form: ("person", number) for form, number in persons.forms().items()}
    forms |= _other_forms(rows, groups)
    same = _Same()
    by_definition = _define(defined, rows, groups, same, text)
    forms = {form: group for form, group in forms.items() if len(form) > 1 or form[0].lower() not in small}
    forms = {form: same.root(group) for form, group in (forms | by_definition).items()}
    groups = [same.root(group) if group else None for group in groups]
    rows, groups = _merged(rows, groups, find_forms(text, chunks, forms), text, persons)
    return _numbered(rows, groups)


class _Same:
    """Sets of groups that a definition in the text has united (a union-find structure)."""

    def __init__(self) -> None:
        self._parent: dict[Group, Group] = {}

    def root(self, group: Group) -> Group:
        while (parent := self._parent.get(group)) is not None:
            if (above := self._parent.get(parent)) is not None:
                self._parent[group] = above
            group = parent
        return group

    def unite(self, one: Group, other: Group) -> None:
        one, other = self.root(one), self.root(other)
        if one != other:
            self._parent[max(one, other, key=str)] = min(one, other, key=str)


def _person_name(written: str, small: set[str]) -> Name | None:
    name = parse_name(written)
    if name and len(name.words) == 1:
        word = name.words[0]
        if word.lower() in small or (word.isupper() and len(word) < 6):
            return None
    return name


def _groups(rows: Sequence[Row], names: dict[str, Name], persons: Persons) -> list[Group | None]:
    """The group of each row, worked out once for each different name."""
    groups: list[Group | None] = []
    persons_of: dict[str, Group | None] = {}
    for written, name in names.items():
        number = persons.number(name)
        persons_of[written] = None if number is None else ("person", number)
    named: dict[str, Group | None] = {}
    for _, _, written, _, kind in rows:
        if kind == "person" and written in persons_of:
            groups.append(persons_of[written])
        elif kind in _NAMED:
            if written not in named:
                named[written] = ("name", key(_bare(written))) if any(map(str.isupper, written)) else _acronym(written)
            groups.append(named[written])
        elif len(written) > _ACRONYM_LENGTH or written.islower():
            groups.append(None)
        else:
            groups.append(_acronym(written))
    return groups


def _acronym(written: str) -> Group | None:
    if _ACRONYM.fullmatch(written) and not (short := key(written)).islower():
        return ("acronym", short)
    return None


def _bare(name: str) -> str:
    """A name without what says the legal form of a company."""
    return _LEGAL.sub("", name) if name.rstrip(".").endswith(_LEGAL_FORMS) else name


def _other_forms(rows: Sequence[Row], groups: Sequence[Group | None]) -> Forms:
    """The forms of names of places and organizations, and of acronyms, to look for elsewhere."""
    forms: Forms = {}
    different = dict.fromkeys((row[2], group) for row, group in zip(rows, groups, strict=True) if group)
    for whole, group in different:
        if group[0] == "person":
            continue
        for written in dict.fromkeys((whole, _bare(whole))):
            words = tuple(WORD.findall(_AROUND.sub("", written)))
            if words and words[0][0].isupper() and (len(words) > 1 or len(words[0]) > 3 or words[0].isupper()):
                forms.setdefault(words, group)
    return forms


def _definition_spans(defined: Sequence[Definition]) -> Iterator[Occurrence]:
    """The long and short forms that definitions name, in order and without overlap."""
    done = 0
    for definition in defined:
        spans = [(definition.short_start, definition.short_end)]
        if definition.start >= 0:
            spans.append((definition.start, definition.end))
        for start, end in sorted(spans):
            if start >= done:
                yield start, end, None
                done = end


def _define(
    defined: Sequence[Definition],
    rows: Sequence[Row],
    groups: list[Group | None],
    same: _Same,
    text: str,
) -> Forms:
    """Unite what the text defines, and give its forms; long forms in small letters become groups by their key."""
    forms: Forms = {}
    done: set[tuple[str, str]] = set()
    if not defined:
        return forms
    ends = [row[1] for row in rows]
    meant: list[tuple[Definition, int, str]] = []  # each with the row of its long form, and the short form
    for definition in defined:
        at = bisect_left(ends, definition.end)
        if at < len(rows) and ends[at] == definition.end:
            meant.append((definition, at, text[definition.short_start : definition.short_end]))
    by_key: dict[str, list[int]] = {name: [] for _, at, written in meant for name in (rows[at][3], key(written))}
    for at, row in enumerate(rows):
        if row[3] in by_key:
            by_key[row[3]].append(at)
    for definition, at, written in meant:
        _, _, long_text, long_key, _ = rows[at]
        if (long_text, written) in done:
            continue
        done.add((long_text, written))
        long = groups[at] or ("name", long_key)
        if groups[at] is None:
            for other in by_key[long_key]:
                groups[other] = groups[other] or long
        short: Group = ("acronym", key(written))
        same.unite(long, short)
        for other in by_key[key(written)]:
            if rows[other][2][0].isupper() or rows[other][2].lower().startswith("the "):
                groups[other] = groups[other] or short
                same.unite(long, groups[other] or short)
        words = tuple(WORD.findall(written))
        forms[words] = short
        if definition.start >= 0:
            forms.setdefault(tuple(WORD.findall(text[definition.start : definition.end])), long)
    return forms


def _merged(
    rows: list[Row],
    groups: list[Group | None],
    occurrences: Iterable[Occurrence],
    text: str,
    persons: Persons | None = None,
) -> tuple[list[Row], list[Group | None]]:
    """The rows merged with occurrences, by the rules at the top of this module; both run from left to right."""
    kept: list[Row] = []
    marks: list[Group | None] = []
    ends = [row[1] for row in rows]
    inside: list[Occurrence] = []  # What lies within the row that comes next.
    at = 0

    def cut() -> None:
        nonlocal at
        for row, group in _cut(rows[at], groups[at], inside, text):
            kept.append(row)
            marks.append(group)
        inside.clear()
        at += 1

    for start, end, group in occurrences:
        before = bisect_right(ends, start, at)
        if inside and before > at:
            cut()
        kept += rows[at:before]
        marks += groups[at:before]
        at = last = before
        while last < len(rows) and rows[last][0] < end:
            last += 1
        touched = rows[at:last]
        if len(touched) == 1 and touched[0][0] == start and touched[0][1] == end and not inside:
            kept.append(touched[0])
            marks.append(groups[at] or group)
            at = last
        elif not inside and all(start <= row[0] and row[1] <= end for row in touched):
            kind = next((row[4] for row in touched if row[4] != "other"), "other")
            kept.append(_row(text, start, end, kind))
            marks.append(group or (groups[at] if len(touched) == 1 else None))
            at = last
        elif len(touched) == 1 and touched[0][0] <= start and end <= touched[0][1] and _is_person(group, persons):
            inside.append((start, end, group))
    if inside:
        cut()
    return kept + rows[at:], marks + groups[at:]


def _row(text: str, start: int, end: int, kind: str = "other") -> Row:
    written = text[start:end]
    return start, end, written, key(written), kind


def _is_person(group: Group | None, persons: Persons | None) -> bool:
    return bool(persons and group and group[0] == "person" and persons.is_known_well(int(group[1])))


def _cut(row: Row, group: Group | None, inside: Sequence[Occurrence], text: str) -> Iterator[tuple[Row, Group | None]]:
    """A row, cut around the persons' names in it if it is no name itself."""
    if group is not None or row[4] != "other":
        yield row, group
        return
    at = row[0]
    for start, end, person in inside:
        yield from _piece(text, at, start)
        yield _row(text, start, end), person
        at = end
    yield from _piece(text, at, row[1])


def _piece(text: str, start: int, end: int) -> Iterator[tuple[Row, None]]:
    """What is left of a row beside a name in it, without a possessive and punctuation at its edges."""
    if text[start : start + 2] in ("'s", "’s"):
        start += 2
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield _row(text, start, end), None


def _numbered(rows: list[Row], groups: Sequence[Group | None]) -> tuple[list[Row], list[int]]:
    """The rows and the numbers of their groups, in order of first occurrence; a group of one has no number.

    A row of kind ``other`` takes the kind of the first in its group that has one.
    """
    grouped = [(at, group) for at, group in enumerate(groups) if group]
    sizes: dict[Group, int] = defaultdict(int)
    kinds: dict[Group, str] = {}
    for at, group in grouped:
        sizes[group] += 1
        if rows[at][4] != "other":
            kinds.setdefault(group, rows[at][4])
    numbers: dict[Group, int] = {}
    mentions = [0] * len(rows)
    for at, group in grouped:
        if sizes[group] > 1:
            mentions[at] = numbers.setdefault(group, len(numbers) + 1)
        if rows[at][4] == "other" and group in kinds:
            rows[at] = (*rows[at][:4], kinds[group])
    return rows, mentions
