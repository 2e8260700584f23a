"""Run every benchmark, or those named, and write their tables to ``RESULTS.md`` and ``results.json`` of this folder.

    python -m benchmarks [NAME...]

Each module of this folder with a ``main()`` is a benchmark: it prints a table and returns its rows. Each runs in a
process of its own, so that one's memory and caches do not count for another, and is ended after ``LIMIT`` seconds (a
module may set its own; when all are run, none gets more than ``MOST``). What lacks its data, fails or is ended says so,
loudly and on the page; rows of an earlier run stay, with their date. Running some of them renews these and leaves the
others' results. After each the figures of the documentation are written anew.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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
sys.path.insert(0, str(FOLDER.parent / "src"))  # as the benchmarks have it: nothing need be installed


def names() -> list[str]:
    """The benchmarks of this folder, by name."""
    modules = sorted(p.stem for p in FOLDER.glob("*.py") if not p.stem.startswith("_"))
    return [name for name in modules if "\ndef main(" in (FOLDER / f"{name}.py").read_text("utf-8")]


def chip() -> str:
    """The kind of processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def machine() -> str:
    """What the figures were measured on; the machine is shared, so ratios tell more than seconds."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {chip()}, {platform.system()}, "
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
        "Written by `make bench`. CPU seconds unless a column says otherwise. Each benchmark says how many programs "
        "wanted to run at its end; where they were more than its own, ratios tell more than times.",
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
        found |= _measured(name, rows)
    answer.write_text(json.dumps(found, default=float), "utf-8")


def _measured(name: str, rows: Sequence[Mapping[str, object]]) -> dict[str, Any]:
    """New rows with when and where they were measured; a module with a ``joined`` says which earlier rows stay."""
    joined = getattr(import_module(f"benchmarks.{name}"), "joined", None)
    if joined:
        rows = joined(_stored().get(name, {}).get("rows", []), rows)
    return {"machine": machine(), "date": datetime.now(UTC).date().isoformat(), "rows": [_plain(r) for r in rows]}


def _stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    return found


def store(name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Put rows of a benchmark into the results at once, and renew the pages, so that no later fault loses them."""
    from benchmarks.claims import write_pages

    with _alone():
        results = _stored()
        before = results.get(name, {"title": name})
        results[name] = {k: v for k, v in before.items() if k != "skipped"} | _measured(name, rows)
        write(results)
        write_pages(results)


@contextmanager
def _alone() -> Iterator[None]:
    """One at a time may read the results and write them anew; the lock ends with the process that has it."""
    with open(FOLDER / "__init__.py", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
    """Both files, from the same results, in order of their names."""
    from taciturn.formats import write_whole

    results = dict(sorted(results.items()))
    write_whole(RESULTS, (json.dumps(results, indent=1, sort_keys=False, ensure_ascii=False) + "\n").encode())
    write_whole(FOLDER / "RESULTS.md", as_page(results).encode())


def main(chosen: Sequence[str]) -> None:
    from benchmarks.claims import write_pages

    known = names()
    if unknown := [n for n in chosen if n not in known]:
        sys.exit(f"no benchmark {unknown[0]!r}; there are {', '.join(known)}")
    failed: list[str] = []
    for name in chosen or known:
        print(f"== {name}", flush=True)
        begun = time.monotonic()
        found = run_apart(name) if chosen else run_apart(name, MOST)
        print(f"== {name} took {time.monotonic() - begun:.0f} s by the clock", flush=True)
        with _alone():
            results = {other: kept for other, kept in _stored().items() if other in known}
            if reason := found.get("skipped"):
                print(f"SKIPPED {name}: {reason}", file=sys.stderr, flush=True)
                failed.append(name)
                before = results.get(name, {})
                found = before | {"skipped": reason} if "rows" in before else found
            results[name] = found
            write(results)
            try:
                write_pages(results)
            except LookupError as error:  # the pages quote a row that is not there: the other benchmarks go on
                print(f"PAGES after {name}: {error.args[0]}", file=sys.stderr, flush=True)
                failed.append(name)
    if failed:
        sys.exit(f"no new figures of {', '.join(dict.fromkeys(failed))}; see above")


if __name__ == "__main__":
    main(sys.argv[1:])
