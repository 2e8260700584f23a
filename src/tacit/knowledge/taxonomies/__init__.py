"""The taxonomies there are: packed ones, a user's own, and values (dates, ages, amounts, postal codes)."""

from tacit.knowledge.taxonomies.build import Concept, build_taxonomy
from tacit.knowledge.taxonomies.packed import PackedTaxonomy

__all__ = ["Concept", "PackedTaxonomy", "build_taxonomy"]
