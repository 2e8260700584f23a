"""Counts from the embedded pack: the bars of speed, side by side with SQLite FTS5, and the table of PMI to look at.

A document of 500 terms, 5 protected entities and all pairs inside 40 sentences is asked cold (the pack just opened, no
set decoded) and warm, in numpy and roaring as PackCounts does it, and from SQLite FTS5 on the same contexts. FTS5 is
favoured: its index holds the terms of this document only, with subsumption worked in beforehand.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tacit.knowledge import Knowledge
from tacit.knowledge.counts import Counts
from tacit.knowledge.pack import embedded_pack
from tacit.knowledge.packcounts import PackCounts

ENTITIES = ("HIV", "syphilis", "london", "antonio banderas", "schizophrenia")
SHOWN = {
    "HIV": "AIDS|antiretroviral therapy|syphilis|blood transfusion|immune system|influenza|gay|patient|table|london",
    "antonio banderas": "spanish actor|spain|málaga|melanie griffith|pedro almodóvar|film|actor|hollywood|zorro|table",
    "los angeles": "hollywood|california|beverly hills|lakers|city|earthquake|film industry|mayor|london|table",
    "catholicism": "pope|vatican|catholic church|rosary|priest|baptism|protestantism|religion|islam|table",
}


def document(counts: PackCounts, seed: int = 1) -> tuple[list[str], list[list[str]]]:
    """500 terms drawn as often as texts use them, and the pairs inside 40 sentences of 13 terms."""
    chance = random.Random(seed)
    keys = list(counts.keys())
    weights = counts.count_many([[k] for k in keys]).astype(float)
    terms = list(dict.fromkeys(chance.choices(keys, weights.tolist(), k=900)))[:500]
    pairs = []
    for _ in range(40):
        sentence = chance.sample(terms, 13)
        pairs += [[a, b] for i, a in enumerate(sentence) for b in sentence[:i]]
    return terms, pairs


def _timed(work: Any) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return (time.process_time() - start) * 1000, result


def sqlite_counts(counts: PackCounts, terms: list[str]) -> sqlite3.Connection:
    """An FTS5 table with a row for each context that holds any of the terms."""
    held: dict[int, list[int]] = {}
    for number, term in enumerate(terms):
        for context in counts.contexts(term):
            held.setdefault(context, []).append(number)
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE contexts USING fts5(words, content='', detail=none)")
    rows = ((context + 1, " ".join(f"t{n}" for n in numbers)) for context, numbers in held.items())
    base.executemany("INSERT INTO contexts(rowid, words) VALUES (?, ?)", rows)
    return base


def ask_sqlite(base: sqlite3.Connection, terms: list[str], groups: list[list[str]]) -> list[int]:
    number = {t: i for i, t in enumerate(terms)}
    question = "SELECT count(*) FROM contexts WHERE contexts MATCH ?"
    return [base.execute(question, (" AND ".join(f"t{number[t]}" for t in g),)).fetchone()[0] for g in groups]


def resident(pack: Path) -> float:
    """Megabytes of memory of a fresh process that has asked for a document, above one that has numpy only."""
    program = (
        "import resource, sys; import numpy; before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "from pathlib import Path; from benchmarks.knowledge import *\n"
        "counts = Knowledge.open(sys.argv[1]).counts; terms, pairs = document(counts)\n"
        "counts.pmi_many(ENTITIES, [[t] for t in terms] + pairs)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024)"
    )
    told = subprocess.run([sys.executable, "-c", program, str(pack)], capture_output=True, text=True, check=True)
    return float(told.stdout)


def speed(pack: Path) -> list[dict[str, Any]]:
    """The rows of the table of speed: CPU milliseconds."""
    opening, opened = _timed(lambda: Knowledge.open(pack))
    assert isinstance(opened.counts, PackCounts)
    terms, pairs = document(opened.counts)
    groups = [[t] for t in terms] + pairs
    fresh = Knowledge.open(pack).counts
    cold, figures = _timed(lambda: fresh.pmi_many(ENTITIES, groups))
    warm, _ = _timed(lambda: fresh.pmi_many(ENTITIES, groups))
    plain, same = _timed(lambda: Counts.pmi_many(fresh, ENTITIES, groups))
    assert np.array_equal(figures, same)
    asked = [[e] for e in ENTITIES] + groups + [[e, *g] for e in ENTITIES for g in groups]
    base = sqlite_counts(fresh, [*ENTITIES, *terms])
    slow, found = _timed(lambda: ask_sqlite(base, [*ENTITIES, *terms], asked))
    assert found == fresh.count_many(asked).tolist()
    return [
        {"what": "open the pack", "ms": opening, "bar": 50},
        {"what": f"{len(terms)} terms x {len(ENTITIES)} entities + {len(pairs)} pairs, cold", "ms": cold, "bar": None},
        {"what": "the same, sets at hand", "ms": warm, "bar": 50},
        {"what": "the same, every count by itself", "ms": plain, "bar": None},
        {"what": "the same from SQLite FTS5", "ms": slow, "bar": None},
        {"what": "resident memory after it, MB", "ms": resident(pack), "bar": 200},
    ]


def shown(counts: Counts) -> list[dict[str, Any]]:
    """PMI/IC of entities and terms: how much of an entity a term reveals."""
    rows = []
    for entity, line in SHOWN.items():
        terms = line.split("|")
        figures = counts.pmi_many([entity], [[t] for t in terms])[0] / counts.ic(entity)
        joint = counts.count_many([[entity, t] for t in terms])
        alone = counts.count_many([[t] for t in terms])
        for term, share, n, m in zip(terms, figures.tolist(), joint.tolist(), alone.tolist(), strict=True):
            rows.append({"entity": entity, "term": term, "share": share, "together": n, "alone": m})
    return rows


def main(pack: Path | None = None) -> list[dict[str, Any]]:
    """Print both tables; returns the rows of both."""
    pack = pack or embedded_pack()
    rows = speed(pack)
    for row in rows:
        bar = f"(bar {row['bar']})" if row["bar"] else ""
        print(f"{row['what']:60} {row['ms']:9.1f} {bar}")
    counts = Knowledge.open(pack).counts
    entity = ""
    for row in (figures := shown(counts)):
        if row["entity"] != entity:
            entity = row["entity"]
            print(f"\n{entity}: IC {counts.ic(entity):.2f}, {counts.count(entity):,} of {counts.total:,} contexts")
        print(f"  {row['term']:24} {row['share']:6.2f}  {row['together']:7,} of {row['alone']:9,}")
    return [*rows, *figures]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
