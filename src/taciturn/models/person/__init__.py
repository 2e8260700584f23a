"""Releases about a person: definition, plan and check in ``model``; the trained classifier's features."""

from taciturn.models.person.model import PersonRelease

__all__ = ["PersonRelease"]
