"""Terms: quality on two treebanks and on court cases, speed on articles and clinical notes.

    python -m benchmarks.language

Quality is judged by the scorers in ../shared/tools, run as programs on files of predictions. Peers' figures are the
ones measured before (../shared/FINDINGS.md and the issue): spaCy's model cannot be had from a registry.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from taciturn.document import Document
from taciturn.language import KnownSentences, analyze
from taciturn.language.analysis import noun_phrases
from taciturn.language.chunks import chunk
from taciturn.language.keys import keys_of
from taciturn.language.mentions import link_rows
from taciturn.language.sentences import break_after, first_tokens, line_edges
from taciturn.language.tagger import tag
from taciturn.language.tokens import tokens_of
from taciturn.recognizers.find import identify, triggers

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


def _articles() -> list[str]:
    paths = sorted((SHARED / "data" / "articles").glob("*.xz"))
    return [lzma.decompress(path.read_bytes()).decode() for path in paths]


def _lines(*path: str) -> list[str]:
    with lzma.open(SHARED.joinpath("data", *path), "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def articles() -> Row:
    """Words a second over the articles, tokens to terms with keys and kinds."""
    return {"what": "speed, articles", **_speed(_articles()), "spaCy words/s": 3_500}


def notes() -> Row:
    """Words a second and the longest phrase over clinical notes."""
    return {"what": "speed, clinical notes", **_speed(_lines("notes", "clinical-notes.jsonl.xz"))}


def _best(work: Callable[[], object]) -> float:
    """CPU seconds, the least of five."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def _speed(texts: list[str]) -> Row:
    documents = [Document.of(text) for text in texts]
    words = sum(len(text.split()) for text in texts)
    begin = time.process_time()
    found = [analyze(document) for document in documents]
    first = time.process_time() - begin
    known = [KnownSentences() for _ in documents]
    return {
        "words": words,
        "words/s the first time": round(words / first),
        "words/s tokens to phrases": round(words / _best(lambda: [noun_phrases(text) for text in texts])),
        "words/s all of analyze()": round(words / _best(lambda: [analyze(document) for document in documents])),
        "words/s sentences known": round(words / _best(lambda: list(map(analyze, documents, known)))),
        "longest phrase": max(len(term.text.split()) for each in found for term in each.terms),
    }


def stages() -> Row:
    """Words a second of each step of analyze() by itself, over the articles."""
    texts = _articles()
    words = sum(len(text.split()) for text in texts)
    chunks = [chunk(text) for text in texts]
    tokens = [tokens_of(each) for each in chunks]
    edges = [line_edges(text, [(0, len(text))]) for text in texts]
    firsts = [(first_tokens(t, lines), first_tokens(t, gaps)) for t, (lines, gaps) in zip(tokens, edges, strict=True)]
    ended = [break_after(t, *first) for t, first in zip(tokens, firsts, strict=True)]
    seen = [triggers(each) for each in chunks]
    terms = [analyze(Document.of(text)).terms for text in texts]
    rows = [[(t.start, t.end, t.text, t.key, t.kind) for t in each] for each in terms]
    works: dict[str, Callable[[], object]] = {
        "chunks": lambda: [chunk(text) for text in texts],
        "tokens": lambda: list(map(tokens_of, chunks)),
        "sentences": lambda: [break_after(t, *first) for t, first in zip(tokens, firsts, strict=True)],
        "tagger": lambda: list(map(tag, tokens, ended)),
        "triggers": lambda: list(map(triggers, chunks)),
        "identifiers": lambda: [identify(text, 0, len(text), at) for text, at in zip(texts, seen, strict=True)],
        "keys": lambda: [keys_of([row[2] for row in each]) for each in rows],
        "mentions": lambda: list(map(link_rows, map(list, rows), texts, chunks)),
    }
    return {"what": "words/s of each step", **{name: round(words / _best(work)) for name, work in works.items()}}


def digests() -> Row:
    """A digest of everything that is found in each set of texts: work on speed must not change one."""
    written = "\n".join(
        lzma.decompress(path.read_bytes()).decode() for path in sorted((SHARED / "data" / "treebank").glob("*.xz"))
    )
    sentences = re.findall(r"^# text = (.*)$", written, re.MULTILINE)
    sets = {
        "articles": _articles(),
        "notes": _lines("notes", "clinical-notes.jsonl.xz"),
        "court": _lines("tab", "echr-dev.jsonl.xz"),
        "treebank": ["\n".join(sentences[at : at + 40]) for at in range(0, len(sentences), 40)],
    }
    row: Row = {"what": "digests"}
    for name, texts in sets.items():
        digest = hashlib.sha256()
        for text in texts:
            found = analyze(Document.of(text))
            terms = [(t.start, t.end, t.key, t.kind, t.mention) for t in found.terms]
            digest.update(repr((found.paragraphs, found.sentences, terms)).encode("utf-8", "surrogatepass"))
        row[name] = digest.hexdigest()[:16]
    return row


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
        rows = [
            treebank("ewt", folder),
            treebank("gum", folder),
            articles(),
            notes(),
            stages(),
            digests(),
            court(folder),
        ]
    for row in rows:
        print("  ".join(f"{key}={value}" if key != "what" else f"{value:24}" for key, value in row.items()))
    return rows


if __name__ == "__main__":
    main()
