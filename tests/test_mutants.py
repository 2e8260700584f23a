"""The mutation run changes what it says it changes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.mutants import PACKAGE, ROOT, TESTS, WHOLE, changed_code, mutants


def test_what_is_mutated_and_what_must_notice_exist() -> None:
    assert all((PACKAGE / module).exists() for module in (*TESTS, *WHOLE))
    assert [t for tests in TESTS.values() for t in tests if not (ROOT / t).exists()] == []


def test_every_guard_of_the_release_can_be_taken_away() -> None:
    """Decorated functions are mutated as well: ``propose`` and ``check`` are the way of a document."""
    found = {(m.function, m.change) for m in mutants("release.py")}
    assert {("sanitize", "if always"), ("propose", "Or -> And"), ("check", "returns None")} <= found
    assert len({m.number for m in mutants("release.py")}) == len(mutants("release.py"))


@pytest.mark.slow  # beside other tests, a fork that collects a file of tests failed once in a while
def test_a_mutant_differs_in_one_function_and_acts_in_the_living_one() -> None:
    mutant = next(m for m in mutants("plan.py") if (m.function, m.change) == ("Plan.__post_init__", "dropped"))
    assert changed_code(mutant) != compile((PACKAGE / "plan.py").read_text("utf-8"), str(PACKAGE / "plan.py"), "exec")
    # In a process of its own: a fork of one that has threads may wait for a lock that nobody holds any more.
    asked = "from tests.mutants import mutants, run\n" + (
        "mutant = next(m for m in mutants('plan.py') if (m.function, m.change) == ('Plan.__post_init__', 'dropped'))\n"
        "tests = ('tests/test_plan.py::test_a_plan_refuses_what_is_not_there',)\n"
        "said = [run(tests, m, 60) for m in (mutant, None)]\n"
        "print(said)\n"
    )
    said = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "['killed', 'survived']"
