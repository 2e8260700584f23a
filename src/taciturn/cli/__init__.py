"""The command line: thin commands, loaded when they are called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from taciturn import __version__
from taciturn.errors import TaciturnError

__all__ = ["main"]

_COMMANDS = {
    "sanitize": ("taciturn.cli.sanitize", "Release a text that says less, with a certificate."),
    "restore": ("taciturn.cli.restore", "Give a release its original back, by its key file."),
    "check": ("taciturn.cli.check", "Does the guarantee hold for this text? Exit 0: yes, 1: no."),
    "keys": ("taciturn.cli.keys", "Make and show the keys that certificates are signed with."),
    "protect": ("taciturn.cli.protect", "What is understood by the words that name what to protect."),
    "explain": ("taciturn.cli.explain", "The figures behind a decision, and what would change it."),
    "review": ("taciturn.cli.review", "Decide on releases in the browser, with the guarantee live."),
    "serve": ("taciturn.cli.serve", "Sanitize, check and explain as a REST service."),
    "policy": ("taciturn.cli.policy", "Policies and presets: list, show, check."),
    "evaluate": ("taciturn.cli.evaluate", "Compare what models hide with what people hid."),
    "attack": ("taciturn.cli.attack", "Whom would an adversary guess, by what a text still says?"),
    "reproduce": ("taciturn.cli.reproduce", "Make a paper's experiment again: tables and figures."),
    "strings": ("taciturn.cli.strings", "Lists of strings: how much of a word can be shown."),
    "batch": ("taciturn.cli.batch", "Release folders and tables, in parallel, resumable."),
    "terms": ("taciturn.cli.terms", "What Taciturn sees in a text."),
    "knowledge": ("taciturn.cli.knowledge", "Make packs of knowledge, and look at what a pack knows."),
    "demo": ("taciturn.cli.demo", "Sanitize the example discharge note, protecting HIV."),
    "completion": ("taciturn.cli.completion", "Print the shell completion script for bash, zsh or fish."),
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
        # The short helps stand here, so that `taciturn --help` imports no command.
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="taciturn")
def _taciturn() -> None:
    """Release text documents that say less, provably.

    Name what must stay unsaid; every term from which a reader could infer it is generalized or redacted, nothing else
    is, and the result is checked anew.

    \b
    Examples:
      taciturn sanitize note.txt --protect HIV > released.txt
      taciturn sanitize note.txt --protect HIV -o released.txt --certificate released.json
      taciturn check released.txt --protect HIV
      taciturn explain "blood transfusion" --protect HIV
    """


def main() -> None:
    """Run the command line. Errors of the user's give one line and exit code 2, never a traceback."""
    # One thread: the matrices are small, and threads that wait for each other cost ten times the work.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        code = _taciturn.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.Abort:
        click.echo("stopped; nothing was written", err=True)
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code if isinstance(error, click.UsageError) else 2
    except (TaciturnError, ValueError, OSError) as error:
        click.echo("\n  ".join((f"Error: {error}", *getattr(error, "private", ()))), err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)
