"""What a user means by "Kurdish origin" or "being transgender": the matter without its relational words.

A phrase is looked up as it stands. If no matter has that name, words that only say how a person stands to a matter are
taken off: a participle before it ("being"), a noun with "of" ("a history of"), a head noun that WordNet knows as
an abstraction ("membership", "origin", "status"). What is left is looked up again. At last the matter with the nearest
name is taken: the one that shares most of the phrase's words, read by their stems.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from training.topics.matters import Matter
from training.topics.merge import folded
from training.topics.synsets import WordNet

__all__ = ["Resolver"]

_BRACKET = re.compile(r"\s*\(([^)]*)\)")
_OF = re.compile(r"^(?:an? |the )?([\w-]+) (?:of|as|to|with|in) (?:an? |the )?(.+)$")
_STEM = 5  # letters that two forms of a word share at least


class Resolver:
    """The names of matters, sure and unsure, and WordNet's nouns."""

    def __init__(self, matters: Mapping[str, Matter], wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._abstract = set(wordnet.hyponyms([wordnet.sense("abstraction.6")]))
        self._names: dict[str, list[str]] = defaultdict(list)
        for matter in matters.values():
            for name in [matter.label, *matter.names, *matter.unsure]:
                if matter.id not in self._names[folded(name)]:
                    self._names[folded(name)].append(matter.id)
        self._weight = Counter(_stem(w) for name in self._names for w in set(name.split()))

    def resolve(self, phrase: str) -> list[str]:
        """The ids of the matters that a phrase means, none if it shares no word with any name.

        What stands in brackets is meant as well: "criminal record (burglary)".
        """
        outside, inside = _BRACKET.sub("", phrase), " ".join(_BRACKET.findall(phrase))
        found: list[str] = []
        for part in filter(None, (outside, inside)):
            found += next((ids for form in self._forms(part) if (ids := self._names.get(folded(form)))), [])
        return list(dict.fromkeys(found)) or self._nearest(outside)

    def _forms(self, phrase: str) -> Iterator[str]:
        """The phrase, and what is left of it without relational words, longest first."""
        queue = [phrase]
        for form in queue:
            yield form
            words = form.split()
            if len(words) < 2:
                continue
            match = _OF.match(form)
            if match and self._is_relational(match.group(1)):
                queue.append(match.group(2))
            elif words[0].lower().endswith("ing"):
                queue.append(" ".join(words[1:]))
            elif self._is_relational(words[-1]):
                queue.append(" ".join(words[:-1]))

    def _is_relational(self, noun: str) -> bool:
        senses = self._wordnet.senses.get(folded(noun), [])
        return any(s in self._abstract for s in senses)

    def _nearest(self, phrase: str) -> list[str]:
        wanted = {_stem(w) for w in folded(phrase).split()}
        best: tuple[float, str] | None = None
        for name in self._names:
            words = {_stem(w) for w in name.split()}
            shared = sum(1 / self._weight[w] for w in words & wanted)
            either = sum(1 / max(self._weight[w], 1) for w in words | wanted)
            score = shared / either
            if score > 0 and (best is None or (score, name) > best):
                best = score, name
        return list(self._names[best[1]]) if best else []


def _stem(word: str) -> str:
    """The first letters of a word, which its other forms share: immigrant, immigration."""
    return word[: max(_STEM, len(word) - _STEM)]
