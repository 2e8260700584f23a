"""Keys: what they keep, what they drop, and that a key is its own key."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.language.keys import KEY_VERSION, key, keys_of

SAME = [
    ("blood transfusion", ["Blood Transfusion", "the blood-transfusions", "BLOOD TRANSFUSION", "blood  transfusion's"]),
    ("AIDS", ["AIDS", "“AIDS”", "(AIDS)", "the AIDS", "A\u200bIDS", "AIDS’s"]),
    ("aid", ["aids", "an aid", "Aid"]),
    ("STD", ["STDs", "STD", "his STD's", "STDs'"]),
    ("HIV 1", ["HIV-1", "HIV 1", "HIV\u20111"]),
    ("US", ["the U.S.", "US", "u.s.".upper()]),
    ("united states", ["The United States", "UNITED STATES"]),
    ("parkinson's disease", ["Parkinson’s disease", "parkinson's diseases"]),
    ("fibrosis", ["ﬁbrosis", "Fibroses"]),
    ("disease of the kidney", ["diseases of the kidneys", "a disease of the kidney"]),
]
HEADINGS = {
    "PAST MEDICAL HISTORY": "past medical history",
    "HIV STATUS": "HIV status",
    "AIDS PATIENTS": "AIDS patient",
    "MRI OF THE BRAIN": "MRI of the brain",
    "CT SCAN": "CT scan",
    "DIAGNOSES": "diagnosis",
    "PAIN": "pain",
    "COPD": "COPD",
    "HIV AIDS": "HIV AIDS",
    "US ARMY": "US army",
}
ALONE = {
    "vitamin A": "vitamin a",
    "mRNA": "mRNA",
    "CD4 counts": "CD4 count",
    "he": "he",
    "IT": "IT",
    "it": "it",
    "a-fib": "a-fib",
    "1984-03-12": "1984-03-12",
    "the 1980s": "1980s",
    "in vitro fertilization": "in vitro fertilization",
    "Los Angeles": "los angeles",
    "---": "---",
    "": "",
}


@pytest.mark.parametrize(("expected", "texts"), SAME)
def test_variants_share_a_key(expected: str, texts: list[str]) -> None:
    assert keys_of(texts) == [expected] * len(texts)


@pytest.mark.parametrize(("text", "expected"), [*HEADINGS.items(), *ALONE.items()])
def test_one_key(text: str, expected: str) -> None:
    assert key(text) == expected


words = st.sampled_from(
    "the of a AIDS HIV-1 Women's STDs diseases U.S. to-do 's men CD4 PAIN “the” Straße 12-13 series and ﬁn İ".split()
)


@given(st.one_of(st.text(), st.lists(words).map(" ".join), st.text(alphabet="aAsSeEiIxX'-. ")))
def test_a_key_is_its_own_key(text: str) -> None:
    found = key(text)
    assert key(found) == found
    assert found == found.strip()
    assert "  " not in found


@given(st.text(alphabet=st.characters(categories=["Cs", "Cc", "Cf", "Lo", "Mn", "Lu", "Ll", "Nd"])))
def test_keys_of_odd_characters_do_not_fail(text: str) -> None:
    assert isinstance(key(text), str)


def test_keys_do_not_depend_on_the_hash_seed() -> None:
    program = "from taciturn.language.keys import keys_of; print(keys_of(['the Women of AIDS', 'HIV STATUS', 'menus']))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(p for p in sys.path if p)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert outputs == {"['woman of AIDS', 'HIV status', 'menu']\n"}


def test_the_version_is_recorded() -> None:
    assert KEY_VERSION == "1"
