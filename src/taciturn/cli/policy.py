"""``taciturn policy``: policies and presets."""

from __future__ import annotations

import json

import click

from taciturn.cli.common import knowledge_option, open_knowledge, people
from taciturn.policy import Policy, PolicyError, preset_names, preset_text

__all__ = ["command"]


@click.group("policy")
def command() -> None:
    """Policies: what to protect, by which models, how to replace, on which legal basis.

    \b
    Examples:
      taciturn policy list
      taciturn policy show hipaa-safe-harbor > mine.toml
      taciturn policy check mine.toml
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the presets as JSON.")
def list_presets(as_json: bool) -> int:
    """The presets that come with Taciturn."""
    presets = [Policy.load(name) for name in preset_names()]
    if as_json:
        rows = [{"name": p.name, "title": p.title, "law": list(p.law), "description": p.description} for p in presets]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return 0
    width = max(len(p.name) for p in presets)
    for policy in presets:
        click.echo(f"{policy.name:<{width}}  {policy.title}")
    return 0


@command.command("show")
@click.argument("name", metavar="NAME")
def show(name: str) -> int:
    """The file of the preset NAME, to copy and change."""
    if name not in preset_names():
        raise PolicyError(f"{name!r} is no preset; the presets are {', '.join(preset_names())}")
    click.echo(preset_text(name), nl=False)
    return 0


@command.command("check")
@click.argument("source", metavar="NAME|FILE")
@click.option("--protect", "-p", multiple=True, metavar="TERM", help="What will be protected as well.")
@knowledge_option
def check_policy(source: str, protect: tuple[str, ...], pack: str | None) -> int:
    """Can this policy be used? It is read, its models are made, and the knowledge is asked for all it names.

    Exit code 0: yes. 2: no; the message names the line and what to write instead.
    """
    from taciturn.release import check

    policy = Policy.load(source, protect)
    knowledge = open_knowledge(pack)
    for reader in policy.readers or (None,):
        one = policy.for_reader(reader) if reader is not None else policy
        models = one.build()
        check(" ", one, knowledge)  # asks the knowledge for every term and branch that the policy names
        things = sum(sum(1 for _ in entry.rules()) for entry in one.protect)
        whom = f" from {reader}" if reader is not None else ""
        people().print(
            f"{source}: {policy.title}: {things} things to protect{whom} by {', '.join(m.name for m in models)}",
            style="green",
            markup=False,
            soft_wrap=True,
        )
    return 0
