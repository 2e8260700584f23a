"""What an adversary may know: counts over a corpus, taxonomies, entity bases, lists of terms."""

from taciturn.knowledge.base import Knowledge
from taciturn.knowledge.concept import Concept, UnknownTermError
from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.entities.base import EntityBase
from taciturn.knowledge.memory import ContextCounts, EdgeTaxonomy, TableCounts
from taciturn.knowledge.plugins import KnowledgeSource
from taciturn.knowledge.relations.own import OwnRelation, OwnRelations, load_relations
from taciturn.knowledge.taxonomies.base import Node, Taxonomy

__all__ = [
    "Concept",
    "ContextCounts",
    "Counts",
    "EdgeTaxonomy",
    "EntityBase",
    "Knowledge",
    "KnowledgeSource",
    "Node",
    "OwnRelation",
    "OwnRelations",
    "TableCounts",
    "Taxonomy",
    "UnknownTermError",
    "load_relations",
]
