"""K-safety: definition, plan and check in ``model``; what a text shows of an entity base in ``evidence``."""

from taciturn.models.ksafe.model import KSafe

__all__ = ["KSafe"]
