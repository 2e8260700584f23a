"""From text to terms: tokens, tags, phrases, names, identifiers, inflection. Knows no knowledge and no model."""

from tacit.language.analysis import Analysis, analyze
from tacit.language.keys import key
from tacit.language.tagger import KnownSentences

__all__ = ["Analysis", "KnownSentences", "analyze", "key"]
