"""What definitions say of expressions: WordNet's domains, hypernyms and glosses, and the leads of an encyclopedia.

Each gives a share: an expression that a definition ties to two matters of a family gives each half.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from taciturn.language.inflection import plural, singular
from training.topics.leads import Lead
from training.topics.matters import Matter
from training.topics.synsets import Synset, WordNet

__all__ = ["Names", "Prior", "head_kind", "lead_priors", "short_form_priors", "wordnet_priors"]

DOMAIN, KIND, GLOSS, SENTENCE, PARAGRAPH = 1.0, 1.0, 0.7, 0.9, 0.4
_WORD = re.compile(r"[\w'’-]+")
_LONGEST = 5


@dataclass(frozen=True, slots=True)
class Prior:
    """An expression, what it has to do with a matter, by which source, and the share."""

    expression: str
    kind: str
    predicate: str
    matter: str
    source: str
    share: float


class Names:
    """The names of matters, to be found in short texts; plurals are found as well."""

    def __init__(self, matters: Mapping[str, Matter]) -> None:
        self._of: dict[str, list[str]] = defaultdict(list)
        for matter in matters.values():
            for name in matter.names:
                forms = [name, plural(name)] if name[-1:].isalpha() else [name]
                if " " in name:
                    forms += [" ".join(w[:1].upper() + w[1:] for w in form.split()) for form in forms]
                for form in forms:
                    if matter.id not in self._of[form]:
                        self._of[form].append(matter.id)

    def within(self, text: str) -> list[tuple[str, int, int]]:
        """(matter, first word, last word) for every name in a text, the longest where two begin at one word."""
        words = _WORD.findall(text)
        found: list[tuple[str, int, int]] = []
        at = 0
        while at < len(words):
            step = 1
            for length in range(min(_LONGEST, len(words) - at), 0, -1):
                name = " ".join(words[at : at + length])
                if name in self._of:
                    found += [(matter, at, at + length - 1) for matter in self._of[name]]
                    step = length
                    break
            at += step
        return found

    def counts(self, text: str) -> Counter[str]:
        """How often each matter is named."""
        return Counter(matter for matter, _, _ in self.within(text))

    def __contains__(self, text: str) -> bool:
        return bool(self.within(text))


def _shares(counts: Mapping[str, int], lines: Mapping[str, set[str]], family: Callable[[str], str]) -> dict[str, float]:
    """The share of each matter among those of its family: those above get what those below have."""
    totals: Counter[str] = Counter()
    of_matter: Counter[str] = Counter()
    for matter, count in counts.items():
        totals[family(matter)] += count
        for above in lines[matter]:
            of_matter[above] += count
    return {m: min(c / totals[family(m)], 1.0) for m, c in sorted(of_matter.items())}


def wordnet_priors(
    wordnet: WordNet, matters: Mapping[str, Matter], lines: Mapping[str, set[str]], names: Names
) -> Iterable[Prior]:
    """Priors of the words of every synset that is not part of a matter."""
    owner: dict[str, list[str]] = defaultdict(list)
    for matter in matters.values():
        for id_ in matter.synsets:
            owner[id_].append(matter.id)

    def family(matter: str) -> str:
        return matters[matter].family

    for synset in wordnet.synsets.values():
        if synset.id in owner:
            continue
        shares: dict[str, tuple[float, str]] = {}
        for predicate, weight, counts in _said(wordnet, synset, owner, names):
            for of, share in _shares(counts, lines, family).items():
                if of not in shares or shares[of][0] < weight * share:
                    shares[of] = weight * share, predicate
        for of, (share, predicate) in shares.items():
            for word in synset.words:
                p = share * wordnet.share(word, synset.id)
                if p > 0.02:
                    yield Prior(word, synset.kind, predicate, of, "WordNet", p)


def _said(
    wordnet: WordNet, synset: Synset, owner: Mapping[str, list[str]], names: Names
) -> Iterable[tuple[str, float, Counter[str]]]:
    domains = Counter(m for t in synset.to(";c", ";r") for m in owner.get(t, ()))
    if domains:
        yield "belongs to", DOMAIN, domains
    above = next((h for h in wordnet.hypernyms(synset.id) if h in owner), None)
    if above:
        yield "kind of", KIND, Counter(owner[above])
    gloss = names.counts(synset.gloss.split(';  "')[0].split('; "')[0])
    if gloss:
        yield "defined by", GLOSS, gloss


def lead_priors(
    lead: Lead, names: Names, lines: Mapping[str, set[str]], matters: Mapping[str, Matter], kind: str
) -> list[Prior]:
    """Priors of a title from the matters that its lead names; a title with a bracket means other things as well."""
    if lead.title in names or len(lead.title) < 3:
        return []

    def family(matter: str) -> str:
        return matters[matter].family

    first = _shares(names.counts(lead.sentence), lines, family)
    rest = _shares(names.counts(lead.text), lines, family)
    sense = 0.5 if lead.bracket else 1.0
    found = []
    for matter in sorted(rest):
        share = max(SENTENCE * first.get(matter, 0.0), PARAGRAPH * rest[matter]) * sense
        if share > 0.1:
            for text in dict.fromkeys([lead.title, lead.title.removeprefix("The "), *(o for o, _ in lead.others)]):
                found.append(Prior(text, kind, "described by", matter, "Wikipedia lead", share))
    return found


def short_form_priors(
    short_forms: Mapping[str, Mapping[str, int]],
    names: Names,
    lines: Mapping[str, set[str]],
    matters: Mapping[str, Matter],
) -> Iterable[Prior]:
    """Priors of abbreviations whose long forms name a matter, by the share of those long forms (CPGB, TUC)."""

    def family(matter: str) -> str:
        return matters[matter].family

    for short, long_forms in sorted(short_forms.items()):
        total = sum(long_forms.values())
        of_matter: dict[str, float] = defaultdict(float)
        for long, count in long_forms.items():
            for matter, share in _shares(names.counts(long), lines, family).items():
                of_matter[matter] += share * count
        for matter, weight in sorted(of_matter.items()):
            if weight / total > 0.1:
                yield Prior(short, "abbreviation", "short for", matter, "Wikipedia", SENTENCE * weight / total)


def head_kind(lead: Lead, wordnet: WordNet) -> str:
    """The kind of what a lead calls its title: that of its head noun's first sense."""
    words = _WORD.findall(lead.head)
    senses = [s for s in wordnet.senses.get(singular(words[-1]), ()) if s[0] == "n"] if words else []
    return wordnet.synsets[senses[0]].kind if senses else "thing"
