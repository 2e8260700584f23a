"""``taciturn knowledge entities``: import entity bases, look at contexts, ask which entities fit."""

from __future__ import annotations

import json
from pathlib import Path

import click

from taciturn.knowledge.entities.base import ENTITIES_SUFFIX, EntityBase, open_bases, write_base
from taciturn.knowledge.entities.files import load_base
from taciturn.knowledge.storage.pack import embedded_pack
from taciturn.language import key

__all__ = ["command"]

_EMBEDDED = embedded_pack()
_base_option = click.option(
    "--base",
    "-b",
    metavar="NAME|FILE",
    default="rare-diseases",
    show_default=True,
    help="A base of the pack, or a file: .entities, .csv, .jsonl, .sqlite, .db.",
)
_pack_option = click.option("--knowledge", "pack", metavar="PACK", help="A pack of knowledge. [default: embedded]")
_json_option = click.option("--json", "as_json", is_flag=True, help="For a program to read.")


@click.group("entities")
def command() -> None:
    """Entity bases: entities with the terms that go with them, for K-safety.

    \b
    Examples:
      taciturn knowledge entities list
      taciturn knowledge entities show "Marfan syndrome"
      taciturn knowledge entities fit "weight loss" fatigue headache
      taciturn knowledge entities import patients.csv -o patients.entities
    """


@command.command("list")
@_pack_option
def list_bases(pack: str | None) -> None:
    """List the bases of a pack."""
    for name, base in sorted(open_bases(_folder(pack)).items()):
        click.echo(f"{name}\t{len(base.contexts)} entities")


@command.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The base to write."
)
@click.option("--name", help="What the base is called. [default: the file's name]")
@click.option("--table", help="The table of a SQLite database, if several would do.")
def import_base(file: Path, output: Path, name: str | None, table: str | None) -> None:
    """Make a base of FILE: CSV with entity,term or entity,context; JSON lines; a SQLite table."""
    if output.suffix != ENTITIES_SUFFIX:
        raise click.UsageError(f"the output {str(output)!r} must end in {ENTITIES_SUFFIX}")
    base = load_base(file, key, name, table)
    concepts = {entity: [frozenset({k}) for k in sorted(context)] for entity, context in base.contexts.items()}
    digest = write_base(output, base.name, concepts, {"file": file.name})
    click.echo(f"{base.name}: {len(concepts)} entities, digest {digest[:16]}", err=True)


@command.command("show")
@click.argument("entity")
@_base_option
@_pack_option
@_json_option
def show(entity: str, base: str, pack: str | None, as_json: bool) -> None:
    """Show the context of ENTITY: the keys that go with it."""
    found = _base(base, pack)
    wanted = key(entity)
    # The exact name, or else the entities whose own names have the same key.
    names = [entity] if entity in found.contexts else [n for n in found.fitting({wanted}) if key(n) == wanted]
    if not names:
        close = found.fitting({wanted})[:5]
        hint = f"; its key is in the context of {', '.join(map(repr, close))}" if close else ""
        raise click.ClickException(f"there is no entity {entity!r} in the base {found.name!r}{hint}")
    if as_json:
        click.echo(json.dumps({n: sorted(found.contexts[n]) for n in names}, ensure_ascii=False, indent=2))
        return
    for name in names:
        click.echo(name)
        for k in sorted(found.contexts[name]):
            click.echo(f"  {k}")


@command.command("fit")
@click.argument("terms", nargs=-1, required=True)
@_base_option
@_pack_option
@_json_option
def fit(terms: tuple[str, ...], base: str, pack: str | None, as_json: bool) -> None:
    """List the entities whose contexts hold all TERMS: what a reader of these terms could think of."""
    found = _base(base, pack)
    entities = found.fitting({key(t) for t in terms})
    if as_json:
        click.echo(json.dumps(list(entities), ensure_ascii=False))
        return
    click.echo("\n".join(entities), nl=bool(entities))
    unknown = [t for t in terms if not found.fitting({key(t)})]
    told = f"; no entity of the base goes with {', '.join(map(repr, unknown))}" if unknown else ""
    click.echo(f"{len(entities)} of {len(found.contexts)} entities fit{told}", err=True)


def _folder(pack: str | None) -> Path:
    return Path(pack) if pack else _EMBEDDED


def _base(base: str, pack: str | None) -> EntityBase:
    path = Path(base)
    if path.suffix and path.exists():
        return load_base(path, key)
    bases = open_bases(_folder(pack))
    if base not in bases:
        known = ", ".join(sorted(bases)) or "none"
        raise click.ClickException(f"{base!r} is neither a file nor a base of the pack; the pack has {known}")
    return bases[base]
