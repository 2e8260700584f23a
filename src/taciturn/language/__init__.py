"""From text to terms: tokens, tags, phrases, names, identifiers, inflection. Knows no knowledge and no model."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taciturn.language.analysis import Analysis, analyze
    from taciturn.language.keys import Key, key
    from taciturn.language.tagger import KnownSentences

# Names load when used: the recognizers, which the analysis imports, stand on the lower modules of this package.
_HOMES = {"Analysis": "analysis", "Key": "keys", "KnownSentences": "tagger", "analyze": "analysis", "key": "keys"}

__all__ = ["Analysis", "Key", "KnownSentences", "analyze", "key"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'taciturn.language' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"taciturn.language.{_HOMES[name]}"), name)
    return found
