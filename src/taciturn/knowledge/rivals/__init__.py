"""Concepts of one kind side by side: what an expression says of each of them, in bits that can be compared."""

from taciturn.knowledge.rivals.base import BaseRivals, Rivals
from taciturn.knowledge.rivals.concepts import ConceptRivals
from taciturn.knowledge.rivals.kinds import are_others, kind_of, rivals_under, under_branch

__all__ = ["BaseRivals", "ConceptRivals", "Rivals", "are_others", "kind_of", "rivals_under", "under_branch"]
