"""k-anonymous strings: definition, plan and check in ``model``; entries in running text and in rows."""

from taciturn.models.kanonymous.model import KAnonymous

__all__ = ["KAnonymous"]
