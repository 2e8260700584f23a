"""From text to terms: tokens, tags, phrases, names, identifiers, inflection. Knows no knowledge and no model."""

from tacit.language.analysis import Analysis
from tacit.language.keys import key
from tacit.language.standin import analyze

__all__ = ["Analysis", "analyze", "key"]
