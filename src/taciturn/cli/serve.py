"""``taciturn serve``: sanitize, check and explain as a REST service."""

from __future__ import annotations

import os
from pathlib import Path

import click

from taciturn.cli.common import knowledge_option, open_knowledge, people
from taciturn.cli.review import needs_review_extra
from taciturn.formats import FormatError

__all__ = ["command"]

_SHORTEST = 16


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Any other needs a token.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True, metavar="PORT")
@click.option("--token-file", metavar="FILE", help="A file with the token that clients send. [or: TACITURN_TOKEN]")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A host name that clients may use; may be repeated.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Worker processes.")
@click.option("--timeout", type=click.FloatRange(1, 3600), default=30, show_default=True, help="Seconds a request.")
@click.option("--job-timeout", type=click.FloatRange(1, 86400), default=600, show_default=True, help="Seconds a job.")
@click.option("--max-memory", type=click.IntRange(256), default=3072, show_default=True, metavar="MB", help="A worker.")
@click.option("--largest-text", type=click.IntRange(1), default=500_000, show_default=True, metavar="CHARACTERS")
@click.option("--largest-file", type=click.IntRange(1), default=64 * 2**20, show_default=True, metavar="BYTES")
@knowledge_option
def command(
    host: str,
    port: int,
    token_file: str | None,
    allow_host: tuple[str, ...],
    workers: int,
    timeout: float,
    job_timeout: float,
    max_memory: int,
    largest_text: int,
    largest_file: int,
    pack: str | None,
) -> None:
    """Serve sanitize, check, explain and terms, and jobs for files, over HTTP.

    On this machine only, unless another address is named; that needs a token of at least 16 characters, in a file or
    in the environment variable TACITURN_TOKEN. The schema is at /openapi.json. No text is logged.

    \b
    Examples:
      taciturn serve
      TACITURN_TOKEN=... taciturn serve --host 0.0.0.0 --allow-host taciturn.example.org
      curl -s localhost:8765/v1/sanitize -H 'Content-Type: application/json' \\
        -d '{"text": "He has AIDS.", "protect": ["HIV"]}'
    """
    needs_review_extra()
    import uvicorn

    from taciturn.review.connections import settings
    from taciturn.review.security import is_loopback
    from taciturn.service.api import Limits, create_service

    token = _token(token_file)
    if token is None and not is_loopback(host):
        raise click.UsageError(
            f"{host!r} can be reached from other machines, so clients need a token: --token-file FILE or TACITURN_TOKEN"
        )
    limits = Limits(
        text=largest_text,
        file=largest_file,
        seconds=timeout,
        job_seconds=job_timeout,
        workers=workers,
        memory=max_memory * 2**20,
    )
    open_knowledge(pack)  # what is wrong with it is said here, and not by each worker
    app = create_service(limits, token, frozenset(allow_host), pack)
    people().print(f"Serving at http://{host}:{port}/ ({workers} workers). Stop with Ctrl-C.", markup=False)
    uvicorn.run(app, host=host, port=port, **settings())


def _token(path: str | None) -> str | None:
    token = os.environ.get("TACITURN_TOKEN")
    if path is not None:
        try:
            token = Path(path).read_text("utf-8").strip()
        except OSError as error:
            raise FormatError(f"{path!r} cannot be read: {error.strerror}; check the path") from error
    if token is not None and len(token) < _SHORTEST:
        raise click.UsageError(f"the token has {len(token)} characters; use at least {_SHORTEST}")
    return token
