"""``taciturn knowledge index``: the contexts of a pack into a search cluster or a database, to count there."""

from __future__ import annotations

import os
from typing import Any

import click

from taciturn.cli.common import knowledge_option, open_knowledge, people

__all__ = ["command"]


@click.command("index")
@click.argument("server")
@click.option("--name", default="contexts", show_default=True, help="The new index, or the new table.")
@knowledge_option
def command(server: str, name: str, pack: str | None) -> None:
    """Put the contexts of a pack, as lists of keys, into SERVER, so that counts can be had there.

    SERVER is the address of OpenSearch or Elasticsearch, or a connection string of PostgreSQL. Nothing is
    replaced: an index or a table of this name must not exist. Passwords belong into the environment
    (OPENSEARCH_USER and OPENSEARCH_PASSWORD; PGPASSWORD), not on the command line.

    \b
    Examples:
      taciturn knowledge index http://localhost:9200
      taciturn knowledge index postgresql://me@db/notes --name keys --knowledge mypack
    """
    from rich.progress import BarColumn, Progress, TimeRemainingColumn

    from taciturn.knowledge.counts.packed import PackCounts

    counts = open_knowledge(pack).counts
    if not isinstance(counts, PackCounts):
        raise click.ClickException("only the counts of a pack can be put on a server")
    columns = (BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=people(), disable=not people().is_terminal, transient=True) as bars:
        task = bars.add_task("contexts", total=counts.total)
        done = _put(server, name, counts, lambda done, _: bars.update(task, completed=done))
    click.echo(f"{done:,} contexts in {name!r}", err=True)


def _put(server: str, name: str, counts: Any, progress: Any) -> int:
    from taciturn.knowledge.counts.search import SearchError, index_in_postgres, index_in_search

    scheme = server.partition("://")[0]
    if scheme in ("http", "https"):
        try:
            from opensearchpy import OpenSearch
        except ImportError as error:
            raise click.ClickException("opensearch-py is missing: pip install 'taciturn[search]'") from error
        try:
            return index_in_search(OpenSearch(server, **_credentials()), name, counts, progress=progress)
        except SearchError as error:
            raise click.ClickException(str(error)) from error
    if scheme not in ("postgresql", "postgres"):
        raise click.UsageError(f"{server!r} is no address; give http://..., https://... or postgresql://...")
    try:
        import psycopg
    except ImportError as error:
        raise click.ClickException("psycopg is missing: pip install 'taciturn[search]'") from error
    try:
        connection = psycopg.connect(server)
    except psycopg.Error as error:
        raise click.ClickException(f"no connection to PostgreSQL: {error}") from error
    try:
        with connection:
            return index_in_postgres(connection, name, counts, progress=progress)
    except psycopg.Error as error:
        raise click.ClickException(f"PostgreSQL refused: {type(error).__name__}") from error


def _credentials() -> dict[str, Any]:
    user = os.environ.get("OPENSEARCH_USER")
    return {"http_auth": (user, os.environ.get("OPENSEARCH_PASSWORD", ""))} if user else {}
