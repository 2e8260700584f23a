"""The taxonomies there are: packed ones, a user's own, and values (dates, ages, amounts, postal codes)."""

from taciturn.knowledge.taxonomies.build import Concept, build_taxonomy
from taciturn.knowledge.taxonomies.own import load_taxonomy
from taciturn.knowledge.taxonomies.packed import PackedTaxonomy
from taciturn.knowledge.taxonomies.standard import PRIORITY, SUFFIX, open_taxonomies

__all__ = [
    "PRIORITY",
    "SUFFIX",
    "Concept",
    "PackedTaxonomy",
    "build_taxonomy",
    "load_taxonomy",
    "open_taxonomies",
]
