"""A spaCy component, on a blank pipeline."""

from __future__ import annotations

import json
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from taciturn import CSanitized, NotReleasedError, sanitize
from taciturn.knowledge import Knowledge
from tests.adapters import pages
from tests.batch import collections as c

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


def test_documents_carry_decisions_through_storage_and_processes(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    import_module("taciturn.adapters.spacy")
    pack = c.make_pack(tmp_path)
    nlp = spacy.blank("en")
    nlp.add_pipe("taciturn", config={"protect": ["HIV"], "alpha": 1.5, "pack": pack})
    texts = [c.note(i) for i in range(8)]
    model, knowledge = CSanitized(protect=["HIV"], alpha=1.5), Knowledge.open(pack)
    docs = list(nlp.pipe(texts, n_process=2))
    for text, doc in zip(texts, docs, strict=True):
        release = sanitize(text, model, knowledge)
        assert doc.text == text
        assert doc._.taciturn["text"] == release.text
        assert doc._.taciturn["certificate"] == release.certificate.to_json()
        assert [e["reason"] for e in doc._.taciturn["edits"]] == [e.reason for e in release.edits]
        assert [(s.start_char, s.end_char, s.label_) for s in doc.spans["taciturn"]] == [
            (e.start, e.end, e.kind) for e in release.edits
        ]
    assert any(doc.spans["taciturn"] for doc in docs)
    json.dumps([doc._.taciturn for doc in docs])
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")(texts[0])
    assert again._.taciturn == docs[0]._.taciturn
    stored = spacy.tokens.DocBin(docs=docs, store_user_data=True).to_bytes()
    [first, *_] = spacy.tokens.DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert json.dumps(first._.taciturn) == json.dumps(docs[0]._.taciturn)


def test_policies_and_what_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    module = import_module("taciturn.adapters.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("taciturn", config={"policy": "hipaa-safe-harbor"})
    doc = nlp("Write to ann.smith@example.org about the teapot.")
    assert "ann.smith" not in doc._.taciturn["text"]
    assert [s.label_ for s in doc.spans["taciturn"]] == ["email"]
    with pytest.raises(ValueError, match="not both"):
        spacy.blank("en").add_pipe("taciturn", config={"policy": "foia", "alpha": 2.0})

    def refuse(*_: object) -> None:
        raise NotReleasedError("nothing", None)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "sanitize", refuse)
    with pytest.raises(NotReleasedError):
        nlp("A text.")


def test_pip_tells_spacy_of_the_component() -> None:
    pytest.importorskip("spacy")
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["spacy_factories"]
    module, function = said["taciturn"].split(":")
    assert callable(getattr(import_module(module), function))


def test_the_page_says_what_happens() -> None:
    pytest.importorskip("spacy")
    assert pages.run("adapters.md", pages.blocks("adapters.md", having="spacy")) == 0
