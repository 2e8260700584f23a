"""Concepts and their written names: what a phrase may mean, and how else people write it."""

from taciturn.knowledge.lexicon.base import HOWS, KINDS, OF_PEOPLE, Concept, Name, Sense
from taciturn.knowledge.lexicon.build import LexiconBuilder
from taciturn.knowledge.lexicon.packed import Lexicon

__all__ = ["HOWS", "KINDS", "OF_PEOPLE", "Concept", "Lexicon", "LexiconBuilder", "Name", "Sense"]
