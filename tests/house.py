"""The house in figures: ``python -m tests.house COMMIT COMMIT`` compares two commits.

It prints the lines of each folder, the lines that were added and deleted, and the size of the graph of imports.

``tests/test_architecture.py`` reads the graph here. An import counts wherever it stands, inside functions too, and so
does a table of names that a module imports by; an import for types only does not.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath

__all__ = ["BY_CALL", "House", "imports_in", "knots", "named_in_tables", "read_house"]

ROOT = Path(__file__).parents[1]
BY_CALL = re.compile(r"\b(?:import_module|__import__)\(")
"""An import by a text."""

UPWARD = "registry"
"""The table of models points upward: who asks it for a model stands above the models, and knows them anyway."""


@dataclass(frozen=True)
class House:
    """The modules of a package by name, with their sources; those that are packages themselves."""

    sources: Mapping[str, str]
    packages: frozenset[str]

    def edges(self) -> dict[str, set[str]]:
        """Each module with the modules that it imports."""
        found = {}
        for name, source in self.sources.items():
            imported = imports_in(source, self.sources)
            if BY_CALL.search(source) and name.partition(".")[2] != UPWARD:
                imported = chain(imported, named_in_tables(self, name))
            found[name] = {other for other in imported if other in self.sources and other != name}
        return found


def read_house(files: Mapping[str, str]) -> House:
    """The house of Python files by their paths, which begin with the package's name.

    >>> read_house({"a/__init__.py": "", "a/b.py": "import a"}).edges()
    {'a': set(), 'a.b': {'a'}}
    """
    sources, packages = {}, set()
    for path, source in files.items():
        parts = PurePosixPath(path).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        sources[name] = source
        if parts[-1] == "__init__":
            packages.add(name)
    return House(sources, frozenset(packages))


def _for_types_only(tree: ast.AST) -> set[ast.AST]:
    tests = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    guards = (n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) in tests)
    return {inside for guard in guards for statement in guard.body for inside in ast.walk(statement)}


def imports_in(source: str, known: Collection[str]) -> Iterator[str]:
    """What a module imports, at its top or inside functions; of a package the modules that are taken from it."""
    tree = ast.parse(source)
    skipped = _for_types_only(tree)
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module is None:
                yield "a relative import"
                continue
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module


def named_in_tables(house: House, name: str) -> Iterator[str]:
    """The modules that a table of a module names, in any of the forms that tables have."""
    package = name if name in house.packages else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(house.sources[name])):
        if isinstance(node, ast.Dict):
            for text in (n.value for value in node.values for n in ast.walk(value) if isinstance(n, ast.Constant)):
                written = str(text).partition(":")[0]
                yield from (found for found in (written, f"{package}.{written}") if found in house.sources)


def knots(edges: Mapping[str, Collection[str]]) -> list[frozenset[str]]:
    """The sets of modules in which each reaches every other: none in a graph without cycles.

    >>> [sorted(knot) for knot in knots({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["d"]})]
    [['b', 'c']]
    """
    reached = {name: _reached(name, edges) for name in edges}
    found = {name: frozenset(o for o in reached[name] if name in reached[o]) for name in sorted(edges)}
    return [knot for knot in dict.fromkeys(found.values()) if len(knot) > 1]


def _reached(name: str, edges: Mapping[str, Collection[str]]) -> set[str]:
    found: set[str] = set()
    ahead = [name]
    while ahead:
        ahead += (new := set(edges[ahead.pop()]) - found)
        found |= new
    return found


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _files(commit: str) -> dict[str, str]:
    paths = [p for p in _git("ls-tree", "-r", "--name-only", commit, "src").splitlines() if p.endswith(".py")]
    return {path.removeprefix("src/"): _git("show", f"{commit}:{path}") for path in paths}


def main(before: str, after: str) -> None:
    files = {commit: _files(commit) for commit in (before, after)}
    lines = {commit: Counter[str]() for commit in files}
    for commit, found in files.items():
        for path, source in found.items():
            parts = PurePosixPath(path).parts
            lines[commit][f"{parts[1]}/" if len(parts) > 2 else parts[1]] += len(source.splitlines())
    print(f"| folder | lines at {before} | lines at {after} |\n| --- | --- | --- |")
    for folder in sorted(lines[before].keys() | lines[after].keys()):
        print(f"| `{folder}` | {lines[before][folder] or ''} | {lines[after][folder] or ''} |")
    print(f"| all | {lines[before].total()} | {lines[after].total()} |")
    for commit, found in files.items():
        house = read_house(found)
        edges = house.edges()
        cycles = knots(edges)
        print(
            f"{commit}: {len(edges)} modules, {sum(map(len, edges.values()))} imports, {len(cycles)} knots of cycles "
            f"with {sum(map(len, cycles))} modules, longest module {max(len(s.splitlines()) for s in found.values())}"
        )
    print(_git("diff", "-M", "--shortstat", before, after, "--", "src/*.py").strip())


if __name__ == "__main__":
    main(*sys.argv[1:])
