"""What is safe in each document may not be safe in all of them together: the dossier says so."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from taciturn import CSanitized, Kinds, KSafe, Policy
from taciturn.batch import dossiers
from taciturn.batch.collect import closest_entity
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.knowledge.building import Parameters, Source, build_pack
from taciturn.language import key
from tests.batch import collections as c
from tests.models.test_ksafe import KNOWLEDGE as SIGNS

MODEL = CSanitized(protect=["HIV"], alpha=1.5)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A corpus made by hand: sweat and fatigue are everyday things, but go together with HIV alone.

    Of 104 contexts 8 have HIV, 6 of these with both; each of the two stands in 30 further ones, without the other.
    """
    folder = tmp_path_factory.mktemp("corpus")
    said = ["Doctors saw HIV with sweat and fatigue."] * 6 + ["Doctors saw HIV with a teapot."] * 2
    said += ["Runners know sweat from a long race."] * 30 + ["Workers know fatigue from a long night."] * 30
    said += ["The garden had a quiet cat today."] * 36
    (folder / "texts.jsonl").write_text("".join(json.dumps({"title": "", "text": text}) + "\n" for text in said))
    parameters = Parameters(shortest=4, longest=8, min_count=1, min_phrase=1, min_common=1, shard=200)
    return str(
        build_pack([Source(folder / "texts.jsonl", "texts", "1", "none")], folder / "pack", parameters=parameters).path
    )


def test_the_corpus_is_what_it_says(pack: str) -> None:
    counts = Knowledge.open(pack).counts
    found = [counts.count(*keys) for keys in (["HIV"], ["sweat"], ["fatigue"], ["HIV", "sweat", "fatigue"])]
    assert (counts.total, found) == (104, [8, 36, 36, 6])
    limit = counts.ic("HIV") / 1.5
    assert counts.pmi("HIV", "sweat") == counts.pmi("HIV", "fatigue") < limit
    assert counts.pmi("HIV", "sweat", "fatigue") == pytest.approx(counts.ic("HIV"))


def released(tmp_path: Path, rows: list[dict[str, str]], *options: str) -> tuple[int, dict[str, Any], Path]:
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    code, told = c.run(
        str(tmp_path / "notes.jsonl"),
        "-o",
        str(out),
        "--workers",
        "1",
        "--text",
        "note",
        "--dossier",
        "patient",
        *options,
    )
    assert code in (0, 1), told
    return code, json.loads((out / "collection.json").read_text()), out


def private(out: Path) -> Any:
    return json.loads((out / ".private" / "collection.json").read_text())


def test_safe_alone_and_not_together(tmp_path: Path, pack: str) -> None:
    rows = [
        {"patient": "p1", "note": "There was sweat."},
        {"patient": "p2", "note": "There was sweat."},
        {"patient": "p1", "note": "There was fatigue."},
        {"patient": "p3", "note": "There was fatigue. The cat is quiet."},
    ]
    code, said, out = released(tmp_path, rows, *c.options(pack))
    manifest = c.lines(out / "manifest.jsonl")
    assert all(e["status"] == "released" and e["certificate"]["holds"] for e in manifest)
    assert [row["note"] for row in c.lines(out / "released" / "notes.jsonl")] == [r["note"] for r in rows]
    assert code == 1
    assert [e["dossier"] for e in manifest] == [
        {"name": "p1", "documents": 2, "holds": False},
        {"name": "p2", "documents": 1, "holds": True},
        {"name": "p1", "documents": 2, "holds": False},
        {"name": "p3", "documents": 1, "holds": True},
    ]
    assert said["dossiers"] == {"checked": 3, "unsafe": 1, "too large to check": 0}
    told = private(out)
    assert told["dossiers"]["safe alone but not together"] == 1
    [weakest] = told["dossiers"]["weakest"]
    assert (weakest["dossier"], weakest["holds"], weakest["closest entity"]) == ("p1", False, 1)
    assert weakest["margin"] == pytest.approx(1 / 1.5 - 1)
    assert told["documents"][0]["holds"]


def test_a_policy_is_judged_together_as_its_models_are(tmp_path: Path, pack: str) -> None:
    rows = [{"patient": "p1", "note": "There was sweat."}, {"patient": "p1", "note": "There was fatigue."}]
    (tmp_path / "own.toml").write_text(
        'title = "Own"\n[[protect]]\nterms = ["HIV"]\n[[model]]\nname = "c-sanitized"\nalpha = 1.5\n'
    )
    _, said, _ = released(tmp_path, rows, "--policy", str(tmp_path / "own.toml"), "--knowledge", pack)
    assert said["dossiers"]["unsafe"] == 1
    kinds = [m for m in Policy.load("hipaa-safe-harbor").build() if m.name == "kinds"]
    assert [dossiers.together(m) for m in (*kinds, Kinds(hide=["person"]))] == [False, False]


def test_the_name_of_a_dossier_that_was_swept_is_not_told(tmp_path: Path, pack: str) -> None:
    rows = [{"patient": "HIV ward", "note": "HIV was found."}, {"patient": "HIV ward", "note": "The cat is quiet."}]
    _, _, out = released(tmp_path, rows, *c.options(pack))
    assert [d["dossier"] for d in c.lines(out / "dossiers.jsonl")] == ["dossier 1"]
    assert not any(b"HIV" in data for name, data in c.tree(out).items() if name != "released/notes.jsonl")


def test_a_dossier_is_not_taken_for_one_that_is_shown_by_a_number(tmp_path: Path, pack: str) -> None:
    rows = [
        {"patient": "HIV ward", "note": "HIV was found."},
        {"patient": "dossier 1", "note": "There was sweat."},
        {"patient": "dossier 1", "note": "There was fatigue."},
    ]
    _, _, out = released(tmp_path, rows, *c.options(pack))
    assert [(d["dossier"], d["holds"]) for d in c.lines(out / "dossiers.jsonl")] == [
        ("dossier 1", True),
        ("dossier 1", False),
    ]
    assert [e["dossier"]["holds"] for e in c.lines(out / "manifest.jsonl")] == [True, False, False]


def test_the_embedded_pack_knows_such_pairs(tmp_path: Path) -> None:
    """Signs that the counts call safe alone and not in pairs, found by asking for each pair, one by one."""
    knowledge = Knowledge.default()
    model = CSanitized(protect=["HIV"])
    [limit] = model.thresholds(knowledge).values()
    counts = knowledge.counts
    signs = (
        "infection",
        "weight loss",
        "fever",
        "pneumonia",
        "risk",
        "diarrhea",
        "headache",
        "needle",
        "blood",
        "drug",
    )
    told = dict(zip(signs, knowledge.witnesses.told([key("HIV")], [key(s) for s in signs])[1][0], strict=True))
    alone = [s for s in signs if told[s] < limit]
    groups = [(key(a), key(b)) for a, b in combinations(alone, 2)]
    together = [counts.count(key("HIV"), *g) for g in groups]
    bits = knowledge.witnesses.of_groups(key("HIV"), groups, together)
    pairs = [g for g, n, said in zip(groups, together, bits, strict=True) if n >= 5 and said >= limit]
    others = [p for p in combinations(alone, 2) if p not in pairs]
    assert pairs
    assert others
    rows = [
        {"patient": f"{i:02}", "note": f"The nurse asked about {sign}."}
        for i, pair in enumerate([*pairs, *others])
        for sign in pair
    ]
    code, _, out = released(tmp_path, rows, "--protect", "HIV")
    judged = c.lines(out / "dossiers.jsonl")
    kept = [row["note"] for row in c.lines(out / "released" / "notes.jsonl")]
    assert kept == [row["note"] for row in rows]
    assert (code, [d["holds"] for d in judged]) == (1, [False] * len(pairs) + [True] * len(others))
    assert private(out)["dossiers"]["safe alone but not together"] == len(pairs)


def test_the_signs_of_an_entity_may_be_spread_over_documents() -> None:
    """The K-safety paper's illustration: weight loss, sweating and fatigue together fit HIV alone."""
    model = KSafe(protect=["depression", "gonorrhea", "HIV"], k=1, action="redact")
    assert dossiers.together(model)
    said = dossiers.judge(["She had weight loss and sweating.", "She had fatigue."], [model], SIGNS)
    assert (said["holds"], said["private"]["not safe alone"]) == (False, 0)
    assert closest_entity(said["private"]["guarantees"][0]["figures"]) == 1  # in the order of their names: HIV
    safe = dossiers.judge(["She had weight loss and sweating.", "She had insomnia."], [model], SIGNS)
    assert safe["holds"]


def test_large_dossiers_are_bounded_and_never_called_safe_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = "cat dog teapot nurse garden table window river bridge letter candle forest".split()
    contexts = [{"HIV", *terms}] * 6 + [{t} for t in terms for _ in range(20)]
    knowledge = Knowledge(ContextCounts(contexts))
    texts = [f"There was a {t}." for t in terms]
    model = CSanitized(protect=["HIV"], alpha=1.5, groups=4)
    assert dossiers.together(model)
    said = dossiers.judge(texts, [model], knowledge)
    assert (said["holds"], said["private"]["not safe alone"], said["private"]["guarantees"][0]["groups"]) == (
        False,
        0,
        4,
    )
    # 12 terms have 66 pairs, 220 triples and 495 groups of four.
    monkeypatch.setattr("taciturn.models.csanitized.dossiers._GROUPS", 219)
    assert dossiers.judge(texts, [model], knowledge)["private"]["guarantees"][0]["groups"] == 2
    monkeypatch.setattr("taciturn.models.csanitized.dossiers._GROUPS", 65)
    refused = dossiers.judge(texts[:1] * 2 + texts, [model], knowledge)
    assert (refused["holds"], "not even pairs" in refused["reason"]) == (False, True)
    monkeypatch.setattr(dossiers, "_CHARACTERS", 10)
    assert not dossiers.judge(texts[:1], [model], knowledge)["holds"]
