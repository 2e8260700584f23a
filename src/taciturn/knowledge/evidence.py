"""What each witness says of an entity by itself, for people: who spoke, from which source, on how many passages."""

from __future__ import annotations

from dataclasses import dataclass

from taciturn.knowledge.witnesses import Witnesses
from taciturn.language.keys import Key

__all__ = ["Said", "evidence"]


@dataclass(frozen=True, slots=True)
class Said:
    """What one witness says: ``names``, ``relations``, ``counts`` or ``vectors``.

    ``bits`` of the entity that the expression tells; None where another witness says more, so that this one was not
    needed. ``says`` is the way of naming ("synonym") or the relation ("treats"). Of counts: ``together`` of ``alone``
    passages that mention the expression mention the entity as well.
    """

    witness: str
    bits: float | None
    says: str = ""
    sources: tuple[str, ...] = ()
    together: int = 0
    alone: int = 0


def evidence(witnesses: Witnesses, entity: Key, expression: Key) -> tuple[Said, ...]:
    """What the witnesses say of an entity for an expression; who decides stands first."""
    counted, bits = witnesses.told([entity], [expression])
    most, alone = float(bits[0, 0]), int(counted[0])
    listed = witnesses.speaking(entity).get(expression)
    found: list[Said] = []
    if listed is not None:
        who = {"name": "names", "relation": "relations"}[listed.witness]
        found.append(Said(who, listed.bits, listed.says, listed.sources))
    known = witnesses.counted(entity)
    together = witnesses.counts.count(known, expression) if known is not None and alone else 0
    decides = most > 0 and (listed is None or most > listed.bits)
    if together:
        said = Said("counts", most if decides else None, together=together, alone=alone)
        found.insert(0 if decides else len(found), said)
    elif decides:
        found.insert(0, Said("vectors", most, alone=alone))
    return tuple(found)
