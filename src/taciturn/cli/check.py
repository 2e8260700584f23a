"""``taciturn check``: does the guarantee hold for this text, and is the certificate what it claims to be?"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from taciturn.certificate import Certificate, differences, is_sealed, read_certificate
from taciturn.cli.common import (
    file_options,
    knowledge_option,
    open_knowledge,
    open_table,
    people,
    policy_option,
    read_options,
    reader_option,
    reading,
)
from taciturn.cli.models import Asked, ModelCommand, build_model_or_policy, model_asked, parameters_asked
from taciturn.document import Span
from taciturn.formats import FormatError, Options, leaks, read
from taciturn.knowledge import Knowledge
from taciturn.language import analyze
from taciturn.models.base import Bindable
from taciturn.models.declare import declared
from taciturn.opening import Opening, described
from taciturn.policy import Policy
from taciturn.release import ModelsLike, certify, several_models
from taciturn.signing import fault, read_public_key, signer

__all__ = ["command"]


@click.command("check", cls=ModelCommand)
@click.argument("file", metavar="FILE")
@policy_option
@reader_option
@file_options
@knowledge_option
@click.option("--certificate", metavar="FILE.json", help="The certificate of FILE; alone: is FILE what it speaks of?")
@click.option("--signed-by", metavar="FILE.pub", help="The public key that must have signed the certificate.")
@click.option("--opening", metavar="FILE.json", help="What the certificate commits to: check the guarantee with it.")
@click.option("--removed", metavar="LIST", help="Only search FILE's bytes, by several programs, for each line of LIST.")
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def command(
    file: str,
    policy: str | None,
    reader: str | None,
    pack: str | None,
    certificate: str | None,
    signed_by: str | None,
    opening: str | None,
    removed: str | None,
    as_json: bool,
    asked: Asked,
    **options: Any,
) -> int:
    """Re-derive the guarantee for FILE (- for standard input) from its text alone, or hold FILE against a certificate.

    With a certificate alone: is FILE what was certified, and was the certificate altered? With its opening as well: was
    that protected, and does the guarantee hold? With what is protected, or a policy: does all of it come out again?

    Exit code 0: it holds. 1: it does not. 2: the question could not be asked.

    \b
    Examples:
      taciturn check released.txt --protect HIV
      taciturn check released.txt --certificate released.json --signed-by office.pub
      taciturn check released.txt --certificate released.json --opening opening.json
      taciturn check released.txt --certificate released.json --protect HIV
      taciturn check released.txt --certificate released.json --policy hipaa-safe-harbor
      taciturn check released.pdf --removed names.txt
    """
    given = reading(options)
    if removed is not None:
        return _search(file, removed, as_json)
    if (signed_by or opening) and not certificate:
        raise click.UsageError("--signed-by and --opening belong to a certificate; add --certificate FILE.json")
    data = _bytes(file)
    if certificate is None:
        model = build_model_or_policy(policy, asked, reader)
        return _show(_checked(file, data, model, open_knowledge(pack), read_options(model, given)), [], as_json)
    stated, said = read_certificate(certificate)
    faults = _of_the_certificate(said, read_public_key(signed_by) if signed_by else None)
    if opening is None and policy is None and not asked:
        faults += _of_the_file(file, data, said, read_options(None, given))
        return _is_certified(said, faults)
    models: ModelsLike
    replaced: tuple[Span, ...] | None = None
    if opening is not None:
        if policy is not None:
            raise click.UsageError("--policy and --opening both say what is protected; give one")
        told = Opening.read(opening)
        if told.commitment != said.get("commitment"):
            return _is_certified(said, [*faults, "the opening is not that of this certificate"])
        _refuse_other(asked, told)
        models, replaced = told.build(lambda name, parameter: _asked_of(name, asked).get(parameter)), told.replaced
    else:
        said_of = asked if policy is not None else _as_certified(asked, stated, said)
        models = build_model_or_policy(policy, said_of, reader)
    read_as = read_options(models if isinstance(models, Policy) else None, given)
    faults += _of_the_file(file, data, said, read_as)
    knowledge = open_knowledge(pack)
    found = _checked(file, data, models, knowledge, read_as, replaced)
    if stated.knowledge_digest != found.knowledge_digest:
        faults.append("the certificate speaks of another knowledge than this one; name its pack with --knowledge")
    faults += differences(said, found, same_text=stated.text_digest == found.text_digest)
    return _show(found, faults, as_json)


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    if Path(path).is_dir():
        raise FormatError(f"{path!r} is a folder; name a file")
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise FormatError(f"{path!r} cannot be read: {error.strerror}; check the path") from error


def _checked(
    path: str,
    data: bytes,
    models: ModelsLike,
    knowledge: Knowledge,
    options: Options,
    replaced: tuple[Span, ...] | None = None,
) -> Certificate:
    """The guarantee of a file, from its text, and from the spans that are known to be replacements."""
    table = open_table(path, options)
    if table is not None:
        from taciturn.tables import check_table

        return check_table(table, models, knowledge)
    document = read(data, "standard input" if path == "-" else Path(path).name, options).document
    analysis, several = analyze(document), several_models(models)
    if replaced == ():  # Nothing was replaced: this is the original, to which the models were bound.
        several = tuple(m.bind(analysis, knowledge) if isinstance(m, Bindable) else m for m in several)
    return certify(analysis, several, knowledge, replaced or ())


def _of_the_certificate(said: Mapping[str, Any], key: bytes | None) -> list[str]:
    """What is wrong with the certificate itself, but for what reading it has found already."""
    if not is_sealed(said):
        return ["the certificate is of a version that could not be signed"] if key is not None else []
    wrong = fault(said, key)
    return [f"the certificate cannot be relied on: {wrong}"] if wrong else []


def _of_the_file(path: str, data: bytes, said: Mapping[str, Any], options: Options) -> list[str]:
    """Is it the file, or where the certificate knows the text alone, the text that was certified?"""
    if "released_sha256" in said:
        same = said["released_sha256"] == sha256(data).hexdigest()
        return [] if same else ["the certificate speaks of another file than this one: it was altered, or saved again"]
    if open_table(path, options) is not None:
        return []  # The digest of a table's text comes of reading its rows, with what is protected.
    text = read(data, "standard input" if path == "-" else Path(path).name, options).document.text
    same = said["text_sha256"] == sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return [] if same else ["the certificate speaks of another text than this one"]


def _is_certified(said: Mapping[str, Any], faults: list[str]) -> int:
    """Tell people whether this is what was certified; nothing was derived again."""
    console = people()
    for line in faults:
        console.print(line, style="red", markup=False, soft_wrap=True)
    if not faults:
        by = f"signed by the key {signer(said)}" if is_sealed(said) and signer(said) else "not signed"
        verdict = "holds" if said["holds"] else "does NOT hold"
        console.print(f"This is what was certified; the certificate is {by} and says that the guarantee {verdict}.")
        for row in said["guarantees"]:
            console.print(f"  {row['model']}: {row['statement']}", markup=False, soft_wrap=True)
    return 1 if faults or not said["holds"] else 0


def _show(found: Certificate, faults: list[str], as_json: bool) -> int:
    console = people()
    for line in faults:
        console.print(line, style="red", markup=False, soft_wrap=True)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        from taciturn.report.terminal import certificate_panel

        console.print(certificate_panel(found))
    return 0 if found.holds and not faults else 1


def _search(path: str, listing: str, as_json: bool) -> int:
    """Look for strings in a file as the leak check does before a file is written."""
    strings = [line.strip() for line in _bytes(listing).decode("utf-8-sig", errors="replace").splitlines()]
    found = leaks(_bytes(path), [s for s in strings if s], Path(path).name)
    if as_json:
        click.echo(json.dumps([{"text": leak.text, "where": leak.where, "way": leak.way} for leak in found]))
    else:
        for leak in found:
            click.echo(f"{leak.text}\t{leak.where}\t{leak.way}")
        people().print(f"{len(found)} found" if found else "none of the strings was found")
    return 1 if found else 0


def _as_certified(asked: Asked, stated: Certificate, said: Mapping[str, Any]) -> Asked:
    """What is asked, with the certificate's parameters. One that is given must be the certificate's."""
    told = model_asked(asked)
    row = next((g for g in stated.guarantees if g.model == told.name), None)
    if row is None:
        raise FormatError(f"the certificate has no guarantee of the model {told.name!r}")
    certified: Asked = {p.name: row.parameters[p.name] for p in told.parameters if p.name in row.parameters}
    certified = {name: value for name, value in certified.items() if name not in told.needs}
    given = {name: value for name, value in _asked_of(told.name, asked).items() if name in certified}
    for name, value in given.items():
        if value != certified[name]:
            raise click.UsageError(f"{name} is {value!r} here and {certified[name]!r} in the certificate")
    rivals = {rival for name in certified for rival in told.rivals(name)}
    if refused := rivals & asked.keys():
        raise click.UsageError(f"{min(refused)} is given here, but the certificate was made without it")
    if "protect" in told and row.protected and not asked.keys() & {"protect", "protect_file"}:
        certified["protect"] = row.protected
    return {**asked, **certified}


def _asked_of(model: str, asked: Asked) -> dict[str, Any]:
    return parameters_asked(declared(model), asked)


def _refuse_other(asked: Asked, opening: Opening) -> None:
    """Raise if the command line says something else than the opening; what it holds elsewhere is compared later."""
    models = _models(opening.models)
    if (name := asked.get("model")) and name not in [told["model"] for told in models]:
        raise click.UsageError(f"the model is {name!r} here, and the opening has no such model")
    taken = {"model"}
    for told in models:
        for name, value in _asked_of(told["model"], asked).items():
            taken |= {name, *(("protect_file",) if name == "protect" else ())}
            held = told["parameters"][name]
            if declared(told["model"])[name].load is None and described(value) != held:
                raise click.UsageError(f"{name} is {value!r} here and {held!r} in the opening")
    if other := asked.keys() - taken:
        raise click.UsageError(f"{min(other)} belongs to no model of the opening")


def _models(told: Any) -> list[Mapping[str, Any]]:
    """The descriptions of all models in an opening, those within others too."""
    if isinstance(told, list | tuple):
        return [found for held in told for found in _models(held)]
    if not isinstance(told, dict):
        return []
    return [told] if "parameters" in told else _models(list(told.values()))
