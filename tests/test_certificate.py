"""The certificate: what is written is read again, version 1 too; what is no certificate is refused."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from taciturn import Certificate, CSanitized, InputError, KSafe, TPlausible, sanitize
from taciturn.knowledge import EntityBase
from taciturn.models.base import Guarantee, Violation
from taciturn.signing import seal
from tests.fixtures import tiny_knowledge


def _certificate() -> Certificate:
    violation = Violation(((0, 4),), "'AIDS' reveals HIV")
    return Certificate(
        "1f",
        "2e",
        (
            Guarantee("c-sanitized", "No term reveals.", True, 1.5, {"alpha": 2.0}, {"terms": 3}, ("HIV",)),
            Guarantee("kinds", "No name stands.", False, -1.0, violations=(violation,)),
        ),
    )


def test_what_is_written_is_read_again_but_for_what_is_private() -> None:
    written = json.loads(json.dumps(_certificate().to_json()))
    assert written["taciturn"] == "certificate/3"
    assert "HIV" not in json.dumps(written)
    read = Certificate.from_json(written)
    assert read.to_json() == written
    assert (read.holds, isnan(read.margin), read.violations) == (False, True, ())
    assert read.guarantees[0].protected == ()
    named = Certificate.from_json(_certificate().to_json(name_protected=True))
    assert named.guarantees[0].protected == ("HIV",)


@pytest.mark.parametrize("version", [{"tacit": "certificate/1"}, {"taciturn": "certificate/2"}])
def test_earlier_versions_are_still_read(version: dict[str, str], tmp_path: Path) -> None:
    """They had all figures and the margin, and no digest."""
    rows = [
        {
            "model": g.model,
            "statement": g.statement,
            "holds": g.holds,
            "margin": g.margin,
            "parameters": dict(g.parameters),
            "figures": dict(g.figures),
        }
        for g in _certificate().guarantees
    ]
    old = {**version, "holds": False, "text_sha256": "1f", "knowledge_sha256": "2e", "limits": "", "guarantees": rows}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old))
    read = Certificate.read(path)
    assert (read.margin, read.guarantees[0].figures) == (-1.0, {"terms": 3})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"taciturn": "certificate/4"}, "is not a certificate of Taciturn"),
        ({"taciturn": "report/1"}, "is not a certificate of Taciturn"),
        ({"holds": True}, "contradicts itself"),
        ({"text_sha256": 3}, "damaged"),
        ({"guarantees": [{"model": "kinds"}]}, "damaged"),
        ({"guarantees": None}, "damaged"),
    ],
)
def test_what_is_no_certificate_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Certificate.from_json(seal({**_certificate().to_json(), **change}), "a.json")


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("He has AIDS.")
    for name in ("none.json", "text.json"):
        with pytest.raises(InputError, match=name):
            Certificate.read(tmp_path / name)


def test_it_prints_neither_what_is_protected_nor_what_it_found() -> None:
    assert repr(_certificate()) == "Certificate(holds=False, margin=-1, models=[c-sanitized, kinds])"
    assert "HIV" not in repr(_certificate().guarantees)


def test_it_says_whether_planning_was_optimal_and_no_more() -> None:
    base = EntityBase("signs", {"HIV": frozenset({"HIV", "rash"}), "flu": frozenset({"flu", "rash"})})
    release = sanitize("He has HIV and a rash.", KSafe(base, ["HIV"], k=1, action="redact"))
    said = release.certificate.to_json()
    assert said["planning"] == {"k-safe": "optimal"}
    assert Certificate.from_json(said).planning == (("k-safe", "optimal"),)
    nothing = sanitize("He has a rash.", KSafe(base, ["HIV"], k=1, action="redact"))
    assert "planning" not in nothing.certificate.to_json()
    with pytest.raises(InputError, match="damaged certificate"):
        Certificate.from_json(seal({**said, "planning": ["optimal"]}))


def test_planning_for_groups_is_held_against_a_bound() -> None:
    text, tiny = "He reports fatigue and weight loss.", tiny_knowledge()
    alone = sanitize("He takes zidovudine.", CSanitized(protect=["HIV"], alpha=1.5), tiny)
    assert alone.certificate.planning == (("c-sanitized", "optimal"),)
    pair = sanitize(text, CSanitized(protect=["HIV"], alpha=1.5, groups=2, support=3), tiny)
    assert pair.certificate.planning == (("c-sanitized", "not proven optimal"),)
    assert "bits below a bound of" in str(pair.edits[0].figures["planning"])
    cut = sanitize("He has AIDS.", TPlausible(protect=["AIDS"], t=3))
    assert cut.certificate.planning == (("t-plausible", "optimal"),)
