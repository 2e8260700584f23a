"""The tables of parameters in the pages, written from the models' declarations: ``python docs/_parameters.py``.

A table stands between two comments, ``<!-- parameters: k-safe -->`` and ``<!-- end -->``; ``<!-- models -->`` begins
the table of all models. ``tests/test_documentation.py`` fails on a page whose tables are not what this would write.
"""

from __future__ import annotations

import re
from pathlib import Path

from taciturn.models.declare import Declaration, declarations, declared
from taciturn.models.parameter import Parameter

FOLDER = Path(__file__).parent
_BLOCK = re.compile(r"<!-- (?P<what>models|parameters: (?P<name>[a-z-]+)) -->\n.*?<!-- end -->", re.DOTALL)


def written(path: Path) -> str:
    """The text of a page with its tables written anew."""
    scale = "scale.md" if path.parent == FOLDER else "../scale.md"
    return _BLOCK.sub(
        lambda m: f"<!-- {m['what']} -->\n\n{_body(m['name'], scale)}\n\n<!-- end -->", path.read_text("utf-8")
    )


def pages() -> list[Path]:
    """The pages that have such tables."""
    return [path for path in sorted(FOLDER.glob("**/*.md")) if _BLOCK.search(path.read_text("utf-8"))]


def _body(name: str | None, scale: str) -> str:
    return _parameters(declared(name), scale) if name else _models()


def _parameters(told: Declaration, scale: str) -> str:
    rows = ["| parameter | meaning | values | default |", "| --- | --- | --- | --- |"]
    rows += [f"| `{p.name}` | {p.says} | {_values(p)} | {_default(p)} |" for p in told.parameters]
    return "\n".join([*rows, "", _facts(told, scale)])


def _models() -> str:
    rows = ["| `name` | parameters | filled from `[[protect]]` |", "| --- | --- | --- |"]
    for told in declarations():
        own = ", ".join(f"`{p.name.replace('_', '-')}`" for p in told.parameters if p.is_plain)
        filled = ", ".join(f"`{p.name}`" for p in told.parameters if p.is_content)
        rows.append(f"| `{told.name}` | {own} | {filled} |")
    return "\n".join(rows)


def _values(p: Parameter) -> str:
    return re.sub(r"'([^']+)'", r"`\1`", p.expected)


def _default(p: Parameter) -> str:
    return f"`{p.default!r}`" if p.default not in (None, ()) and not p.is_required and p.standard else p.standard


def _facts(told: Declaration, scale: str) -> str:
    several = " or ".join(f"`{name}`" for name in told.needs)
    said = [f"{several} must be given." if len(told.needs) == 1 else f"At least one of {several} must be given."]
    said += [f"Of {' and '.join(f'`{n}`' for n in e.names)} at most one: {e.why}." for e in told.either]
    said += [f"Review turns `{told.dial.parameter}`: {told.dial.says}."] if told.dial else []
    said += ["Records (rows of a table, lines of a text) are judged one by one."] * told.by_row
    whole = "are judged together, read as one text" if told.together else "are judged one by one only"
    return " ".join([*said, f"The releases of a [dossier]({scale}) {whole}."])


if __name__ == "__main__":
    for path in pages():
        path.write_text(written(path), "utf-8")
