"""What planning finds for one document, or that it finds nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from taciturn.errors import InputError
from taciturn.language import Key
from taciturn.models.tplausible.chains import Step

__all__ = ["NotPlausibleError", "Solved"]


class NotPlausibleError(InputError):
    """Some unit cannot have t base texts; ``largest`` is the largest t that every unit can have.

    >>> import taciturn
    >>> try:
    ...     taciturn.sanitize("He has AIDS.", taciturn.TPlausible(protect=["AIDS"], t=10**9))
    ... except taciturn.NotPlausibleError as error:
    ...     print(error)
    t = 1000000000 cannot be reached, so nothing is released: the document has 1 sensitive term, ...
    """

    def __init__(self, unit: str, number: int, terms: int, t: int, largest: int, everywhere: int) -> None:
        where = "the document" if unit == "document" else f"{unit} {number}"
        super().__init__(
            f"t = {t} cannot be reached, so nothing is released: {where} has {terms} sensitive "
            f"{'term' if terms == 1 else 'terms'}, and with all at their most general {largest} base texts; "
            f"ask for t = {everywhere} or less, for larger units "
            '(segment="document"), or mark more terms as sensitive'
        )
        self.t = t
        self.largest = everywhere


@dataclass(frozen=True, slots=True)
class Solved:
    """What was found for one document: what each sensitive key is shown as (None: itself), and how good that is.

    ``redacted`` are the keys that no taxonomy knows. ``cost`` is the sum of Equation 1 over the units, ``above`` how
    far it may lie above the best: in the same unit for the uniform variant, in bits for the least product. ``shared``:
    a term of several units was generalized further in some than that unit asked for, so that it is the same everywhere.
    """

    shown: Mapping[Key, Step | None] = field(hash=False)
    redacted: frozenset[Key]
    cost: float
    above: float
    optimal: bool
    shared: bool
