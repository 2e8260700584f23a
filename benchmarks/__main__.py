"""Run every benchmark, or those named, and write their tables to ``RESULTS.md`` and ``results.json`` of this folder.

    python -m benchmarks [NAME...]

Each module of this folder with a ``main()`` is a benchmark: it prints a table and returns its rows. Each runs in a
process of its own, so that one's memory and caches do not count for another, and is ended after ``LIMIT`` seconds (a
module may set its own; when all are run, none gets more than ``MOST``). What lacks its data, fails or is ended says so,
loudly and on the page; rows of an earlier run stay, with their date. Running some of them renews these and leaves the
others' results. In the end the figures of the documentation are written anew.
"""

from __future__ import annotations

import json
import math
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"
LIMIT = 300
"""Seconds by the clock for a benchmark that sets no ``LIMIT`` of its own."""
MOST = 600
"""Seconds that any benchmark gets when all are run: a benchmark that is named gets what it asks for."""
_WANT = (FileNotFoundError, ImportError)


def names() -> list[str]:
    """The benchmarks of this folder, by name."""
    modules = sorted(p.stem for p in FOLDER.glob("*.py") if not p.stem.startswith("_"))
    return [name for name in modules if "\ndef main(" in (FOLDER / f"{name}.py").read_text("utf-8")]


def machine() -> str:
    """What the figures were measured on; the machine is shared, so ratios tell more than seconds."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        chip = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        chip = platform.machine()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {chip}, {platform.system()}, "
        f"load {load:.0f} (programs that want to run)"
    )


def as_markdown(rows: Sequence[Mapping[str, object]], columns: Sequence[str] = ()) -> str:
    """Rows as a Markdown table; columns in order of first appearance.

    >>> print(as_markdown([{"w": 0.5, "F1": 0.81234}]))
    | w | F1 |
    | --- | --- |
    | 0.5 | 0.8123 |
    """
    columns = columns or list(dict.fromkeys(c for row in rows for c in row))

    def cell(value: object) -> str:
        shown = f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)
        return shown.replace("|", r"\|")

    lines = ["| " + " | ".join(c.strip() for c in columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(cell(row.get(c, "")) for c in columns) + " |" for row in rows]
    return "\n".join(lines)


def as_page(results: Mapping[str, Any]) -> str:
    """``RESULTS.md``: a table for each benchmark, rows of the same columns together."""
    parts = [
        "# Results",
        "",
        "Written by `make bench`. CPU seconds unless a column says otherwise; the machine was shared by other work, so "
        "ratios tell more than times.",
    ]
    for name, found in sorted(results.items()):
        parts += ["", f"## {name}", "", found["title"], ""]
        if "skipped" in found:
            parts += [f"SKIPPED: {found['skipped']}", ""]
        if "rows" not in found:
            continue
        earlier = "An earlier run: " if "skipped" in found else ""
        parts.append(f"{earlier}{found['machine']}; {found['date']}.")
        tables: dict[tuple[str, ...], list[Mapping[str, object]]] = {}
        for row in found["rows"]:
            tables.setdefault(tuple(row), []).append(row)
        for rows in tables.values():
            parts += ["", as_markdown(rows)]
    return "\n".join(parts) + "\n"


def run_here(name: str, answer: Path) -> None:
    """Run one benchmark in this process and write what came of it to a file."""
    module = import_module(f"benchmarks.{name}")
    title = (module.__doc__ or name).strip().splitlines()[0]
    found: dict[str, Any] = {"title": title}
    try:
        rows = module.main()
    except _WANT as error:
        # The name alone: a path of this machine says nothing to a reader.
        what = getattr(error, "filename", None) or getattr(error, "name", None)
        found["skipped"] = f"no {Path(str(what)).name}" if what else type(error).__name__
    else:
        found |= {"machine": machine(), "date": datetime.now(UTC).date().isoformat(), "rows": [_plain(r) for r in rows]}
    answer.write_text(json.dumps(found, default=float), "utf-8")


def _plain(row: Mapping[str, object]) -> dict[str, object]:
    """A row without numbers that JSON lacks: an infinite one is nothing that can be shown."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}


def limit_of(name: str) -> int:
    """How long a benchmark may take by the clock: its own ``LIMIT = ...``, read without importing it."""
    own = re.search(r"^LIMIT = (\d+)$", (FOLDER / f"{name}.py").read_text("utf-8"), re.MULTILINE)
    return int(own[1]) if own else LIMIT


def run_apart(name: str, most: float = math.inf) -> dict[str, Any]:
    """Run one benchmark in a process of its own; one that fails or takes too long is ``skipped``, with the reason."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        code = (
            f"from benchmarks.__main__ import run_here; run_here({name!r}, __import__('pathlib').Path({str(answer)!r}))"
        )
        path = os.pathsep.join(filter(None, [str(FOLDER.parent), str(FOLDER.parent / "src"), os.getenv("PYTHONPATH")]))
        limit = min(limit_of(name), most)
        # A session of its own, so that workers which a benchmark started end with it.
        # One thread, as the Makefile says: threads that wait for each other cost ten times the work.
        environment = os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        process = subprocess.Popen([sys.executable, "-c", code], env=environment, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return {"title": name, "skipped": f"ended after {limit:g} s by the clock"}
        if status or not answer.exists():
            return {"title": name, "skipped": f"FAILED with exit code {status}"}
        found: dict[str, Any] = json.loads(answer.read_text("utf-8"))
        return found


def write(results: Mapping[str, Any]) -> None:
    """Both files, from the same results."""
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=False, ensure_ascii=False) + "\n", "utf-8")
    (FOLDER / "RESULTS.md").write_text(as_page(results), "utf-8")


def main(chosen: Sequence[str]) -> None:
    known = names()
    if unknown := [n for n in chosen if n not in known]:
        sys.exit(f"no benchmark {unknown[0]!r}; there are {', '.join(known)}")
    results: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    results = {name: results[name] for name in known if name in results}
    for name in chosen or known:
        print(f"== {name}", flush=True)
        before = {k: v for k, v in results.get(name, {}).items() if k != "skipped"}
        found = run_apart(name) if chosen else run_apart(name, MOST)
        if reason := found.get("skipped"):
            print(f"SKIPPED {name}: {reason}", file=sys.stderr, flush=True)
            found = before | {"skipped": reason} if "rows" in before else found
        results[name] = found
        write(dict(sorted(results.items())))
    sys.path.insert(0, str(FOLDER.parent / "src"))  # as the benchmarks have it: nothing need be installed
    from benchmarks.claims import write_pages

    write_pages(json.loads(RESULTS.read_text("utf-8")))
    if failed := [name for name in chosen or known if "skipped" in results[name]]:
        sys.exit(f"no new figures of {', '.join(failed)}; see above")


if __name__ == "__main__":
    main(sys.argv[1:])
