"""What the example plug-in adds, each thing used in five ways: Python, command line, policy, service and review.

``python -m tests.extensions`` prints the released files as JSON. ``tests/test_extending.py`` runs it where the plug-in
is installed as a package of its own, and calls :func:`released` where its parts are registered in the running process.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

from taciturn import Knowledge, Policy, formats, sanitize
from taciturn.cli.sanitize import command
from taciturn.models.declare import declared
from taciturn.review.exports import release
from taciturn.review.session import Session
from taciturn.service.requests import Protection
from taciturn.service.tasks import perform
from tests.cli.test_models import arguments_for

__all__ = ["EXAMPLES", "WAYS", "Example", "released"]

WAYS = ("python", "command line", "policy", "service", "review")
_JOB = "Ann Miller is a deal wizard in Ipswich."


@dataclass(frozen=True)
class Example:
    """A file, a model with its parameters, and what must come out; ``knowledge`` is named where it is not the usual."""

    file: str
    text: str
    model: str
    given: dict[str, Any]
    released: str
    knowledge: str | None = None

    @property
    def policy(self) -> str:
        """The same as a policy file."""
        said = "".join(f"{name} = {json.dumps(value)}\n" for name, value in self.given.items())
        return f'title = "An example"\n[[model]]\nname = "{self.model}"\n{said}'


EXAMPLES = {
    "recognizer": Example(
        "note.txt",
        "Write to EMP-12345 on Monday.",
        "kinds",
        {"hide": ["employee-number"]},
        "Write to [code] on Monday.",
    ),
    "format": Example(
        "a.settings",
        "owner = EMP-12345\ntown = Boston\n",
        "kinds",
        {"hide": ["employee-number"]},
        "owner = [code]\ntown = Boston\n",
    ),
    "taxonomy": Example(
        "job.txt",
        _JOB,
        "t-plausible",
        {"protect": ["deal wizard"], "t": 2},
        _JOB.replace("deal wizard", "salesperson"),
    ),
    "entities": Example(
        "job.txt",
        _JOB.replace("wizard", "wrangler"),
        "k-safe",
        {"protect": ["Ann Miller"], "entities": "staff", "k": 1},
        "[REDACTED] is a salesperson in Ipswich.",
    ),
    "relations": Example(
        "pin.txt",
        "Ann Miller wears the golden stapler in Ipswich.",
        "c-sanitized",
        {"protect": ["deal wrangler"], "alpha": 1.5},
        "Ann Miller wears the stapler in Ipswich.",
    ),
    "counts": Example(
        "job.txt",
        _JOB,
        "c-sanitized",
        {"protect": ["deal wrangler"], "alpha": 1.5},
        _JOB.replace("deal wizard", "salesperson"),
        "sales-reports",
    ),
    "model": Example(
        "names.txt",
        "Ann Miller called. Miller waits.",
        "initials",
        {"protect": ["Ann Miller"], "letters": 2},
        "An. Mi. called. Mi. waits.",
    ),
}
"""One for each kind of thing that can be added."""


def released(example: Example, way: str, folder: Path) -> str:
    """The file that an example releases in one of the ways."""
    path, policy = folder / example.file, folder / "policy.toml"
    path.write_text(example.text)
    policy.write_text(example.policy)
    knowledge = Knowledge.open(example.knowledge) if example.knowledge else Knowledge.default()
    told = declared(example.model)
    if way in ("command line", "policy"):
        asked = [*arguments_for(told, example.given, folder / "list.txt"), "--model", example.model]
        asked = ["--policy", str(policy)] if way == "policy" else asked
        opened = ["--knowledge", example.knowledge] if example.knowledge else []
        done = CliRunner().invoke(command, [str(path), *asked, *opened])
        if done.exit_code:
            raise AssertionError(done.output) from done.exception
        return done.stdout
    data = path.read_bytes()
    if way == "service":
        asked_for = Protection(model=example.model, **example.given).model_dump()
        answer = perform("file", {"asked": asked_for, "data": data, "name": example.file}, knowledge)
        return str(answer["data"].decode())
    file = formats.read(data, example.file)
    if way == "review":
        written, _ = release(Session(file, Policy.load(policy), knowledge), person="Ann")
        return written.decode()
    made = sanitize(file.document, told.make(example.given), knowledge)
    return formats.write(file, made.applied).decode()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        found = {name: {way: released(e, way, Path(folder)) for way in WAYS} for name, e in EXAMPLES.items()}
    json.dump(found, sys.stdout)
