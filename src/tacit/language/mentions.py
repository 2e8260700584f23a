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
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tacit.document import Term
from tacit.language.definitions import Definition, definitions
from tacit.language.keys import key
from tacit.language.names import TITLE_BEFORE, Name, Persons, parse_name

__all__ = ["link_mentions"]

_NAMED = ("organization", "place")
_LEGAL = re.compile(
    r"(?:,?\s(?:Inc|Ltd|LLC|Corp|Corporation|Company|Co|plc|PLC|GmbH|AG|SA|S\.A|NV|BV|Limited)\.?){1,3}$"
)
_ACRONYM = re.compile(r"(?=\w*[A-Z]\w*[A-Z])[A-Z0-9][\w&/-]{1,11}")
_WORD = re.compile(r"[^\W_]+")
_SMALL = re.compile(r"(?<![\w'’])[^\W\d_A-Z][^\W\d_A-Z]+(?!\w)")
_BETWEEN = re.compile(r"(?:(?<![^\W_]{4})\.)?[^\S\n]{0,2}['’&/-]?[^\S\n]{0,1}")
_AROUND = re.compile(r"^(?:[Tt]he|[Aa]n?)\s|['’]s?$")
_NOTHING = re.compile(r"(?!)")
_LONGEST = 8

Group = tuple[str, str | int]
"""What terms that belong together have in common: ("person", number), ("name", key) or ("acronym", key)."""

Forms = dict[tuple[str, ...], Group]
Marked = tuple[Term, Group | None]
Occurrence = tuple[int, int, Group | None]


def link_mentions(terms: Sequence[Term], text: str) -> list[Term]:
    """The terms with ``mention`` numbers, and with the occurrences that were missed; in order, without overlap.

    >>> text = "Angelina Jolie Voight acts. Ms Voight won. They saw Jolie."
    >>> terms = [Term(0, 21, text[:21], "angelina jolie voight", "person")]
    >>> [(term.text, term.mention) for term in link_mentions(terms, text)]
    [('Angelina Jolie Voight', 1), ('Ms Voight', 1), ('Jolie', 1)]
    """
    small = set(_SMALL.findall(text))
    defined = list(definitions(text))
    marked: list[Marked] = [(term, None) for term in sorted(terms, key=lambda term: term.start)]
    marked = _merged(marked, _definition_spans(defined), text)
    found = [term for term, _ in marked]
    names = [_person_name(term, small) for term in found]
    persons = Persons([name for name in names if name])
    groups = [_group(term, name, persons) for term, name in zip(found, names, strict=True)]
    forms: Forms = {form: ("person", number) for form, number in persons.forms().items()}
    forms |= _other_forms(found, groups)
    same = _Same()
    by_definition = _define(defined, found, groups, same, text)
    forms = {form: group for form, group in forms.items() if len(form) > 1 or form[0].lower() not in small}
    forms = {form: same.root(group) for form, group in (forms | by_definition).items()}
    marked = [(term, same.root(group) if group else None) for term, group in zip(found, groups, strict=True)]
    marked = _merged(marked, _occurrences(text, forms), text, persons)
    return _numbered(marked)


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


def _person_name(term: Term, small: set[str]) -> Name | None:
    if term.kind != "person":
        return None
    name = parse_name(term.text)
    if name and len(name.words) == 1:
        word = name.words[0]
        if word.lower() in small or (word.isupper() and len(word) < 6):
            return None
    return name


def _group(term: Term, name: Name | None, persons: Persons) -> Group | None:
    if name:
        number = persons.number(name)
        return None if number is None else ("person", number)
    if term.kind in _NAMED and any(map(str.isupper, term.text)):
        return ("name", key(_LEGAL.sub("", term.text)))
    if _ACRONYM.fullmatch(term.text) and not (short := key(term.text)).islower():
        return ("acronym", short)
    return None


def _other_forms(terms: Sequence[Term], groups: Sequence[Group | None]) -> Forms:
    """The forms of names of places and organizations, and of acronyms, to look for elsewhere."""
    forms: Forms = {}
    for term, group in zip(terms, groups, strict=True):
        if group is None or group[0] == "person":
            continue
        for written in dict.fromkeys((term.text, _LEGAL.sub("", term.text))):
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
    terms: Sequence[Term],
    groups: list[Group | None],
    same: _Same,
    text: str,
) -> Forms:
    """Unite what the text defines, and give its forms; long forms in small letters become groups by their key."""
    forms: Forms = {}
    done: set[tuple[str, str]] = set()
    by_key: dict[str, list[int]] = defaultdict(list)
    for at, term in enumerate(terms):
        by_key[term.key].append(at)
    for definition in defined:
        at = bisect_left(terms, definition.end, key=lambda term: term.end)
        if at == len(terms) or terms[at].end != definition.end:
            continue
        written = text[definition.short_start : definition.short_end]
        if (terms[at].text, written) in done:
            continue
        done.add((terms[at].text, written))
        long = groups[at] or ("name", terms[at].key)
        if groups[at] is None:
            for other in by_key[terms[at].key]:
                groups[other] = groups[other] or long
        short: Group = ("acronym", key(written))
        same.unite(long, short)
        for other in by_key[key(written)]:
            if terms[other].text[0].isupper() or terms[other].text.lower().startswith("the "):
                groups[other] = groups[other] or short
                same.unite(long, groups[other] or short)
        words = tuple(_WORD.findall(written))
        forms[words] = short
        if definition.start >= 0:
            forms.setdefault(tuple(_WORD.findall(text[definition.start : definition.end])), long)
    return forms


def _occurrences(text: str, forms: Forms) -> Iterator[Occurrence]:
    """Where a form occurs, the longest at each place, from left to right; a person's with the title before it."""
    table: dict[str, dict[int, Forms]] = {}
    for form, group in forms.items():
        if len(form) <= _LONGEST:
            shouted = tuple(word.upper() for word in form)
            for written in (form, shouted) if len(form) > 1 else (form,):
                table.setdefault(written[0], {}).setdefault(len(written), {}).setdefault(written, group)
    lengths = {first: sorted(by_length, reverse=True) for first, by_length in table.items()}
    letters = re.escape("".join(sorted({first[0] for first in lengths})))
    starts = re.compile(rf"(?<![^\W_])[{letters}][^\W_]*") if letters else _NOTHING
    done = 0
    for first in starts.finditer(text):
        word = first.group()
        if word not in lengths or first.start() < done:
            continue
        following, ends = _words_from(text, first, lengths[word][0])
        for length in lengths[word]:
            words = following[:length]
            known = table[word][length].get(tuple(words))
            if known is None or not _is_whole(text, first.start(), ends[length - 1], words):
                continue
            start, end = first.start(), ends[length - 1] + _has_dot(text, ends[length - 1], words)
            if known[0] == "person" and (title := TITLE_BEFORE.search(text[max(done, start - 14) : start])):
                start -= len(title.group())
            yield start, end, known
            done = end
            break


def _words_from(text: str, first: re.Match[str], count: int) -> tuple[list[str], list[int]]:
    words, ends = [first.group()], [first.end()]
    while len(words) < count and (gap := _BETWEEN.match(text, ends[-1])):
        word = _WORD.match(text, gap.end())
        if not word or not gap.group():
            break
        words.append(word.group())
        ends.append(word.end())
    return words, ends


def _is_whole(text: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Whether the span is bounded by no letter or hyphen, and initials have their dots."""
    if text[end : end + 1] in ("-", "_") or text[start - 1 : start] in ("-", "_", "@", "."):
        return False
    return not all(len(word) == 1 for word in words) or text[start:end].count(".") >= len(words) - 1 > 0


def _has_dot(text: str, end: int, words: Sequence[str]) -> bool:
    return all(len(word) == 1 for word in words) and text[end : end + 1] == "."


def _merged(
    marked: Sequence[Marked], occurrences: Iterable[Occurrence], text: str, persons: Persons | None = None
) -> list[Marked]:
    """The terms merged with occurrences, by the rules at the top of this module; both run from left to right."""
    result: list[Marked] = []
    inside: list[Occurrence] = []  # What lies within the term that comes next.
    at = 0
    for start, end, group in occurrences:
        while at < len(marked) and marked[at][0].end <= start:
            if inside:
                result += _cut(marked[at], inside, text)
                inside = []
            else:
                result.append(marked[at])
            at += 1
        last = at
        while last < len(marked) and marked[last][0].start < end:
            last += 1
        touched = [term for term, _ in marked[at:last]]
        if len(touched) == 1 and touched[0].start == start and touched[0].end == end and not inside:
            result.append((touched[0], marked[at][1] or group))
            at = last
        elif all(start <= term.start and term.end <= end for term in touched) and not inside:
            kind = next((term.kind for term in touched if term.kind != "other"), "other")
            known = group or (marked[at][1] if len(touched) == 1 else None)
            result.append((Term(start, end, text[start:end], key(text[start:end]), kind), known))
            at = last
        elif len(touched) == 1 and touched[0].start <= start and end <= touched[0].end and _is_person(group, persons):
            inside.append((start, end, group))
    if inside:
        result += _cut(marked[at], inside, text)
        at += 1
    result += marked[at:]
    return result


def _is_person(group: Group | None, persons: Persons | None) -> bool:
    return bool(persons and group and group[0] == "person" and persons.is_known_well(int(group[1])))


def _cut(marked: Marked, inside: Sequence[Occurrence], text: str) -> Iterator[Marked]:
    """A term, cut around the persons' names in it if it is no name itself."""
    term, group = marked
    if group is not None or term.kind != "other":
        yield marked
        return
    at = term.start
    for start, end, person in inside:
        yield from _piece(text, at, start)
        yield Term(start, end, text[start:end], key(text[start:end])), person
        at = end
    yield from _piece(text, at, term.end)


def _piece(text: str, start: int, end: int) -> Iterator[Marked]:
    """What is left of a term beside a name in it, without a possessive and punctuation at its edges."""
    if text[start : start + 2] in ("'s", "’s"):
        start += 2
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield Term(start, end, text[start:end], key(text[start:end])), None


def _numbered(marked: Sequence[Marked]) -> list[Term]:
    """The terms with the numbers of their groups, in order of first occurrence; a group of one has no number.

    A term of kind ``other`` takes the kind of the first in its group that has one.
    """
    sizes: dict[Group, int] = defaultdict(int)
    kinds: dict[Group, str] = {}
    for term, group in marked:
        if group:
            sizes[group] += 1
            if term.kind != "other":
                kinds.setdefault(group, term.kind)
    numbers: dict[Group, int] = {}
    result = []
    for term, group in marked:
        if group:
            number = numbers.setdefault(group, len(numbers) + 1) if sizes[group] > 1 else 0
            kind = kinds.get(group, "other") if term.kind == "other" else term.kind
            if number or kind != term.kind:
                term = Term(term.start, term.end, term.text, term.key, kind, number)
        result.append(term)
    return result
