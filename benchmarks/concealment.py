"""What releases hide of a matter, against what experts would hide, by set, role and alpha; and why spans are missed.

The 107 annotated documents of ``shared/data/concealment`` are released by C-sanitized with its default and at other
values of alpha and scored as ``shared/tools/score_concealment.py`` scores them. The last rows choose alpha by
cross-validation: each fifth of the documents is scored at the alpha that hides most of what tells alone in the other
four fifths at a precision of at least .80. HIV is protected in the notes that have no trace of it, to see what is
hidden in vain.

    python -m benchmarks.concealment --why            lists every missed span with the strongest word of each witness
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import taciturn
from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.language import analyze
from taciturn.models import CSanitized
from taciturn.reading import figures_of, read, telling

LIMIT = 900
SHARED = Path(__file__).parents[2] / "shared" / "data"
SETS = ("documents", "topics", "notes")
ALPHAS = (1.78, 2.25, 2.5, 2.7, 2.85, 3.0, 3.5, 4.0)
PRECISION = 0.8
FOLDS = 5
_TRACE = re.compile(r"\bHIV\b|\bAIDS\b|immunodeficiency|retrovir", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_IGNORED = frozenset(
    "the a an of in at on by to for from with and or is was are were he she it his her this that has had have been be"
    " as no not patient s".split()
)  # as the scorer has them
Span = tuple[int, int]


@dataclass
class Score:
    """What the scorer counts: expressions that tell alone by role, touched and hidden; words changed rightly."""

    spans: Counter[str] = field(default_factory=Counter)
    touched: Counter[str] = field(default_factory=Counter)
    hidden: int = 0
    right: int = 0
    changed: int = 0
    clean: int = 0
    documents: int = 0
    released: int = 0

    def row(self) -> dict[str, object]:
        """The figures of a table."""
        alone = max(self.spans.total(), 1)
        return {
            "released": f"{self.released} of {self.documents}",
            "touched": self.touched.total() / alone,
            "hidden": self.hidden / alone,
            "clean": self.clean / max(self.documents, 1),
            "precision": self.precision,
        }

    @property
    def recall(self) -> float:
        return self.touched.total() / max(self.spans.total(), 1)

    @property
    def precision(self) -> float:
        return self.right / max(self.changed, 1)


def documents(name: str) -> list[dict[str, Any]]:
    """The annotated documents of a set."""
    with lzma.open(SHARED / "concealment" / f"{name}-dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _content(text: str, start: int, end: int) -> list[Span]:
    found = _WORD.finditer(text, start, end)
    return [m.span() for m in found if m[0].lower() not in _IGNORED]


def _places(text: str, expression: str) -> list[Span]:
    return [m.span() for m in re.finditer(re.escape(expression), text)]


def _covered(text: str, spans: Iterable[Span]) -> bytearray:
    cover = bytearray(len(text))
    for start, end in spans:
        cover[start:end] = b"\1" * (end - start)
    return cover


def add(score: Score, document: Mapping[str, Any], edits: Sequence[Span] | None, released: str) -> None:
    """Count one document."""
    text = document["text"]
    score.documents += 1
    if edits is None:
        return
    score.released += 1
    cover = _covered(text, edits)
    marks = _covered(text, (place for s in document["spans"] for place in _places(text, s["text"])))
    for a, b in _content(text, 0, len(text)):
        if all(cover[a:b]):
            score.changed += 1
            score.right += all(marks[a:b])
    left = 0
    for span in (s for s in document["spans"] if s["alone"]):
        places = [p for at in _places(text, span["text"]) if (p := _content(text, *at))]
        met = all(any(all(cover[a:b]) for a, b in p) for p in places)
        half = all(2 * sum(all(cover[a:b]) for a, b in p) >= len(p) for p in places)
        score.spans[span["role"]] += 1
        score.touched[span["role"]] += met
        score.hidden += half and not (len(span["text"]) > 3 and span["text"] in released)
        left += not met
    score.clean += not left


def release(document: Mapping[str, Any], alpha: float | None, knowledge: Knowledge) -> tuple[list[Span] | None, str]:
    """The spans that a release changes, and its text; None if it is refused."""
    try:
        done = taciturn.sanitize(
            document["text"], CSanitized(protect=[document["hide"]], alpha=alpha), knowledge=knowledge
        )
    except taciturn.TaciturnError:
        return None, ""
    return [(e.start, e.end) for e in done.edits], done.text


def chosen(per_document: Mapping[float, Mapping[str, Score]], ids: Iterable[str]) -> float:
    """The alpha that touches most in some documents at a precision of at least PRECISION; the least if none does."""
    wanted = list(ids)
    best = (0.0, min(per_document))
    for alpha, scores in per_document.items():
        whole = together(scores[i] for i in wanted)
        if whole.precision >= PRECISION:
            best = max(best, (whole.recall, alpha))
    return best[1]


def together(scores: Iterable[Score]) -> Score:
    """Several scores as one."""
    whole = Score()
    for s in scores:
        whole.spans += s.spans
        whole.touched += s.touched
        for name in ("hidden", "right", "changed", "clean", "documents", "released"):
            setattr(whole, name, getattr(whole, name) + getattr(s, name))
    return whole


def in_vain(knowledge: Knowledge, alpha: float | None, every: int) -> tuple[int, int, Counter[str]]:
    """Of every so many of the notes without a trace of HIV: how many there are, how many change, and what changes."""
    with lzma.open(SHARED / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as lines:
        texts = [t for line in lines if not _TRACE.search(t := json.loads(line)["text"])][::every]
    changed, what = 0, Counter[str]()
    for text in texts:
        edits = taciturn.sanitize(text, CSanitized(protect=["HIV"], alpha=alpha), knowledge=knowledge).edits
        changed += bool(edits)
        what.update({e.original.lower() for e in edits})
    return len(texts), changed, what


def why(name: str, knowledge: Knowledge) -> None:
    """Print every missed span that tells alone with the strongest word on the expressions in it."""
    limit = 1 / knowledge.calibrated("alpha")
    for document in documents(name):
        text, model = document["text"], CSanitized(protect=[document["hide"]])
        entities = list(model.thresholds(knowledge))
        found = read(analyze(Document.of(text)), knowledge, entities)
        figures = figures_of((k for r in found for k in r.keys), knowledge, entities)
        said = []
        for r in found:
            for k in telling(r, figures):
                shares = figures.pmi[:, figures.index[k]] / figures.full
                said += [(float(shares.max()), s, s + len(r.text), k, entities[int(shares.argmax())]) for s in r.starts]
        cover = _covered(text, ((s, e) for share, s, e, _, _ in said if share >= limit))
        print(f"# {document['id']} {document['hide']}")
        for span in (s for s in document["spans"] if s["alone"]):
            for a, b in _places(text, span["text"]):
                if not any(all(cover[x:y]) for x, y in _content(text, a, b)):
                    inside = sorted((x for x in said if x[1] < b and a < x[2] and x[0] > 0), reverse=True)[:2]
                    told = [f"{k} {x:.2f} {knowledge.witnesses.testimonies(e, k)[:1]}" for x, _, _, k, e in inside]
                    print(f"  {span['role']:10} {span['text'].strip()!r}: {'; '.join(told) or 'nothing is known'}")
                    break


def main(alphas: Sequence[float] = ALPHAS, every: int = 1) -> list[dict[str, object]]:
    knowledge = Knowledge.default()
    rows: list[dict[str, object]] = []

    def show(row: dict[str, object]) -> None:
        rows.append(row)
        print(row, flush=True)

    for name in SETS:
        marked = documents(name)
        per: dict[float, dict[str, Score]] = {}
        for alpha in (*alphas, knowledge.calibrated("alpha")):
            if alpha in per:
                continue
            per[alpha] = {}
            for document in marked:
                score = per[alpha][document["id"]] = Score()
                add(score, document, *release(document, alpha, knowledge))
        for alpha in sorted(per):
            whole = together(per[alpha].values())
            show({"set": name, "alpha": alpha, "role": "all", **whole.row()})
        default = together(per[knowledge.calibrated("alpha")].values())
        for role, number in sorted(default.spans.items()):
            show(
                {"set": name, "alpha": "default", "role": role, "touched": default.touched[role] / number, "n": number}
            )
        ids = sorted(per[alphas[0]])
        held = Score()
        for fold in range(FOLDS):
            alpha = chosen(per, [i for n, i in enumerate(ids) if n % FOLDS != fold])
            held = together([held, *(per[alpha][i] for n, i in enumerate(ids) if n % FOLDS == fold)])
        show({"set": name, "alpha": "held out", "role": "all", **held.row()})
    number, changed, _ = in_vain(knowledge, None, every)
    show({"set": "notes without HIV", "alpha": "default", "released": f"{number}", "changed": changed / number})
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--vain", action="store_true", help="list what changes in notes without a trace of HIV")
    given = parser.parse_args()
    if given.why:
        for each in SETS:
            why(each, Knowledge.default())
    elif given.vain:
        number, changed, what = in_vain(Knowledge.default(), None, 1)
        print(f"{changed} of {number} notes change")
        for text, times in what.most_common():
            print(times, text)
    else:
        main()
