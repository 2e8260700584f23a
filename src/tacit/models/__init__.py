"""The privacy models, one module each: a definition, a plan and a check."""

from tacit.models.base import Guarantee, Model, Violation

__all__ = ["Guarantee", "Model", "Violation"]
