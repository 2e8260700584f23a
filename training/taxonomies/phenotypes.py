"""HPO phenotypes: signs and symptoms, under "medical condition"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from taciturn.knowledge.taxonomies import Concept
from taciturn.knowledge.taxonomies.obo import OboTerm, obo_terms
from training.taxonomies.curate import Curator, clean
from training.taxonomies.diseases import DIVISION

__all__ = ["concepts"]

_ABNORMALITY = "HP:0000118"


def concepts(path: Path, curator: Curator) -> Iterator[Concept]:
    """The phenotypic abnormalities with their exact synonyms."""
    terms = {t.id: t for t in obo_terms(path)}
    children: dict[str, list[str]] = {}
    for term in terms.values():
        for parent in term.parents:
            children.setdefault(parent, []).append(term.id)
    kept, waiting = {_ABNORMALITY: None}, [_ABNORMALITY]
    for id_ in waiting:
        for child in children.get(id_, ()):
            if child not in kept:
                kept[child] = None
                waiting.append(child)
    yield Concept("condition", "condition")
    yield Concept("medical condition", "medical condition", ("condition",))
    yield Concept(_ABNORMALITY, "clinical sign", ("medical condition",))
    for id_ in kept:
        if id_ != _ABNORMALITY:
            yield _concept(terms[id_], curator, kept)


def _concept(term: OboTerm, curator: Curator, kept: dict[str, None]) -> Concept:
    label = curator.singular(clean(curator.cased(term.name)))
    names = {label: 0}
    for synonym in term.exact:
        name = clean(curator.cased(synonym))
        if curator.keeps(name, own=False):
            names.setdefault(name, 1)
    return Concept(
        term.id, label, tuple(p for p in term.parents if p in kept), tuple(names.items()), not DIVISION.search(label)
    )
