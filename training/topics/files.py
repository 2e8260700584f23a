"""The tables of matters and relations: written by the build, read by whoever makes a lexicon of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from training.topics.build import Relation
from training.topics.matters import Matter

__all__ = ["TopicRecord", "TopicRelation", "read_matters", "read_relations", "records", "related", "write"]

# What a lexicon calls these ways of naming, and the kinds of things that the families hold.
_HOWS = {"adjective": "derived", "member": "derived", "verb": "derived"} | {h: h for h in ("abbreviation", "label")}
_KINDS = {"religion": "religion", "orientation": "persons", "gender": "persons", "origin": "persons"}


class TopicRecord(NamedTuple):
    """A matter as a record of a lexicon: ``names`` are (text, how), ``parents`` are ids."""

    source: str
    id: str
    kind: str
    label: str
    names: list[tuple[str, str]]
    parents: list[str]


class TopicRelation(NamedTuple):
    """An expression tied to a matter (its id) with P(matter | expression)."""

    expression: str
    predicate: str
    matter: str
    source: str
    weight: float


def write(folder: Path, matters: Mapping[str, Matter], relations: Iterable[Relation]) -> None:
    """``matters.tsv`` and ``relations.tsv``, each with a head line, in a fixed order."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "matters.tsv", "w", encoding="utf-8", newline="\n") as out:
        out.write("id\tlabel\tkind\tparents\tnames\n")
        for matter in sorted(matters.values(), key=lambda m: m.id):
            names = "|".join(f"{name}={how}" for name, how in matter.names.items() if not set(name) & set("|\t\n"))
            parents = "|".join(sorted(matter.parents))
            out.write("\t".join((matter.id, matter.label, matter.family, parents, names)) + "\n")
    rows = sorted((r.matter, -r.weight, r.expression, r.kind, r.predicate, r.source) for r in relations)
    with open(folder / "relations.tsv", "w", encoding="utf-8", newline="\n") as out:
        out.write("expression\tkind\tpredicate\tmatter\tsource\tweight\n")
        for matter_id, weight, expression, kind, predicate, source in rows:
            if not set(expression) & set("\t\n"):
                out.write("\t".join((expression, kind, predicate, matter_id, source, f"{-weight:.3f}")) + "\n")


def read_matters(folder: Path) -> dict[str, Matter]:
    """The matters of ``matters.tsv`` by id."""
    found = {}
    for id_, label, family, parents, names in _rows(folder / "matters.tsv"):
        pairs = (name.rpartition("=") for name in names.split("|") if name)
        found[id_] = Matter(
            id_, label, family, set(filter(None, parents.split("|"))), {name: how for name, _, how in pairs}
        )
    return found


def read_relations(folder: Path) -> Iterator[Relation]:
    """The relations of ``relations.tsv``."""
    for expression, kind, predicate, matter, source, weight in _rows(folder / "relations.tsv"):
        yield Relation(expression, kind, predicate, matter, source, float(weight))


def _rows(path: Path) -> Iterator[list[str]]:
    with open(path, encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            yield line.rstrip("\n").split("\t")


def records(folder: Path) -> Iterator[TopicRecord]:
    """The matters for a lexicon: ids begin with "TOPIC:", kinds and ways of naming are the lexicon's."""
    for matter in read_matters(folder).values():
        names = [(name, _HOWS.get(how, "synonym")) for name, how in matter.names.items()]
        parents = [f"TOPIC:{parent}" for parent in sorted(matter.parents)]
        yield TopicRecord(
            "topics", f"TOPIC:{matter.id}", _KINDS.get(matter.family, "society"), matter.label, names, parents
        )


def related(folder: Path, least: float = 0.0) -> Iterator[TopicRelation]:
    """The relations of at least a weight, for a lexicon."""
    for relation in read_relations(folder):
        if relation.weight >= least:
            yield TopicRelation(
                relation.expression, relation.predicate, f"TOPIC:{relation.matter}", relation.source, relation.weight
            )
