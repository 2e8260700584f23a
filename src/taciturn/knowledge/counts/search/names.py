"""The names under which a search server finds a key: its synonyms and hyponyms, in singular and plural."""

from __future__ import annotations

from collections.abc import Iterable

from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.language.inflection import plural
from taciturn.language.keys import Key

__all__ = ["names_of", "written_forms"]


def names_of(key: Key, taxonomies: Iterable[Taxonomy]) -> list[str]:
    """A key and the keys of everything it subsumes.

    >>> from taciturn.knowledge import EdgeTaxonomy
    >>> names_of("drug", [EdgeTaxonomy("drugs", [("zidovudine", "drug")])])
    ['drug', 'zidovudine']
    """
    names = {key}
    for taxonomy in taxonomies:
        for sense in taxonomy.senses(key)[:1]:
            for node in (sense, *taxonomy.descendants(sense)):
                names.update(taxonomy.keys(node))
    return sorted(names)


def written_forms(key: Key, taxonomies: Iterable[Taxonomy]) -> list[str]:
    """What a text may write for a key: its names, in singular and plural.

    >>> written_forms("virus", [])
    ['virus', 'viruses']
    """
    names = names_of(key, taxonomies)
    return sorted({*names, *(plural(name) for name in names)})
