"""What the medical sources share: names as people write them, and no everyday word taken for an abbreviation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from taciturn.knowledge.taxonomies import PackedTaxonomy

__all__ = ["Curator", "clean", "uninverted"]

_NOTE = re.compile(r"\s*(\((disease|disorder|disease/finding|finding|condition|disease or disorder|s)\)|\[[^]]*\])\s*$")
_AILING = frozenset(
    "ill health;symptom;physical condition;condition;pathologic process;attack;affliction;injury;infection;"
    "pathological state;physiological state;bodily process;pain;pain sensation;abnormality;mental disorder;"
    "disorder;growth".split(";")
)
_HEALING = frozenset("drug;medicine;medication;chemical compound;chemical;vitamin;hormone;enzyme;opiate".split(";"))
_CODE = re.compile(r"[IVX]+|.*\d.*")


def clean(name: str) -> str:
    """A name without the notes that ontologies put behind it, with plain apostrophes.

    >>> clean("myocardial infarction (disease)"), clean("acute pancreatitis (disorder) [ambiguous]")
    ('myocardial infarction', 'acute pancreatitis')
    """
    name = name.replace("\u2019", "'")
    while (shorter := _NOTE.sub("", name)) != name and shorter:
        name = shorter
    return name


def uninverted(name: str) -> str:
    """A heading in the order of speech.

    >>> uninverted("Abdomen, Acute"), uninverted("Lupus Erythematosus, Systemic")
    ('Acute Abdomen', 'Systemic Lupus Erythematosus')
    """
    return " ".join(reversed(name.split(", ")))


class Curator:
    """Decides on names by what WordNet knows of their words."""

    def __init__(self, wordnet: PackedTaxonomy, key: Callable[[str], str], proper: Iterable[str] = ()) -> None:
        self._wordnet = wordnet
        self.key = key
        self._proper = {word.lower(): word for word in proper}

    def keeps(self, name: str, own: bool, healing: bool = False) -> bool:
        """May this name lead to a medical concept? ``own`` names (labels) always may, and phrases.

        A single word, or any name of a drug, may not if WordNet knows it, but in no medical sense ("dress", "GPS"), or
        if it is too short to be a word and not written in capitals, or if it is written in capitals and yet a word
        ("COLD").
        """
        key = self.key(name)
        if own or (" " in key and not healing):
            return True
        if name.isupper() and not key.isupper():
            return False
        if len(key) < 2 or (len(key) < 5 and not key.isupper() and not self._wordnet.sense_numbers(key)):
            return False
        return self.medical(name, healing)

    def medical(self, name: str, healing: bool = False) -> bool:
        """Is the name unknown to WordNet, or known in a medical sense as well?"""
        senses = self._wordnet.senses(self.key(name))
        wanted = _HEALING if healing else _AILING
        return not senses or any(
            wanted & {k for n in (s, *self._wordnet.ancestors(s)) for k in self._wordnet.keys(n)} for s in senses
        )

    def knows(self, name: str) -> bool:
        """Does WordNet know the name, in whatever sense?"""
        return bool(self._wordnet.sense_numbers(self.key(name)))

    def controlled(self, name: str) -> bool:
        """Does WordNet know the name as a controlled substance?"""
        senses = self._wordnet.senses(self.key(name))
        return any(n.key == "controlled substance" for s in senses for n in self._wordnet.ancestors(s))

    def singular(self, label: str) -> str:
        """A label with its last word in the singular, if that word is plain.

        "perceptual disorders" -> "perceptual disorder"; "diabetes" stays.
        """
        *before, last = label.split(" ")
        singular = self.key(label).split(" ")[-1]
        changed = last.islower() and last.endswith("s") and last.isalpha() and singular[:2] == last[:2]
        return " ".join([*before, singular if changed else last])

    def cased(self, heading: str) -> str:
        """A heading as it is written inside a sentence: small letters but for names, codes and abbreviations."""
        return re.sub(r"[^\s-]+", lambda m: self._word(m[0]), heading)

    def _word(self, word: str) -> str:
        if len(word) < 2 or not (word[1:].islower() or not word[1:].isalpha()) or _CODE.fullmatch(word):
            return word
        return self._proper.get(word.lower(), word[:1].lower() + word[1:])
