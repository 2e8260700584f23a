"""Matters of several sources joined by their names: WordNet's, MeSH headings, and titles of an encyclopedia."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from taciturn.language.inflection import singular
from training.topics.families import Family
from training.topics.leads import Lead
from training.topics.matters import Matter

__all__ = ["Registry", "folded", "headings", "is_member"]

_PEOPLE = re.compile(r"\s+(?:people|peoples|persons?|tribe|nation|party membership)$", re.IGNORECASE)


def folded(name: str) -> str:
    """A name as two sources may both write it: lower case, the last word in the singular.

    >>> folded("Kurds"), folded("the Labour  Party"), folded("Jehovah’s Witnesses")
    ('kurd', 'labour party', "jehovah's witness")
    """
    words = name.lower().replace("’", "'").replace("-", " ").split()
    if words[:1] == ["the"]:
        words = words[1:]
    if words:
        words[-1] = singular(words[-1])
    return " ".join(words)


class Registry:
    """The matters by id and by the folded names of each family.

    ``written`` has headings and titles as the corpus writes them inside sentences.
    """

    def __init__(self, matters: Iterable[Matter], written: Mapping[str, str]) -> None:
        self._written = written
        self.matters = {m.id: m for m in matters}
        self.by_name: dict[str, dict[str, str]] = defaultdict(dict)
        for matter in self.matters.values():
            self._index(matter)

    def _index(self, matter: Matter) -> None:
        for name in (*matter.names, *matter.unsure):
            self.by_name[matter.family].setdefault(folded(name), matter.id)

    def find(self, family: str, names: Iterable[str]) -> Matter | None:
        """The matter of a family that has one of these names; of a people also without "people"."""
        for name in names:
            for form in (name, _PEOPLE.sub("", name)):
                if found := self.by_name[family].get(folded(form)):
                    return self.matters[found]
        return None

    def add(self, id_: str, family: str, names: Sequence[tuple[str, str]], parents: Iterable[str]) -> Matter:
        """Names for the matter that has the first of them, or a new matter."""
        names = [(self._written.get(name, name), how) for name, how in names]
        matter = self.find(family, [name for name, how in names if how != "abbreviation"])
        if matter is None:
            matter = Matter(f"{family}/{id_}", names[0][0], family, set(parents) or {family})
            self.matters[matter.id] = matter
        for name, how in names:
            if len(name) > 1:
                matter.names.setdefault(name, how)
        self._index(matter)
        return matter

    def add_mesh(self, family: Family, rows: Sequence[Sequence[str]]) -> None:
        """The headings below the family's tree numbers, each under the heading above it."""
        at: dict[str, str] = {}
        for tree, id_, names in _below(family, rows):
            above = at.get(tree.rpartition(".")[0], family.id)
            at[tree] = self.add(id_, family.id, [(name, "heading") for name in names], {above}).id

    def add_lead(self, family: Family, lead: Lead) -> Matter | None:
        """The title of a lead, if it says that the title is a member of the family."""
        if not is_member(family, lead):
            return None
        # "The Party" for the Labour Party is no name outside its own article.
        others = [(other, how) for other, how in lead.others if other.lower() != lead.title.lower().split()[-1]]
        names = [(lead.title, "title"), *others]
        bracket = f" ({lead.bracket})" if lead.bracket else ""
        return self.add(f"{lead.title}{bracket}", family.id, names, ())


def _below(family: Family, rows: Sequence[Sequence[str]]) -> list[tuple[str, str, list[str]]]:
    """(tree number, id, names) of the headings below a family's tree numbers, in the order of the tree."""
    found = []
    for id_, label, synonyms, trees, *_ in rows:
        label = " ".join(reversed(label.split(", "))) if label.count(", ") == 1 else label
        names = [label, *(s for s in synonyms.split("|") if s and "," not in s)]
        for tree in trees.split("|"):
            if any(tree == m or tree.startswith(m + ".") for m in family.mesh):
                found.append((tree, id_, names))
    return sorted(found)


def headings(families: Iterable[Family], rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of all headings below the families' tree numbers."""
    return [name for family in families for _, _, names in _below(family, rows) for name in names]


def is_member(family: Family, lead: Lead) -> bool:
    """Does a lead call its title a member of the family? "X is a *political party* in Kenya" does."""
    words = [singular(w) for w in re.findall(r"[\w'-]+", lead.head)]
    named = any(words[-len(h.split()) :] == h.split() for h in family.heads)
    return named and len(words) < 7 and not any(c.isdigit() for c in lead.title)
