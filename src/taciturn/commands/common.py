"""What several commands share: the options that make a model, reading input, the console for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from rich.console import Console

from tacit.formats import File, FormatError, Options, read
from tacit.knowledge import Knowledge
from tacit.models import CSanitized, Informative, Model, Related, TPlausible
from tacit.policy import Policy

__all__ = [
    "build_model",
    "build_model_or_policy",
    "file_options",
    "knowledge_option",
    "model_options",
    "open_knowledge",
    "people",
    "policy_option",
    "read_file",
    "read_lines",
    "read_options",
    "reading",
]

Command = TypeVar("Command", bound=Callable[..., Any])

MODELS = ("c-sanitized", "informative", "k-anonymous", "k-safe", "person-release", "related", "t-plausible")

_OPTIONS = (
    click.option("--protect", "-p", multiple=True, metavar="TERM", help="What must stay unsaid; may be repeated."),
    click.option("--model", "model_name", type=click.Choice(MODELS), default="c-sanitized", show_default=True),
    click.option("--alpha", type=float, metavar="A", help="Reveal less than 1/A of an entity. [default: the pack's]"),
    click.option("--reveal", metavar="TERM", help="Instead of --alpha: reveal at most what TERM says."),
    click.option(
        "--groups", type=int, default=2, show_default=True, metavar="N", help="The largest group of terms looked at."
    ),
    click.option(
        "--context",
        type=click.Choice(["sentence", "paragraph", "document"]),
        default="sentence",
        show_default=True,
        help="Within what terms of a group stand together.",
    ),
    click.option(
        "--w", type=float, metavar="W", help="For `related`: the share a term may reveal. [default: the pack's]"
    ),
    click.option(
        "--t", type=click.IntRange(1), metavar="T", help="For `t-plausible`: at least T base texts a segment."
    ),
    click.option(
        "--segment",
        type=click.Choice(["sentence", "paragraph", "document"]),
        default="document",
        show_default=True,
        help="For `t-plausible`: what T counts for.",
    ),
    click.option(
        "--style",
        type=click.Choice(["auto", "court", "biography"]),
        default="auto",
        show_default=True,
        help="For `person-release`: whose masks to follow.",
    ),
    click.option(
        "--recall",
        type=float,
        default=0.5,
        show_default=True,
        metavar="R",
        help="For `person-release`: above 0.5 hides more, below it less.",
    ),
    click.option("--list", "strings", metavar="FILE", help="For `k-anonymous`: the strings, one a line, or an index."),
    click.option(
        "--k",
        "-k",
        type=click.IntRange(1),
        metavar="K",
        help="For `k-anonymous`: at least K entries fit. [default: 5]  For `k-safe`: at least K other entities fit. "
        "[default: 3]",
    ),
    click.option(
        "--protect-branch",
        multiple=True,
        metavar="TERM",
        help="For `k-safe`: protect every entity under TERM of a taxonomy; may be repeated.",
    ),
    click.option("--protect-file", metavar="FILE", help="For `k-safe`: the entities to protect, one a line."),
    click.option(
        "--entities",
        metavar="NAME|FILE",
        help="For `k-safe`: the entity base, by name in the pack or as a file. [default: the one that knows most]",
    ),
    click.option("--greedy", is_flag=True, help="For `k-safe`: the paper's fast search instead of the exact one."),
    click.option("--collapse", is_flag=True, help="For `k-anonymous`: hide lengths, write each run of * as one."),
    click.option("--together", is_flag=True, help="For `k-anonymous`: FILE is a CSV of rows; count K over whole rows."),
    click.option("--exclude", multiple=True, metavar="ENTRY", help="For `k-anonymous`: an ordinary word to leave."),
    click.option("--redact", is_flag=True, help="Redact instead of generalizing."),
    click.option(
        "--mark",
        type=click.Choice(["redacted", "numbered", "kind", "block"]),
        default="redacted",
        show_default=True,
        help="How a redaction looks: [REDACTED], [REDACTED 1], [PERSON 1], or a block of fixed width.",
    ),
    click.option(
        "--unknown",
        type=click.Choice(["keep", "redact"]),
        help="What becomes of terms of which nothing is known. [default: the model's]",
    ),
)

_FILE_OPTIONS = (
    click.option(
        "--pictures",
        type=click.Choice(["blank", "keep", "refuse"]),
        help="Pictures in files, which Tacit does not read: a grey area, their pixels, or no release. [default: blank]",
    ),
    click.option(
        "--unreadable",
        type=click.Choice(["remove", "refuse", "rasterize"]),
        help="Text of a PDF that nobody can read for certain: remove it, refuse the file, or turn its redacted page "
        "into a picture. [default: remove]",
    ),
    click.option(
        "--close-gaps", is_flag=True, help="In a PDF close the gap that a removed word leaves: its width tells of it."
    ),
    click.option("--column", "columns", multiple=True, metavar="NAME", help="Read only this column of a table."),
)

policy_option = click.option(
    "--policy", metavar="NAME|FILE", help="A preset or a policy file, instead of a model. See: tacit policy list."
)
knowledge_option = click.option("--knowledge", "pack", metavar="PACK", help="A pack of knowledge. [default: embedded]")


def people() -> Console:
    """Where people are told things: standard error, so that standard output stays the released text."""
    return Console(stderr=True, highlight=False)


def file_options(command: Command) -> Command:
    """The options that say how files are read and written; :func:`reading` takes them."""
    for option in reversed(_FILE_OPTIONS):
        command = option(command)
    return command


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of :func:`file_options` out of all options: those that were given, as fields of ``Options``."""
    given = {name: options.pop(name) for name in ("pictures", "unreadable", "columns")}
    if options.pop("close_gaps"):
        given["keep_layout"] = False
    return {name: value for name, value in given.items() if value is not None and value != ()}


def read_options(model: Model | Policy | None, given: Mapping[str, Any]) -> Options:
    """How files are read: as the policy says if there is one, and as the command line says before that."""
    return replace(model.options() if isinstance(model, Policy) else Options(), **given)


def read_file(path: str, model: Model | Policy | None = None, given: Mapping[str, Any] | None = None) -> File:
    """The file at a path, or standard input for ``-``, read as :func:`read_options` says."""
    options = read_options(model, given or {})
    if path == "-":
        return read(sys.stdin.buffer.read(), "standard input", options)
    if Path(path).is_dir():
        raise FormatError(f"{path!r} is a folder; name a file")
    return read(Path(path), options=options)


def read_lines(path: str) -> list[str]:
    """The lines of a list that are not empty, without the spaces around them."""
    from tacit.knowledge.files import read_text

    return [line.strip() for line in read_text(Path(path)).split("\n") if line.strip()]


def open_knowledge(path: str | None) -> Knowledge:
    """The named pack, or the embedded one."""
    return Knowledge.open(path) if path else Knowledge.default()


def model_options(command: Command) -> Command:
    """The options from which :func:`build_model` makes a model."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def build_model_or_policy(policy: str | None, options: dict[str, Any]) -> Model | Policy:
    """The policy if one is named, with what --protect adds; else the model that the options ask for."""
    if policy is None:
        return build_model(options)
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") == ParameterSource.COMMANDLINE
        if option.name in options and option.name != "protect" and given:
            raise click.UsageError(
                f"{option.opts[0]} belongs to a model; a policy says it in its file, see docs/policies.md"
            )
    loaded = Policy.load(policy, options["protect"])
    loaded.build()  # what cannot be built is the user's fault, and shows before any file is read
    return loaded


def build_model(options: dict[str, Any]) -> Model:
    """The model that the options of :func:`model_options` ask for."""
    protect: tuple[str, ...] = options["protect"]
    if options["model_name"] == "k-anonymous":
        return _k_anonymous(options)
    if options["model_name"] == "k-safe":
        return _k_safe(options)
    if not protect:
        raise click.UsageError("nothing to protect: name what must stay unsaid, for example --protect HIV")
    name = options["model_name"]
    if name == "person-release":
        from tacit.models import PersonRelease

        return PersonRelease(protect=protect, style=options["style"], recall=options["recall"], mark=options["mark"])
    action = "redact" if options["redact"] else "generalize"
    common: dict[str, Any] = {"action": action, "mark": options["mark"]}
    if options["unknown"]:
        common["unknown"] = options["unknown"]
    if name == "c-sanitized":
        return CSanitized(
            protect=protect,
            alpha=options["alpha"],
            reveal=options["reveal"],
            groups=options["groups"],
            context=options["context"],
            **common,
        )
    if name == "t-plausible":
        if options["t"] is None:
            raise click.UsageError("`t-plausible` needs --t: how many base texts at least, for example --t 1000")
        alpha = 0.5 if options["alpha"] is None else options["alpha"]
        return TPlausible(sensitive=protect, t=options["t"], alpha=alpha, segment=options["segment"])
    if len(protect) > 1 and name == "informative":
        raise click.UsageError("`informative` takes one --protect: the most general term to hide")
    if name == "informative":
        return Informative(beta=protect[0], **common)
    return Related(beta=protect[0], sensitive=protect[1:], w=options["w"], **common)


def _k_anonymous(options: dict[str, Any]) -> Model:
    from tacit.knowledge.termlist import load_list, load_rows
    from tacit.models import KAnonymous

    if not options["strings"]:
        raise click.UsageError("`k-anonymous` needs --list: the strings to mask, for example --list patients.txt")
    together = options["together"]
    return KAnonymous(
        load_rows(options["strings"]) if together else load_list(options["strings"]),
        k=5 if options["k"] is None else options["k"],
        collapse=options["collapse"],
        together=together,
        exclude=options["exclude"],
    )


def _k_safe(options: dict[str, Any]) -> Model:
    from tacit.knowledge.entityfiles import load_base
    from tacit.language import key
    from tacit.models import KSafe

    protected = list(options["protect"])
    if options["protect_file"]:
        protected += read_lines(options["protect_file"])
    if not protected and not options["protect_branch"]:
        raise click.UsageError(
            "nothing to protect: name entities with --protect, a list with --protect-file, or a branch, for example "
            '--protect-branch "sexually transmitted disease"'
        )
    entities = options["entities"]
    return KSafe(
        load_base(Path(entities), key) if entities and Path(entities).suffix else entities,
        protected,
        3 if options["k"] is None else options["k"],
        search="greedy" if options["greedy"] else "exact",
        action="redact" if options["redact"] else "generalize",
        branch=options["protect_branch"],
        mark=options["mark"],
    )
