"""Taciturn beside Presidio, scrubadub and spaCy on court cases: agreement with human masks, and words a second.

The registries have no model of spaCy's that its makers put there, so peers that need one run by their rules alone; what
they did with a model was measured before and stands as *quoted*: speed on the same kind of text, quality on the test
part of the benchmark (Text Anonymization Benchmark), where the rows that are measured here use its other parts. Word by
word as ``taciturn evaluate`` counts; CPU time of one core.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from taciturn.document import Span
from taciturn.knowledge import Knowledge
from taciturn.lab.evaluate import Case, Masking, load_cases, run_model, score
from taciturn.models import Kinds
from taciturn.policy import Policy

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
KINDS = ("person", "organization", "place", "time", "quantity", "code")
QUOTED = (
    ("Presidio with en_core_web_sm", 0.683, 0.841, 3_100),
    ("spaCy en_core_web_sm, all entities", 0.885, 0.540, 7_800),
    ("Longformer, fine-tuned on the benchmark", 0.919, 0.836, None),
    ("Presidio, patterns only", None, None, 23_000),
    ("scrubadub", None, None, 192_000),
    ("spaCy en_core_web_sm, all of its pipeline", None, None, 3_900),
)
Row = dict[str, object]
Find = Callable[[str], list[Span]]


def presidio() -> Find:
    """Presidio's own recognizers by pattern and checksum, over a blank English pipeline."""
    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)

    class Blank(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}

    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"])
    registry.remove_recognizer("SpacyRecognizer")
    engine = AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["en"])
    return lambda text: [(r.start, r.end) for r in engine.analyze(text, language="en")]


def scrubadub() -> Find:
    """scrubadub's default detectors."""
    import scrubadub

    scrubber = scrubadub.Scrubber()
    return lambda text: [(f.beg, f.end) for f in scrubber.iter_filth(text)]


PEERS: dict[str, tuple[str, Callable[[], Find]]] = {
    "Presidio, patterns only": ("presidio-analyzer", presidio),
    "scrubadub": ("scrubadub", scrubadub),
}


def measured(cases: list[Case], knowledge: Knowledge) -> Iterator[Row]:
    models = {
        "Taciturn, every named kind": Kinds(hide=KINDS),
        "Taciturn, hipaa-safe-harbor": Policy.load("hipaa-safe-harbor"),
    }
    for label, model in models.items():
        yield _row(cases, run_model(label, lambda case, m=model: m, cases, knowledge))
    for label, (package, make) in PEERS.items():
        try:
            find = make()
            label = f"{label} ({version(package)})"
        except (ImportError, PackageNotFoundError):
            print(f"{label}: not installed", flush=True)
            continue
        find(cases[0].text)
        begin = time.process_time()
        spans = {case.name: find(case.text) for case in cases}
        yield _row(cases, Masking(label, spans, time.process_time() - begin))


def _row(cases: list[Case], masking: Masking) -> Row:
    found = score(cases, masking)
    return {
        "tool": masking.label,
        "figures": "measured",
        "recall": _rounded(found.recall),
        "direct": _rounded(found.recall_direct),
        "quasi": _rounded(found.recall_quasi),
        "precision": _rounded(found.precision),
        "F1": _rounded(found.f1),
        "words/s": round(found.words_per_second or 0),
    }


def _rounded(share: float | None) -> object:
    return "" if share is None else round(share, 3)


def quoted() -> Iterator[Row]:
    for tool, recall, precision, speed in QUOTED:
        f1 = round(2 * recall * precision / (recall + precision), 3) if recall and precision else ""
        yield {
            "tool": tool,
            "figures": "quoted",
            "recall": recall or "",
            "direct": "",
            "quasi": "",
            "precision": precision or "",
            "F1": f1,
            "words/s": speed or "",
        }


def main() -> list[Row]:
    cases = load_cases(DATA / "tab" / "echr-dev.jsonl.xz")
    rows: list[Row] = []
    for row in (*measured(cases, Knowledge.default()), *quoted()):
        rows.append(row)
        print(row, flush=True)
    return rows


if __name__ == "__main__":
    main()
