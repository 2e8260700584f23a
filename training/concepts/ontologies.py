"""Conditions, signs, anatomy and measurements from ontologies (MONDO, NCIt, HPO, EFO, UBERON, MAxO, DO)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from taciturn.knowledge.taxonomies.obo import obo_terms
from training.concepts.records import Record, Related, is_abbreviation, plain_names

__all__ = ["disease_ontology", "efo", "hpo", "hpo_annotations", "maxo", "mondo", "ncit", "ncit_relations", "uberon"]

_DISEASE, _HUMAN, _INJURY = "MONDO:0000001", "MONDO:0700096", "MONDO:0021178"
_AXIOM = re.compile(r"(?:'([^']+)'|(\S+)) some (?:'([^']+)'|([^|()]+))")
# Disease Ontology's relations that speak of what is seen in a note, as (the name of the relation, our predicate).
DO_PREDICATES = {
    "has symptom": "sign of", "disease has location": "located in", "has material basis in": "caused by",
    "transmitted by": "caused by", "has allergic trigger": "caused by", "has disease driver": "caused by",
    "disease has feature": "sign of",
}  # fmt: skip
NCIT_PREDICATES = {
    "R101": "located in", "R100": "located in", "R108": "sign of", "R115": "sign of", "R176": "gene of",
    "R105": "sign of", "R107": "sign of", "R114": "sign of", "R106": "gene of", "R102": "located in",
}  # fmt: skip


def _named(text: str) -> list[tuple[str, str]]:
    return [(n, "abbreviation" if is_abbreviation(n) else "synonym") for n in plain_names(text)]


def _with_abbreviation(text: str) -> list[tuple[str, str]]:
    """A synonym, or the two in a synonym that ends in its abbreviation ("human immunodeficiency virus, HIV")."""
    parts = text.split(", ")
    if len(parts) == 2 and any(is_abbreviation(p) for p in parts):
        return [named for p in parts for named in _named(p)]
    return _named(text)


def mondo(data: Mapping[str, Any]) -> Iterator[Record]:
    """Human diseases and injuries."""
    kept = {
        i: d
        for i, d in data.items()
        if not d["deprecated"] and (i in (_DISEASE, _HUMAN, _INJURY) or {_HUMAN, _INJURY} & set(d["ancestors"]))
    }
    for id_, d in kept.items():
        names = [n for s in d.get("synonyms", ()) for n in _with_abbreviation(s)]
        parents = [p for p, distance in d["ancestors"].items() if distance == 1 and p in kept]
        label = plain_names(d["label"]) or [d["label"]]
        yield Record("MONDO", id_, "condition", label[0], names, parents, definition=d.get("description") or "")


def ncit(graph: Mapping[str, Any]) -> Iterator[Record]:
    """The disease branch of the NCI Thesaurus; findings are signs."""
    up: dict[str, list[str]] = {}
    for edge in graph["edges"]:
        if edge["pred"] == "is_a":
            up.setdefault(_short(edge["sub"]), []).append(_short(edge["obj"]))
    nodes = {_short(n["id"]): n for n in graph["nodes"] if n.get("lbl") and n.get("type") == "CLASS"}
    kinds = {
        "Disease or Disorder": "condition", "Finding": "sign", "Gene": "gene", "Organism": "organism",
        "Anatomic Structure, System, or Substance": "anatomy", "Abnormal Cell": "sign", "Molecular Abnormality": "sign",
    }  # fmt: skip
    roots = {i: kinds[n["lbl"]] for i, n in nodes.items() if n["lbl"] in kinds}
    for id_, node in nodes.items():
        above, seen = [id_], {id_}
        for i in above:
            new = [p for p in up.get(i, ()) if p not in seen]
            seen.update(new)
            above += new
        kind = next((roots[i] for i in above if i in roots), None)
        if kind is None or re.search(
            r"Qualifier|AJCC|\bGrade\b|\bStage\b|Childhood|Adult|Recurrent|Refractory", node["lbl"]
        ):
            continue
        meta = node.get("meta", {})
        names = [n for s in meta.get("synonyms", ()) for n in _named(s["val"])]
        for label in plain_names(node["lbl"]):
            definition = meta.get("definition", {}).get("val", "")
            parents = [f"NCIT:{p}" for p in up.get(id_, ())]
            yield Record("NCIt", f"NCIT:{id_}", kind, label, names, parents, definition=definition)


def ncit_relations(graph: Mapping[str, Any]) -> Iterator[Related]:
    """What the NCI Thesaurus says of a disease's site, findings, cells and genes."""
    for edge in graph["edges"]:
        predicate = NCIT_PREDICATES.get(edge["pred"].rsplit("_", 1)[-1])
        if predicate:
            yield Related(f"NCIT:{_short(edge['obj'])}", predicate, f"NCIT:{_short(edge['sub'])}", "NCIt")


def _short(iri: str) -> str:
    return iri.rsplit("_", 1)[-1]


def hpo(path: Path) -> Iterator[Record]:
    """Phenotypic abnormalities: signs and symptoms; modes of inheritance, frequencies and modifiers are none."""
    definitions = dict(_definitions(path))
    terms = {t.id: t for t in obo_terms(path)}
    up = {i: list(t.parents) for i, t in terms.items()}
    for term in terms.values():
        if "HP:0000118" not in _above(term.id, up):
            continue
        names = [n for s in term.exact for n in _named(s)]
        for label in plain_names(term.name):
            label = label[:1].lower() + label[1:] if label[1:2].islower() else label
            yield Record(
                "HPO", term.id, "sign", label, names, list(term.parents), definition=definitions.get(term.id, "")
            )


_FREQUENCIES = {"HP:0040280": 1.0, "HP:0040281": 0.9, "HP:0040282": 0.55, "HP:0040283": 0.17, "HP:0040284": 0.03}
_UNSTATED = 0.5  # how often a sign is seen that is listed without a frequency


def hpo_annotations(rows: Iterable[list[str]]) -> Iterator[Related]:
    """Signs of diseases, each weighed by how many of the patients have it; those that are excluded say nothing."""
    seen: dict[tuple[str, str], float] = {}
    for _, disease, qualifier, sign, _, _, _, frequency, _, _, aspect, *_ in rows:
        if aspect == "P" and qualifier != "NOT" and (part := _frequency(frequency)):
            seen[sign, disease] = max(part, seen.get((sign, disease), 0.0))
    for (sign, disease), part in seen.items():
        for name in plain_names(disease):
            yield Related(sign, "sign of", name, "HPO", part)


def _frequency(text: str) -> float:
    """The part of patients: "3/7", "45%", a term of the ontology, or nothing said.

    >>> _frequency("3/6"), _frequency("45%"), _frequency("HP:0040281"), _frequency("")
    (0.5, 0.45, 0.9, 0.5)
    """
    if match := re.fullmatch(r"(\d+)/(\d+)", text):
        return int(match[1]) / max(int(match[2]), 1)
    if text.endswith("%"):
        return float(text[:-1]) / 100
    return _FREQUENCIES.get(text, 0.0) if text else _UNSTATED


def _definitions(path: Path) -> Iterator[tuple[str, str]]:
    id_ = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("id: "):
            id_ = line[4:]
        elif line.startswith('def: "'):
            yield id_, line[6:].rsplit('"', 1)[0].replace('\\"', '"')


def maxo(path: Path) -> Iterator[Record]:
    """Medical actions: tests under "diagnostic procedure", procedures otherwise."""
    definitions = dict(_definitions(path))
    terms = {t.id: t for t in obo_terms(path) if t.id.startswith("MAXO:")}
    up = {i: [p for p in t.parents if p in terms] for i, t in terms.items()}
    for term in terms.values():
        kind = "test" if "MAXO:0000003" in _above(term.id, up) else "procedure"
        names = [n for s in term.exact for n in _named(s)]
        for label in plain_names(term.name):
            yield Record("MAxO", term.id, kind, label, names, up[term.id], definition=definitions.get(term.id, ""))


def _above(id_: str, up: Mapping[str, list[str]]) -> set[str]:
    seen, waiting = {id_}, [id_]
    for i in waiting:
        new = [p for p in up.get(i, ()) if p not in seen]
        seen.update(new)
        waiting += new
    return seen


def efo(data: Mapping[str, Any]) -> Iterator[Record]:
    """Measurements, medical procedures and signs of the Experimental Factor Ontology; cell lines and assays are not
    what a patient's record speaks of, nor is a protein that is only measured in research."""
    kinds = {"EFO:0001444": "test", "EFO:0002571": "procedure", "EFO:0003765": "sign"}
    research = {"EFO:0004747", "EFO:0004725", "EFO:0010968"}
    for id_, d in data.items():
        above = set(d["ancestors"]) | {id_}
        kind = next((k for i, k in kinds.items() if i in above), None)
        if d["deprecated"] or kind is None or (research & above and not d.get("synonyms")):
            continue
        for label in plain_names(d["label"]):
            names = [n for s in d.get("synonyms", ()) for n in _named(s)]
            if label.endswith(" measurement"):
                names += _named(label.removesuffix(" measurement"))
            parents = [p for p, distance in d["ancestors"].items() if distance == 1]
            yield Record("EFO", id_, kind, label, names, parents, definition=d.get("description") or "")


def uberon(data: Mapping[str, Any]) -> Iterator[Record]:
    """Anatomy. The ontology's links are of parts and kinds alike, which is how a place is used here: a disease of a
    part is a disease of the whole."""
    for id_, d in data.items():
        if d["deprecated"] or re.search(r"\b(fin|fish|insect|embryo|neural crest|presumptive)\b", d["label"]):
            continue
        names = [n for s in d.get("synonyms", ()) for n in _named(s)]
        parents = [p for p, distance in d["ancestors"].items() if distance == 1]
        for label in plain_names(d["label"]):
            yield Record("UBERON", id_, "anatomy", label, names, parents)


def disease_ontology(rows: list[list[str]]) -> Iterator[Record | Related]:
    """Diseases by name, with symptom, place and cause."""
    for id_, label, axioms in rows:
        for name in plain_names(label):
            yield Record("DO", id_, "condition", name)
        for match in _AXIOM.finditer(axioms):
            predicate = DO_PREDICATES.get(match[1] or match[2])
            if predicate:
                yield Related((match[3] or match[4]).strip(), predicate, id_, "DO")
