"""One release for each reader of a policy: each in a folder of the reader's name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from taciturn.policy import Policy

__all__ = ["for_each_reader", "readers_of"]

_ONE = ("report", "certificate", "key_file", "opening", "as_json", "in_place")  # what speaks of one release


def readers_of(policy: str | None, reader: str | None) -> tuple[str, ...]:
    """The readers of a policy, if none of them is asked for."""
    return () if policy is None or reader is not None else tuple(Policy.load(policy).readers)


def for_each_reader(readers: Sequence[str], context: click.Context) -> int:
    """Run a command once for each reader, with a folder of the reader's in the place of its output folder."""
    given: dict[str, Any] = context.params
    if not given["output"] or any(given.get(name) for name in _ONE):
        raise click.UsageError(
            f"the policy has readers ({', '.join(readers)}): give -o FOLDER for a release for each of them, or "
            "--reader NAME for one, with its report and certificate"
        )
    codes: list[int] = []
    for name in readers:
        folder = Path(given["output"]) / name
        folder.mkdir(parents=True, exist_ok=True)
        click.echo(f"For {name}:", err=True)
        assert context.command.callback is not None
        codes.append(context.invoke(context.command.callback, **{**given, "reader": name, "output": str(folder)}))
    return max(codes)
