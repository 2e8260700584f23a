"""Terms: quality on two treebanks and on court cases, speed on articles and clinical notes.

    python -m benchmarks.language

Quality is judged by the scorers in ../shared/tools, run as programs on files of predictions. Peers' figures are the
ones measured before (../shared/FINDINGS.md and the issue): spaCy's model cannot be had from a registry.
"""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tacit.document import Document
from tacit.language import analyze
from tacit.language.analysis import noun_phrases

SHARED = Path(__file__).resolve().parents[2] / "shared"
Row = dict[str, str | float | int]


def _score(tool: str, *arguments: str) -> dict[str, float]:
    """The figures that a scorer prints: "precision .9 recall .8" becomes a dictionary."""
    done = subprocess.run(
        [sys.executable, str(SHARED / "tools" / tool), *arguments], check=True, capture_output=True, text=True
    )
    words = done.stdout.split()
    return {name: float(value) for name, value in zip(words[::2], words[1::2], strict=False) if "." in value}


def treebank(name: str, folder: Path) -> Row:
    """Exact-span F1 of noun phrases on one treebank's development part; every sentence is a text of its own."""
    path = SHARED / "data" / "treebank" / f"{name}-dev.conllu.xz"
    tool = SHARED / "tools" / "gold_phrases.py"
    gold = subprocess.run([sys.executable, str(tool), str(path)], check=True, capture_output=True, text=True).stdout
    texts = [json.loads(line)["text"] for line in gold.splitlines()]
    predicted = folder / f"{name}.jsonl"
    with predicted.open("w", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps({"text": text, "terms": noun_phrases(text)}) + "\n")
    peer = {"ewt": 0.851, "gum": 0.907}[name]
    return {
        "what": f"noun phrases, {name}",
        **_score(tool.name, str(path), "--score", str(predicted)),
        "spaCy F1": peer,
    }


def articles() -> Row:
    """Words a second over the articles, tokens to terms with keys and kinds."""
    paths = sorted((SHARED / "data" / "articles").glob("*.xz"))
    texts = [lzma.decompress(path.read_bytes()).decode() for path in paths]
    return {"what": "speed, articles", **_speed(texts), "spaCy words/s": 3_500}


def notes() -> Row:
    """Words a second and the longest phrase over clinical notes."""
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as lines:
        return {"what": "speed, clinical notes", **_speed([json.loads(line)["text"] for line in lines])}


def _speed(texts: list[str]) -> Row:
    documents = [Document.of(text) for text in texts]
    words = sum(len(text.split()) for text in texts)
    found = [analyze(document) for document in documents]
    longest = max(len(term.text.split()) for each in found for term in each.terms)

    def rate(work: Callable[[], object]) -> int:
        best = float("inf")
        for _ in range(3):
            begin = time.process_time()
            work()
            best = min(best, time.process_time() - begin)
        return round(words / best)

    return {
        "words": words,
        "words/s tokens to phrases": rate(lambda: [noun_phrases(text) for text in texts]),
        "words/s all of analyze()": rate(lambda: [analyze(document) for document in documents]),
        "longest phrase": longest,
    }


def court(folder: Path) -> Row:
    """Recall and precision of masking every named, dated, counted and coded term of court cases."""
    path = SHARED / "data" / "tab" / "echr-dev.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    predicted = {
        case["doc_id"]: [[t.start, t.end] for t in analyze(Document.of(case["text"])).terms if t.kind != "other"]
        for case in cases
    }
    file = folder / "tab.json"
    file.write_text(json.dumps(predicted), "utf-8")
    return {"what": "masks, court cases", **_score("score_masks.py", str(path), str(file)), "Presidio recall": 0.683}


def main() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [treebank("ewt", folder), treebank("gum", folder), articles(), notes(), court(folder)]
    for row in rows:
        print("  ".join(f"{key}={value}" if key != "what" else f"{value:24}" for key, value in row.items()))
    return rows


if __name__ == "__main__":
    main()
