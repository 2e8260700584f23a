"""How docstrings reach the API reference: doctests become code blocks, Sphinx roles become code.

The docstrings are written for people who read the source; Markdown would take ``>>>`` for a quotation.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:func|class|meth|mod|attr|data):`~?([^`]+)`")


def as_markdown(docstring: str) -> str:
    """A docstring with its examples fenced, each up to the next blank line."""
    lines: list[str] = []
    inside = False
    for line in [*_ROLE.sub(r"`\1`", docstring).splitlines(), ""]:
        if not inside and line.lstrip().startswith(">>> "):
            lines += ["```pycon"]
            inside = True
        elif inside and not line.strip():
            lines += ["```"]
            inside = False
        lines.append(line.strip() if inside and line.lstrip().startswith(">>>") else line)
    return "\n".join(lines).rstrip()


class Docstrings(griffe.Extension):
    """Rewrites every docstring before it is rendered."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
