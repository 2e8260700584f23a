"""``tacit review``: decide on a release in the browser, with the guarantee live."""

from __future__ import annotations

import json
import socket
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any

import click

from tacit.commands.common import (
    build_model_or_policy,
    knowledge_option,
    model_options,
    open_knowledge,
    people,
    policy_option,
)
from tacit.formats import FormatError, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.knowledge import Knowledge
    from tacit.models import Model
    from tacit.policy import Policy

__all__ = ["command", "needs_review_extra"]


@click.command("review")
@click.argument("files", nargs=-1, metavar="FILE...")
@policy_option
@model_options
@knowledge_option
@click.option(
    "--store",
    "store_path",
    default="tacit-review.sqlite",
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
    **options: Any,
) -> None:
    """Review FILE... in the browser: decide term by term, and see at once what a decision does to the guarantee.

    The app listens on this machine only and needs no network. Everything is written to the store as it is decided;
    without FILE, the queue in the store is opened again.

    \b
    Examples:
      tacit review note.docx --protect HIV
      tacit review letters/*.pdf --policy foia --protect HIV
      tacit review note-v2.docx --protect HIV --replay note.decisions.json
      tacit review
    """
    needs_review_extra()
    import uvicorn

    from tacit.review.app import create_app
    from tacit.review.decisions import from_json, relocate
    from tacit.review.desk import Desk
    from tacit.review.security import Rules
    from tacit.review.store import Store

    if replay and len(files) != 1:
        raise click.UsageError("--replay speaks of one document; give one FILE")
    context = click.get_current_context()
    console = people()
    knowledge = open_knowledge(pack)
    store = Store(store_path)
    spec = _absolute({"policy": policy, "options": options})

    def build(asked: Mapping[str, Any]) -> Model | Policy:
        # Specifications come back from the store, without a command line: nothing of the options is "given" then.
        with click.Context(context.command):
            return build_model_or_policy(asked["policy"], _tuples(asked["options"]))

    if files:
        model = build_model_or_policy(policy, options)
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
        raise click.UsageError("nothing to review: name files, for example: tacit review note.txt --protect HIV")
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
    if not no_browser:
        import webbrowser

        webbrowser.open(address)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, ws="none")
    uvicorn.Server(config).run(sockets=[listening])
    store.close()


def needs_review_extra() -> None:
    """Say what to install where the web parts are missing."""
    missing = [name for name in ("fastapi", "jinja2", "python_multipart", "uvicorn") if not find_spec(name)]
    if missing:
        raise click.UsageError(f"this needs the package {missing[0]!r}: pip install 'tacit[review]'")


def _verify(model: Model | Policy, knowledge: Knowledge) -> None:
    """Say now, and not in the browser, that the knowledge does not know what is to be protected."""
    from tacit.models import UnknownEntityError
    from tacit.release import propose

    try:
        propose("A short text.", model, knowledge)
    except UnknownEntityError:
        raise
    except ValueError:
        return  # a short text may not have what the model asks for; the documents may


def _absolute(spec: dict[str, Any]) -> dict[str, Any]:
    """The specification with whole paths, so that it can be built again from any folder."""
    from tacit.policy import preset_names

    def whole(path: Any) -> Any:
        return str(Path(path).resolve()) if path and Path(path).is_file() else path

    options = {k: whole(v) if k in ("strings", "protect_file", "entities") else v for k, v in spec["options"].items()}
    policy = spec["policy"]
    return {"policy": policy if policy in preset_names() else whole(policy), "options": options}


def _tuples(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the command line gives them: what came back from JSON as a list was a tuple."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}


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
