"""The way through a document: which choice comes next.

The server walks, not the page: it knows all choices of a document, also those on pages that no browser has drawn yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from taciturn.review.choices import Choice
from taciturn.review.render import flagged
from taciturn.review.session import State

__all__ = ["Walk", "following"]

Walk = Literal["undecided", "changed", "every", "failing"]


def following(state: State, at: int, by: int, walk: str) -> Choice | None:
    """The next choice behind (``by`` 1) or before (-1) a place of the original; round the end; None if there is none.

    ``undecided``: what nobody has decided yet, and what fails. ``changed``: what is changed or decided. ``every``: each
    term. ``failing``: where the guarantee fails.
    """
    if walk not in get_args(Walk):
        raise ValueError(f"there is no way {walk!r} through a document; it is one of {', '.join(get_args(Walk))}")
    bad = flagged(state) if walk in ("undecided", "failing") else set()
    stops: dict[str, Callable[[Choice], bool]] = {
        "undecided": lambda c: c.status == "proposed" or (c.id in bad and not c.decided),
        "changed": lambda c: c.status != "open",
        "every": lambda c: True,
        "failing": lambda c: c.id in bad,
    }
    wanted = [c for c in state.standing.choices if stops[walk](c)]
    if not wanted:
        return None
    if by > 0:
        return next((c for c in wanted if c.core[0] > at), wanted[0])
    return next((c for c in reversed(wanted) if c.core[0] < at), wanted[-1])
