"""Recognizers that others bring: each finds the spans of one kind, and the kind is then one like ours.

A recognizer is registered under its kind, by an entry point of the group ``taciturn.recognizers`` or with
``taciturn.registry.recognizers.register``. What it finds becomes terms of that kind for every model
and policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from taciturn.errors import InputError
from taciturn.recognizers.base import FAMILIES, FAMILY, Found
from taciturn.registry import recognizers

__all__ = ["Recognizer", "all_kinds", "family", "with_plugins"]


@dataclass(frozen=True, slots=True)
class Recognizer:
    """What finds a kind of span. ``family`` is the coarse kind that it belongs to, one of :data:`FAMILIES`.

    ``find`` gets a part of a text and gives the spans in it, as offsets within that part, without white space around
    them. It must be deterministic, and linear in the length of its text.

    >>> import re
    >>> Recognizer("code", lambda text: [m.span() for m in re.finditer(r"EMP-[0-9]{5}", text)]).family
    'code'
    """

    family: str
    find: Callable[[str], Iterable[tuple[int, int]]]

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise InputError(f"{self.family!r} is no family of kinds; choose from {', '.join(FAMILIES)}")


def family(kind: str) -> str:
    """The coarse kind of a kind.

    >>> family("email"), family("person")
    ('code', 'person')
    """
    if kind in FAMILY:
        return FAMILY[kind]
    found: str = recognizers[kind].family if kind in recognizers else kind
    return found


def all_kinds() -> tuple[str, ...]:
    """Every kind that can be named: families, our identifiers, and those of plug-ins.

    >>> all_kinds()[:3], "email" in all_kinds()
    (('person', 'organization', 'place'), True)
    """
    return tuple(dict.fromkeys((*FAMILIES, *FAMILY, *recognizers.names())))


def with_plugins(text: str, start: int, end: int, ours: list[Found]) -> list[Found]:
    """Identifiers of a part of a text together with what plug-ins find there, in order and without overlap.

    Of two that overlap the longer one stays, of equally long ones the plug-in's, whose kind is the more special.
    """
    names = recognizers.names()
    if not names:
        return ours
    part = text[start:end]
    theirs = [(start + s, start + e, kind) for kind in names for s, e in recognizers[kind].find(part)]
    for begin, finish, kind in theirs:
        if not start <= begin < finish <= end or text[begin].isspace() or text[finish - 1].isspace():
            raise InputError(
                f"the recognizer {kind!r} gave the span {begin - start}-{finish - start}, which is empty, outside its "
                "text or has white space at an end; repair or uninstall the plug-in"
            )
    kept: list[Found] = []
    for candidate in sorted([*theirs, *ours], key=lambda f: (f[0] - f[1], f in ours, f)):
        if all(candidate[1] <= other[0] or other[1] <= candidate[0] for other in kept):
            kept.append(candidate)
    return sorted(kept)
