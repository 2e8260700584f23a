"""Many documents: a loop, one and two workers, pandas, Spark, and Presidio on Spark, on clinical notes repeated.

    python -m benchmarks.batch [NOTES [ROUNDS [WAY...]]]

Each way is a command of its own, run on one short note (``start``) and on many; of ``ROUNDS`` runs the one with the
least CPU time counts, for the machine is shared. A WAY is how the name of a way begins (``"batch, 1"``, ``pandas``);
they run one after another, and side by side if joined by a plus: ``"batch, 1+pandas"``. Each row goes into
``results.json`` and onto the pages as soon as it is there, beside the rows of other ways and numbers of notes.

``CPU s`` is of all processes of a way, those of the Java machine included. ``ms a note`` is what one more note costs:
``(CPU s - start) / notes``; ``notes/CPU s`` is its reverse, ``notes/s`` is by the clock, with the start. ``critical s``
is the CPU time of the busiest process: on an idle machine with a core for each the clock shows about that, so
``speed-up`` is one worker's CPU time / this way's critical time; it is an estimate, and the clock's own ratio stands
beside it. Memory is that of the largest process that does the work: its own pages (``USS``) and its share of those that
processes have in common, like the mapped pack (``PSS``). ``beside`` names what ran at the same time. The two passes
show what a process that has met the words of the notes saves: every worker pays for the first pass anew.

Presidio runs as its samples for Spark do it: engines that are broadcast, a pandas function over the column. There is no
language model of spaCy's makers in the registries, so its engine is a blank English pipeline: its patterns and
checksums work, its recognizers of names find nothing. With a model it is about seven times slower (see peers).
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

LIMIT = 3600
SHARED = Path(__file__).resolve().parents[2] / "shared"
SRC = Path(__file__).resolve().parents[1] / "src"
_PAGE = os.sysconf("SC_CLK_TCK")
ALONE = "batch, 1 worker"

_LOOP = """
import json, sys, taciturn
model = taciturn.CSanitized(protect=["HIV"])
for line in open(sys.argv[1]):
    taciturn.sanitize(json.loads(line)["text"], model)
"""
_PASSES = """
import json, sys, time, taciturn
model, knowledge = taciturn.CSanitized(protect=["HIV"]), taciturn.Knowledge.default()
notes = [json.loads(line)["text"] for line in open(sys.argv[1])][:100]
for number in ("first", "second"):
    begun = time.process_time()
    for note in notes:
        taciturn.sanitize(note, model, knowledge)
    print(json.dumps({"pass": number, "distinct notes": len(notes),
                      "ms of each": round(1000 * (time.process_time() - begun) / len(notes), 1)}))
"""
_PANDAS = """
import pandas, sys, taciturn
from taciturn.frames import sanitize_pandas
sanitize_pandas(pandas.read_json(sys.argv[1], lines=True), "text", taciturn.CSanitized(protect=["HIV"]))
"""
_SESSION = """
import os, sys
os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
from pyspark.sql import SparkSession
builder = SparkSession.builder.master(f"local[{sys.argv[2]}]").config("spark.ui.enabled", "false")
builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100").config("spark.driver.memory", "1g")
spark = builder.getOrCreate()
frame = spark.read.schema("text string").json(sys.argv[1]).repartition(4 * int(sys.argv[2]))
"""
_SPARK = (
    _SESSION
    + """
import taciturn
from taciturn.spark import sanitize_frame
released = sanitize_frame(frame, "text", taciturn.CSanitized(protect=["HIV"]))
released.write.format("noop").mode("overwrite").save()
spark.stop()
"""
)
_PRESIDIO = (
    _SESSION
    + """
import logging, pandas, spacy, tldextract
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import SpacyNlpEngine
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from pyspark.sql.functions import col, pandas_udf
logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)

blank = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "blank"}])
blank.nlp = {"en": spacy.blank("en")}
analyzer = spark.sparkContext.broadcast(AnalyzerEngine(nlp_engine=blank, supported_languages=["en"]))
anonymizer = spark.sparkContext.broadcast(AnonymizerEngine())
operators = {"DEFAULT": OperatorConfig("replace", {"new_value": "<ANONYMIZED>"})}

def anonymized(text):
    tldextract.extract = offline
    found = analyzer.value.analyze(text=text, language="en")
    return anonymizer.value.anonymize(text=text, analyzer_results=found, operators=operators).text

offline = tldextract.TLDExtract(suffix_list_urls=())

@pandas_udf("string")
def anonymize(texts: pandas.Series) -> pandas.Series:
    return texts.apply(anonymized)

frame.withColumn("text", anonymize(col("text"))).write.format("noop").mode("overwrite").save()
spark.stop()
"""
)


@dataclass(frozen=True, slots=True)
class Way:
    """How to release notes: a command for a path and an empty folder, and which of its processes do the work."""

    name: str
    command: Callable[[Path, Path], list[str]]
    worker: str = ""
    """What the command line of a worker holds; nothing for any process but Java's."""


@dataclass(slots=True)
class Cost:
    """What a command took: by the clock, and for each of its processes CPU seconds, own and shared memory in bytes."""

    clock: float = 0.0
    cpu: dict[int, float] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    shared: dict[int, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.cpu.values())

    def workers(self, name: str) -> list[int]:
        chosen = [pid for pid, command in self.names.items() if name in command and "/java" not in command]
        return chosen or list(self.names)


Row = dict[str, Any]


def main(
    count: int = 500, rounds: int = 1, wanted: Sequence[str] = (), keep: Callable[[list[Row]], None] = lambda rows: None
) -> list[Row]:
    """Print a row for each way that is wanted (all, if none is named), and return the rows.

    ``keep`` gets each row as soon as it is measured.
    """
    from benchmarks.__main__ import chip

    groups = _groups(wanted)
    measured = {"chip": chip(), "date": datetime.now(UTC).date().isoformat()}
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [json.loads(line)["text"] for line in file]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        many, one = folder / "notes.jsonl", folder / "one.jsonl"
        with open(many, "w") as file:
            file.writelines(json.dumps({"text": notes[i % len(notes)]}) + "\n" for i in range(count))
        one.write_text('{"text": "A short note."}\n')
        for group in groups:
            best: dict[str, tuple[Cost, Cost]] = {}
            for _ in range(rounds):
                starts = {way.name: _cost(way, one, folder) for way in group}
                with ThreadPoolExecutor(len(group)) as together:
                    costs = together.map(lambda way: (way, _cost(way, many, folder)), group)
                    for way, cost in costs:
                        start, least = best.get(way.name, (starts[way.name], cost))
                        best[way.name] = (
                            min(start, starts[way.name], key=lambda c: c.total),
                            min(least, cost, key=lambda c: c.total),
                        )
                        beside = ", ".join(w.name for w in group if w is not way)
                        row = _row(way, count, *best[way.name], beside) | measured
                        rows = joined(rows, [row])
                        keep([row])
        if not wanted:
            rows += _passes(many)
    titles = [title for title in rows[0] if title not in ("beside", "chip")]
    widths = {title: max(len(title) + 2, {"way": 30, "date": 12}.get(title, 0)) for title in titles}
    print("".join(f"{title:>{widths[title]}}" for title in titles))
    for row in (row for row in rows if "way" in row):
        print("".join(f"{'' if row[title] is None else row[title]:>{widths[title]}}" for title in titles))
    return rows


def _groups(wanted: Sequence[str]) -> list[list[Way]]:
    """The ways in the order wanted; those of a group run side by side."""
    ways = list(_ways())
    if not wanted:
        return [[way] for way in ways]
    groups: list[list[Way]] = []
    for names in wanted:
        found = [[way for way in ways if way.name.startswith(name.strip())] for name in names.split("+")]
        if not all(found):
            sys.exit(f"no way begins like {names!r}; there are {', '.join(repr(way.name) for way in ways)}")
        groups += [[way for some in found for way in some]] if len(found) > 1 else [[way] for way in found[0]]
    return groups


def joined(earlier: Sequence[Row], new: Sequence[Row]) -> list[Row]:
    """Earlier rows and new ones, of which those of the same way and size take the place of earlier ones.

    Speed-ups are those over one worker with as many notes on the same day and chip: else the machine was another.
    """

    def identity(row: Row) -> tuple[str, int, str]:
        return str(row.get("way", "")), int(row.get("notes", 0)), str(row.get("pass", ""))

    rows = {identity(row): dict(row) for row in (*earlier, *new)}
    order = ["a loop", ALONE, "batch, 2 workers", "pandas"]
    for (way, notes, _), row in rows.items():
        if way:
            alone = rows.get((ALONE, notes, ""))
            alone = alone if alone and all(alone.get(k) == row.get(k) for k in ("date", "chip")) else None
            row["speed-up"] = round(alone["CPU s"] / row["critical s"], 2) if alone else None
            row["speed-up by the clock"] = round(alone["clock s"] / row["clock s"], 2) if alone else None
    return sorted(
        rows.values(),
        key=lambda r: (
            "pass" in r,
            r.get("pass", ""),
            r.get("notes", 0),
            order.index(r["way"]) if r.get("way") in order else len(order),
            not str(r.get("way")).startswith("Spark"),
            r.get("way", ""),
        ),
    )


def _passes(many: Path) -> list[Row]:
    passes = subprocess.run(
        [sys.executable, "-c", _PASSES, str(many)], env=_environment(), check=True, capture_output=True, text=True
    )
    print(passes.stdout, end="")
    return [json.loads(line) for line in passes.stdout.splitlines()]


def _row(way: Way, count: int, start: Cost, cost: Cost, beside: str) -> Row:
    spent = cost.total - start.total
    workers = cost.workers(way.worker)
    return {
        "way": way.name,
        "notes": count,
        "CPU s": round(cost.total, 1),
        "start": round(start.total, 1),
        "start by the clock": round(start.clock, 1),
        "ms a note": round(1000 * spent / count, 1),
        "notes/CPU s": round(count / spent, 1),
        "notes/s": round(count / cost.clock, 1),
        "critical s": round(max(cost.cpu.values()), 1),
        "speed-up": None,
        "clock s": round(cost.clock, 1),
        "speed-up by the clock": None,
        "USS MB": round(max(cost.own.get(pid, 0) for pid in workers) / 2**20),
        "PSS MB": round(max(cost.shared.get(pid, 0) for pid in workers) / 2**20),
        "processes": len(workers),
        "all MB": round(sum(cost.shared.values()) / 2**20),
        "beside": beside,
    }


def _ways() -> Iterator[Way]:
    def script(source: str, *more: str) -> Callable[[Path, Path], list[str]]:
        return lambda path, _: [sys.executable, "-c", source, str(path), *more]

    def batch(workers: int) -> Callable[[Path, Path], list[str]]:
        said = ["--protect", "HIV", "--text", "text", "--workers", str(workers)]
        return lambda path, out: [sys.executable, "-m", "taciturn", "batch", str(path), "-o", str(out), *said]

    yield Way("a loop", script(_LOOP))
    yield Way(ALONE, batch(1))
    yield Way("batch, 2 workers", batch(2), "spawn_main")
    yield Way("pandas", script(_PANDAS))
    if find_spec("pyspark"):
        for cores in ("1", "2"):
            yield Way(f"Spark, local[{cores}]", script(_SPARK, cores), "pyspark.daemon")
        if find_spec("presidio_analyzer") and find_spec("presidio_anonymizer"):
            yield Way("Presidio on Spark, local[2]", script(_PRESIDIO, "2"), "pyspark.daemon")


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(SRC), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _cost(way: Way, path: Path, folder: Path) -> Cost:
    """Run a way over a file and look at it and all its children, five times a second."""
    cost = Cost()
    with tempfile.TemporaryFile() as told, tempfile.TemporaryDirectory(dir=folder) as out:
        begun = time.perf_counter()
        process = subprocess.Popen(way.command(path, Path(out)), env=_environment(), stdout=told, stderr=told)
        looked = 0
        while process.poll() is None:
            _look(process.pid, cost, memory=looked % 10 == 0)
            looked += 1
            time.sleep(0.2)
        cost.clock = time.perf_counter() - begun
        if process.returncode:
            told.seek(0)
            raise RuntimeError(f"{way.name}: {told.read().decode()[-2000:]}")
    return cost


def _look(root: int, cost: Cost, *, memory: bool) -> None:
    """Add what a process and its children have used so far; what ended since keeps its last figure."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        folder = Path(f"/proc/{pid}")
        with suppress(OSError, ValueError):
            for task in (folder / "task").iterdir():
                with suppress(OSError):
                    waiting += map(int, (task / "children").read_text().split())
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            cost.cpu[pid] = (int(fields[11]) + int(fields[12])) / _PAGE
            if memory or pid not in cost.names:
                command = (folder / "cmdline").read_text().replace("\0", " ")
                cost.names[pid] = command or cost.names.get(pid, "")  # a process that has just ended has none
                sizes = dict(line.split(":", 1) for line in (folder / "smaps_rollup").read_text().splitlines()[1:])
                kilobytes = {name: int(size.split()[0]) for name, size in sizes.items()}
                own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
                cost.own[pid] = max(cost.own.get(pid, 0), own * 1024)
                cost.shared[pid] = max(cost.shared.get(pid, 0), kilobytes["Pss"] * 1024)


if __name__ == "__main__":
    from benchmarks.__main__ import store

    main(*map(int, sys.argv[1:3]), wanted=sys.argv[3:], keep=lambda rows: store("batch", rows))
