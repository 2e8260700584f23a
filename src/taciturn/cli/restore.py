"""``taciturn restore``: a release becomes its original again, by the key file that was written with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from taciturn.errors import InputError
from taciturn.formats import Output, write_together
from taciturn.restoring import KeyFile, KeyFileError

__all__ = ["command", "passphrase_of"]

_VARIABLE = "TACITURN_PASSPHRASE"


def passphrase_of(file: str | None, *, twice: bool = False) -> str:
    """The passphrase: the first line of a file, the environment's, or one that is asked for."""
    if file:
        found = Path(file).read_text("utf-8").splitlines()
        if not found or not found[0]:
            raise InputError(f"the first line of {file!r} is empty; write the passphrase there")
        return found[0]
    if given := os.environ.get(_VARIABLE):
        return given
    return str(click.prompt("Passphrase of the key file", hide_input=True, confirmation_prompt=twice, err=True))


@click.command("restore")
@click.argument("file", metavar="FILE")
@click.option("--key", "key_file", required=True, metavar="FILE.key", help="The key file that sanitize --key wrote.")
@click.option(
    "--passphrase-file", metavar="FILE", help=f"A file with the passphrase; else ${_VARIABLE}, else asked for."
)
@click.option("--output", "-o", metavar="PATH", help="Where to put the original; standard output if not given.")
def command(file: str, key_file: str, passphrase_file: str | None, output: str | None) -> int:
    """Give FILE (- for standard input), a release, its original back, byte for byte.

    A text that is no release itself but quotes one gets the original values in the place of surrogates.

    \b
    Examples:
      taciturn sanitize note.txt --policy hipaa-safe-harbor --mark surrogate --key note.key -o released.txt
      taciturn restore released.txt --key note.key -o note.txt
    """
    try:
        sealed = Path(key_file).read_bytes()
        released = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"{error.filename!r} cannot be read ({error.strerror}); check the path") from None
    try:
        original = KeyFile.open(sealed, passphrase_of(passphrase_file)).restore(released)
    except KeyFileError as error:
        raise KeyFileError(f"{key_file}: {error}") from None
    if output is None:
        sys.stdout.buffer.write(original)
        sys.stdout.buffer.flush()
    else:
        write_together([Output(output, original, None if file == "-" else file)])
    return 0
