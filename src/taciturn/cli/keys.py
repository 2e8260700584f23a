"""``taciturn keys``: the keys that certificates are signed with."""

from __future__ import annotations

import os
from pathlib import Path

import click

from taciturn.errors import InputError
from taciturn.signing import fingerprint, new_keys, read_public_key

__all__ = ["command"]


@click.group("keys")
def command() -> None:
    """Make and show the keys that certificates are signed with.

    \b
    Examples:
      taciturn keys new office
      taciturn sanitize note.txt --protect HIV --sign office.key -o released.txt --certificate released.json
      taciturn check released.txt --certificate released.json --signed-by office.pub
    """


@command.command("new")
@click.argument("name", metavar="NAME")
def new(name: str) -> None:
    """Write a new private key to NAME.key and its public key to NAME.pub.

    Keep the private key where only the releasing office reads it; publish the public key and its fingerprint.
    """
    private, public = new_keys()
    for ending, data, mode in ((".key", private, 0o600), (".pub", public, 0o644)):
        path = Path(f"{name}{ending}")
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            raise InputError(f"{str(path)!r} exists already; choose another name: a key is never replaced") from None
        except OSError as error:
            raise InputError(f"{str(path)!r} cannot be written: {error.strerror}") from None
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
    click.echo(f"{name}.key (private), {name}.pub (public), fingerprint {fingerprint(read_public_key(f'{name}.pub'))}")


@command.command("show")
@click.argument("file", metavar="FILE.pub")
def show(file: str) -> None:
    """Print the fingerprint of a public key."""
    click.echo(fingerprint(read_public_key(file)))
