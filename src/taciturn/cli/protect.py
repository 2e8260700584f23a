"""``taciturn protect``: what is understood by the words that name what must stay unsaid."""

from __future__ import annotations

import json

import click
from rich.console import Console

from taciturn.cli.common import knowledge_option, open_knowledge
from taciturn.knowledge.understood import understood

__all__ = ["command"]


@click.command("protect")
@click.argument("terms", nargs=-1, required=True, metavar="TERM...")
@knowledge_option
@click.option("--json", "as_json", is_flag=True, help="Print what was understood as JSON, one object a line.")
def command(terms: tuple[str, ...], pack: str | None, as_json: bool) -> None:
    """What `--protect TERM` is understood as, before any document is read.

    The concept and its sources, what a guarantee for it rests on, how many names, abbreviations, codes, kinds and
    related expressions are known, with examples, and what else the words may mean.

    \b
    Examples:
      taciturn protect "hep c"
      taciturn protect aids "mental disorder" --json
    """
    knowledge = open_knowledge(pack)
    found = [one for term in terms for one in understood(term, knowledge)]
    if as_json:
        for one in found:
            click.echo(json.dumps(one.to_json(), ensure_ascii=False))
        return
    from taciturn.report.terminal import understood_view

    console = Console(highlight=False)
    for number, one in enumerate(found):
        if number:
            console.print()
        console.print(understood_view(one))
