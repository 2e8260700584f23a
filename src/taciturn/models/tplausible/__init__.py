"""t-plausibility: definition, plan and check in ``model``; generalization chains and sensitive terms."""

from taciturn.models.tplausible.model import TPlausible
from taciturn.models.tplausible.solved import NotPlausibleError

__all__ = ["NotPlausibleError", "TPlausible"]
