"""The garbage collector, put off while much is made and nothing becomes garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for cycles of objects in here.

    Reading a document makes hundreds of thousands of small objects that all live on and refer to each other in no
    circle. The collector looks through them, and through all that was made before, again and again: a fifth of the
    time and more. What is no longer referred to is freed as ever.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
