"""The house: dependencies point downward and close no cycle, modules stay short, CONTRIBUTING lists the rooms."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.house import BY_CALL, House, imports_in, knots, named_in_tables, read_house

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "taciturn"

LONGEST = 400
"""Lines of a module, at most."""

LONGER: set[str] = set()
"""Modules that are longer still. One that has become short must be taken off; none may be added."""

LAYERS = (
    "document errors solvers secondreader compiled gc_pause",
    "plan registry processes samples signing",
    "language recognizers",
    "knowledge formats",
    "reading generalize",
    "models",
    "certificate policy opening",
    "report",
    "release restoring",
    "tables",
    "lab batch review",
    "frames service",
    "adapters spark",
    "cli",
    "__main__",
)
"""The rooms from the bottom up. A room imports rooms of lower layers, lazily or not, and none of its own or higher."""

TWINS = {("language", "recognizers"), ("reading", "generalize")}
"""Rooms of one layer that import each other's modules, without a cycle between modules: the analysis calls recognizers,
which read the lexicon; a reading skips marks, which are written from readings."""

NEVER = {
    "plan": "registry",
    "formats": "language recognizers knowledge",
    "knowledge": "plan",
    "models": "formats",
    "generalize": "formats",
    "reading": "formats",
    "certificate": "formats",
}
"""What a room must not import although it lies lower: a format never knows a language, a model never opens a file."""

BY_TEXT = {
    "taciturn": "names of the face",
    "taciturn.cli": "commands",
    "taciturn.cli.knowledge": "commands",
    "taciturn.cli.reproduce": "papers",
    "taciturn.compiled": "the C loops, if there are any",
    "taciturn.formats.leak.search": "extractors by format",
    "taciturn.formats.registry": "readers by format",
    "taciturn.language": "names of the face of the language",
    "taciturn.recognizers.codes": "checksums of another package",
    "taciturn.registry": "our models, equal to those of a plug-in",
}
"""Modules that import by a text, from a table of names. ``tests.house`` reads the tables."""


@cache
def house() -> House:
    files = sorted(SOURCE.rglob("*.py"))
    return read_house({path.relative_to(SOURCE.parent).as_posix(): path.read_text("utf-8") for path in files})


@cache
def edges() -> dict[str, set[str]]:
    return house().edges()


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_imports_close_no_cycle() -> None:
    assert knots(edges()) == []


def test_a_cycle_is_seen() -> None:
    lazy = edges()["taciturn.policy.file"] | {"taciturn.policy.policy"}
    (knot,) = knots({**edges(), "taciturn.policy.file": lazy})
    assert {"taciturn.policy.policy", "taciturn.policy.file"} <= knot


def test_tables_of_names_are_read() -> None:
    assert "taciturn.formats.pdf" in edges()["taciturn.formats.registry"]
    assert "taciturn.formats.leak.mail" in edges()["taciturn.formats.leak.search"]
    assert {"taciturn.cli.sanitize", "taciturn.lab.reproduce.erase"} <= edges()["taciturn.cli"] | edges()[
        "taciturn.cli.reproduce"
    ]
    assert "taciturn.release" in edges()["taciturn"]
    assert "taciturn.language.analysis" in edges()["taciturn.language"]
    assert "taciturn.models.denied" in set(named_in_tables(house(), "taciturn.registry"))


def test_every_room_has_its_layer() -> None:
    placed = " ".join(LAYERS).split()
    assert sorted(placed) == sorted({_room(name) for name in edges()} - {"", "packs"})


def misplaced(module: str, other: str) -> bool:
    """Does a module import one that it must not? The word lists are data, which formats read too."""
    if (_room(module), other) == ("formats", "taciturn.language.lexicon"):
        return False
    room, lower = _room(module), _room(other)
    if room == lower or not room:
        return False  # the face, taciturn/__init__.py, offers names of all rooms
    layer = {name: number for number, rooms in enumerate(LAYERS) for name in rooms.split()}
    if {(room, lower), (lower, room)} & TWINS:
        return False
    return not lower or layer[lower] >= layer[room] or lower in NEVER.get(room, "").split()


def test_dependencies_point_downward() -> None:
    version = ("taciturn.cli", "taciturn")  # tells the version
    wrong = [(m, other) for m, found in edges().items() for other in found if misplaced(m, other)]
    assert sorted(pair for pair in wrong if pair != version) == []


def test_imports_are_absolute_and_by_text_only_from_tables() -> None:
    for name, source in house().sources.items():
        assert "a relative import" not in imports_in(source, ()), f"{name} imports relatively"
    found = {name for name, source in house().sources.items() if BY_CALL.search(source)}
    assert found == BY_TEXT.keys(), "import plainly, inside a function: no test can follow a text"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import taciturn.cli", {"taciturn.cli"}),
        ("from taciturn.cli import main", {"taciturn.cli"}),
        ("from taciturn import cli", {"taciturn.cli"}),
        ("def f():\n    from taciturn import cli", {"taciturn.cli"}),
        ("if TYPE_CHECKING:\n    from taciturn import cli", set()),
        ("if not TYPE_CHECKING:\n    from taciturn import cli", {"taciturn.cli"}),
        ("if TYPE_CHECKING:\n    pass\nelse:\n    from taciturn import cli", {"taciturn.cli"}),
        ("from . import cli", {"a relative import"}),
        ("from .cli import main", {"a relative import"}),
    ],
)
def test_every_way_to_import_is_seen(source: str, found: set[str]) -> None:
    assert set(imports_in(source, {"taciturn", "taciturn.cli"})) == found


@pytest.mark.parametrize(
    ("module", "other"),
    [
        ("taciturn.solvers.masks", "taciturn.document"),
        ("taciturn.knowledge.base", "taciturn.models.base"),
        ("taciturn.knowledge.base", "taciturn.plan"),
        ("taciturn.formats.text", "taciturn.language.keys"),
        ("taciturn.models.denied", "taciturn.formats.text"),
        ("taciturn.secondreader.search", "taciturn.language.keys"),
        ("taciturn.report.html", "taciturn.release"),
        ("taciturn.review.app", "taciturn.service.api"),
        ("taciturn.models.base", "taciturn"),
    ],
)
def test_a_wrong_direction_is_seen(module: str, other: str) -> None:
    assert misplaced(module, other)


PLANNING = {"taciturn.models.csanitized.subjects", "taciturn.models.csanitized.groups", "taciturn.plan"}


def test_the_check_of_c_sanitized_and_the_second_reader_use_nothing_of_planning() -> None:
    check = edges()["taciturn.models.csanitized.check"]
    assert not check & PLANNING
    assert {_room(other) for other in check} == {"document", "knowledge", "language", "models", "reading"}
    assert {other for other in check if _room(other) == "models"} == {"taciturn.models.base"}
    readers = [name for name in edges() if _room(name) == "secondreader"]
    assert readers
    assert all(_room(other) == "secondreader" for name in readers for other in edges()[name])


def test_modules_are_short() -> None:
    lengths = {name: len(source.splitlines()) for name, source in house().sources.items()}
    assert {name for name, length in lengths.items() if length > LONGEST} == LONGER


def test_every_module_says_what_it_is() -> None:
    silent = [name for name, source in house().sources.items() if not ast.get_docstring(ast.parse(source))]
    assert silent == []


def test_contributing_lists_the_rooms_and_no_others() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    house = page.split("    src/taciturn/\n")[1].split("    training/")[0]
    listed = {name for line in house.splitlines() for name in re.findall(r"^ {6}([a-z_]+(?:\.py|/)) ", line)}
    rooms = {f"{p.name}/" for p in SOURCE.iterdir() if p.is_dir() and p.name != "__pycache__"}
    alone = {p.name for p in SOURCE.glob("*.py") if p.name != "__main__.py"}
    assert rooms | alone <= listed, "describe the new room in CONTRIBUTING.md, under 'The house on one page'"
    assert listed <= rooms | alone
