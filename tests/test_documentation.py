"""Examples in the pages on models are what the models do with the embedded knowledge today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tacit
from tacit.models import NotPlausibleError
from tests.adapters.pages import blocks, run

DOCS = Path(__file__).resolve().parents[1] / "docs" / "models"
SENSITIVE = (
    "welder",
    "Dayton",
    "tuberculosis",
    "isoniazid",
    "hepatitis C",
    "type 2 diabetes",
    "metformin",
    "methadone",
    "heroin addiction",
)


def _quoted(page: str) -> list[str]:
    """The texts that a page sets apart, without emphasis and line breaks."""
    blocks = re.findall(r"(?:^> ?.*\n)+", (DOCS / page).read_text("utf-8"), re.MULTILINE)
    plain = [re.sub(r"^> ?", "", block, flags=re.MULTILINE) for block in blocks]
    return [" ".join(re.sub(r"\*\*(?!\))", "", text).replace("\\*", "*").split()) for text in plain]


@pytest.mark.parametrize(("number", "t"), [(1, 100), (2, 10**4), (3, 10**8), (4, 10**24)])
def test_t_plausibility(number: int, t: int) -> None:
    texts = _quoted("t-plausibility.md")
    model = tacit.TPlausible(sensitive=SENSITIVE, t=t, paths="best")
    assert tacit.sanitize(texts[0], model).text == texts[number]


def test_t_plausibility_figures() -> None:
    page = (DOCS / "t-plausibility.md").read_text("utf-8")
    text = _quoted("t-plausibility.md")[0]
    for power, said in re.findall(r"\*\*t = ([\d^]+)\*\*: \|D\| = ([\d,]+); bits", page):
        base, _, exponent = power.partition("^")
        model = tacit.TPlausible(sensitive=SENSITIVE, t=int(base) ** int(exponent or 1), paths="best")
        figures = tacit.sanitize(text, model).certificate.guarantees[0].figures
        assert f"{figures['fewest base texts']:,}" == said
        bits = " ".join("0" if b == "0.00" else b for b in str(figures["bits of each word"]).split())
        assert f"|D| = {said}; bits {bits}" in page
    most = re.search(r"with all at their most general (\d+) base texts", page)
    assert most is not None
    with pytest.raises(NotPlausibleError, match=most[1]):
        tacit.sanitize(text, tacit.TPlausible(sensitive=SENSITIVE, t=10**40, paths="best"))


def test_kinds() -> None:
    before, after = _quoted("kinds.md")
    model = tacit.Kinds(
        hide=["person", "code"],
        keep={"date": "year", "place": "state", "age": "under 90", "postal-code": "three digits"},
        mark="kind",
    )
    assert tacit.sanitize(before, model).text == after


@pytest.mark.parametrize("page", ["models/k-anonymous-strings.md", "models/k-safety.md"])
def test_sessions(page: str) -> None:
    assert run(page, blocks(page)) == 0
