"""What the second reader knows of English beyond letters: a few words and endings, as data (``data/english.tsv``)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["endings", "lines", "word_set"]


def lines(name: str) -> list[str]:
    """The lines of a data file without its comments."""
    found = (files("taciturn.secondreader") / "data" / name).read_text("utf-8").splitlines()
    return [line for line in found if not line.startswith("#")]


@cache
def _english() -> dict[str, tuple[str, ...]]:
    rows = (line.split("\t") for line in lines("english.tsv"))
    return {name: tuple(words.split(" ")) for name, words in rows}


def word_set(name: str) -> frozenset[str]:
    """A set of words by its name.

    >>> sorted(word_set("words and"))
    ['and', 'nor', 'or', 'versus', 'vs']
    """
    return frozenset(_english()[name])


@cache
def endings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Endings of nouns, each with the endings of what is made of them; "" where the noun only loses its own.

    >>> dict(endings())["asis"]
    ('atic',)
    """
    rows = ((name.removeprefix("ending "), made) for name, made in _english().items() if name.startswith("ending "))
    return tuple((end, tuple("" if other == "-" else other for other in made)) for end, made in rows)
