"""Recognizers find identifiers: spans whose form alone tells what they are, such as dates and account numbers."""

from taciturn.recognizers.base import FAMILY, KINDS, Identifier
from taciturn.recognizers.find import find_identifiers
from taciturn.recognizers.plugins import Recognizer, all_kinds, family

__all__ = ["FAMILY", "KINDS", "Identifier", "Recognizer", "all_kinds", "family", "find_identifiers"]
