"""WordNet 3.0 with all parts of speech, pointers and glosses, from the original files (Debian's wordnet-base)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["KINDS", "Pointer", "Synset", "WordNet", "read_wordnet"]

_PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_NUMBERS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}  # as sense keys write the part of speech
# WordNet's lexicographer files of nouns that tell people what sort of thing a word names.
KINDS = {
    4: "act", 6: "artifact", 9: "idea", 10: "communication", 11: "event", 13: "food", 14: "group", 15: "place",
    18: "person", 26: "state", 28: "time",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pointer:
    """A link to another synset: WordNet's symbol for the relation, the target, and the words that it links (0: all)."""

    symbol: str
    target: str
    source_word: int
    target_word: int


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of words with one meaning. ``id`` is the part of speech and WordNet's offset, as in "n08082602"."""

    id: str
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]
    gloss: str
    file: int = 0

    @property
    def kind(self) -> str:
        """What sort of thing it is, by WordNet's lexicographer file: "person", "act", "food"; else "thing"."""
        return KINDS.get(self.file, "thing")

    def to(self, *symbols: str) -> list[str]:
        """The targets of the pointers with one of these symbols."""
        return [p.target for p in self.pointers if p.symbol in symbols]


@dataclass(frozen=True)
class WordNet:
    """Synsets by id, and for each word its synsets in order, with how often WordNet's own corpus has each sense."""

    synsets: dict[str, Synset]
    senses: dict[str, list[str]]
    tags: dict[tuple[str, str], int]

    def sense(self, name: str, part: str = "n") -> str:
        """The synset that "word.number" names, numbers as in WordNet's own index."""
        word, _, number = name.rpartition(".")
        found = [s for s in self.senses.get(word.replace("_", " ").lower(), ()) if s[0] == part]
        if not number.isdigit() or not 0 < int(number) <= len(found):
            raise ValueError(f"WordNet has no sense {name!r}; write word.number with a number up to {len(found)}")
        return found[int(number) - 1]

    def share(self, word: str, synset: str) -> float:
        """P(sense | word) over all parts of speech, from WordNet's tagged corpus, each sense smoothed by a half.

        A word with a capital means the synsets that write it so: "Mass" is not "mass".
        """
        senses = self.senses.get(word.lower(), [])
        if word != word.lower():
            senses = [s for s in senses if any(w == word for w in self.synsets[s].words)] or senses
        if synset not in senses:
            return 0.0
        counts = {s: self.tags.get((word.lower(), s), 0) + 0.5 for s in senses}
        return counts[synset] / sum(counts.values())

    def hyponyms(self, roots: Iterable[str]) -> Iterator[str]:
        """The roots and everything below them, instances as well, nearest first, each once."""
        queue = list(roots)
        seen = set(queue)
        for at in queue:
            yield at
            for below in self.synsets[at].to("~", "~i"):
                if below not in seen:
                    seen.add(below)
                    queue.append(below)

    def hypernyms(self, synset: str) -> Iterator[str]:
        """Everything above a synset, nearest first, each once."""
        queue = [synset]
        seen = {synset}
        for at in queue:
            for above in self.synsets[at].to("@", "@i"):
                if above not in seen:
                    seen.add(above)
                    queue.append(above)
                    yield above


def read_wordnet(folder: Path) -> WordNet:
    """WordNet from the folder with its files ``data.*``, ``index.*`` and ``cntlist.rev``."""
    synsets: dict[str, Synset] = {}
    senses: dict[str, list[str]] = defaultdict(list)
    ordered: dict[tuple[str, str], list[str]] = {}
    for letter, part in _PARTS.items():
        with open(folder / f"data.{part}", encoding="utf-8") as lines:
            for line in lines:
                if not line.startswith("  "):
                    found = _synset(line, letter)
                    synsets[found.id] = found
        with open(folder / f"index.{part}", encoding="utf-8") as lines:
            for line in lines:
                if not line.startswith("  "):
                    fields = line.split()
                    ids = [letter + offset for offset in fields[-int(fields[2]) :]]
                    senses[_text(fields[0])] += ids
                    ordered[fields[0], letter] = ids
    tags: dict[tuple[str, str], int] = {}
    with open(folder / "cntlist.rev", encoding="utf-8") as lines:
        for line in lines:
            sense, number, count = line.split()
            word, kind = sense.split("%")
            ids = ordered.get((word, _NUMBERS[kind[0]]), [])
            if int(number) <= len(ids):
                tags[_text(word), ids[int(number) - 1]] = int(count)
    return WordNet(synsets, dict(senses), tags)


def _synset(line: str, letter: str) -> Synset:
    data, _, gloss = line.partition("|")
    fields = data.split()
    count = int(fields[3], 16)
    words = tuple(_text(fields[4 + 2 * i].partition("(")[0]) for i in range(count))  # "asleep(p)": a place in sentences
    links = fields[5 + 2 * count :]
    pointers = tuple(
        Pointer(
            links[4 * i],
            ("a" if links[4 * i + 2] == "s" else links[4 * i + 2]) + links[4 * i + 1],
            int(links[4 * i + 3][:2], 16),
            int(links[4 * i + 3][2:], 16),
        )
        for i in range(int(fields[4 + 2 * count]))
    )
    return Synset(letter + fields[0], words, pointers, gloss.strip(), int(fields[1]))


def _text(word: str) -> str:
    return word.replace("_", " ")
