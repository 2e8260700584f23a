"""``taciturn completion``: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["command"]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Examples:
      taciturn completion bash >> ~/.bashrc
      taciturn completion zsh >> ~/.zshrc
      taciturn completion fish > ~/.config/fish/completions/taciturn.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "taciturn", "_TACITURN_COMPLETE").source())
