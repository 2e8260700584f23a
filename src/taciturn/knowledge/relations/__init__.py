"""Relations: a drug treats a condition, a test measures it, a clinic sees it."""

from taciturn.knowledge.relations.base import PREDICATES, Evidence, Relation, RelationRow, pack_relations
from taciturn.knowledge.relations.own import OwnRelation, OwnRelations, load_relations
from taciturn.knowledge.relations.packed import Relations

__all__ = [
    "PREDICATES",
    "Evidence",
    "OwnRelation",
    "OwnRelations",
    "Relation",
    "RelationRow",
    "Relations",
    "load_relations",
    "pack_relations",
]
