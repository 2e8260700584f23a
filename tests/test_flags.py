"""Taxonomies are asked for by their flags: no code of ours names one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import taciturn
from taciturn.knowledge.taxonomies.flags import STANDARD

SOURCE = Path(taciturn.__file__).parent
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "flags.py")

OWN = {
    ("knowledge/taxonomies/values/taxonomy.py", "values"): "the class says its own name",
    ("formats/file.py", "places"): "places of a file, in its JSON",
    ("formats/pdf/resources.py", "values"): "a function of that name",
    ("lab/reproduce/erase.py", "diseases"): "an entity base",
}
"""Texts that are the name of a taxonomy and do not ask for it."""


def names_in(source: str) -> Iterator[str]:
    """The texts in a program that are the name of a taxonomy, alone or as the beginning of "name:node"."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.removesuffix(":").removesuffix(".taxonomy")
            if name in STANDARD:
                yield name


@pytest.mark.parametrize(
    "source",
    ['t.name == "wordnet"', 't.name in ("values", "x")', '_EVERYDAY = "wordnet"', 'f"drugs:{i}"', '"places.taxonomy"'],
)
def test_a_taxonomy_asked_for_by_name_is_seen(source: str) -> None:
    assert len(list(names_in(source))) == 1


def test_no_taxonomy_is_asked_for_by_name() -> None:
    found = {(p.relative_to(SOURCE).as_posix(), name) for p in FILES for name in names_in(p.read_text("utf-8"))}
    assert found - OWN.keys() == set(), "ask for a flag (knowledge/taxonomies/flags.py) and not for a name"
    assert OWN.keys() <= found, "no such text stands there any more"
