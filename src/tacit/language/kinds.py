"""What a term is: person, organization, place, time or other, from the network's scores for it.

The network tells names ("Nicosia") from words ("the city"); only names are called person, organization or place,
because that is what redaction of names stands on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.language.tagger import KINDS

__all__ = ["name_kinds"]

_NAMES = {"person": "person", "organization": "organization", "place": "place", "time": "time"}
_OURS = [_NAMES.get(kind, "other") for kind in KINDS]


def name_kinds(scores: NDArray[np.float32]) -> list[str]:
    """The kind of each term, from a row of scores each.

    >>> import numpy as np
    >>> name_kinds(np.eye(len(KINDS), dtype=np.float32)[[1, 2, 7]])
    ['person', 'other', 'time']
    """
    return [_OURS[i] for i in scores.argmax(axis=1).tolist()]
