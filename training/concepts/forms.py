"""Further written forms by rule: British and American spellings, adjectives, and everyday words that are names too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

__all__ = ["Derivations", "american", "is_everyday", "noun_senses", "numbered", "spelling_pairs", "wordnet_words"]

_BRITISH = [
    (re.compile(r"haem"), "hem"), (re.compile(r"aem(?=ia|ic)"), "em"), (re.compile(r"^oe(?=[sdt])"), "e"),
    (re.compile(r"oedem"), "edem"), (re.compile(r"(?<=[rh])hoea"), "hea"), (re.compile(r"paed"), "ped"),
    (re.compile(r"anaesth"), "anesth"), (re.compile(r"aec(?=a|u|o)"), "ec"), (re.compile(r"gynaec"), "gynec"),
    (re.compile(r"leukaem"), "leukem"), (re.compile(r"f(?:o)et"), "fet"), (re.compile(r"tumour"), "tumor"),
    (re.compile(r"(?<=[a-z]{4})our(?=s?$|al$|ed$|ing$)"), "or"), (re.compile(r"isation"), "ization"),
    (re.compile(r"(?<=[a-z]{3})ise(?=[ds]?$)"), "ize"), (re.compile(r"oestr"), "estr"), (re.compile(r"coel"), "cel"),
    (re.compile(r"dyspnoe"), "dyspne"), (re.compile(r"apnoe"), "apne"), (re.compile(r"aetio"), "etio"),
    (re.compile(r"orthopaed"), "orthoped"), (re.compile(r"sulph"), "sulf"), (re.compile(r"(?<=[a-z]{3})tre$"), "ter"),
    (re.compile(r"haemo"), "hemo"), (re.compile(r"caes"), "ces"), (re.compile(r"manoeuv"), "maneuv"),
    (re.compile(r"(?<=[a-z]{2})yse(?=[drs]?$)"), "yze"), (re.compile(r"ae(?=r?us$|stiv)"), "e"),
]  # fmt: skip
_ADJECTIVE = re.compile(r"(ic|al|ar|ac|ous|ary|ean|ian|ant|ent|ive)$")
_MEDICAL = frozenset(("06", "27", "26", "08", "14", "22"))  # artifacts, substances, states, bodies, groups, processes
# Adjective endings by the noun's ending; a form counts only where somebody writes it.
_ENDINGS = [
    ("ia", "ic"), ("ia", "iac"), ("osis", "otic"), ("asis", "atic"), ("itis", "itic"), ("y", "ic"), ("esis", "etic"),
    ("ism", "istic"), ("ism", "ic"), ("ism", "ist"), ("a", "atic"), ("es", "ic"), ("is", "itic"), ("is", "al"),
    ("us", "al"), ("a", "al"), ("um", "al"), ("e", "ic"), ("", "al"), ("", "ic"), ("le", "ular"),
]  # fmt: skip


def american(word: str) -> str:
    """A word in American spelling by rule; words without a British trait stay.

    >>> [american(w) for w in ("haemophilia", "oesophagus", "tumour", "anaemia", "diarrhoea", "hour")]
    ['hemophilia', 'esophagus', 'tumor', 'anemia', 'diarrhea', 'hour']
    """
    for pattern, plain in _BRITISH:
        word = pattern.sub(plain, word)
    return word


def numbered(name: str) -> str | None:
    """A numbered thing as notes write it for short, or None.

    >>> numbered("factor VIII"), numbered("factor X"), numbered("blood")
    ('FVIII', None, None)
    """
    match = re.fullmatch(r"([a-z])[a-z]+ ([IVX]{2,})", name)
    short = match and f"{match[1].upper()}{match[2]}"
    return short if short and len(short) > 3 else None


def spelling_pairs(keys: Iterable[str]) -> dict[str, str]:
    """American word -> British twin, where both are written in some name."""
    words = {w for k in keys for w in k.split(" ")}
    pairs: dict[str, str] = {}
    for word in sorted(words):
        plain = american(word)
        if plain != word and plain in words:
            pairs.setdefault(plain, word)
    return pairs


def respelled(key: str, british: Mapping[str, str]) -> Iterator[str]:
    """A name in its other spellings."""
    words = key.split(" ")
    for other in (" ".join(map(american, words)), " ".join(british.get(w, w) for w in words)):
        if other != key:
            yield other


def wordnet_words(folder: Path) -> dict[str, set[str]]:
    """Lemma -> WordNet's lexicographer files of its senses, verbs, adjectives and adverbs as "v", "a", "r".

    Lemmas with a capital are names, not words ("HIV", "Kurdish"); a notion of some science counts as one of states
    ("autism").
    """
    found: dict[str, set[str]] = {}
    for part in ("noun", "adj"):
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if not line.startswith(" "):
                fields = line.split(" ")
                file = "a" if part == "adj" else "26" if fields[1] == "09" and " ;c " in line else fields[1]
                for i in range(int(fields[3], 16)):
                    lemma = fields[4 + 2 * i].partition("(")[0].replace("_", " ")
                    if lemma.islower():
                        found.setdefault(lemma, set()).add(file)
    for part in ("verb", "adv"):
        for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
            if not line.startswith(" "):
                found.setdefault(line.split(" ", 1)[0].replace("_", " "), set()).add(part[0])
    return found


def noun_senses(folder: Path) -> dict[str, int]:
    """WordNet's nouns as it writes them, with the number of their senses."""
    found: dict[str, int] = {}
    for lemmas in _synsets(folder / "data.noun", small=False).values():
        for lemma in lemmas:
            found[lemma] = found.get(lemma, 0) + 1
    return found


def is_everyday(name: str, words: Mapping[str, set[str]]) -> bool:
    """Does WordNet know a single word in some sense that is not of substances, states or bodies?"""
    senses = words.get(name.lower(), set())
    return " " not in name and bool(senses - _MEDICAL)


class Derivations:
    """Adjectives of nouns: WordNet's pertainyms and derivations, and regular endings that some source writes."""

    def __init__(self, folder: Path, written: Iterable[str]) -> None:
        self._written = set(written)
        nouns = _synsets(folder / "data.noun")
        self._of: dict[str, set[str]] = {}
        for line in (folder / "data.adj").read_text("utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" ")
            count = int(fields[3], 16)
            lemmas = [fields[4 + 2 * i].split("(")[0].lower().replace("_", " ") for i in range(count)]
            at = 4 + 2 * count
            for p in range(int(fields[at])):
                symbol, offset, part, where = fields[at + 1 + 4 * p : at + 5 + 4 * p]
                if part != "n" or symbol not in ("\\", "+"):
                    continue
                source, target = int(where[:2], 16), int(where[2:], 16)
                nouns_there = nouns.get(offset, [])
                adjectives = [a for a in (lemmas if source == 0 else [lemmas[source - 1]]) if _ADJECTIVE.search(a)]
                for noun in nouns_there if target == 0 else nouns_there[target - 1 : target]:
                    # "renal" pertains to the kidney; a mere derivation must look like its noun ("diabetic").
                    self._of.setdefault(noun, set()).update(
                        a for a in adjectives if symbol == "\\" or (a[:4] == noun[:4] and " " not in a)
                    )

    def of(self, noun: str) -> list[str]:
        """The adjectives of a one-word name."""
        found = set(self._of.get(noun, ()))
        for ending, made in _ENDINGS:
            if noun.endswith(ending) and len(noun) - len(ending) > 3:
                form = noun[: len(noun) - len(ending)] + made
                if form in self._written and form != noun:
                    found.add(form)
        return sorted(found)


def _synsets(path: Path, small: bool = True) -> dict[str, list[str]]:
    found = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split(" ")
            count = int(fields[3], 16)
            lemmas = [fields[4 + 2 * i].replace("_", " ") for i in range(count)]
            found[fields[0]] = [lemma.lower() for lemma in lemmas] if small else lemmas
    return found
