"""Indistinct: definition and plan in ``model``, what a text says of whom in ``speaking``, the check in ``check``."""

from taciturn.models.indistinct.model import Indistinct

__all__ = ["Indistinct"]
