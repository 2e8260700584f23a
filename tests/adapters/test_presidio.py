"""Presidio both ways, with a blank language engine: no model is downloaded."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from taciturn import CSanitized, Kinds, check, sanitize
from taciturn.models import Detecting
from tests.adapters import pages

pytestmark = pytest.mark.slow
HIV = CSanitized(protect=["HIV"])
TEXT = "Ann Lee (card 4111 1111 1111 1111, badge B-blue) got AIDS from a blood transfusion. B-blue was lost."


@pytest.fixture(scope="module")
def analyzer() -> Any:
    spacy = pytest.importorskip("spacy")
    pytest.importorskip("presidio_anonymizer")
    presidio = pytest.importorskip("presidio_analyzer")
    import tldextract
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    blank = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "blank"}])
    blank.nlp = {"en": spacy.blank("en")}
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    engine = presidio.AnalyzerEngine(nlp_engine=blank, supported_languages=["en"])
    pattern = presidio.Pattern("badge", r"\bB-[a-z]{4}\b", 0.9)
    engine.registry.add_recognizer(presidio.PatternRecognizer("BADGE", patterns=[pattern]))
    return engine


def test_its_recognizers_feed_our_models(analyzer: Any) -> None:
    from taciturn.adapters.presidio import detector

    hide = Kinds(hide=["code"])
    assert "B-blue" in sanitize(TEXT, hide).text  # Taciturn knows no such badges
    seen = Detecting(model=hide, detect=detector(analyzer, entities=["BADGE", "CREDIT_CARD"]))
    release = sanitize(TEXT, [seen, HIV])
    for gone in ("B-blue", "4111", "AIDS", "transfusion"):
        assert gone not in release.text
    assert "Ann Lee" in release.text
    assert release.certificate.holds
    # What they still find counts against the guarantee, and marks are not found again.
    assert not check(TEXT, seen).holds
    assert check(release.text, seen).holds
    none = Detecting(model=hide, detect=detector(analyzer, threshold=0.95, entities=["BADGE"]))
    assert "B-blue" in sanitize(TEXT, none).text


def test_our_models_work_in_its_engines(analyzer: Any) -> None:
    from presidio_anonymizer import AnonymizerEngine, OperatorConfig

    from taciturn.adapters.presidio import TaciturnOperator, TaciturnRecognizer

    recognizer = TaciturnRecognizer(HIV)
    release = sanitize(TEXT, HIV)
    found = recognizer.analyze(TEXT, ["TACITURN"])
    assert [(r.start, r.end) for r in found] == [(e.start, e.end) for e in release.edits]
    assert [r.analysis_explanation.textual_explanation for r in found] == [e.reason for e in release.edits]
    assert recognizer.analyze(TEXT, ["PERSON"]) == []
    engine = AnonymizerEngine()
    engine.add_anonymizer(TaciturnOperator)
    analyzer.registry.add_recognizer(recognizer)
    try:
        alone = analyzer.analyze(TEXT, language="en", entities=["TACITURN"])
        every = analyzer.analyze(TEXT, language="en", entities=["TACITURN", "BADGE", "CREDIT_CARD"])
    finally:
        analyzer.registry.remove_recognizer("TaciturnRecognizer")
    operators = {"TACITURN": recognizer.operator(TEXT)}
    assert engine.anonymize(TEXT, alone, operators).text == release.text
    both = engine.anonymize(TEXT, every, operators).text
    assert both == release.text.replace("4111 1111 1111 1111", "<CREDIT_CARD>").replace("B-blue", "<BADGE>")
    assert check(both, HIV).holds
    # Presidio may hand over what is none of ours; it is not shown.
    assert TaciturnOperator().operate("AIDS from", operators["TACITURN"].params) == "[REDACTED]"
    with pytest.raises(ValueError, match="replacements"):
        engine.anonymize(TEXT, alone, {"TACITURN": OperatorConfig("taciturn")})


def test_a_recognizer_is_sent_to_other_processes_without_what_it_saw() -> None:
    pytest.importorskip("presidio_anonymizer")
    from taciturn.adapters.presidio import TaciturnRecognizer

    recognizer = TaciturnRecognizer(HIV)
    found = recognizer.analyze(TEXT, ["TACITURN"])
    data = pickle.dumps(recognizer)
    assert b"transfusion" not in data
    sent = pickle.loads(data)
    assert sent.analyze(TEXT, ["TACITURN"]) == found
    assert sent.operator(TEXT).params == recognizer.operator(TEXT).params


def test_the_page_says_what_happens(analyzer: Any) -> None:
    assert pages.run("presidio.md", pages.blocks("presidio.md")) == 0
