"""The phrases and marks of plain categories, as data: ``language/en/categories.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import NamedTuple

from taciturn.language.keys import Key, key
from taciturn.language.lexicon import LEXICON

__all__ = ["MARKS", "RESULT", "Phrasebook", "Table", "category_of_kind", "phrasebook"]

RESULT = "test result"
_KINDS = {
    "person": "person",
    "organization": "organization",
    "place": "place",
    "time": "date",
    "date": "date",
    "quantity": "amount",
    "code": "code",
    "email": "email address",
    "url": "web address",
    "ip-address": "network address",
    "mac-address": "network address",
    "phone": "phone number",
    "handle": "user name",
    "address": "address",
    "postal-code": "postal code",
    "age": "age",
    "duration": "duration",
    "money": "amount",
    "percentage": "amount",
    "iban": "account number",
    "payment-card": "account number",
    "account-number": "account number",
    "national-id": "ID number",
    "tax-id": "ID number",
    "device-id": "ID number",
    "vehicle-id": "ID number",
    "licence-number": "ID number",
    "record-number": "ID number",
    "case-number": "ID number",
}
"""The marks of what the analysis of a text finds by itself."""


class Table(NamedTuple):
    """The phrases of a mark.

    ``nodes`` has the place of the phrase for each node, ``within`` the narrower mark. ``by_label``: the plain phrase is
    for things under their own name alone.
    """

    source: str
    nodes: dict[str, int]
    phrases: tuple[str, ...]
    plain: str
    within: dict[str, str]
    by_label: bool


class Phrasebook(NamedTuple):
    """The tables by mark, and the marks by kind of concept and by head of an expression."""

    tables: dict[str, Table]
    kinds: dict[str, str]
    heads: dict[Key, str]


@cache
def phrasebook() -> Phrasebook:
    data = tomllib.loads(LEXICON.file("categories.toml").read_text("utf-8"))
    tables = {}
    for mark, table in data.items():
        phrases: dict[str, list[str]] = table.get("phrases", {})
        nodes = {node: at for at, of in enumerate(phrases.values()) for node in of}
        plain = next((p for p, of in phrases.items() if not of), "")
        within = {node: narrower for narrower, of in table.get("within", {}).items() for node in of}
        tables[mark] = Table(table["from"], nodes, tuple(phrases), plain, within, table.get("by-label", False))
    kinds = {kind: mark for mark, table in data.items() for kind in table["kinds"]}
    heads = {key(head): mark for mark, table in data.items() for head in table.get("heads", ())}
    return Phrasebook(tables, kinds, heads)


MARKS = tuple(
    dict.fromkeys(
        (
            *phrasebook().tables,
            *(narrower for table in phrasebook().tables.values() for narrower in table.within.values()),
            RESULT,
            *_KINDS.values(),
        )
    )
)
"""Every category that a mark may name."""


def category_of_kind(kind: str) -> str:
    """The category of a kind of term that the analysis finds by itself; empty for any other.

    >>> category_of_kind("time"), category_of_kind("other")
    ('date', '')
    """
    return _KINDS.get(kind, "")
