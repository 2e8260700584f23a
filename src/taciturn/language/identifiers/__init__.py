"""Identifiers: spans that name a thing by their form alone, found before phrases."""

from tacit.language.identifiers.base import FAMILY, KINDS, Identifier
from tacit.language.identifiers.find import find_identifiers

__all__ = ["FAMILY", "KINDS", "Identifier", "find_identifiers"]
