"""English inflection for keys and replacements: singular and plural, "a" and "an", capitals, possessives.

Singular forms come from a few regular rules and one table of everything in WordNet 3.0 that the rules would get wrong
(irregular plurals, words that only look plural) and of names in *-s*, written by ``training/build_inflection.py``.
``benchmarks/inflection.py`` measures them against the packages ``inflect`` and ``lemminflect`` on the nouns of two
treebanks: right on plural nouns .985, .984, .984; on singular nouns in *-s* .980, .589, .849; on names in *-s* .824,
.131, .414; distinct words a second 190,000, 12,000, 23,000. ``inflect`` takes 2 s to import, a sixth of that is our
bound for start-up; keys are asked for in millions, of names as well as nouns. So the table is ours.

A word that the table does not know is taken by rule, whatever its case, so an unknown name in *-s* loses it. That is
harmless, for keys are compared with keys, and it keeps a key independent of capitals.
"""

from __future__ import annotations

import re
from functools import lru_cache

from taciturn.language.lexicon import LEXICON

__all__ = ["article", "inflect_like", "is_plural", "match_case", "plural", "singular"]

_LONGEST = 60
"""No noun is longer; a longer run of letters is left alone."""
_VOWELS = "aeiou"
_SAME = LEXICON.words("morphology.not-plural")
_KEEP_E = LEXICON.words("morphology.plural-es")
_SIBILANTS = LEXICON.words("morphology.sibilant")
_NOT_MEN = LEXICON.words("morphology.not-men")
_AFTER_HEAD = re.compile(rf"(?<=\w)(?:\s{LEXICON.any_of('function.after-head')}\s|-in-)")
_TO_IS = re.compile(r"(?:[^aeiou]yses|[a-z]{4}oses|[^e]eses|stases)$")


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, str], dict[str, str]]:
    """(plural to singular, singular to plural) where the rules fail; a word that is its own singular maps to itself."""
    text = LEXICON.file("inflection.txt").read_text("utf-8")
    to_one: dict[str, str] = {}
    to_many: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        many, _, one = line.partition(" ")
        if many.startswith("+"):
            to_many[one] = many[1:]
        else:
            to_one[many] = one or many
    return to_one, to_many


def singular_by_rule(word: str) -> str:
    """The singular of a lower-case word by the regular rules alone; the table holds what they get wrong."""
    if len(word) < 4 or not word.endswith("s"):
        if word.endswith("men"):
            return word[:-2] + "an"
        if word.endswith("children"):
            return word[:-3]
        return word[:-2] if word.endswith("omata") and len(word) > 6 else word
    if word.endswith(_SAME):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith("itides"):
        return word[:-4] + "is"
    if _TO_IS.search(word):
        return word[:-2] + "is"
    if word.endswith(_KEEP_E) or (word.endswith("oes") and len(word) > 4):
        return word[:-2]
    return word[:-1]


def plural_by_rule(word: str) -> str:
    """The plural of a lower-case word by the regular rules alone."""
    if word.endswith("itis"):
        return word
    if word.endswith("sis") and len(word) > 4:
        return word[:-2] + "es"
    if word.endswith("man") and not word.endswith(_NOT_MEN):
        return word[:-2] + "en"
    if word.endswith(_SIBILANTS):
        return word + "es"
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


@lru_cache(maxsize=1 << 16)
def _singular(word: str) -> str:
    table = _table()[0]
    while (one := table.get(word) or singular_by_rule(word)) != word:
        word = one  # "womens" needs two steps: a singular is its own singular.
    return word


def _by_last_part(word: str) -> tuple[str, str]:
    """The word cut before its last hyphenated part: that part carries the plural."""
    at = word.rfind("-") + 1
    return word[:at], word[at:]


def singular(word: str) -> str:
    """The singular of a noun, in the capitals of the word; a singular stays as it is.

    >>> [singular(w) for w in "diagnoses metastases biopsies viruses children Women STDs".split()]
    ['diagnosis', 'metastasis', 'biopsy', 'virus', 'child', 'Woman', 'STD']
    >>> [singular(w) for w in "AIDS diabetes herpes rabies measles pus pelvis sepsis series species".split()]
    ['AIDS', 'diabetes', 'herpes', 'rabies', 'measles', 'pus', 'pelvis', 'sepsis', 'series', 'species']
    """
    if word.isascii() and word.isalpha() and word.islower() and len(word) <= _LONGEST:
        return _singular(word)  # what most words are: no capitals to restore, no parts to tell apart
    if (word.isupper() and len(word) > 1) or word[:-1].isdigit():
        return word
    if len(word) > 2 and word[-1] == "s" and word[:-1].isupper() and sum(map(str.isalpha, word)) > 2:
        return word[:-1]
    head, last = _by_last_part(word)
    if not last[-2:].isalpha() or len(last) > _LONGEST:
        return word
    one = _singular(last.lower())
    if one == last.lower():
        return word
    return head + (last[: len(one)] if last.lower().startswith(one) else match_case(one, last))


def plural(word: str) -> str:
    """The plural of a singular noun; the last word of a phrase is the one that changes.

    >>> [plural(w) for w in "diagnosis biopsy virus child Woman STD disease".split()]
    ['diagnoses', 'biopsies', 'viruses', 'children', 'Women', 'STDs', 'diseases']
    >>> plural("liver disease"), plural("man of law"), plural("series")
    ('liver diseases', 'men of law', 'series')
    """
    of = _AFTER_HEAD.search(word)
    if of:
        return plural(word[: of.start()]) + word[of.start() :]
    at = max(word.rfind(" "), word.rfind("-")) + 1
    head, last = word[:at], word[at:]
    if not last:
        return word
    if last.isupper() and len(last) > 1:
        return head + last + "s"
    low = last.lower()
    to_one, to_many = _table()
    if low in to_many:
        many = to_many[low]
    elif _singular(low) != low or (to_one.get(low) == low and low[-1] == "s" and not low.endswith(("as", "lens"))):
        many = low  # It is plural already, or a word such as "diabetes" or "series" that has one form.
    else:
        many = plural_by_rule(low)
    return head + match_case(many, last)


def is_plural(word: str) -> bool:
    """Whether the last word is a plural that has another singular.

    >>> is_plural("liver diseases"), is_plural("AIDS"), is_plural("diabetes"), is_plural("men")
    (True, False, False, True)
    """
    last = word.split()[-1] if word.split() else word
    return singular(last) != last


_AN_LETTERS = frozenset("aefhilmnorsx")
_SILENT_H = re.compile(LEXICON.any_of("morphology.silent-h"), re.IGNORECASE)
_YOU = re.compile(r"e[uw]|one(?![a-z])|once|u(?:ni(?!n|m[pab]|dent)|nanim|[sr][aeiou]|bi|te|ti|k|fo)", re.IGNORECASE)
_AN_NUMBER = re.compile(r"8|1[18](?:\d\d)?(?!\d)(?![.,]\d\d(?!\d))|1[18](?:[.,]?\d{3})+(?!\d)")
_SPELLED = re.compile(r"[a-z]{1,2}[A-Z]{2}|[A-Z][A-Za-z]*\d|[A-Z][a-z][A-Z]$")
_START = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


def article(phrase: str) -> str:
    """ "a" or "an", as the phrase is spoken.

    >>> [article(p) for p in ("hour", "HIV test", "MRI", "8-year-old", "X-ray", "11th visit", "NHS trust", "uncle")]
    ['an', 'an', 'an', 'an', 'an', 'an', 'an', 'an']
    >>> [article(p) for p in ("university", "one-off", "house", "UN report", "CT scan", "European", "NATO base")]
    ['a', 'a', 'a', 'a', 'a', 'a', 'a']
    """
    found = _START.search(phrase)
    if not found:
        return "a"
    word = found.group()
    first = re.split(r"[-'’.]", word, maxsplit=1)[0]
    if word[0].isdigit():
        return "an" if _AN_NUMBER.match(phrase, found.start()) else "a"
    if len(first) == 1 or (first.isupper() and not _is_spoken(first)) or _SPELLED.match(first):
        return "an" if first[0].lower() in _AN_LETTERS else "a"
    if _SILENT_H.match(word):
        return "an"
    if _YOU.match(word):
        return "a"
    return "an" if word[0].lower() in "aeiouàáâäèéêëìíîïòóôöùúûü" else "a"


def _is_spoken(capitals: str) -> bool:
    """Whether a word in capitals is read as a word (NATO, AIDS) and not letter by letter (HIV, MRI)."""
    low = capitals.lower()
    if len(low) < 4:
        return False
    return re.search(r"[aeiouy]", low[:3]) is not None and re.search(r"[^aeiouy]{3}|^[^aeiouy]{2}$", low) is None


def match_case(replacement: str, original: str) -> str:
    """The replacement with the capitals of the original: ALL CAPITALS, Capitals On Each Word, or one at the start.

    A word of the replacement that is written in capitals, or mixed, keeps them; a replacement never loses capitals
    because the original has none, for it may be a name.

    >>> match_case("disease", "AIDS"), match_case("disease", "Influenza"), match_case("liver disease", "LIVER CANCER")
    ('disease', 'Disease', 'LIVER DISEASE')
    >>> match_case("viral disease", "Yellow Fever"), match_case("HIV infection", "syphilis")
    ('Viral Disease', 'HIV infection')
    """
    words = [w for w in re.split(r"[\s-]+", original) if any(map(str.isalpha, w))]
    if not words or not replacement:
        return replacement
    if original.isupper() and (len(words) > 1 or sum(map(str.isalpha, original)) > 5):
        return replacement.upper()
    if len(words) > 1 and all(_first_letter(w).isupper() or w in _SMALL for w in words):
        parts = re.split(r"(\s+)", replacement)
        return "".join(p if i and p in _SMALL else _capital(p) for i, p in enumerate(parts))
    first = _first_letter(words[0])
    lone_capitals = len(words) == 1 and (original.isupper() or (len(original) > 2 and original[:-1].isupper()))
    return _capital(replacement) if first.isupper() and not lone_capitals else replacement


_SMALL = LEXICON.word_set("function.title-small")


def _first_letter(word: str) -> str:
    return next((c for c in word if c.isalpha()), "")


def _capital(text: str) -> str:
    for at, c in enumerate(text):
        if c.isalnum():
            return text[:at] + c.upper() + text[at + 1 :]
    return text


_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])$", re.IGNORECASE)


def inflect_like(replacement: str, original: str) -> str:
    """The replacement with the number, possessive ending and capitals of the original.

    >>> inflect_like("disease", "STDs"), inflect_like("patient", "children's"), inflect_like("city", "Paris's")
    ('diseases', "patients'", "City's")
    >>> inflect_like("medical procedure", "Blood transfusions"), inflect_like("person", "he")
    ('Medical procedures', 'person')
    """
    ending = _POSSESSIVE.search(original)
    stem = original[: ending.start()] if ending else original
    words = plural(replacement) if is_plural(stem) and not is_plural(replacement) else replacement
    words = match_case(words, stem)
    if ending:
        mark = "’" if "’" in ending.group() else "'"
        words += mark if words.endswith("s") and is_plural(words) else mark + ("S" if words.isupper() else "s")
    return words
