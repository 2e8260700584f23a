"""Spark and search servers: what a document, a worker, a merge and a count cost, and what follows for many documents.

    python -m benchmarks.cluster

Spark runs in local mode, with one worker and with two. CPU time is that of all its processes but the driver's Python,
Java's included, in a second run, so that neither a busy machine nor the start counts. Memory is what a Python worker
has for itself (USS), and its share of what it has with others (PSS), at most. The merge is measured over the same
shards, taken once, twice and four times.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

LIMIT = 900
SHARED = Path(__file__).resolve().parents[2] / "shared"
ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = 100_000_000
SAMPLE = {"wikipedia-leads": 900, "medquad": 150, "wikipedia-core": 12}
NOTES = 120


def main() -> list[dict[str, Any]]:
    """Print a row for each measurement, and return the rows."""
    for needed in ("pyspark", "opensearchpy"):
        import_module(needed)
    # Before all else: without it nothing else need be measured.
    import_module("tests.knowledge.counts.search.servers").install_lucene()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_samples(folder)
        for cores in ("1", "2"):
            rows += map(_shown, _apart("spark", cores, str(folder)))
        for work in _FILES:
            rows += map(_shown, _apart("first", work, str(folder)))
        for times in ("1", "2", "4"):
            rows += map(_shown, _apart("merge", times, str(folder)))
        rows += [_shown(row) for row in _servers(folder)]
    rows += [_shown(row) for row in sizing(rows)]
    return rows


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    print("  ".join(f"{k}: {v:,.3g}" if isinstance(v, float) else f"{k}: {v}" for k, v in row.items()), flush=True)
    return row


def _write_samples(folder: Path) -> None:
    with open(folder / "articles.jsonl", "w", encoding="utf-8") as out:
        for name, size in SAMPLE.items():
            with lzma.open(SHARED / "data" / "corpus" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
                out.writelines(islice(file, size))
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as file:
        (folder / "notes.jsonl").write_text("".join(islice(file, NOTES)), "utf-8")


def _apart(*arguments: str) -> list[dict[str, Any]]:
    """The rows of one measurement, made in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.cluster", *arguments]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, cwd=ROOT)
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


# Spark


def on_spark(cores: int, folder: Path) -> list[dict[str, Any]]:
    """Count and sanitize the samples on Spark; CPU seconds of all processes, after a first run that warms them."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    for name, value in {"driver.bindAddress": "127.0.0.1", "driver.host": "127.0.0.1", "driver.memory": "1g"}.items():
        builder = builder.config(f"spark.{name}", value)
    spark = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    memory: list[tuple[float, float]] = []
    _watch(lambda: memory.extend(_workers_memory()), 0.5)
    rows = []
    for work, run in (("count", _count), ("sanitize", _sanitize)):
        texts = [json.loads(line)["text"] for line in (folder / _FILES[work]).read_text("utf-8").splitlines()]
        run(spark, texts, 2 * cores)
        start = _spent()
        memory.clear()
        run(spark, 2 * texts, 2 * cores)
        now = _spent()
        spent = {kind: now[kind] - start[kind] for kind in ("java", "worker")}
        cpu, size = sum(spent.values()), 2 * len(texts)
        rows.append(
            {
                "work": work,
                "cores": cores,
                "documents": size,
                "KB a document": sum(map(len, texts)) / len(texts) / 1000,
                "CPU ms a document": 1000 * cpu / size,
                "documents/s a core": size / cpu,
                "KB/s a core": 2 * sum(map(len, texts)) / 1000 / cpu,
                "of it Python %": 100 * spent["worker"] / cpu,
                "USS MB a worker": max(own for own, _ in memory),
                "PSS MB a worker": max(shared for _, shared in memory),
            }
        )
    spark.stop()
    return rows


def _count(spark: Any, texts: list[str], partitions: int) -> None:
    from taciturn.knowledge.building import Parameters
    from taciturn.spark import Corpus, build_pack

    frame = spark.createDataFrame(list(enumerate(texts)), "n int, text string").repartition(partitions)
    with tempfile.TemporaryDirectory() as out:
        corpus = Corpus(frame, "n", title=None)
        build_pack(corpus, Path(out) / "pack", parameters=Parameters(min_count=1, min_phrase=1, shard=400_000))


def _sanitize(spark: Any, texts: list[str], partitions: int) -> None:
    import taciturn
    from taciturn.spark import sanitize_frame

    frame = spark.createDataFrame(list(enumerate(texts)), "n int, text string").repartition(partitions)
    model = taciturn.CSanitized(protect=["HIV"])
    sanitize_frame(frame, "text", model).write.format("noop").mode("overwrite").save()


def first_document(work: str, folder: Path) -> dict[str, Any]:
    """What a new worker does before its second document, in a process like it."""
    import pyarrow as pa

    import taciturn
    from taciturn import spark
    from taciturn.frames import sanitize_batches
    from taciturn.knowledge.building.sources import Article

    text = json.loads((folder / _FILES[work]).read_text("utf-8").splitlines()[0])["text"]
    if work == "count":
        spark.building.index_articles([("", Article("", text))], folder / "first.shard", 100, 200)
    else:
        batch = pa.RecordBatch.from_pydict({"text": [text]})
        list(sanitize_batches([batch], "text", taciturn.CSanitized(protect=["HIV"])))
    return {"first document of a worker": work, "CPU s": time.process_time()}


_FILES = {"count": "articles.jsonl", "sanitize": "notes.jsonl"}


def _descendants() -> Iterator[tuple[int, str, list[str]]]:
    """The processes that this one has started, and they in turn: number, kind, fields of their ``stat``."""
    stats: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        stats[int(path.parent.name)] = [
            text[text.index("(") + 1 : text.rindex(")")],
            *text[text.rindex(")") + 2 :].split(),
        ]
    family = {os.getpid()}
    while more := {pid for pid, fields in stats.items() if int(fields[2]) in family} - family:
        family |= more
    for pid in family:
        kind = "driver" if pid == os.getpid() else "java" if stats[pid][0].startswith("java") else "worker"
        yield pid, kind, stats[pid]


def _spent() -> dict[str, float]:
    """CPU seconds by kind of process, of this one and all it has started, the ended ones included."""
    ticks = os.sysconf("SC_CLK_TCK")
    spent: dict[str, float] = {}
    for _, kind, fields in _descendants():
        spent[kind] = spent.get(kind, 0.0) + sum(int(n) for n in fields[12:16]) / ticks
    return spent


def _workers_memory() -> list[tuple[float, float]]:
    """MB of each Python worker: its own, and its share of everything."""
    found = []
    for pid, kind, _ in _descendants():
        if kind == "worker":
            try:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
            except OSError:  # it has ended meanwhile
                continue
            kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
            own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
            found.append((own / 1024, kilobytes["Pss"] / 1024))
    return found


def _watch(look: Callable[[], None], every: float) -> None:
    """Call a function again and again beside the work."""

    def again() -> None:
        while True:
            look()
            time.sleep(every)

    threading.Thread(target=again, daemon=True).start()


# The merge on the driver


def merge(times: int, folder: Path) -> dict[str, Any]:
    """Merge the shards of the sample, taken so many times, with the embedded taxonomies."""
    from taciturn.knowledge.building import Parameters, embedded_taxonomies
    from taciturn.knowledge.building.build import assemble_pack, start_build
    from taciturn.knowledge.building.shards import index_shard, open_shard
    from taciturn.knowledge.building.sources import Article

    path = folder / "sample.shard"
    articles = [json.loads(line) for line in (folder / "articles.jsonl").read_text("utf-8").splitlines()]
    if not path.exists():
        index_shard([Article(a.get("title") or "", a["text"]) for a in articles], path, 100, 200)
    shard = open_shard(path)
    copies = 8 * times
    records = copies * sum(len(shard[f"contexts.{part}"]) for part in range(64))
    contexts = copies * int(shard.meta["contexts"])
    taxonomies = embedded_taxonomies()
    out = folder / f"merged{times}"
    start_build(out, taxonomies, replace=False)
    peak = [0]

    def look() -> None:
        status = Path("/proc/self/status").read_text()
        peak[0] = max(peak[0], int(status.partition("RssAnon:")[2].split()[0]))

    _watch(look, 0.02)
    before = time.process_time()
    spent: dict[str, float] = {}
    assemble_pack(
        [path] * copies, out, sources=[], taxonomies=taxonomies, parameters=Parameters(),
        progress=lambda stage, done, total: spent.update({stage: time.process_time() - before}),
    )  # fmt: skip
    return {
        "merged documents": copies * len(articles),
        "contexts": contexts,
        "records": records,
        "shard bytes a document": path.stat().st_size / len(articles),
        "merging CPU s": spent["merging"],
        "all CPU s": time.process_time() - before,
        "MB": peak[0] / 1024,
    }


# Counts from servers


def _servers(folder: Path) -> list[dict[str, Any]]:
    """Counts from a pack, and from real Lucene behind the protocol of Elasticsearch, client and server together."""
    import random

    from opensearchpy import OpenSearch
    from tests.knowledge.counts.search.servers import lucene_server

    from taciturn.knowledge import Knowledge
    from taciturn.knowledge.counts.packed import PackCounts
    from taciturn.knowledge.counts.search import SearchCounts, index_in_search

    counts = Knowledge.open(folder / "merged1").counts
    assert isinstance(counts, PackCounts)
    every = list(counts.keys())
    keys = random.Random(3).sample([k for k in every if counts.count(k) > 20], 600)
    pairs = [keys[i : i + 2] for i in range(0, 600, 2)] * 5
    pairs = [[a, keys[(keys.index(b) + 7 * i) % 600]] for i, (a, b) in enumerate(pairs)]
    rows = []
    classes = folder / "classes"
    classes.mkdir()
    with lucene_server(classes) as address:
        client = OpenSearch(address)
        begun = _both()
        index_in_search(client, "contexts", counts)
        indexed = counts.total / (_both() - begun)
        cache = folder / "counts.cache"
        engines = {
            "the pack": counts,
            "_msearch": SearchCounts(client, "contexts", cache=cache),
            "_msearch, from the cache on disk": SearchCounts(client, "contexts", cache=cache),
        }
        expected = counts.count_many(pairs).tolist()
        for name, engine in engines.items():
            begun = _both()
            engine.count_many([[k] for k in keys])
            between = _both()
            assert engine.count_many(pairs).tolist() == expected
            row: dict[str, Any] = {
                "counts from": name,
                "contexts": counts.total,
                "keys a CPU second": round(len(keys) / (between - begun)),
                "pairs a CPU second": round(len(pairs) / (_both() - between)),
            }
            rows.append(row | ({"contexts indexed a CPU second": round(indexed)} if name == "_msearch" else {}))
    return rows


def _both() -> float:
    """CPU seconds of this process and of the server, which is Java."""
    return time.process_time() + _spent().get("java", 0.0)


# What follows


def sizing(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the figures say of 100 million documents like those of the sample, with the arithmetic."""
    count = next(r for r in rows if r.get("work") == "count" and r["cores"] == 2)
    release = next(r for r in rows if r.get("work") == "sanitize" and r["cores"] == 2)
    merged = [r for r in rows if "merged documents" in r]
    small, large = merged[0], merged[-1]
    more = large["records"] - small["records"]
    by_record = (large["merging CPU s"] - small["merging CPU s"]) / more
    written = (large["all CPU s"] - small["all CPU s"]) / more - by_record
    records = DOCUMENTS * large["records"] / large["merged documents"]
    contexts = DOCUMENTS * large["contexts"] / large["merged documents"]
    million = DOCUMENTS / 1e6
    hours = DOCUMENTS * count["CPU ms a document"] / 3.6e6
    release_hours = DOCUMENTS * release["CPU ms a document"] / 3.6e6
    disk = DOCUMENTS * large["shard bytes a document"] / 1e9

    def row(what: str, value: float, unit: str, arithmetic: str) -> dict[str, Any]:
        return {"of 100 million documents": what, "figure": value, "unit": unit, "arithmetic": arithmetic}

    return [
        row("counting", hours, "core hours", f"{million:.0f} million x {count['CPU ms a document']:.1f} ms"),
        row("counting, 500 cores", hours / 500, "hours", f"{hours:,.0f} / 500"),
        row("releasing", release_hours, "core hours", f"{million:.0f} million x {release['CPU ms a document']:.0f} ms"),
        row("shards", disk, "GB", f"{million:.0f} million x {large['shard bytes a document']:,.0f} bytes"),
        row("contexts", contexts / 1e6, "million", f"{contexts / DOCUMENTS:.2f} a document"),
        row(
            "merging on the driver",
            by_record * records / 3600,
            "hours",
            f"{records:.3g} records x {by_record * 1e9:.0f} ns",
        ),
        row(
            "subsuming and writing there",
            written * records / 3600,
            "hours",
            f"{records:.3g} records x {written * 1e9:.0f} ns",
        ),
        row("order of contexts on the driver", contexts * 28 / 1e9, "GB", f"{contexts:.3g} contexts x 28 bytes"),
    ]


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "spark":
        print(json.dumps(on_spark(int(sys.argv[2]), Path(sys.argv[3]))))
    elif what == "first":
        print(json.dumps([first_document(sys.argv[2], Path(sys.argv[3]))]))
    elif what == "merge":
        print(json.dumps([merge(int(sys.argv[2]), Path(sys.argv[3]))]))
    else:
        main()
