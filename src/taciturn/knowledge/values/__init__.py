"""Values that generalize by arithmetic: dates, ages, amounts, postal codes."""

from tacit.knowledge.values.taxonomy import ValueTaxonomy

__all__ = ["ValueTaxonomy"]
