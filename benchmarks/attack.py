"""Re-identification: what three adversaries make of releases, next to the information that these keep.

Two tasks. *Which actor?* Biographies of which the pack knows the actor; the candidates are these actors; released with
the name alone hidden, as a human masked them, by a preset of kinds, by the person model (whose packaged weights have
seen these texts, not their names) and by C-sanitized over alpha. The outsider's background texts are the passages of
the corpus that name a candidate. *Which disease?* Answers of the NIH to questions on one disease each; the candidates
are these and some 300 of the most specific diseases that the pack knows; released by C-sanitized over alpha. The pack
has counted these very answers, so that nobody could know more of them than this adversary.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from taciturn.knowledge import Knowledge
from taciturn.lab.attack import Adversary, Outsider, PackAdversary, under_branch
from taciturn.lab.evaluate import Case, Masking, by_people, load_cases, risk, run_model, with_utility
from taciturn.language import key
from taciturn.models import CSanitized, Model, PersonRelease
from taciturn.policy import Policy
from taciturn.report.plots import line_chart

LIMIT = 420
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ALPHAS = (1.0, 1.5, 2.0, 3.0, 4.0)
ANSWERS = 20
CANDIDATES = 300
SEEN = 10  # contexts of a disease in the pack, so that something can be known of it
Row = dict[str, object]
Build = Callable[[Case], Model | Policy]


def _unnamed(case: Case) -> list[tuple[int, int]]:
    words = {w for name in case.protect for w in re.findall(r"\w{2,}", name)}
    return [m.span() for m in re.finditer(r"\w+", case.text) if m.group() in words]


def _passages(names: Sequence[str]) -> dict[str, str]:
    """Of each candidate that the corpus names, the paragraphs that do so."""
    found: dict[str, list[str]] = {}
    one = re.compile("|".join(map(re.escape, names)))
    for file in ("wikipedia-leads", "wikipedia-core"):
        with lzma.open(DATA / "corpus" / f"{file}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                if one.search(line):
                    for paragraph in json.loads(line)["text"].split("\n"):
                        for name in set(one.findall(paragraph)):
                            found.setdefault(name, []).append(paragraph)
    return {name: "\n".join(found[name]) for name in names if name in found}


def _rows(
    task: str,
    cases: Sequence[Case],
    maskings: Sequence[Masking],
    adversaries: Sequence[Adversary],
    knowledge: Knowledge,
) -> list[Row]:
    rows: list[Row] = []
    for masking in maskings:
        kept = with_utility(cases, masking, knowledge).utility
        for adversary in adversaries:
            if found := risk(cases, masking, lambda _, it=adversary: it):
                rows.append(
                    {
                        "task": task,
                        "release": masking.label,
                        "adversary": adversary.name,
                        **{f"rank {r}": round(share, 2) for r, share in zip((1, 5, 10), found.found, strict=True)},
                        "mean rank": round(found.mean_rank, 1),
                        "of": found.candidates,
                        "information kept": round(kept or 0.0, 2),
                        "texts": found.texts,
                        "refused": masking.refused,
                    }
                )
                print(rows[-1], flush=True)
    return rows


def _alpha(case: Case, alpha: float) -> CSanitized:
    return CSanitized(protect=case.protect, alpha=alpha)


def actors(knowledge: Knowledge) -> list[Row]:
    cases = load_cases(DATA / "actors" / "actors-dev.jsonl.xz")
    known = [c for c in cases if knowledge.counts.count(key(c.protect[0]))]
    names = [c.protect[0] for c in known]
    adversaries: list[Adversary] = [PackAdversary(names, knowledge), PackAdversary(names, knowledge, "bayes")]
    adversaries.append(Outsider(_passages(names)))
    hipaa = Policy.load("hipaa-safe-harbor")
    models: dict[str, Build] = {
        "hipaa-safe-harbor": lambda c: hipaa,
        "person-release": lambda c: PersonRelease(protect=c.protect),
    }
    models |= {f"c-sanitized, alpha {a}": partial(_alpha, alpha=a) for a in ALPHAS}
    maskings = [
        Masking("the original", {c.name: [] for c in known}),
        Masking("the name hidden", {c.name: _unnamed(c) for c in known}),
        by_people(known),
        *(run_model(label, build, known, knowledge) for label, build in models.items()),
    ]
    return _rows("which actor", known, maskings, adversaries, knowledge)


def diseases(knowledge: Knowledge) -> list[Row]:
    every = under_branch("disease", knowledge)
    specific = set(every)
    cases: list[Case] = []
    with lzma.open(DATA / "corpus" / "medquad.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            name, text = key(row["title"]), row["text"]
            if name in specific and 800 < len(text) < 3000 and knowledge.counts.count(name) >= SEEN:
                cases.append(Case(name, text, (name,), ()))
    cases = list({c.name: c for c in cases}.values())
    cases = cases[:: max(1, len(cases) // ANSWERS)][:ANSWERS]
    names = sorted({c.name for c in cases} | set(every[:: max(1, len(every) // CANDIDATES)]))
    adversaries = [PackAdversary(names, knowledge), PackAdversary(names, knowledge, "bayes")]
    maskings = [Masking("the original", {c.name: [] for c in cases})]
    for a in ALPHAS:
        maskings.append(run_model(f"c-sanitized, alpha {a}", partial(_alpha, alpha=a), cases, knowledge))
    return _rows("which disease", cases, maskings, adversaries, knowledge)


def chart(rows: Sequence[Row], task: str) -> str:
    """Risk and information kept over alpha, from rows of this benchmark."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        alpha = re.fullmatch(r"c-sanitized, alpha ([\d.]+)", str(row.get("release")))
        if row.get("task") == task and alpha:
            series.setdefault(f"found at rank 1, {row['adversary']}", []).append(
                (float(alpha[1]), _number(row, "rank 1"))
            )
            if row["adversary"] == "pmi":
                series.setdefault("information kept", []).append((float(alpha[1]), _number(row, "information kept")))
    return line_chart(f"{task.capitalize()}? Risk and utility over alpha", series, "alpha", "share", x_ticks=ALPHAS)


def _number(row: Row, column: str) -> float:
    return float(str(row[column]))


def main() -> list[Row]:
    knowledge = Knowledge.default()
    return actors(knowledge) + diseases(knowledge)


if __name__ == "__main__":
    main()
