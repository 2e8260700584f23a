"""``taciturn explain``: the figures behind a decision."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from taciturn.cli.common import knowledge_option, open_knowledge, read_file
from taciturn.cli.models import Asked, ModelCommand, build_model
from taciturn.models import CSanitized
from taciturn.report.explain import explain_document, explain_term

__all__ = ["command"]


@click.command("explain", cls=ModelCommand)
@click.argument("subject", metavar="FILE|TERM")
@knowledge_option
@click.option("--most", default=30, show_default=True, help="How many terms of a file to list.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(subject: str, pack: str | None, most: int, as_json: bool, asked: Asked) -> None:
    """What TERM, or each term of FILE, says of what you protect, and what would change the decision.

    \b
    Examples:
      taciturn explain "blood transfusion" --protect HIV
      taciturn explain note.txt --protect HIV --most 10
    """
    model = build_model(asked)
    if not isinstance(model, CSanitized):
        raise click.UsageError("explain speaks of the model c-sanitized")
    knowledge = open_knowledge(pack)
    console = Console(highlight=False)
    if subject == "-" or Path(subject).is_file():
        explained = explain_document(read_file(subject).document, model, knowledge, most)
        if as_json:
            click.echo(json.dumps([e.to_json() for e in explained]))
            return
        from taciturn.report.terminal import ranking_table

        console.print(ranking_table(explained))
        return
    one = explain_term(subject, model, knowledge)
    if as_json:
        click.echo(json.dumps(one.to_json()))
        return
    from taciturn.report.terminal import explanation_view

    console.print(explanation_view(one))
