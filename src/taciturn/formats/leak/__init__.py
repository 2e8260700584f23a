"""The leak check: separate code that reopens released bytes and looks for what was removed.

It shares with the writers only the rules of matching (:mod:`tacit.formats.sweep`). Each format is opened by at least
two ways that its writer does not use.
"""

from tacit.formats.leak.search import search

__all__ = ["search"]
