"""The bar: noun phrases of both treebanks' development parts, exact spans, F1 of .90 or more."""

from __future__ import annotations

import importlib.util

import pytest

from taciturn.document import Document
from taciturn.language import analyze
from taciturn.language.analysis import noun_phrases
from tests.shared_data import SHARED, needs_shared


@needs_shared
@pytest.mark.parametrize("bank", ["ewt", "gum"])
def test_noun_phrases_of_treebanks(bank: str) -> None:
    spec = importlib.util.spec_from_file_location("gold_phrases", SHARED / "tools" / "gold_phrases.py")
    assert spec is not None
    assert spec.loader is not None
    tools = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tools)
    hits = found = wanted = 0
    for block in tools.sentences(str(SHARED / "data" / "treebank" / f"{bank}-dev.conllu.xz")):
        text, words = tools.tokens_of(block)
        gold, spans = tools.terms_of(words), noun_phrases(text)
        hits += len(set(gold) & set(spans))
        found += len(spans)
        wanted += len(gold)
    assert 2 * hits / (found + wanted) >= 0.90


@pytest.mark.parametrize(
    ("text", "term", "kind"),
    [
        ("Mr Jan Kowalski lives in Warsaw with his wife.", "Mr Jan Kowalski", "person"),
        ("Mr Jan Kowalski lives in Warsaw with his wife.", "Warsaw", "place"),
        ("Mr Jan Kowalski lives in Warsaw with his wife.", "wife", "other"),
        ("She studied at Harvard University and then worked for Microsoft.", "Harvard University", "organization"),
        ("The applicant told the Court that it was late.", "Court", "other"),
        ("They met in Berlin on a Tuesday and talked about the same time.", "same time", "other"),
        ("Write to anna@example.org before 5 May 1995.", "5 May 1995", "date"),
    ],
)
def test_kinds(text: str, term: str, kind: str) -> None:
    assert {t.text: t.kind for t in analyze(Document.of(text)).terms}[term] == kind
