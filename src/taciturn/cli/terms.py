"""``taciturn terms``: what Taciturn sees in a text."""

from __future__ import annotations

import json

import click
from rich.console import Console

from taciturn.cli.common import read_file
from taciturn.language import analyze
from taciturn.report.terms import render_terms, terms_json

__all__ = ["command"]


@click.command("terms")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print the terms as JSON, one object each.")
def command(file: str, as_json: bool) -> None:
    """The terms of FILE (- for standard input): noun phrases, names, identifiers, with kind and key.

    \b
    Examples:
      taciturn terms note.txt
      taciturn terms note.txt --json | head
    """
    analysis = analyze(read_file(file).document)
    if as_json:
        for row in terms_json(analysis):
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        Console(highlight=False).print(render_terms(analysis))
