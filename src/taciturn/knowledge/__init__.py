"""What an adversary may know: counts, taxonomies, entity bases, term lists. Knows no document."""

from tacit.knowledge.base import Knowledge
from tacit.knowledge.counts import Counts
from tacit.knowledge.entities import EntityBase
from tacit.knowledge.memory import ContextCounts, EdgeTaxonomy, TableCounts
from tacit.knowledge.taxonomy import Node, Taxonomy

__all__ = [
    "ContextCounts",
    "Counts",
    "EdgeTaxonomy",
    "EntityBase",
    "Knowledge",
    "Node",
    "TableCounts",
    "Taxonomy",
]
