"""Examples in the pages on models and on packs are what the models do with the embedded knowledge today."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import taciturn
from taciturn.models import NotPlausibleError
from taciturn.models.declare import declarations
from tests.adapters.pages import blocks, run

DOCS = Path(__file__).resolve().parents[1] / "docs" / "models"
sys.path.append(str(DOCS.parent))
TABLES = import_module("_parameters")
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
    model = taciturn.TPlausible(protect=SENSITIVE, t=t, paths="best")
    assert taciturn.sanitize(texts[0], model).text == texts[number]


def test_t_plausibility_figures() -> None:
    page = (DOCS / "t-plausibility.md").read_text("utf-8")
    text = _quoted("t-plausibility.md")[0]
    for power, said in re.findall(r"\*\*t = ([\d^]+)\*\*: \|D\| = ([\d,]+); bits", page):
        base, _, exponent = power.partition("^")
        model = taciturn.TPlausible(protect=SENSITIVE, t=int(base) ** int(exponent or 1), paths="best")
        figures = taciturn.sanitize(text, model).certificate.guarantees[0].figures
        assert f"{figures['fewest base texts']:,}" == said
        bits = " ".join("0" if b == "0.00" else b for b in str(figures["bits of each word"]).split())
        assert f"|D| = {said}; bits {bits}" in page
    most = re.search(r"with all at their most general (\d+) base texts", page)
    assert most is not None
    with pytest.raises(NotPlausibleError, match=most[1]):
        taciturn.sanitize(text, taciturn.TPlausible(protect=SENSITIVE, t=10**40, paths="best"))


def test_kinds() -> None:
    before, after = _quoted("kinds.md")
    model = taciturn.Kinds(
        hide=["person", "code"],
        keep={"date": "year", "place": "state", "age": "under 90", "postal-code": "three digits"},
        mark="kind",
    )
    assert taciturn.sanitize(before, model).text == after


@pytest.mark.parametrize("page", ["models/k-anonymous-strings.md", "models/k-safety.md", "packs.md"])
def test_sessions(page: str) -> None:
    assert run(page, blocks(page)) == 0


@pytest.mark.parametrize("path", TABLES.pages(), ids=lambda path: path.name)
def test_the_tables_of_parameters_are_what_the_models_declare(path: Path) -> None:
    assert TABLES.written(path) == path.read_text("utf-8"), "write it anew: python docs/_parameters.py"


def test_every_model_has_its_table() -> None:
    pages = "".join(path.read_text("utf-8") for path in TABLES.pages())
    assert [told.name for told in declarations() if f"<!-- parameters: {told.name} -->" not in pages] == []
