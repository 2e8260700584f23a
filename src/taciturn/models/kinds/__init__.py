"""Whole kinds of terms: definition, plan and check in ``model``; how much of a value may stay in ``levels``."""

from taciturn.models.kinds.model import Kinds

__all__ = ["Kinds"]
