"""Knowledge that others bring: taxonomies, entity bases, relations and counts.

A source is registered under its name, by an entry point of the group ``taciturn.knowledge`` or with
``taciturn.registry.knowledge.register``. Taxonomies, entity bases and relations add to whatever pack is opened. Counts
stand in for those of the pack, so they are used only where they are asked for by name: ``Knowledge.open("my-counts")``,
``--knowledge my-counts``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from taciturn.errors import InputError, KnowledgeError
from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.entities.base import EntityBase
from taciturn.knowledge.relations.own import OwnRelations
from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.knowledge.taxonomies.flags import GENERAL, PLACES
from taciturn.registry import knowledge as registered

if TYPE_CHECKING:
    from taciturn.knowledge.base import Knowledge

__all__ = ["KnowledgeSource", "added_sources", "with_counts", "with_sources"]

Kind = Literal["taxonomy", "entities", "relations", "counts"]
_CLASSES: dict[str, type] = {
    "taxonomy": Taxonomy,
    "entities": EntityBase,
    "relations": OwnRelations,
    "counts": Counts,
}
_BROAD = frozenset((GENERAL, PLACES))  # taxonomies that are asked after all others


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """A source of knowledge: its kind, and a function that opens it, called once in a process when it is first needed.

    A ``taxonomy`` is a :class:`~taciturn.knowledge.Taxonomy`, ``entities`` are an
    :class:`~taciturn.knowledge.EntityBase`, ``relations`` are :class:`~taciturn.knowledge.OwnRelations`, ``counts`` are
    :class:`~taciturn.knowledge.Counts`. What is opened must be deterministic, offline, and have a digest of its
    content, which certificates quote.

    >>> from taciturn.knowledge import EdgeTaxonomy
    >>> KnowledgeSource("taxonomy", lambda: EdgeTaxonomy("grades", [("grade 7", "junior grade")])).kind
    'taxonomy'
    """

    kind: Kind
    open: Callable[[], Any]

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise InputError(f"{self.kind!r} is no kind of knowledge; choose from {', '.join(get_args(Kind))}")


def added_sources() -> tuple[tuple[str, KnowledgeSource], ...]:
    """The registered sources that add to every pack, by name; none is opened."""
    found = ((name, registered[name]) for name in registered.names())
    return tuple((name, source) for name, source in found if source.kind != "counts")


def with_sources(knowledge: Knowledge) -> Knowledge:
    """A pack's knowledge together with what plug-ins add.

    Their taxonomies are asked after those of professions and before the general vocabulary, which is broader; broad
    ones of theirs come last.
    """
    sources = added_sources()
    if not sources:
        return knowledge
    taxonomies, entities, own = list(knowledge.taxonomies), dict(knowledge.entities), list(knowledge.own_relations)
    for name, source in sources:
        opened = _open(name, source)
        if source.kind == "relations":
            own.append(opened)
            continue
        taken = name in entities if source.kind == "entities" else opened.name in {t.name for t in taxonomies}
        if taken:
            raise KnowledgeError(
                f"the plug-in's {source.kind} {name!r} has the name of one that the pack has; let it choose another"
            )
        if source.kind == "entities":
            entities[name] = opened
        elif opened.flags & _BROAD:
            taxonomies.append(opened)
        else:
            taxonomies.insert(next(_broad(taxonomies), len(taxonomies)), opened)
    return replace(
        knowledge, taxonomies=tuple(taxonomies), entities=MappingProxyType(entities), own_relations=tuple(own)
    )


def with_counts(knowledge: Knowledge, name: str) -> Knowledge:
    """The knowledge with the counts that are registered under a name.

    The pack's calibrated defaults were found with its own counts, so the papers' choices stand in for them.
    """
    source: KnowledgeSource = registered[name]
    if source.kind != "counts":
        raise InputError(f"{name!r} is a registered {source.kind}, which adds to every pack; name a pack or counts")
    return replace(knowledge, counts=_open(name, source), defaults=MappingProxyType({}), vectors=None, usual=None)


def _broad(taxonomies: list[Taxonomy]) -> Iterator[int]:
    return (i for i, taxonomy in enumerate(taxonomies) if taxonomy.flags & _BROAD)


@cache
def _open(name: str, source: KnowledgeSource) -> Any:
    try:
        opened = source.open()
    except Exception as error:  # whatever a plug-in does wrong must not look like a fault of ours
        told = " ".join(str(error).split()) or "no message"
        raise KnowledgeError(
            f"the {source.kind} {name!r} of a plug-in cannot be opened ({type(error).__name__}: {told}); "
            "repair or uninstall the plug-in"
        ) from error
    if not isinstance(opened, _CLASSES[source.kind]):
        raise KnowledgeError(
            f"the {source.kind} {name!r} of a plug-in is a {type(opened).__name__} and no "
            f"{_CLASSES[source.kind].__name__}; repair or uninstall the plug-in"
        )
    return opened
