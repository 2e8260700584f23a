"""Counts from the embedded pack: the bars of speed, side by side with SQLite FTS5, and the table of PMI to look at.

500 terms of an article, 5 protected entities and all pairs inside 40 sentences is asked cold (the pack just opened, no
set decoded) and warm, in numpy and roaring as PackCounts does it, and from SQLite FTS5 on the same contexts. FTS5 is
favoured: its index holds the terms of this article only, with subsumption worked in beforehand.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from tests.shared_data import SHARED

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.storage.pack import embedded_pack
from taciturn.language import analyze

ENTITIES = ("HIV", "syphilis", "london", "antonio bandera", "schizophrenia")
SHOWN = {
    "HIV": "AIDS|antiretroviral therapy|syphilis|blood transfusion|immune system|influenza|gay|patient|table|london",
    "antonio bandera": "spanish actor|spain|málaga|salma hayek|pedro almodóvar|film|actor|hollywood|zorro|table",
    "los angeles": "hollywood|california|beverly hills|laker|city|earthquake|film industry|mayor|london|table",
    "catholicism": "pope|vatican|catholic church|rosary|priest|baptism|protestantism|religion|islam|table",
}


def document(terms: int = 500, sentences: int = 40) -> tuple[list[str], list[list[str]]]:
    """The first 500 distinct terms of the article on HIV, and the pairs of terms inside 40 of its sentences."""
    text = lzma.decompress((SHARED / "data/articles/HIV.txt.xz").read_bytes()).decode()
    analysis = analyze(Document.of(text))
    keys = list(dict.fromkeys(t.key for t in analysis.terms))[:terms]
    known = set(keys)
    pairs: list[list[str]] = []
    found = 0
    for start, end in analysis.sentences:
        here = list(dict.fromkeys(t.key for t in analysis.terms if start <= t.start < end and t.key in known))
        if len(here) > 5 and found < sentences:
            found += 1
            pairs += [[x, y] for i, x in enumerate(here) for y in here[:i]]
    return keys, pairs


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
    """Megabytes of memory of a fresh process that has asked all of it, Python and numpy included."""
    program = (
        "import sys\n"
        "import json; from taciturn.knowledge import Knowledge; from taciturn.language import key\n"
        "entities, groups = json.load(sys.stdin)\n"
        "Knowledge.open(sys.argv[1]).counts.pmi_many(entities, groups)\n"
        # The resource module would report what the parent held before this program began.
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(int(peak.split()[1]) / 1024)"
    )
    terms, pairs = document()
    question = json.dumps([ENTITIES, [[t] for t in terms] + pairs])
    command = [sys.executable, "-c", program, str(pack)]
    told = subprocess.run(command, input=question, capture_output=True, text=True, check=True)
    return float(told.stdout)


def speed(pack: Path) -> list[dict[str, Any]]:
    """The rows of the table of speed: CPU milliseconds."""
    opening, opened = _timed(lambda: Knowledge.open(pack))
    assert isinstance(opened.counts, PackCounts)
    terms, pairs = document()
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
        {"what": f"{len(terms)} terms x {len(ENTITIES)} entities + {len(pairs)} pairs, cold", "ms": cold, "bar": 50},
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
        if not counts.count(entity):
            continue
        figures = counts.pmi_many([entity], [[t] for t in terms])[0] / counts.ic(entity)
        joint = counts.count_many([[entity, t] for t in terms])
        alone = counts.count_many([[t] for t in terms])
        for term, share, n, m in zip(terms, figures.tolist(), joint.tolist(), alone.tolist(), strict=True):
            rows.append({"entity": entity, "term": term, "share": share, "together": n, "alone": m})
    return rows


def halves(counts: PackCounts, alpha: float = 1.5) -> list[dict[str, Any]]:
    """How the estimator does on thin data: pairs judged on one half of the contexts, then on the other.

    Contexts are numbered at random, so even and odd numbers are two samples of one corpus. A pair is risky if PMI
    reaches IC/alpha. By the joint count in the first half: how many of the pairs are called risky, how many of those
    the other half confirms, and how many of the pairs called safe turn out risky there.
    """
    terms, _ = document()
    sets = [(t, np.fromiter(counts.contexts(t), dtype=np.int64)) for t in terms if counts.count(t)]
    entities = [t for t, s in sets if 30 <= len(s) <= 5000]
    held = np.zeros(counts.total, dtype=bool)
    n = counts.total / 2
    judged = []
    for entity in entities:
        here = np.fromiter(counts.contexts(entity), dtype=np.int64)
        held[here] = True
        for term, members in sets:
            if counts.concept(term) != counts.concept(entity):
                joint = members[held[members]]
                sides = []
                for side in (0, 1):
                    e, t, j = (np.count_nonzero(a % 2 == side) for a in (here, members, joint))
                    risky = j > 0 and np.log2(j * n / (e * t)) >= np.log2(n / e) / alpha
                    sides.append((j, risky))
                judged.append((sides[0][0], sides[0][1], sides[1][1]))
        held[here] = False
    table = np.array(judged)
    rows = []
    for low, high in ((0, 0), (1, 1), (2, 3), (4, 10), (11, 1 << 30)):
        group = table[(table[:, 0] >= low) & (table[:, 0] <= high)]
        risky = group[group[:, 1] == 1]
        safe = group[group[:, 1] == 0]
        rows.append(
            {
                "joint": f"{low}" if low == high else f"{low} to {high}" if high < 1 << 30 else f"{low} or more",
                "pairs": len(group),
                "risky": len(risky),
                "confirmed": float(risky[:, 2].mean()) if len(risky) else 0.0,
                "safe, then risky": float(safe[:, 2].mean()) if len(safe) else 0.0,
            }
        )
    return rows


def main(pack: Path | None = None) -> list[dict[str, Any]]:
    """Print both tables; returns the rows of both."""
    pack = pack or embedded_pack()
    rows = speed(pack)
    for row in rows:
        bar = f"(bar {row['bar']})" if row["bar"] else ""
        print(f"{row['what']:60} {row['ms']:9.1f} {bar}")
    counts = Knowledge.open(pack).counts
    assert isinstance(counts, PackCounts)
    entity = ""
    for row in (figures := shown(counts)):
        if row["entity"] != entity:
            entity = row["entity"]
            print(f"\n{entity}: IC {counts.ic(entity):.2f}, {counts.count(entity):,} of {counts.total:,} contexts")
        print(f"  {row['term']:24} {row['share']:6.2f}  {row['together']:7,} of {row['alone']:9,}")
    print(
        "\nsplit halves, alpha 1.5: joint count in one half, pairs, risky, confirmed by the other, safe but risky there"
    )
    for row in (estimates := halves(counts)):
        figures_of_row = f"{row['risky']:7,} {row['confirmed']:8.2f} {row['safe, then risky']:9.4f}"
        print(f"  {row['joint']:12} {row['pairs']:8,} {figures_of_row}")
    return [*rows, *figures, *estimates]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
