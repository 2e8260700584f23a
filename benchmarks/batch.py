"""Many documents: CPU seconds and memory of one process, of workers and of pandas, on clinical notes.

    python -m benchmarks.batch [NOTES [PACK]]

CPU time counts every process (children included), so a busy machine does not change it; ``start`` is what a run of one
short document costs.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"
SRC = Path(__file__).resolve().parents[1] / "src"

_LOOP = """
import json, sys, tacit
from tacit.knowledge import Knowledge
knowledge = Knowledge.open(sys.argv[2]) if sys.argv[2] else Knowledge.default()
model = tacit.CSanitized(protect=["HIV"])
for line in open(sys.argv[1]):
    tacit.sanitize(json.loads(line)["text"], model, knowledge)
"""
_PANDAS = """
import pandas, sys, tacit
from tacit.frames import sanitize_pandas
from tacit.knowledge import Knowledge
knowledge = Knowledge.open(sys.argv[2]) if sys.argv[2] else Knowledge.default()
sanitize_pandas(pandas.read_json(sys.argv[1], lines=True), "text", tacit.CSanitized(protect=["HIV"]), knowledge)
"""


def main(count: int = 60, pack: str = "") -> list[dict[str, Any]]:
    """Print a row for each way of doing it, and return the rows."""
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [json.loads(line)["text"] for line in file]
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        many, one = folder / "notes.jsonl", folder / "one.jsonl"
        many.write_text("".join(json.dumps({"text": notes[i % len(notes)]}) + "\n" for i in range(count)))
        one.write_text('{"text": "A short note."}\n')
        print(f"{'way':<22}{'CPU s':>9}{'start':>8}{'ms/note':>9}{'MB/process':>12}")
        for way, command in _ways(pack, folder).items():
            start, _ = _cost(command(one, "one"))
            spent, memory = _cost(command(many, "many"))
            row = {"way": way, "notes": count, "cpu": spent, "start": start, "memory": memory}
            rows.append(row)
            each = 1000 * (spent - start) / count
            print(f"{way:<22}{spent:>9.1f}{start:>8.1f}{each:>9.0f}{memory / 2**20:>12.0f}", flush=True)
    return rows


def _ways(pack: str, folder: Path) -> dict[str, Callable[[Path, str], list[str]]]:
    def batch(workers: int) -> Callable[[Path, str], list[str]]:
        said = ["--protect", "HIV", "--text", "text", "--workers", str(workers)]
        said += ["--knowledge", pack] if pack else []
        tacit = [sys.executable, "-m", "tacit", "batch"]
        return lambda path, run: [*tacit, str(path), "-o", str(folder / f"{run}{workers}"), *said]

    def script(source: str) -> Callable[[Path, str], list[str]]:
        return lambda path, run: [sys.executable, "-c", source, str(path), pack]

    ways = {"a loop": script(_LOOP), "batch, 1 worker": batch(1), "batch, 2 workers": batch(2)}
    ways["pandas"] = script(_PANDAS)
    return ways


def _cost(command: list[str]) -> tuple[float, int]:
    """CPU seconds of a command and all its children, and the largest resident memory of one of its processes."""
    measure = (
        "import json, resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]))"
    )
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    done = subprocess.run(
        [sys.executable, "-c", measure, *command], env=environment, check=True, capture_output=True, text=True
    )
    spent, memory = json.loads(done.stdout.splitlines()[-1])
    return float(spent), int(memory)


if __name__ == "__main__":
    main(*(int(given) if given.isdigit() else given for given in sys.argv[1:3]))
