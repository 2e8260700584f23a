"""Inner loops in C, where they were made when Taciturn was installed: ``hatch_build.py`` at the root of the project."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["load_compiled"]


def load_compiled(name: str) -> ModuleType | None:
    """The compiled module of that name, or None: then numpy does its work, with the same result.

    >>> load_compiled("taciturn.no_such_loops") is None
    True
    """
    try:
        return import_module(name)
    except ImportError:
        return None
