"""The terms of hand-written sentences, with an exact list of those that fail."""

from __future__ import annotations

import json
from pathlib import Path

from taciturn.document import Document
from taciturn.language import analyze


def test_terms_of_known_sentences() -> None:
    stored = json.loads(Path(__file__).with_name("terms.json").read_text("utf-8"))
    failures = []
    for case in stored["cases"]:
        found = [term.text for term in analyze(Document.of(case["text"])).terms]
        if found != case["terms"]:
            failures.append(case["text"])
    assert failures == stored["known_failures"]
