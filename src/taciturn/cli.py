"""The command line: thin commands, loaded when they are called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

__all__ = ["main"]

_COMMANDS = {
    "sanitize": ("tacit.commands.sanitize", "Release a text that says less, with a certificate."),
    "check": ("tacit.commands.check", "Does the guarantee hold for this text? Exit 0: yes, 1: no."),
    "explain": ("tacit.commands.explain", "The figures behind a decision, and what would change it."),
    "review": ("tacit.commands.review", "Decide on releases in the browser, with the guarantee live."),
    "serve": ("tacit.commands.serve", "Sanitize, check and explain as a REST service."),
    "policy": ("tacit.commands.policy", "Policies and presets: list, show, check."),
    "evaluate": ("tacit.commands.evaluate", "Compare what models hide with what people hid."),
    "attack": ("tacit.commands.attack", "Whom would an adversary guess, by what a text still says?"),
    "reproduce": ("tacit.commands.reproduce", "Make a paper's experiment again: tables and figures."),
    "strings": ("tacit.commands.strings", "Lists of strings: how much of a word can be shown."),
    "batch": ("tacit.commands.batch", "Release folders and tables, in parallel, resumable."),
    "terms": ("tacit.commands.terms", "What Tacit sees in a text."),
    "knowledge": ("tacit.commands.knowledge", "Make packs of knowledge, and look at what a pack knows."),
    "demo": ("tacit.commands.demo", "Sanitize the example discharge note, protecting HIV."),
    "completion": ("tacit.commands.completion", "Print the shell completion script for bash, zsh or fish."),
}


class _Lazy(click.Group):
    """A group whose commands are imported when they are called, so that start-up costs nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command = import_module(_COMMANDS[name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # The short helps stand here, so that `tacit --help` imports no command.
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tacit", prog_name="tacit")
def _tacit() -> None:
    """Release text documents that say less, provably.

    Name what must stay unsaid; every term from which a reader could infer it is generalized or redacted, nothing else
    is, and the result is checked anew.

    \b
    Examples:
      tacit sanitize note.txt --protect HIV > released.txt
      tacit sanitize note.txt --protect HIV -o released.txt --certificate released.json
      tacit check released.txt --protect HIV
      tacit explain "blood transfusion" --protect HIV
    """


def main() -> None:
    """Run the command line. Errors of the user's give one line and exit code 2, never a traceback."""
    # One thread: the matrices are small, and threads that wait for each other cost ten times the work.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        code = _tacit.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.Abort:
        click.echo("stopped; nothing was written", err=True)
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code if isinstance(error, click.UsageError) else 2
    except (ValueError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
