"""What identifies somebody by itself in any text: names, days, addresses and numbers, found as models/kinds does it.

People's masks were learned from judgments and biographies. A letter, a police report or a mail to the staff has its
own layout and its own identifiers, so the style for any text also hides what the network of identifiers finds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.models.kinds.identify import KIND_OF, identify
from taciturn.models.kinds.levels import is_allowed
from taciturn.models.person.figures import Words
from taciturn.recognizers import family

__all__ = ["identifying_words"]

_WHOLE = frozenset(KIND_OF.values()) - {"age", "date", "place"}
_LEVELS = {"date": "year", "place": "state"}


def identifying_words(words: Words, analysis: Analysis, knowledge: Knowledge) -> NDArray[np.bool_]:
    """Which words belong to an identifier; years, states and countries are left to the network of people's masks."""
    found = np.zeros(len(words.starts), np.bool_)
    for term in identify(analysis, knowledge).terms:
        level = _LEVELS.get(term.kind)
        whole = term.kind in _WHOLE or family(term.kind) == "code"
        if whole or (level and not is_allowed(term.text, term.kind, level, knowledge)):
            found |= (words.starts < term.end) & (words.ends > term.start)
    return found
