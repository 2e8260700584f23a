"""How many base texts would have been released as this one, where each word is shown as the class that it belongs to.

Words that the text mentions as different stay different in every base text that is counted, because two equal words
would be one word to the algorithm, and it would ask for larger classes. So the base texts of r words of one class with
n members are the n (n - 1) ... (n - r + 1) ways to fill r places with different members.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["base_texts", "least_class"]


def base_texts(classes: Iterable[tuple[int, int, int]]) -> int:
    """The number of ways to fill the places: of each class its size, its places here, and its places elsewhere.

    >>> base_texts([(4, 2, 0)]), base_texts([(4, 1, 0), (3, 1, 0)]), base_texts([(4, 1, 2)])
    (12, 12, 2)
    """
    ways = 1
    for size, here, elsewhere in classes:
        for place in range(here):
            ways *= max(size - elsewhere - place, 0)
    return ways


def least_class(t: int, here: int, elsewhere: int = 0) -> int:
    """The least size k of classes with which ``here`` words have at least t base texts, whichever classes they are of.

    The fewest come about where all words, also those elsewhere in the document, are of one class of size k.

    >>> least_class(10, 1), least_class(10, 2), least_class(10, 1, elsewhere=3)
    (10, 4, 13)
    """
    if not here:
        return 1
    low, high = 1, t + here + elsewhere
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if base_texts([(middle, here, elsewhere)]) >= t else (middle + 1, high)
    return low
