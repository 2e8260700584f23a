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

from tacit.document import Term
from tacit.language.chunks import Chunks, chunk, find_in, occurrences
from tacit.language.definitions import Definition, definitions
from tacit.language.keys import key
from tacit.language.names import TITLE_BEFORE, TITLES, Name, Persons, parse_name
from tacit.language.wordtable import WordMemo

__all__ = ["Row", "link_mentions", "link_rows"]

_NAMED = ("organization", "place")
_LEGAL_FORMS = tuple("Inc Ltd LLC Corp Corporation Company Co plc PLC GmbH AG SA S.A NV BV Limited".split())
_LEGAL = re.compile(rf"(?:,?\s(?:{'|'.join(map(re.escape, _LEGAL_FORMS))})\.?){{1,3}}$")
_ACRONYM = re.compile(r"(?=\w*[A-Z]\w*[A-Z])[A-Z0-9][\w&/-]{1,11}")
_ACRONYM_LENGTH = 12
_WORD = re.compile(r"[^\W_]+")
_SMALL = re.compile(r"(?<![\w'’])[^\W\d_A-Z][^\W\d_A-Z]+(?!\w)")
_NEXT = re.compile(r"(?:(?<![^\W_]{4})\.)?[^\S\n]{0,2}['’&/-]?[^\S\n]{0,1}(?P<word>[^\W_]+)")
_AROUND = re.compile(r"^(?:[Tt]he|[Aa]n?)\s|['’]s?$")
_LONGEST = 8

Row = tuple[int, int, str, str, str]
"""A term before it is linked: start, end, text, key, kind. Terms are made last, for there are many of them."""

Group = tuple[str, str | int]
"""What terms that belong together have in common: ("person", number), ("name", key) or ("acronym", key)."""

Forms = dict[tuple[str, ...], Group]
Occurrence = tuple[int, int, Group | None]


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
    small = _small_words(chunks)
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
    rows, groups = _merged(rows, groups, _occurrences(text, chunks, forms), text, persons)
    return _numbered(rows, groups)


class _Same:
    """Groups that a definition made one."""

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


def _small_words(chunks: Chunks) -> set[str]:
    """The words of two letters or more that the text writes without capitals."""
    small = {word for word in chunks.numbers if word.islower() and len(word) > 1 and word.isalpha()}
    return small.union(*(small for _, small in _PARTS.of([chunks.types[number] for number in chunks.mixed])))


_Parts = tuple[tuple[tuple[int, str], ...], tuple[str, ...]]
"""The words within a chunk, each with its place; and those of them in small letters."""


def _parts(chunks: list[str]) -> list[_Parts]:
    found = zip(find_in(chunks, _WORD), find_in(chunks, _SMALL), strict=True)
    return [(tuple(words), tuple([word for _, word in small])) for words, small in found]


_PARTS = WordMemo(_parts, 1 << 15)


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
            words = tuple(_WORD.findall(_AROUND.sub("", written)))
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
        words = tuple(_WORD.findall(written))
        forms[words] = short
        if definition.start >= 0:
            forms.setdefault(tuple(_WORD.findall(text[definition.start : definition.end])), long)
    return forms


def _occurrences(text: str, chunks: Chunks, forms: Forms) -> Iterator[Occurrence]:
    """Where a form occurs, the longest at each place, from left to right; a person's with the title before it."""
    single: dict[str, Group] = {}
    table: dict[str, dict[int, Forms]] = {}
    for form, group in forms.items():
        if len(form) == 1:
            single[form[0]] = group
        elif len(form) <= _LONGEST:
            for written in (form, tuple(word.upper() for word in form)):
                table.setdefault(written[0], {}).setdefault(len(written), {}).setdefault(written, group)
    longer = {first: sorted(by_length.items(), reverse=True) for first, by_length in table.items()}
    pairs = {written[:2] for choices in longer.values() for _, known in choices for written in known}
    done = 0
    for start, first in _first_words(chunks, single.keys() | longer.keys()):
        if start < done:
            continue
        found = None
        end = start + len(first)
        if first in longer and (after := _NEXT.match(text, end)) and (first, after["word"]) in pairs:
            found = _longer_form(text, start, first, longer[first])
        if found is None:
            if first not in single or len(first) == 1 or not _is_bounded(text, start, end):
                continue
            found = end, single[first]
        end, group = found
        begin = start - _title_length(text[max(done, start - 14) : start]) if group[0] == "person" else start
        yield begin, end, group
        done = end


def _longer_form(text: str, start: int, first: str, choices: list[tuple[int, Forms]]) -> tuple[int, Group] | None:
    """The end and the group of the longest form of two words or more that begins with a word at a place."""
    words, ends = _words_from(text, start, first, choices[0][0])
    for length, known in choices:
        if length > len(words) or (group := known.get(tuple(words[:length]))) is None:
            continue
        end = ends[length - 1]
        if not _is_bounded(text, start, end):
            continue
        if len(first) > 1 or any(len(word) > 1 for word in words[:length]):
            return end, group
        # Initials have their dots.
        if text.count(".", start, end) >= length - 1:
            return end + text.startswith(".", end), group
    return None


def _first_words(chunks: Chunks, firsts: Iterable[str]) -> list[tuple[int, str]]:
    """Where the words stand that forms begin with, as a run of letters and digits with none beside it."""
    wanted = frozenset(firsts)
    if not wanted:
        return []
    plain = {word for word in wanted if word.isascii() and word.isalpha()}
    hits = [(chunks.numbers[word], 0, word) for word in plain & chunks.numbers.keys()]
    parts = _PARTS.of([chunks.types[number] for number in chunks.mixed])
    hits += [
        (number, at, word)
        for number, (words, _) in zip(chunks.mixed, parts, strict=True)
        for at, word in words
        if word in wanted
    ]
    return occurrences(chunks, hits)


def _title_length(before: str) -> int:
    """How many characters a title takes at the end of what stands before a name."""
    # The look at the ends is what every name costs; few get further.
    if before[-1:].isspace() and before[:-1].removesuffix(".").endswith(TITLES):
        title = TITLE_BEFORE.search(before)
        return len(title.group()) if title else 0
    return 0


def _words_from(text: str, start: int, first: str, count: int) -> tuple[list[str], list[int]]:
    """The words that follow one another from a first word on, at most a number of them, and their ends."""
    words, ends = [first], [start + len(first)]
    while len(words) < count and (word := _NEXT.match(text, ends[-1])) and word.start("word") > ends[-1]:
        words.append(word["word"])
        ends.append(word.end())
    return words, ends


def _is_bounded(text: str, start: int, end: int) -> bool:
    """Whether no letter, hyphen or the like goes on from a span."""
    return text[end : end + 1] not in ("-", "_") and text[start - 1 : start] not in ("-", "_", "@", ".")


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
