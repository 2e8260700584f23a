"""Figure 1 of ERASE on a small base that has what the paper says of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from taciturn.knowledge import EntityBase, Knowledge
from taciturn.lab.reproduce.erase_figure import CATEGORIES, LETTER, remove, run
from taciturn.language import key

COMMON = ("weight loss", "fatigue", "headache")
PROTECTED = {
    "HIV infectious disease": ("HIV", "weight loss", "sweating", "fatigue"),
    "gonorrhea": ("gonorrhea",),
    "hepatitis B": ("hepatitis B", "fatigue"),
    "heart disease": ("heart disease",), "thyroid disease": ("thyroid disease",), "liver disease": ("liver disease",),
    "kidney disease": ("kidney disease",), "ovarian disease": ("ovarian disease",), "cancer": ("cancer",),
    "mental disorder": ("mental disorder",),
}  # fmt: skip
OTHERS = {f"other {i}": (f"other {i}", *COMMON) for i in range(4)} | {f"hot {i}": ("sweating",) for i in range(3)}
# A branch is taken only of a base that is large enough for it.
OTHERS |= {f"filler {i}": (f"filler {i}",) for i in range(2000)}
BASE = EntityBase("small", {e: frozenset(map(key, terms)) for e, terms in {**PROTECTED, **OTHERS}.items()})


@pytest.mark.slow
def test_sweating_goes_because_with_weight_loss_and_fatigue_it_fits_hiv_alone(tmp_path: Path) -> None:
    found = remove(BASE, 2)
    assert set(found.removed) >= {"sweating", "gonorrhea", "hepatitis B", "HIV"}
    assert not {"weight loss", "fatigue", "headaches"} & set(found.removed)
    # The second reader takes it out: it is a kind of a protected branch, mental disorders, whatever the base says.
    assert "insomnia" in found.removed
    assert found.others >= 2
    assert all(term in LETTER for term in found.removed)
    (only,) = run(tmp_path, BASE, ks=[2])
    written = (tmp_path / "erase-figure-1.html").read_text("utf-8")
    assert only == found
    assert all(category in written for category in CATEGORIES)


DISEASES = Knowledge.default().entities.get("diseases")


@pytest.mark.skipif(DISEASES is None, reason="the pack at hand has no base of diseases; see training/diseases.py")
def test_on_the_packs_base_the_names_of_all_three_diseases_go() -> None:
    assert DISEASES is not None
    assert len(DISEASES.contexts) >= 2600
    assert {"HIV infectious disease", "gonorrhea", "hepatitis B virus infection"} <= set(DISEASES.contexts)
    for terms in ({"weight loss", "sweating", "fatigue", "zidovudine", "sex work"}, {"HIV"}):
        assert terms <= DISEASES.contexts["HIV infectious disease"]
    junk = {"keyboard", "tandy", "clinical course", "disease progression"}
    assert junk.isdisjoint(DISEASES.vocabulary)
    found = remove(DISEASES, 10)
    assert 400 <= found.protected <= 800  # 550 in the paper
    assert {"gonorrhea", "hepatitis B", "HIV"} <= set(found.removed)
    assert {"weight loss", "sweating", "fatigue"} & set(found.removed), "one of the three that together fit HIV"
    assert found.others >= 10
