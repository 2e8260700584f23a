"""Which words a released text hides where: the replaced spans that stand for sensitive words, and no others.

Edits keep the order of a text. So what was sensitive in the original, mention by mention, is laid along what stands in
the release: a sensitive term that was left, a replaced span whose phrase is a generalization of the word, or a mark.
A span that fits no mention was replaced for another reason and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from taciturn.document import Span
from taciturn.generalize.writing import is_mark
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key, key
from taciturn.models.tplausible.chains import sense_of

__all__ = ["Hidden", "generalizes", "laid_along", "named_alone"]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A sensitive word at a place of the release, and the key of what is shown for it: empty if nothing hides it."""

    word: Key
    span: Span
    shown: Key


def generalizes(phrase: Key, word: Key, knowledge: Knowledge, meaning: str = "") -> bool:
    """Is a phrase above a word in the taxonomy that knows the word?

    >>> generalizes("disease", "syphilis", Knowledge.default()), generalizes("drug", "syphilis", Knowledge.default())
    (True, False)
    """
    found = sense_of(word, knowledge, meaning)
    if found is None:
        return False
    taxonomy, node = found
    own = taxonomy.keys(node)
    above = taxonomy.ancestors(node) if word in own else (node, *taxonomy.ancestors(node))
    return any(phrase in taxonomy.keys(n) for n in above)


def laid_along(
    mentions: Sequence[Key],
    left: Sequence[tuple[Key, Span]],
    replaced: Sequence[Span],
    analysis: Analysis,
    fits: Callable[[Key, Key], bool],
) -> tuple[Hidden, ...]:
    """The words of the original, mention by mention, where the release shows or hides them.

    ``left`` are the words that still stand in it, ``fits`` says whether a phrase generalizes a word. Terms that were
    left are laid first, then as many phrases as possible, then marks; a mention that fits nowhere is as good as left:
    it is put where the one before it is.
    """
    text = analysis.document.text
    items: list[tuple[Span, Key, Key]] = [(span, word, Key("")) for word, span in left]
    items += [(span, Key(""), key(text[slice(*span)])) for span in replaced]
    items.sort(key=lambda item: item[0])
    many = len(mentions) + 1  # one term that was left outweighs all phrases, one phrase all marks
    known: dict[tuple[Key, Key], bool] = {}

    def worth(word: Key, item: tuple[Span, Key, Key]) -> int:
        span, stands, phrase = item
        if stands:
            return many**2 if stands == word else 0
        if is_mark(text[slice(*span)]):
            return 1
        if (word, phrase) not in known:
            known[word, phrase] = fits(phrase, word)
        return many if known[word, phrase] else 0

    # rows[i][j]: the most that the mentions from i on are worth along the items from j on.
    rows = np.zeros((len(mentions) + 1, len(items) + 1), dtype=np.int64)
    worths = [np.array([worth(word, item) for item in items], dtype=np.int64) for word in mentions]
    for i in range(len(mentions) - 1, -1, -1):
        rows[i, :-1] = rows[i + 1, 1:] + worths[i]
        rows[i] = np.maximum.accumulate(np.maximum(rows[i], rows[i + 1])[::-1])[::-1]
    found, j = [], 0
    for i, word in enumerate(mentions):
        while j < len(items) and rows[i, j] == rows[i, j + 1]:
            j += 1
        if j < len(items) and worths[i][j] and rows[i, j] == rows[i + 1, j + 1] + worths[i][j]:
            span, _, phrase = items[j]
            found.append(Hidden(word, span, phrase))
            j += 1
        else:
            found.append(Hidden(word, found[-1].span if found else (0, 0), Key("")))
    return tuple(found)


def named_alone(
    names: Sequence[Key],
    left: Sequence[tuple[Key, Span]],
    replaced: Sequence[Span],
    unit_of: Callable[[int], int],
    analysis: Analysis,
    fits: Callable[[Key, Key], bool],
) -> tuple[Hidden, ...]:
    """The same without the original, where only the names of the sensitive words are known.

    In a unit each name is laid to one span at most, and as many spans as possible to a name (a maximum matching).
    """
    text = analysis.document.text
    found = [Hidden(word, span, Key("")) for word, span in left]
    standing = {(unit_of(span[0]), word) for word, span in left}
    taken: dict[tuple[int, Key], int] = {}

    def lay(at: int, seen: set[Key]) -> bool:
        unit, phrase = unit_of(replaced[at][0]), key(text[slice(*replaced[at])])
        for name in names:
            if name in seen or (unit, name) in standing or not fits(phrase, name):
                continue
            seen.add(name)
            if (unit, name) not in taken or lay(taken[unit, name], seen):
                taken[unit, name] = at
                return True
        return False

    for at in range(len(replaced)):
        lay(at, set())
    found += [Hidden(n, replaced[at], key(text[slice(*replaced[at])])) for (_, n), at in taken.items()]
    return tuple(sorted(found, key=lambda h: (h.span, h.word)))
