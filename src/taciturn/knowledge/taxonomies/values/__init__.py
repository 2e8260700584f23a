"""Values that generalize by arithmetic: dates, ages, amounts, postal codes."""

from taciturn.knowledge.taxonomies.values.taxonomy import ValueTaxonomy

__all__ = ["ValueTaxonomy"]
