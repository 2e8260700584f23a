"""Each preset on hand-made examples: what must be gone, what must stay, and under which codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from taciturn import Policy, check, sanitize
from taciturn.errors import NotReleasedError
from taciturn.knowledge import Knowledge
from taciturn.policy import preset_names

FILES = sorted(Path(__file__).parent.glob("*.json"))
EXAMPLES = [(p.stem, row) for p in FILES for row in json.loads(p.read_text("utf-8"))]


def test_every_preset_has_examples() -> None:
    assert tuple(p.stem for p in FILES) == preset_names()


@pytest.mark.parametrize(("preset", "row"), EXAMPLES, ids=[f"{p}: {r['about']}" for p, r in EXAMPLES])
def test_example(preset: str, row: dict[str, Any]) -> None:
    knowledge = Knowledge.default()
    policy = Policy.load(preset, protect=row.get("protect", ()))
    if "flagged" in row:
        with pytest.raises(NotReleasedError, match="a person must decide") as refused:
            sanitize(row["text"], policy, knowledge)
        violations = refused.value.certificate.violations
        assert [row["text"][a:b] for v in violations for a, b in v.spans] == row["flagged"]
        return
    release = sanitize(row["text"], policy, knowledge)
    assert [g for g in row["gone"] if g in release.text] == []
    assert [s for s in row["stay"] if s not in release.text] == [], release.text
    assert release.certificate.holds
    assert check(release.text, policy, knowledge).holds, "the release stands by itself"
    assert check(row["text"], policy, knowledge).holds == (not row["gone"])
    if "codes" in row:
        assert sorted({str(e.figures["code"]) for e in release.edits}) == sorted(row["codes"])
