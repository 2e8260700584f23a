"""The one table of examples and counterexamples, which tests and documentation both read.

``language/en/identifiers.json`` gives for each kind what it is, texts in which «marks» enclose what must be found as
that kind, and texts in which nothing may be found as that kind. ``docs/identifiers.md`` is written from it:

    python -m taciturn.recognizers.examples > docs/identifiers.md
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from taciturn.language.lexicon import LEXICON
from taciturn.recognizers.base import FAMILY

__all__ = ["Examples", "as_markdown", "examples", "unmark"]


@dataclass(frozen=True, slots=True)
class Examples:
    """What one kind of identifier is, what must be found as it, and what must not."""

    kind: str
    says: str
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]


def examples() -> list[Examples]:
    """The table, in the order of the kinds."""
    table = json.loads(LEXICON.file("identifiers.json").read_text("utf-8"))
    return [
        Examples(kind, row["says"], tuple(row["examples"]), tuple(row["counterexamples"]))
        for kind, row in table.items()
    ]


def unmark(example: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of an example and the spans that its marks enclose.

    >>> unmark("on «5 May» or «6 May»")
    ('on 5 May or 6 May', [(3, 8), (12, 17)])
    """
    text, spans = "", []
    for at, part in enumerate(re.split("[«»]", example)):
        if at % 2:
            spans.append((len(text), len(text) + len(part)))
        text += part
    return text, spans


def as_markdown() -> str:
    """The table as a page of the documentation."""
    lines = [
        "# Identifiers",
        "",
        "What Taciturn recognizes by its form alone, before it looks for phrases. Written from",
        "`src/taciturn/language/en/identifiers.json`, which the tests read too; do not edit this page.",
        "",
        "Where two readings overlap the longer one wins, of equally long ones the kind that stands first below.",
        "",
    ]
    for row in examples():
        lines += [f"## {row.kind}", "", f"{row.says} A term of the kind *{FAMILY[row.kind]}*.", ""]
        found = [re.sub("«(.*?)»", r"**\1**", e.replace("*", "\\*").replace("_", "\\_")) for e in row.examples]
        lines += [f"- found: {e}" for e in found]
        lines += ["- not found: " + ", ".join(f"`{e}`" for e in row.counterexamples), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    print(as_markdown(), end="")
