"""``taciturn knowledge``: make packs and ask them."""

from __future__ import annotations

import json
import os
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taciturn.cli.common import knowledge_option, open_knowledge

if TYPE_CHECKING:
    from taciturn.knowledge import Concept, Knowledge

__all__ = ["command"]

_json_option = click.option("--json", "as_json", is_flag=True, help="For a program to read.")


class _WithLater(click.Group):
    """Loads the commands on entity bases and on servers when they are called."""

    _LATER = ("entities", "index")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self._LATER])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self._LATER:
            found: click.Command = import_module(f"taciturn.cli.{name}").command
            return found
        return super().get_command(ctx, name)


@click.group("knowledge", cls=_WithLater)
def command() -> None:
    """Make packs of knowledge, and look at what a pack knows.

    \b
    Examples:
      taciturn knowledge info
      taciturn knowledge count HIV syphilis
      taciturn knowledge pmi HIV "blood transfusion" influenza
      taciturn knowledge generalize syphilis
      taciturn knowledge build articles.jsonl.xz notes/ -o mypack
      taciturn knowledge verify --knowledge mypack
      taciturn knowledge index http://localhost:9200 --knowledge mypack
    """


@command.command("build")
@click.argument("sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--output", "-o", required=True, type=click.Path(file_okay=False, path_type=Path), help="The new pack.")
@click.option(
    "--taxonomy",
    "-t",
    "taxonomies",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A .taxonomy file, in order of priority; may be repeated. [default: those of the embedded pack]",
)
@click.option("--no-taxonomies", is_flag=True, help="Count words as they are, without is-a links.")
@click.option("--workers", type=click.IntRange(1), help="Processes. [default: one a core]")
@click.option(
    "--shortest", type=click.IntRange(1), default=100, show_default=True, help="Words of the shortest window."
)
@click.option("--longest", type=click.IntRange(1), default=200, show_default=True, help="Words of the longest window.")
@click.option("--min-count", type=click.IntRange(1), default=3, show_default=True, help="Contexts of a known key.")
@click.option(
    "--min-phrase", type=click.IntRange(1), default=8, show_default=True, help="Contexts of other words and names."
)
@click.option("--min-common", type=click.IntRange(1), default=24, show_default=True, help="Contexts of other phrases.")
@click.option("--no-titles", is_flag=True, help="Do not count an article's title in each of its windows.")
@click.option("--licence", default="", metavar="TEXT", help="The licence of the sources, for the manifest.")
@click.option("--replace", is_flag=True, help="Replace a pack that stands at the output.")
def build(sources: tuple[Path, ...], output: Path, **options: Any) -> None:
    """Build a pack from SOURCES: text files, JSON lines with title and text, folders of them, a Wikipedia XML dump.

    Each file may be compressed (.xz, .gz, .bz2). A build that was interrupted goes on when it is started again.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from taciturn.cli.common import people
    from taciturn.knowledge.building import Parameters, Source, build_pack, embedded_taxonomies

    taxonomies = [] if options["no_taxonomies"] else list(options["taxonomies"]) or embedded_taxonomies()
    parameters = Parameters(
        shortest=options["shortest"],
        longest=options["longest"],
        min_count=options["min_count"],
        min_phrase=options["min_phrase"],
        min_common=options["min_common"],
        titles=not options["no_titles"],
    )
    columns = (TextColumn("{task.description:10}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=people(), disable=not people().is_terminal, transient=True) as bars:
        tasks = {stage: bars.add_task(stage, total=None) for stage in ("reading", "merging", "subsuming", "writing")}
        pack = build_pack(
            [Source(path, licence=options["licence"]) for path in sources],
            output,
            taxonomies=taxonomies,
            parameters=parameters,
            workers=options["workers"] or os.cpu_count(),
            progress=lambda stage, done, total: bars.update(tasks[stage], completed=done, total=total),
            replace=options["replace"],
        )
    figures = pack.manifest["figures"]
    click.echo(f"{figures['keys']:,} keys in {figures['contexts']:,} contexts, digest {pack.digest[:16]}", err=True)


@command.command("info")
@knowledge_option
@_json_option
def info(pack: str | None, as_json: bool) -> None:
    """What a pack is: its figures, parameters, sources with their licences, defaults and digest."""
    manifest = _pack(pack).manifest
    if as_json:
        click.echo(json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False))
        return
    size = sum(f["size"] for f in manifest["files"].values())
    click.echo(f"{manifest['name']}: format {manifest['format']}, keys of version {manifest['key_version']}")
    click.echo(f"digest {manifest['digest']}")
    click.echo(f"{size / 1e6:.1f} MB in {len(manifest['files'])} files")
    click.echo(", ".join(f"{n:,} {name}" for name, n in manifest["figures"].items()))
    for title in ("parameters", "defaults"):
        pairs = ", ".join(f"{k} {v}" for k, v in manifest[title].items())
        click.echo(f"{title}: {pairs or 'none'}")
    click.echo("sources:")
    for source in manifest["sources"]:
        for entry in source.get("inputs", [source]):
            what = entry.get("name") or entry.get("origin") or entry.get("file")
            click.echo(f"  {source.get('taxonomy', 'counts')}: {what}; {entry.get('licence') or 'no licence named'}")


@command.command("count")
@click.argument("terms", nargs=-1, required=True)
@knowledge_option
@_json_option
def count(terms: tuple[str, ...], pack: str | None, as_json: bool) -> None:
    """In how many contexts TERMS occur, each and together, synonyms and specializations included."""
    knowledge = open_knowledge(pack)
    counts = knowledge.counts
    keys = [_understood(term, knowledge).key for term in terms]
    groups = [[k] for k in keys] + ([keys] if len(keys) > 1 else [])
    found = counts.count_many(groups).tolist()
    bits = counts.ic_many(groups).tolist()
    rows = [
        {"keys": g, "count": n, "ic": None if b == inf else round(b, 3)}
        for g, n, b in zip(groups, found, bits, strict=True)
    ]
    if as_json:
        click.echo(json.dumps({"total": counts.total, "groups": rows}, ensure_ascii=False))
        return
    for row in rows:
        known = f"{row['ic']:.2f} bits" if row["ic"] is not None else "never seen"
        click.echo(f"{' + '.join(row['keys'])}\t{row['count']:,} of {counts.total:,}\t{known}")


@command.command("pmi")
@click.argument("entity")
@click.argument("terms", nargs=-1, required=True)
@knowledge_option
@_json_option
def pmi(entity: str, terms: tuple[str, ...], pack: str | None, as_json: bool) -> None:
    """What each of TERMS says of ENTITY: PMI in bits, and the share of the entity that it reveals."""
    knowledge = open_knowledge(pack)
    counts = knowledge.counts
    wanted = knowledge.find(entity)
    keys = [_understood(term, knowledge).key for term in terms]
    full = counts.ic(wanted)
    figures = counts.pmi_many([wanted], [[k] for k in keys])[0].tolist()
    joint = counts.count_many([[wanted, k] for k in keys]).tolist()
    rows = [
        {"key": k, "together": n, "pmi": None if b == -inf else round(b, 3), "share": round(max(b, 0.0) / full, 3)}
        for k, n, b in zip(keys, joint, figures, strict=True)
    ]
    if as_json:
        click.echo(json.dumps({"entity": wanted, "ic": round(full, 3), "terms": rows}, ensure_ascii=False))
        return
    click.echo(f"{wanted}\tIC {full:.2f} bits")
    for row in rows:
        told = f"PMI {row['pmi']:.2f} bits\t{row['share']:.2f} of it" if row["pmi"] is not None else "never together"
        click.echo(f"{row['key']}\t{told}\t{row['together']:,} contexts")


@command.command("generalize")
@click.argument("term")
@knowledge_option
@_json_option
def generalize(term: str, pack: str | None, as_json: bool) -> None:
    """What TERM generalizes to, most specific first, with what is left of its information."""
    knowledge = open_knowledge(pack)
    wanted = _understood(term, knowledge).key
    nodes = knowledge.generalizations(term)
    if not nodes:
        raise click.ClickException(f"no taxonomy of the pack knows {term!r} (key {wanted!r})")
    bits = knowledge.counts.ic_many([[n.key] for n in nodes]).tolist()
    rows = [
        {"label": n.label, "key": n.key, "taxonomy": n.taxonomy, "ic": None if b == inf else round(b, 3)}
        for n, b in zip(nodes, bits, strict=True)
    ]
    if as_json:
        click.echo(json.dumps({"key": wanted, "generalizations": rows}, ensure_ascii=False))
        return
    own = knowledge.counts.ic(wanted)
    click.echo(f"{wanted}\t{'never seen' if own == inf else f'{own:.2f} bits'}")
    for row in rows:
        click.echo(
            f"{row['label']}\t{row['taxonomy']}\t{'' if row['ic'] is None else format(row['ic'], '.2f') + ' bits'}"
        )


@command.command("verify")
@knowledge_option
def verify(pack: str | None) -> None:
    """Read every byte of a pack and compare it with the manifest. Exit 0: sound, 2: damaged."""
    from taciturn.knowledge.storage.pack import verify_pack

    opened = _pack(pack)
    verify_pack(opened)
    click.echo(f"{opened.path} is as built, digest {opened.digest}", err=True)


def _pack(path: str | None) -> Any:
    from taciturn.knowledge.storage.pack import embedded_pack, open_pack

    return open_pack(Path(path) if path else embedded_pack())


def _understood(term: str, knowledge: Knowledge) -> Concept:
    """What a term names; other readings of it are told on standard error."""
    concept = knowledge.concept(term)
    for note in concept.notes:
        click.echo(f"{term!r} is understood as {concept.label!r}; {note}", err=True)
    return concept
