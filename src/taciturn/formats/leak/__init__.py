"""The leak check: separate code that reopens released bytes and looks for what was removed.

It shares with the writers how a format is recognized and the rules of matching (:mod:`taciturn.formats.sweep`). Each
format is opened by at least two ways that its writer does not use.
"""

from taciturn.formats.leak.search import search

__all__ = ["search"]
