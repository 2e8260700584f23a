"""C-sanitized on the papers' articles: how much is changed, how much information is kept, how fast.

The six articles of the C-sanitized paper at alpha 1, 1.5 and 2, by redaction and by generalization, next to the paper's
Table 2 (Web counts, 2015 articles); and words a second end to end, next to Presidio's measured figure. One protected
entity over all articles is timed in a process of its own: the first time after one sentence was released, so that all
is open, and once more. Where that time goes is measured in another process, by clocks around the parts.
Presidio by patterns alone runs on the same articles if it is installed; no registry has a model for it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from taciturn import release
from taciturn.document import Document
from taciturn.errors import NotReleasedError
from taciturn.knowledge import Knowledge, postings, strings
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.lab.reproduce.c_sanitized import PAPER, read_article, run
from taciturn.models import CSanitized
from taciturn.release import sanitize

LIMIT = 600
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PRESIDIO = 3_100  # words a second with en_core_web_sm, measured on court text on one core


def speed(knowledge: Knowledge, groups: Sequence[int] = (1, 2)) -> list[dict[str, object]]:
    """Words a second of CPU time from text to checked release, over all six articles.

    An article of which no release passes the check takes its time as well, and is counted as not released.
    """
    documents = [(Document.of(read_article(DATA, name)), entity) for name, entity, _ in PAPER]
    words = sum(len(d.text.split()) for d, _ in documents)
    sanitize(documents[0][0], CSanitized(protect=[documents[0][1]], alpha=1.5, groups=1), knowledge)  # maps the pack
    rows: list[dict[str, object]] = []
    for size in groups:
        released = 0
        start = time.process_time()
        for document, entity in documents:
            with suppress(NotReleasedError):
                sanitize(document, CSanitized(protect=[entity], alpha=1.5, groups=size), knowledge)
                released += 1
        rate = words / (time.process_time() - start)
        rows.append(
            {
                "groups": size,
                "articles released": f"{released} of {len(documents)}",
                "words/s": round(rate),
                "times Presidio": round(rate / PRESIDIO, 1),
            }
        )
    return rows


def one_entity(groups: int, entity: str = "HIV") -> dict[str, float]:
    """Words a second of CPU time with one entity protected in every article: the first time, and the second."""
    knowledge = _opened(entity)
    texts = [read_article(DATA, name) for name, _, _ in PAPER]
    words = sum(len(text.split()) for text in texts)
    rates = {}
    for state in ("first time", "again"):
        start = time.process_time()
        for text in texts:
            with suppress(NotReleasedError):
                sanitize(text, CSanitized(protect=[entity], alpha=1.5, groups=groups), knowledge)
        rates[state] = words / (time.process_time() - start)
    return rates


def _opened(entity: str) -> Knowledge:
    """The embedded knowledge, after a release of one sentence, which loads whatever is loaded when first used."""
    knowledge = Knowledge.default()
    sanitize("The patient has a cold.", CSanitized(protect=[entity]), knowledge)
    return knowledge


def by_numpy(groups: int) -> dict[str, float]:
    """:func:`one_entity` as on a machine that had no compiler when Taciturn was installed."""
    with patch.object(postings, "compiled", None), patch.object(strings, "compiled", None):
        return {f"{state}, nothing compiled": rate for state, rate in one_entity(groups).items()}


def shares(groups: int, entity: str = "HIV") -> dict[str, dict[str, float]]:
    """Where the time of :func:`one_entity` goes, in per cent; a part within another counts for itself."""
    spent: Counter[str] = Counter()
    inside: list[str] = ["the rest %"]
    since = [0.0]

    def turn(part: str | None) -> None:
        now = time.process_time()
        spent[inside[-1]] += now - since[0]
        since[0] = now
        if part is None:
            inside.pop()
        else:
            inside.append(part)

    def clocked(function: Callable[..., Any], part: str) -> Callable[..., Any]:
        @wraps(function)
        def run_clocked(*args: Any, **kwargs: Any) -> Any:
            turn(part)
            try:
                return function(*args, **kwargs)
            finally:
                turn(None)

        return run_clocked

    csanitized, recheck = (import_module(f"taciturn.models.{name}") for name in ("csanitized", "recheck"))
    knowledge = _opened(entity)
    with ExitStack() as patches:
        for owner, name, part in (
            (release, "analyze", "sentences and terms %"),
            (csanitized, "read", "keys %"),
            (recheck, "read", "keys %"),
            (PackCounts, "table", "counts %"),
            (PackCounts, "count_many", "counts %"),
            (csanitized, "safe_rungs", "generalizing %"),
            (csanitized, "edits_of", "writing %"),
        ):
            patches.enter_context(patch.object(owner, name, clocked(getattr(owner, name), part)))
        result: dict[str, dict[str, float]] = {}
        for state in ("first time", "again"):
            spent.clear()
            since[0] = time.process_time()
            for title, _, _ in PAPER:
                text = read_article(DATA, title)
                since[0] = time.process_time()
                with suppress(NotReleasedError):
                    sanitize(text, CSanitized(protect=[entity], alpha=1.5, groups=groups), knowledge)
                turn("")
                turn(None)
            spent.pop("", None)
            result[state] = {part: 100 * seconds / spent.total() for part, seconds in spent.items()}
    return result


def in_fresh_processes() -> list[dict[str, object]]:
    """:func:`one_entity`, :func:`by_numpy`, :func:`shares`, each in a process that has asked the pack nothing yet."""
    rows: list[dict[str, object]] = []
    for groups, bar in ((1, 100_000), (2, 20_000)):
        for state, rate in (_told("one_entity", groups) | _told("by_numpy", groups)).items():
            rows.append({"terms in a group": groups, "asked": state, "words a second": round(rate), "bar": bar})
    for groups in (1, 2):
        for state, parts in _told("shares", groups).items():
            row = {part: round(share) for part, share in sorted(parts.items(), key=lambda item: -item[1])}
            rows.append({"terms in a group": groups, "asked": state, **row})
    return rows


def _told(function: str, groups: int) -> Any:
    """What a function of this module gives in a process of its own."""
    program = f"import json; from benchmarks.sanitize import {function}; print(json.dumps({function}({groups})))"
    told = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"},
    )
    return json.loads(told.stdout)


def patterns_of_presidio() -> list[dict[str, object]]:
    """Presidio's patterns and checksums on the same articles; nothing if it is not installed."""
    from benchmarks.peers import presidio

    try:
        find = presidio()
    except ImportError:
        print("Presidio is not installed: its patterns are not measured")
        return []
    texts = [read_article(DATA, name) for name, _, _ in PAPER]
    start = time.process_time()
    for text in texts:
        find(text)
    rate = sum(len(text.split()) for text in texts) / (time.process_time() - start)
    return [{"peer": "Presidio, patterns only, finding and not replacing", "words a second": round(rate)}]


def main() -> list[dict[str, object]]:
    knowledge = Knowledge.default()
    rows = in_fresh_processes() + patterns_of_presidio() + speed(knowledge)
    with tempfile.TemporaryDirectory() as folder:
        rows += [
            {
                "entity": m.entity,
                "alpha": m.alpha,
                "terms changed %": m.changed,
                "kept, redacted %": m.redacted,
                "paper": m.paper_redacted,
                "kept, generalized %": m.generalized,
                "paper ": m.paper_generalized,
            }
            for m in run(Path(folder), DATA, knowledge)[0]
        ]
    for row in rows:
        print("  ".join(f"{k}: {v}" for k, v in row.items()))
    return rows


if __name__ == "__main__":
    main()
