"""Matters from WordNet: synsets below a family's roots that mean one thing, with followers and adjectives, are one.

"Catholicism" (a belief), "Catholic Church" (a body), "Catholic" (a person) and "Catholic" (an adjective) are four
synsets that WordNet links by derivation, membership and pertainyms, or by the words of a gloss ("a member of the
Catholic church"). Together they are the matter Catholicism.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from training.topics.families import Family
from training.topics.synsets import Synset, WordNet

__all__ = ["Matter", "set_parents", "wordnet_matters"]

_FOLLOWS = re.compile(
    r"^(?:\([^)]*\) )?(?:(?:a|an|any|one|someone|person)\s)?(?:\w+ ){0,3}?"
    r"(?:members?|followers?|adherents?|believers?|supporters?|advocates?|worshippers?) (?:of|in) ",
    re.IGNORECASE,
)
_RELATES = re.compile(r"(?:relating|related|pertaining|belonging|adhering) to |characteristic of ", re.IGNORECASE)
_SURE = 0.8  # P(matter | word) from which a word names a matter before the corpus is asked


@dataclass
class Matter:
    """A matter in the making: ``names`` with how each came to it ("noun", "member", "adjective", "title" ...).

    ``unsure`` are words that mean it among other things ("gay"); the corpus decides (see :mod:`training.topics.weigh`).
    """

    id: str
    label: str
    family: str
    parents: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    synsets: tuple[str, ...] = ()
    unsure: dict[str, str] = field(default_factory=dict)


class _Groups:
    """Disjoint sets of synsets, each known by its least id."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def find(self, one: str) -> str:
        above = self._above.get(one, one)
        if above == one:
            return one
        self._above[one] = root = self.find(above)
        return root

    def join(self, one: str, other: str) -> None:
        low, high = sorted((self.find(one), self.find(other)))
        if low != high:
            self._above[high] = low


def wordnet_matters(wordnet: WordNet, family: Family) -> list[Matter]:
    """The matters of a family, its root first; the parents are their hypernyms and what they are a part of."""
    own = [wordnet.sense(name) for name in family.names]
    roots = [wordnet.sense(name) for name in family.roots]
    tops = [*own, *roots]
    classes = [s for s in wordnet.hyponyms(tops) if s in tops or _is_class(wordnet.synsets[s], family)]
    owners = _owners(wordnet, family, classes)
    groups: dict[str, list[str]] = defaultdict(list)
    for synset, owner in owners.items():
        groups[owner].append(synset)
    # A people's name is its language's as well.
    languages = set(wordnet.hyponyms([wordnet.sense("natural_language.1")])) if family.form == "capital" else set()
    wholes = {owners[synset] for synset in own}
    root = Matter(family.id, family.label, family.id, set(), {family.label: "label"})
    matters = {}
    for owner, members in sorted(groups.items()):
        members.sort()
        every = _names(wordnet, members, classes, languages)
        names = {n: how for n, (how, share) in every.items() if share >= _SURE}
        unsure = {n: how for n, (how, share) in every.items() if share < _SURE}
        if owner in wholes:
            root.names |= names
            root.unsure |= unsure
            root.synsets += tuple(members)
            matters[owner] = root
        elif every:
            first = min(members, key=lambda s: (s not in classes, s))
            matters[owner] = Matter(f"{family.id}/{first}", next(iter(every)), family.id, set(), names, tuple(members))
            matters[owner].unsure = unsure
    votes = {
        (m.id, parent): count
        for owner, m in matters.items()
        if m is not root
        for parent, count in _parents(wordnet, [s for s in groups[owner] if s in classes], owners, matters).items()
    }
    found = [root, *(m for m in matters.values() if m is not root)]
    set_parents(found, votes)
    return found


def set_parents(matters: Iterable[Matter], votes: Mapping[tuple[str, str], int]) -> None:
    """Give each matter the parents that (matter, parent) pairs vote for; a link that closes a circle is left out.

    Links with more votes come first. The root of the family is a parent of those that have no other.
    """
    above: dict[str, set[str]] = {m.id: set() for m in matters}
    for child, parent in sorted(votes, key=lambda link: (-votes[link], link)):
        if child != parent and child not in _reached(parent, above):
            above[child].add(parent)
    for matter in matters:
        if matter.id != matter.family:
            matter.parents = above[matter.id] - {matter.family} or {matter.family}


def _reached(start: str, above: Mapping[str, set[str]]) -> set[str]:
    found, queue = {start}, [start]
    for at in queue:
        for other in sorted(above.get(at, set()) - found):
            found.add(other)
            queue.append(other)
    return found


def _is_class(synset: Synset, family: Family) -> bool:
    if any(p.symbol == "@i" for p in synset.pointers) and any(c.isdigit() for c in synset.gloss):
        return family.form == "any" and not re.search(r"\(\d{3,4}", synset.gloss)  # a person with dates of life
    return family.form != "capital" or synset.words[0][:1].isupper()


def _owners(wordnet: WordNet, family: Family, classes: list[str]) -> dict[str, str]:
    """For each synset that means a matter, the least synset of those that mean the same."""
    groups = _Groups()
    generic = {w.split()[-1] for name in family.names for w in wordnet.synsets[wordnet.sense(name)].words} | {"church"}
    known = dict.fromkeys(classes, True)
    by_word: dict[str, str] = {}
    by_stem: dict[str, str] = {}
    for synset in classes:
        for word in wordnet.synsets[synset].words:
            first = by_word.setdefault(word, synset)
            if family.form != "capital":  # an Indian of India is none of America
                groups.join(first, synset)
            if family.form == "creed":
                groups.join(by_stem.setdefault(_stem(word, generic), synset), synset)
    persons = wordnet.hyponyms(wordnet.sense(name) for name in family.persons)
    candidates = [s for s in persons if s not in known]
    wholes = {whole: s for s in classes for whole in wordnet.synsets[s].to("#p")}
    for synset in candidates:
        stems = [by_stem[_stem(w, generic)] for w in wordnet.synsets[synset].words if _stem(w, generic) in by_stem]
        shared = [wholes[w] for w in wordnet.synsets[synset].to("#m") if w in wholes]  # Jews and Judaism: Jewry
        linked = [*stems, *_linked(wordnet.synsets[synset], known, by_word, _FOLLOWS), *shared]
        for other in linked[:1]:
            groups.join(synset, other)
        if linked:
            known[synset] = True
            for word in wordnet.synsets[synset].words:
                by_word.setdefault(word, synset)
    # "Polish" pertains to Poland, whose members are the Poles.
    places = {p: s for s in known if family.form == "capital" for p in wordnet.synsets[s].to("#m")}
    for synset in sorted(s for s in wordnet.synsets if s[0] in ("av" if family.form == "theme" else "a")):
        links = {places.get(t, t) for t in wordnet.synsets[synset].to("\\", "+") if t[0] == "n"}
        linked = _linked(wordnet.synsets[synset], known, by_word, _RELATES) or sorted(links & known.keys())
        # "basic" derives from other things than al-Qaeda, "the Base".
        if linked and (2 * sum(t in known for t in links) >= len(links) or _said(wordnet.synsets[synset], by_word)):
            known[synset] = True
            groups.join(synset, linked[0])
    return {synset: groups.find(synset) for synset in known}


def _stem(word: str, generic: set[str]) -> str:
    """A name without what tells a belief from its church: "Catholicism" and "Catholic Church" are both "catholic"."""
    words = word.lower().split()
    if len(words) > 1 and words[-1] in generic:
        words = words[:-1]
    return re.sub(r"(?:ism|ist|ity)$", "", " ".join(words))


def _linked(synset: Synset, known: dict[str, bool], by_word: dict[str, str], said: re.Pattern[str]) -> list[str]:
    """The known synsets that a person, adjective or verb belongs to, surest link first."""
    found = [t for t in synset.to("#m", "\\", "+") if t in known and t[0] == "n"]
    found += [by_word[w] for w in synset.words if w in by_word and w[:1].isupper()]
    return found + _said(synset, by_word, said)


def _said(synset: Synset, by_word: dict[str, str], said: re.Pattern[str] = _RELATES) -> list[str]:
    """The known synsets that a gloss names ("of or relating to the Kurds")."""
    match = said.search(synset.gloss)
    clause = re.split(r"[;,(]", synset.gloss[match.end() :])[0] if match else ""
    return [by_word[name] for name in _names_in(clause, by_word)]


def _names_in(clause: str, by_word: dict[str, str]) -> Iterable[str]:
    """Known names in a clause, longer ones first; the last word may be a plural."""
    words = re.findall(r"[\w'’-]+", clause)
    for length in (5, 4, 3, 2, 1):
        for at in range(len(words) - length + 1):
            name = " ".join(words[at : at + length])
            for form in (name, name.removesuffix("s")):
                if form in by_word and (form[:1].isupper() or length > 1):
                    yield form


def _names(wordnet: WordNet, members: list[str], classes: list[str], same: set[str]) -> dict[str, tuple[str, float]]:
    """The words of these synsets, classes before persons and adjectives, with P(one of them or of ``same`` | word)."""
    names: dict[str, tuple[str, float]] = {}
    in_classes = set(classes)
    for synset in sorted(members, key=lambda s: (s not in in_classes, s)):
        how = {"a": "adjective", "v": "verb"}.get(synset[0], "noun" if synset in in_classes else "member")
        for word in wordnet.synsets[synset].words:
            if word not in names:
                meant = {*members, *(s for s in wordnet.senses.get(word.lower(), ()) if s in same)}
                names[word] = (how, sum(wordnet.share(word, s) for s in sorted(meant)))
    return names


def _parents(wordnet: WordNet, members: list[str], owners: dict[str, str], matters: dict[str, Matter]) -> Counter[str]:
    """The nearest matters above these synsets and how many say so: hypernyms, and wholes that they are part of."""
    found: Counter[str] = Counter()
    for member in members:
        wholes = [w for w in wordnet.synsets[member].to("#m", "#p") if owners.get(w) in matters]
        above = next((h for h in wordnet.hypernyms(member) if owners.get(h) in matters), None)
        for other in [*wholes, *([above] if above else [])]:
            if owners[other] != owners[member]:
                found[matters[owners[other]].id] += 1
    return found
