"""``tacit check``: does the guarantee hold for this text?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from tacit.commands.common import (
    build_model_or_policy,
    file_options,
    knowledge_option,
    model_options,
    open_knowledge,
    people,
    policy_option,
    read_file,
    reading,
)
from tacit.formats import FormatError, leaks
from tacit.release import check

__all__ = ["command"]


@click.command("check")
@click.argument("file", metavar="FILE")
@policy_option
@model_options
@file_options
@knowledge_option
@click.option("--certificate", metavar="FILE.json", help="A certificate that must speak of this text and hold again.")
@click.option("--removed", metavar="LIST", help="Only search FILE's bytes, by several programs, for each line of LIST.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def command(
    file: str,
    policy: str | None,
    pack: str | None,
    certificate: str | None,
    removed: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Re-derive the guarantee for FILE (- for standard input) from its text alone.

    Exit code 0: it holds. 1: it does not. 2: the question could not be asked.

    \b
    Examples:
      tacit check released.txt --protect HIV
      tacit check released.txt --protect HIV --certificate released.json
      tacit check released.txt --policy hipaa-safe-harbor
      tacit check released.pdf --removed names.txt
    """
    given = reading(options)
    if removed is not None:
        return _search(file, removed, as_json)
    stated = _stated(certificate) if certificate else None
    if stated is not None and policy is None:
        options = _as_certified(options, stated)
    knowledge = open_knowledge(pack)
    model = build_model_or_policy(policy, options)
    result = check(read_file(file, model, given).document, model, knowledge)
    holds = result.holds
    console = people()
    if stated is not None:
        for field, ours in (("text_sha256", result.text_digest), ("knowledge_sha256", result.knowledge_digest)):
            if stated.get(field) != ours:
                what = "text" if field.startswith("text") else "knowledge"
                console.print(f"the certificate speaks of another {what} than this one", style="red")
                holds = False
    if as_json:
        click.echo(json.dumps(result.to_json()))
    else:
        from tacit.report.terminal import certificate_panel

        console.print(certificate_panel(result))
    return 0 if holds else 1


def _search(path: str, listing: str, as_json: bool) -> int:
    """Look for strings in a file as the leak check does before a file is written."""
    contents = []
    for name in (path, listing):
        try:
            contents.append(Path(name).read_bytes())
        except OSError as error:
            raise FormatError(f"{name!r} cannot be read: {error.strerror}; check the path") from error
    strings = [line.strip() for line in contents[1].decode("utf-8-sig", errors="replace").splitlines()]
    found = leaks(contents[0], [s for s in strings if s], Path(path).name)
    if as_json:
        click.echo(json.dumps([{"text": leak.text, "where": leak.where, "way": leak.way} for leak in found]))
    else:
        for leak in found:
            click.echo(f"{leak.text}\t{leak.where}\t{leak.way}")
        people().print(f"{len(found)} found" if found else "none of the strings was found")
    return 1 if found else 0


def _stated(path: str) -> dict[str, Any]:
    try:
        stated = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise FormatError(f"{path!r} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise FormatError(f"{path!r} is not a certificate: {error}") from error
    if not isinstance(stated, dict) or stated.get("tacit") != "certificate/1":
        raise FormatError(f"{path!r} is not a certificate of this version of Tacit")
    return stated


def _as_certified(options: dict[str, Any], stated: dict[str, Any]) -> dict[str, Any]:
    """The options with the certificate's parameters; the protected entities come from the user, or from it if named."""
    row = next((g for g in stated.get("guarantees", ()) if g.get("model") == options["model_name"]), None)
    if row is None:
        raise FormatError(f"the certificate has no guarantee of the model {options['model_name']!r}")
    parameters = row["parameters"]
    certified = {
        k: parameters[k] for k in ("alpha", "groups", "context", "unknown", "style", "recall") if k in parameters
    }
    protect = options["protect"] or tuple(row.get("protected", ()))
    return {**options, **certified, "reveal": None, "protect": protect}
