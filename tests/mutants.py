"""A mutation run: small faults are put into the code one by one, and the tests must notice each.

    python -m tests.mutants                                 every mutant of WHOLE, a sample of the others
    python -m tests.mutants --only models/ksafe --sample 0  every mutant of one model

A mutant is one change inside a function: a comparison turned, a condition fixed, a statement dropped, a number moved.
The code is loaded once; each mutant then runs in a fork of its own, where the function gets the changed code (so
decorated functions and properties are changed as well) and the tests named for its module run until one fails. Words
are not changed: most are messages. Survivors are printed; those in ``mutants_explained.toml`` with their reason.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import random
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "taciturn"
EXPLAINED = ROOT / "tests" / "mutants_explained.toml"
TESTS = {
    "release.py": ("tests/test_release.py", "tests/formats/test_watch.py"),
    "plan.py": ("tests/test_plan.py", "tests/test_release.py"),
    "formats/file.py": ("tests/formats/test_file.py", "tests/formats/test_text.py", "tests/formats/test_data.py"),
    "models/declare.py": ("tests/models/test_declare.py", "tests/models/csanitized/test_csanitized.py"),
    "models/parameter.py": ("tests/models/test_declare.py", "tests/cli/test_cli.py"),
    "models/denied.py": (
        "tests/models/test_denied.py",
        "tests/models/test_floor.py",
        "tests/policy/test_policy.py",
        "tests/policy/test_presets.py",
    ),
    "models/detecting.py": ("tests/models/test_detecting.py",),
    "models/excepting.py": ("tests/policy/test_policy.py",),
    "models/floor.py": ("tests/models/test_floor.py", "tests/test_release.py"),
    "models/informative.py": ("tests/models/test_informative.py",),
    "models/matching.py": ("tests/models/test_matching.py", "tests/policy/test_policy.py"),
    "models/names.py": ("tests/models/test_floor.py", "tests/test_release.py", "tests/secondreader"),
    "models/csanitized/dossiers.py": ("tests/batch/test_dossiers.py",),
    "models/csanitized": ("tests/models/csanitized", "tests/test_reading.py", "tests/models/test_embedded.py"),
    "models/kanonymous": ("tests/models/test_kanonymous.py",),
    "models/kinds": ("tests/models/test_kinds.py", "tests/policy/test_policy.py", "tests/policy/test_presets.py"),
    "models/ksafe": ("tests/models/test_ksafe.py",),
    "models/person": ("tests/models/person",),
    "models/tplausible": ("tests/models/test_tplausible.py",),
    "models": ("tests/models/test_base.py", "tests/test_release.py", "tests/policy/test_policy.py"),
}
"""What is mutated, and the tests that must notice; a module's own examples run first. The first name counts."""

WHOLE = frozenset({"release.py", "plan.py", "formats/file.py"})
"""The way of a document and of a file: every mutant of these runs, of the others a sample."""

_TURNED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_SAME, _BROKEN = 98, 99  # exit codes that pytest does not have
_SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """The ``number``-th change of a module: in which function, on which line, what."""

    module: str
    number: int
    function: str
    line: int
    change: str

    @property
    def source(self) -> str:
        return (PACKAGE / self.module).read_text("utf-8").splitlines()[self.line - 1].strip()

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.change}\n    {self.source}"


def variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What a node can be changed into, with words for it.

    >>> [text for text, _ in variants(ast.parse("a < 1", mode="eval").body)]
    ['Lt -> LtE']
    """
    match node:
        case ast.Compare(left, [op], rest):
            yield _said(op), ast.Compare(left, [_TURNED[type(op)]()], rest)
        case ast.BoolOp(op, values):
            yield _said(op), ast.BoolOp(_TURNED[type(op)](), values)
        case ast.BinOp(left, op, right) if type(op) in _TURNED:
            yield _said(op), ast.BinOp(left, _TURNED[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in _TURNED:
            yield _said(op), ast.AugAssign(target, _TURNED[type(op)](), value)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield f"no {type(node.op).__name__}", operand
        case ast.Constant(bool() as value):
            yield f"{value} -> {not value}", ast.Constant(not value)
        case ast.Constant(int() as value):
            yield f"{value} -> {value + 1}", ast.Constant(value + 1)
        case ast.If(_, body, otherwise):
            yield "if never", ast.If(ast.Constant(False), body, otherwise)
            yield "if always", ast.If(ast.Constant(True), body, otherwise)
        case ast.IfExp(_, body, otherwise):
            yield "the first of two", body
            yield "the second of two", otherwise
        case ast.comprehension(target, several, conditions, is_async) if conditions:
            yield "no condition", ast.comprehension(target, several, [], is_async)
        case ast.Call(ast.Name(name), arguments, keywords) if name in _SWAPPED:
            yield f"{name} -> {_SWAPPED[name]}", ast.Call(ast.Name(_SWAPPED[name], ast.Load()), arguments, keywords)
        case ast.Expr(ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield "dropped", ast.Pass()
        case ast.Raise() | ast.Continue() | ast.Break():
            yield "dropped", ast.Pass()
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            yield "returns None", ast.Return(ast.Constant(None))


def _said(op: ast.AST) -> str:
    return f"{type(op).__name__} -> {_TURNED[type(op)].__name__}"


class _Walk(ast.NodeTransformer):
    """Counts the changes inside functions; makes the one that is asked for."""

    def __init__(self, module: str, wanted: int = -1) -> None:
        self.module, self.wanted = module, wanted
        self.found: list[Mutant] = []
        self._within: list[str] = []
        self._functions = 0

    def visit(self, node: ast.AST) -> ast.AST:
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if isinstance(node, ast.keyword) and node.arg == "strict":  # it speaks of faults that are not there
            return node
        if isinstance(node, ast.AnnAssign):  # annotations say nothing at run time
            node.value = self.visit(node.value) if node.value else None  # type: ignore[assignment]
            return node
        if named:
            self._within.append(node.name)
            self._functions += isinstance(node, ast.FunctionDef)
            for child in node.body:
                node.body[node.body.index(child)] = self.visit(child)  # type: ignore[call-overload]
            self._functions -= isinstance(node, ast.FunctionDef)
            self._within.pop()
            return node
        made: ast.AST | None = None
        if self._functions:
            for change, changed in variants(node):
                here = Mutant(self.module, len(self.found), ".".join(self._within), _line(node), change)
                self.found.append(here)
                if here.number == self.wanted:
                    made = ast.copy_location(changed, node)
        self.generic_visit(node)
        return node if made is None else made


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", None) or _line(next(ast.iter_child_nodes(node)))


def mutants(module: str) -> list[Mutant]:
    """Every mutant of a module, in order."""
    walk = _Walk(module)
    walk.visit(ast.parse((PACKAGE / module).read_text("utf-8")))
    return walk.found


def changed_code(mutant: Mutant) -> CodeType:
    """The module with the mutant's change, compiled."""
    path = PACKAGE / mutant.module
    tree = _Walk(mutant.module, mutant.number).visit(ast.parse(path.read_text("utf-8")))
    return compile(ast.fix_missing_locations(tree), str(path), "exec")  # type: ignore[call-overload,no-any-return]


def _functions(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module and the methods of its classes, not what is defined inside them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 2:  # a function has fast locals, the body of a class has none
                yield constant
            else:
                yield from _functions(constant)


def load(module: str) -> None:
    import_module("taciturn." + module.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def put(mutant: Mutant) -> bool:
    """Give the function that lives in this process the mutant's code; False if the compiler makes the same of it."""
    plain = {_name(c): c for c in _functions(compile((PACKAGE / mutant.module).read_text("utf-8"), "", "exec"))}
    new = next((c for c in _functions(changed_code(mutant)) if _differs(c, plain[_name(c)])), None)
    if new is None:
        return False
    load(mutant.module)
    path = str(PACKAGE / mutant.module)
    living = [
        f
        for f in gc.get_objects()
        if isinstance(f, FunctionType) and f.__code__.co_filename == path and _name(f.__code__) == _name(new)
    ]
    if not living:
        raise LookupError(f"{mutant.function} does not live here")
    for function in living:
        function.__code__ = new
    return True


def _name(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _differs(one: CodeType, other: CodeType) -> bool:
    def parts(code: CodeType) -> tuple[object, ...]:
        inner = tuple(parts(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts)
        return code.co_code, inner, code.co_names

    return parts(one) != parts(other)


def run(tests: Sequence[str], mutant: Mutant | None, seconds: int) -> str:
    """What the tests say in a fork of this process: "killed", "survived" or "timeout".

    "same": the change makes no difference to the compiler. "broken": the change could not be put in, or pytest failed.
    """
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        return {0: "survived", 1: "killed", -signal.SIGALRM: "timeout", _SAME: "same"}.get(code, "broken")
    signal.alarm(seconds)
    if mutant is not None:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
    try:
        if mutant is not None and not put(mutant):
            os._exit(_SAME)
        os._exit(int(pytest.main([*tests, "-x", "-p", "no:cacheprovider", "-m", "not slow"])))
    finally:
        os._exit(_BROKEN)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="mutate modules whose path starts so, such as models/ksafe")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants of modules not in WHOLE; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    os.environ["CI"] = "true"  # examples are drawn the same way each time
    os.chdir(ROOT)
    modules: dict[str, tuple[str, ...]] = {}
    for start, named in TESTS.items():
        for path in [PACKAGE / start] if start.endswith(".py") else sorted((PACKAGE / start).glob("*.py")):
            modules.setdefault(str(path.relative_to(PACKAGE)), named)
    modules = {module: named for module, named in modules.items() if module.startswith(chosen.only)}
    every = [mutant for module in modules for mutant in mutants(module)]
    whole = [m for m in every if m.module in WHOLE]
    others = [m for m in every if m.module not in WHOLE]
    if 0 < chosen.sample < len(others):
        others = sorted(random.Random(chosen.seed).sample(others, chosen.sample), key=others.index)
    taken = [*whole, *others]
    explained = {
        (e["module"], e["function"], e["change"], e["line"]): e["why"]
        for e in tomllib.loads(EXPLAINED.read_text("utf-8"))["mutant"]
    }
    for module in modules:
        load(module)
    tests = {m: (f"src/taciturn/{m}", *modules[m]) for m in dict.fromkeys(mutant.module for mutant in taken)}
    pytest.main(
        [*dict.fromkeys(t for named in tests.values() for t in named), "--collect-only", "-qq", "-m", "not slow"]
    )
    limits: dict[tuple[str, ...], int] = {}
    for named in tests.values():
        began = time.monotonic()
        if run(named, None, 600) != "survived":
            sys.exit(f"the tests {' '.join(named)} fail without any change; mend them first")
        limits[named] = 30 + int(5 * (time.monotonic() - began))
    said: Counter[str] = Counter()
    for number, mutant in enumerate(taken, 1):
        result = run(tests[mutant.module], mutant, limits[tests[mutant.module]])
        why = explained.get((mutant.module, mutant.function, mutant.change, mutant.source))
        said["explained" if result == "survived" and why else result] += 1
        if result in ("survived", "broken"):
            print(
                f"[{number}/{len(taken)}] {result}: {mutant}" + (f"\n    explained: {why}" if why else ""), flush=True
            )
    real = len(taken) - said["same"]
    noticed = said["killed"] + said["timeout"]
    print(f"{noticed} of {real} mutants are noticed ({noticed / max(real, 1):.0%}), {said['explained']} more explained")
    print(f"of {len(every)} mutants in {len(modules)} modules, seed {chosen.seed}; {dict(said)}")


if __name__ == "__main__":
    main()
