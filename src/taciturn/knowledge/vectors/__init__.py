"""Vectors of keys, learned from co-occurrence. They predict mutual information where counts are small."""

from taciturn.knowledge.vectors.packed import VECTORS_KIND, Vectors

__all__ = ["VECTORS_KIND", "Vectors"]
