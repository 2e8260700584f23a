"""What is looked for when a key is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.knowledge.taxonomy import Taxonomy
from tacit.language.inflection import plural

__all__ = ["names_of", "written_forms"]


def names_of(key: str, taxonomies: Iterable[Taxonomy]) -> list[str]:
    """A key and the keys of everything it subsumes.

    >>> from tacit.knowledge import EdgeTaxonomy
    >>> names_of("drug", [EdgeTaxonomy("drugs", [("zidovudine", "drug")])])
    ['drug', 'zidovudine']
    """
    names = {key}
    for taxonomy in taxonomies:
        for sense in taxonomy.senses(key)[:1]:
            for node in (sense, *taxonomy.descendants(sense)):
                names.update(taxonomy.keys(node))
    return sorted(names)


def written_forms(key: str, taxonomies: Iterable[Taxonomy]) -> list[str]:
    """What a text may write for a key: its names, in singular and plural.

    >>> written_forms("virus", [])
    ['virus', 'viruses']
    """
    names = names_of(key, taxonomies)
    return sorted({*names, *(plural(name) for name in names)})
