"""``taciturn review``: decide on a release in the browser, with the guarantee live."""

from __future__ import annotations

import json
import os
import socket
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import click

from taciturn.cli.common import (
    knowledge_option,
    open_knowledge,
    people,
    policy_option,
)
from taciturn.cli.models import Asked, ModelCommand, build_model_or_policy, model_asked
from taciturn.formats import FormatError, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from taciturn.knowledge import Knowledge
    from taciturn.models import Model
    from taciturn.policy import Policy

__all__ = ["command", "needs_review_extra"]


@click.command("review", cls=ModelCommand)
@click.argument("files", nargs=-1, metavar="FILE...")
@policy_option
@knowledge_option
@click.option(
    "--store",
    "store_path",
    default="taciturn-review.sqlite",
    show_default=True,
    metavar="PATH",
    help="Where the queue and all decisions are kept; it holds the originals, so keep it private.",
)
@click.option("--replay", metavar="DECISIONS.json", help="Replay decisions of an earlier version on one FILE.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="[default: a free one]")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
def command(
    files: tuple[str, ...],
    policy: str | None,
    pack: str | None,
    store_path: str,
    replay: str | None,
    port: int,
    no_browser: bool,
    asked: Asked,
) -> None:
    """Review FILE... in the browser: decide term by term, and see at once what a decision does to the guarantee.

    The app listens on this machine only and needs no network. Everything is written to the store as it is decided;
    without FILE, the queue in the store is opened again.

    \b
    Examples:
      taciturn review note.docx --protect HIV
      taciturn review letters/*.pdf --policy foia --protect HIV
      taciturn review note-v2.docx --protect HIV --replay note.decisions.json
      taciturn review
    """
    needs_review_extra()
    import uvicorn

    from taciturn.review.app import create_app
    from taciturn.review.connections import settings
    from taciturn.review.decisions import from_json, relocate
    from taciturn.review.desk import Desk
    from taciturn.review.security import Rules
    from taciturn.review.store import Store

    if replay and len(files) != 1:
        raise click.UsageError("--replay speaks of one document; give one FILE")
    console = people()
    knowledge = open_knowledge(pack)
    store = Store(store_path)
    spec = _absolute(policy, asked)

    def build(spec: Mapping[str, Any]) -> Model | Policy:
        return build_model_or_policy(spec["policy"], _tuples(spec["asked"]))

    if files:
        model = build_model_or_policy(policy, asked)
        reading = model.options() if policy else None  # type: ignore[union-attr]
        _verify(model, knowledge)
        for name in files:
            data = _bytes(name)
            file = read(data, Path(name).name, reading)  # what cannot be read is said now, and not in the browser
            steps: tuple[Any, ...] = ()
            if replay:
                steps, lost = relocate(from_json(_json(replay)), file.document)
                console.print(f"{len(steps)} decisions replayed, {len(lost)} no longer apply")
            store.add(file.name, data, json.loads(json.dumps(spec)), knowledge.digest, steps)
    elif not store.entries():
        raise click.UsageError("nothing to review: name files, for example: taciturn review note.txt --protect HIV")
    rules = Rules(token=token_urlsafe(24), cookies=True)
    app = create_app(Desk(store, build, knowledge), rules)
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        raise click.UsageError(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None
    listening.listen()  # before the address is told: who follows it at once waits, and is not turned away
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/?token={rules.token}"
    console.print(f"Review at {address}", soft_wrap=True, markup=False)
    console.print(f"Kept in {store_path}; it holds the originals. Stop with Ctrl-C.", style="dim", markup=False)
    with nullcontext() if no_browser else _shown(address, Path(store_path)):
        uvicorn.Server(uvicorn.Config(app, **settings())).run(sockets=[listening])
    store.close()


@contextmanager
def _shown(address: str, store: Path) -> Iterator[None]:
    """The address in the browser, by way of a page beside the store that leads there and that only its owner may read:
    what a program is started with, every user of the machine may read."""
    import webbrowser

    page = store.resolve().with_name(f"{store.name}.{token_urlsafe(6)}.html")
    with open(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(
            f'<!doctype html><meta http-equiv="refresh" content="0; url={address}"><a href="{address}">Review</a>'
        )
    try:
        webbrowser.open(page.as_uri())
        yield
    finally:
        page.unlink(missing_ok=True)


def needs_review_extra() -> None:
    """Say what to install where the web parts are missing."""
    missing = [name for name in ("fastapi", "jinja2", "python_multipart", "uvicorn") if not find_spec(name)]
    if missing:
        raise click.UsageError(f"this needs the package {missing[0]!r}: pip install 'taciturn[review]'")


def _verify(model: Model | Policy, knowledge: Knowledge) -> None:
    """Say now, and not in the browser, that the knowledge does not know what is to be protected."""
    from taciturn.models import UnknownTermError
    from taciturn.release import propose

    try:
        propose("A short text.", model, knowledge)
    except UnknownTermError:
        raise
    except ValueError:
        return  # a short text may not have what the model asks for; the documents may


def _absolute(policy: str | None, asked: Asked) -> dict[str, Any]:
    """How the models are made, with whole paths, so that it can be done again from any folder."""
    from taciturn.policy import preset_names

    def whole(path: Any) -> Any:
        return str(Path(path).resolve()) if path and Path(path).is_file() else path

    told = model_asked(asked)
    files = {"protect_file", *(p.name for p in told.parameters if p.load is not None)}
    return {
        "policy": policy if policy in preset_names() else whole(policy),
        "asked": {name: whole(value) if name in files else value for name, value in asked.items()},
    }


def _tuples(asked: Mapping[str, Any]) -> Asked:
    """What was asked, as the command line gives it: what came back from JSON as a list was a tuple."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in asked.items()}


def _bytes(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise FormatError(f"{name!r} cannot be read: {error.strerror}; check the path") from error


def _json(name: str) -> Any:
    try:
        return json.loads(_bytes(name))
    except ValueError:
        raise FormatError(f"{name!r} is not JSON; export the decisions from a review") from None
