"""Words that are made of a name by a rule: "asthmatic" and "asthmatics" of "asthma", "VIH" of "HIV".

A rule gives candidates by letters alone. Which of them are written, and mean the same, the caller finds out.
"""

from __future__ import annotations

from collections.abc import Iterator

from taciturn.secondreader.words import endings, word_set

__all__ = ["derived", "head_first"]

_BASE = 3  # letters that a word keeps of its name, or that its ending has and more
_BARE = 6  # letters of what is left where an ending goes and none takes its place
_BARE_ENDS = tuple(sorted(word_set("bare")))  # of an adjective: "method" is none of "Methodism"
_INITIALS = 3


def derived(name: str) -> Iterator[str]:
    """Adjectives and persons of a name of one word, by its ending; many of them are never written.

    >>> [w for w in derived("psoriasis")], [w for w in derived("hypothyroidism")][-1]
    (['psoriatic'], 'hypothyroid')
    """
    word = name.lower()
    for end, others in endings():
        if word.endswith(end) and (len(word) - len(end) >= _BASE or len(end) > _BASE):
            base = word.removesuffix(end)
            yield from (base + other for other in others if other or (len(base) >= _BARE and base.endswith(_BARE_ENDS)))


def head_first(initials: str) -> str:
    """Initials as languages write them that put the noun before its adjectives: the last one first, the first one last.

    >>> [head_first(initials) for initials in ("HIV", "AIDS", "ALS", "UTI")]
    ['VIH', 'SIDA', 'SLA', 'ITU']
    """
    return initials[-1] + initials[1:-1] + initials[0] if len(initials) >= _INITIALS else initials
