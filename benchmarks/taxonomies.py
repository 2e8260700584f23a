"""How fast the embedded taxonomies and entity bases open and answer, with a plain dictionary in memory beside them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import taciturn
from taciturn.knowledge.entities.base import PackedEntityBase
from taciturn.knowledge.taxonomies import PackedTaxonomy

_PACK = Path(taciturn.__file__).parent / "packs" / "en"


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _opened(path: Path) -> float:
    """The best of five: open, and answer one question of every kind."""

    def once() -> None:
        taxonomy = PackedTaxonomy.open(path)
        taxonomy.generalizations("disease")
        for node in taxonomy.senses(taxonomy.key_table[len(taxonomy.key_table) // 2])[:1]:
            taxonomy.children(node)
            taxonomy.volume(node)

    return min(_cpu(once) for _ in range(5))


def _taxonomy(path: Path) -> dict[str, Any]:
    taxonomy = PackedTaxonomy.open(path)
    keys = list(taxonomy.key_table)
    sample = keys[:: max(1, len(keys) // 5000)]
    absent = [k + "x" for k in sample]
    known = {k: taxonomy.sense_numbers(k) for k in keys}
    ladders = _cpu(lambda: [taxonomy.generalizations(k) for k in sample])
    return {
        "what": path.stem,
        "MB": path.stat().st_size / 1e6,
        "nodes": len(taxonomy),
        "keys": len(keys),
        "open ms": _opened(path) * 1e3,
        "known keys/s": len(sample) / _cpu(lambda: [taxonomy.sense_numbers(k) for k in sample]),
        "absent keys/s": len(sample) / _cpu(lambda: [taxonomy.sense_numbers(k) for k in absent]),
        "dictionary/s": len(sample) / max(1e-6, _cpu(lambda: [known.get(k) for k in sample])),
        "dictionary load ms": _cpu(lambda: {k: taxonomy.sense_numbers(k) for k in taxonomy.key_table}) * 1e3,
        "ladders/s": len(sample) / ladders,
    }


def _base(path: Path) -> dict[str, Any]:
    base = PackedEntityBase.open(path)
    keys = sorted(base.vocabulary)
    documents = [keys[i :: len(keys) // 30][:30] for i in range(50)]
    return {
        "what": path.stem,
        "MB": path.stat().st_size / 1e6,
        "nodes": len(base.contexts),
        "keys": len(keys),
        "open ms": min(_cpu(lambda: PackedEntityBase.open(path).fitting({"fatigue"})) for _ in range(5)) * 1e3,
        "documents of 30 terms/s": len(documents) / _cpu(lambda: [base.touching(d) for d in documents]),
    }


def main() -> list[dict[str, Any]]:
    """Print the table and return its rows."""
    rows = [_taxonomy(path) for path in sorted(_PACK.glob("*.taxonomy"))]
    rows += [_base(path) for path in sorted(_PACK.glob("*.entities"))]
    columns = list(dict.fromkeys(c for row in rows for c in row))
    print(" | ".join(columns))
    for row in rows:
        cells = [row.get(c, "") for c in columns]
        print(" | ".join(f"{c:,.1f}" if isinstance(c, float) else str(c) for c in cells))
    return rows


if __name__ == "__main__":
    main()
