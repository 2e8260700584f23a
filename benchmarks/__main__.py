"""Run every benchmark, or those named, and write their tables to ``benchmarks/RESULTS.md``.

    python -m benchmarks [NAME...]

Each module of this folder with a ``main()`` is a benchmark: it prints a table and returns its rows.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The benchmarks of this folder, by name."""
    modules = sorted(p.stem for p in FOLDER.glob("*.py") if not p.stem.startswith("_"))
    return [name for name in modules if "\ndef main(" in (FOLDER / f"{name}.py").read_text("utf-8")]


def machine() -> str:
    """What the figures were measured on; the machine is shared, so ratios tell more than seconds."""
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}, {platform.system()}"


def as_markdown(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as a Markdown table; columns in order of first appearance."""
    columns = list(dict.fromkeys(c for row in rows for c in row))

    def cell(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(cell(row.get(c, "")) for c in columns) + " |" for row in rows]
    return "\n".join(lines)


def main(chosen: Sequence[str]) -> None:
    known = names()
    if unknown := [n for n in chosen if n not in known]:
        sys.exit(f"no benchmark {unknown[0]!r}; there are {', '.join(known)}")
    parts = [
        "# Results",
        "",
        f"Written by `make bench`. {machine()}. CPU seconds unless a column says otherwise; the machine was shared.",
    ]
    for name in chosen or known:
        print(f"== {name}", flush=True)
        module = import_module(f"benchmarks.{name}")
        rows = module.main()
        title = (module.__doc__ or name).strip().splitlines()[0]
        parts += ["", f"## {name}", "", title, "", as_markdown(rows)]
    if not chosen:
        (FOLDER / "RESULTS.md").write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
