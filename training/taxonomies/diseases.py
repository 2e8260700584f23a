"""MONDO diseases, with MeSH's entry terms, and the MeSH diseases that MONDO has not, under their nearest MONDO ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from taciturn.knowledge.taxonomies import Concept
from training.taxonomies.curate import Curator, clean, uninverted

__all__ = ["DIVISION", "concepts", "exact_names", "proper_words"]

_DISEASE, _HUMAN, _INJURY = "MONDO:0000001", "MONDO:0700096", "MONDO:0021178"

# Ways of dividing diseases that name no disease: fine for an ontology, no help to a reader. "Hereditary disease" stands
# above AIDS in MONDO, by way of T-cell immunodeficiency: true of some, misleading for most.
DIVISION = re.compile(
    r"\b(by|or|OR|non-human|of primarily|characteristic|syndromic disease|disease susceptibility|human disease|"
    r"disorder of development|idiopathic disease|hereditary (neurological )?disease|predisposition|"
    r"pathologic process(es)?)\b|^primary \w+ infectious disease|^\w+(idae|inae|ales) infect|process(es)?$|"
    r"^pathological conditions|/"
)
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9-]{1,7}")
_NOISE = re.compile(r"disease or disorder|^(condition|other disease|modifier|qualifier|symptom)$|[;:=/()\[\]]|\bNOS\b")
_MESH_TREES = re.compile(r"(C(?!22)\d\d|F03)\.")


def proper_words(mondo: Mapping[str, Any]) -> set[str]:
    """Words that MONDO writes with a capital: names and abbreviations."""
    words = (w for d in mondo.values() if not d["deprecated"] for w in d["label"].split())
    return {w for w in words if w[:1].isupper()} - {
        w[:1].upper() + w[1:] for d in mondo.values() for w in d["label"].split() if w[:1].islower()
    }


def concepts(mondo: Mapping[str, Any], mesh: Mapping[str, Any], curator: Curator) -> Iterator[Concept]:
    """Human diseases and injuries, under "medical condition" and "condition"."""
    key = curator.key
    kept = {i: d for i, d in mondo.items() if not d["deprecated"] and _wanted(i, d["ancestors"])}
    headings = mesh["disease_canonical_to_data"]
    entry_terms = _entry_terms(mesh)
    by_name = {key(uninverted(headings[h]["name"])): h for h in entry_terms}
    by_term = {key(term): h for h, terms in entry_terms.items() for term in terms} | by_name
    placed: dict[str, str] = {}  # MeSH heading -> the concept it is
    yield Concept("condition", "condition")
    yield Concept("medical condition", "medical condition", ("condition",))
    for id_, disease in kept.items():
        label = curator.singular(clean(disease["label"]))
        parents = tuple(p for p, distance in disease["ancestors"].items() if distance == 1 and p in kept)
        names = {label: 0}
        for name in exact_names(disease)[1:]:
            names.setdefault(name, 1)
        for name in list(names):
            for other in _shorter(name):
                names.setdefault(other, 3)
        for name in list(names):
            heading = (by_term if name == label else by_name).get(key(name))
            if heading and placed.setdefault(heading, id_) == id_:
                for term in entry_terms[heading]:
                    names.setdefault(term, 2)
        # A name in small letters that is one in capitals as well is the abbreviation, not the word: COLD is no cold.
        ranked = tuple(
            (n, rank)
            for n, rank in names.items()
            if curator.keeps(n, own=n == label or rank == 3) and (n.isupper() or n.upper() not in names)
        )
        yield Concept(id_, label, parents or ("medical condition",), ranked, not DIVISION.search(label))
    yield from _mesh_only(headings, entry_terms, placed, curator)


def _shorter(name: str) -> Iterator[str]:
    """What people say for short: the virus for its infection, "disease" for "disorder"."""
    if match := re.fullmatch(r"([A-Z][A-Z-]+|.+ virus) infect(ion|ious disease)", name):
        yield match[1]
    if name.endswith(" disorder"):
        yield name.removesuffix("disorder") + "disease"


def exact_names(disease: Mapping[str, Any]) -> list[str]:
    """A MONDO disease's label and exact synonyms, as people write them."""
    return [clean(disease["label"]), *(n for synonym in disease.get("synonyms", ()) for n in _names(synonym))]


def _wanted(id_: str, ancestors: Mapping[str, int]) -> bool:
    return id_ in (_DISEASE, _HUMAN, _INJURY) or _HUMAN in ancestors or _INJURY in ancestors


def _names(synonym: str) -> Iterator[str]:
    """A synonym as people write it: inverted forms go, a name with its abbreviation becomes two."""
    name = clean(synonym)
    if _NOISE.search(name):
        return
    parts = name.split(", ")
    if len(parts) == 1:
        yield name
    elif len(parts) == 2 and any(_ABBREVIATION.fullmatch(p) for p in parts):
        yield from parts


def _entry_terms(mesh: Mapping[str, Any]) -> dict[str, list[str]]:
    """MeSH heading -> the terms that lead to it and to it alone."""
    headings = mesh["disease_canonical_to_data"]
    terms: dict[str, list[str]] = {
        h: [] for h, d in headings.items() if any(_MESH_TREES.match(t) for t in _trees(d["mesh_tree"]))
    }
    for variant, targets in mesh["disease_variant_to_canonical"].items():
        if len(targets) == 1 and targets[0] in terms and "," not in variant and not _NOISE.search(variant):
            terms[targets[0]].append(clean(variant))
    return terms


def _mesh_only(
    headings: Mapping[str, Any], entry_terms: Mapping[str, list[str]], placed: dict[str, str], curator: Curator
) -> Iterator[Concept]:
    """MeSH headings that are no MONDO disease, each under the nearest heading above it in each of its trees."""
    own = {heading: f"MeSH:{heading}" for heading in entry_terms if heading not in placed}
    above = _mesh_parents(headings, entry_terms)
    for heading, id_ in own.items():
        if heading == "signs and symptoms":
            yield Concept(id_, "symptom", ("medical condition",))
            continue
        parents = tuple(dict.fromkeys(placed.get(p) or own[p] for p in above[heading]))
        label = _label(uninverted(headings[heading]["name"]), curator)
        terms = {label: 0} | {t: 2 for t in entry_terms[heading] if curator.keeps(t, own=False) and t != label}
        readable = not DIVISION.search(label) and " and " not in label and curator.medical(label)
        yield Concept(id_, label, parents or (_DISEASE,), tuple(terms.items()), readable)


def _mesh_parents(headings: Mapping[str, Any], entry_terms: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """MeSH heading -> the nearest headings above it, one for each of its trees."""
    at = {tree: heading for heading in entry_terms for tree in _trees(headings[heading]["mesh_tree"])}
    above: dict[str, list[str]] = {heading: [] for heading in entry_terms}
    for tree, heading in at.items():
        parts = tree.split(".")
        prefixes = (".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1))
        parent = next((at[p] for p in prefixes if p in at), None)
        if _MESH_TREES.match(tree) and parent and parent != heading:
            above[heading].append(parent)
    return above


def _trees(numbers: list[str]) -> list[str]:
    """Tree numbers; the source has cut a few in two."""
    heads, tails = [n for n in numbers if n.endswith(".")], [n for n in numbers if n[:1].isdigit()]
    whole = [n for n in numbers if n not in heads and n not in tails]
    return [*whole, heads[0] + tails[0]] if len(heads) == len(tails) == 1 else whole


def _label(heading: str, curator: Curator) -> str:
    """The heading in the singular, with capitals where they belong."""
    return curator.singular(curator.cased(heading))
