"""MeSH: headings with entry terms by tree, disease entry terms, and chemotherapy protocols with their drugs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from training.concepts.records import Record, Related, is_abbreviation, plain_names

__all__ = ["disease_terms", "headings", "protocols"]

# Kind by tree number: the longest prefix that fits. "" leaves a heading out (plants, research methods), "?"
# takes it only
# where another source knows the thing (chemistry: of its tens of thousands of headings the drugs).
TREES = {
    "A": "anatomy", "B01": "", "B01.300": "organism", "B02": "organism", "B03": "organism",
    "B04": "organism", "B05": "",
    "C": "condition", "C22": "", "C23.888": "sign", "D": "?", "D27.505": "medication class", "D23.050": "substance",
    "D23.119": "substance", "D12.776.124": "substance", "E01": "test", "E02": "procedure", "E03": "procedure",
    "E04": "procedure", "E05": "", "E05.318.308.980": "score", "E06": "procedure", "E07": "device", "F01": "function",
    "F01.145.126": "sign", "F01.145.317": "sign", "F01.470": "sign", "F02": "function", "F03": "condition",
    "F04.711": "score",
    "F04.754": "procedure", "F04.864": "procedure", "F04.408": "specialty", "G08.686": "condition",
    "H02.403": "specialty",
    "I01": "society", "I03": "event", "K01.844": "religion", "K01.400": "", "M01": "persons", "N01": "society",
    "N02.278": "specialty", "N02.421": "procedure", "N03": "society", "N04.452.758": "score",
}  # fmt: skip


def _kind(tree: str) -> str:
    return max(((len(p), k) for p, k in TREES.items() if tree.startswith(p)), default=(0, ""))[1]


def headings(rows: Iterable[list[str]]) -> Iterator[Record]:
    """Headings with the synonyms of their preferred concept; a heading's parents are those of its first tree's kind."""
    rows = list(rows)
    at = {tree: row[0] for row in rows for tree in row[3].split("|") if tree}
    for id_, label, synonyms, trees, *_ in rows:
        numbers = [t for t in trees.split("|") if t]
        kinds = [_kind(t) for t in numbers]
        kind = next((k for k in ("condition", *kinds) if k.isalpha() and k in kinds), "?" if "?" in kinds else "")
        if not kind:
            continue
        names = [
            (n, "abbreviation" if is_abbreviation(n) else "synonym")
            for s in synonyms.split("|")
            if s
            for n in plain_names(s)
        ]
        parents = [
            f"MESH:{p}"
            for t, k in zip(numbers, kinds, strict=True)
            if k.isalpha() and (p := at.get(t.rpartition(".")[0]))
        ]
        for name in plain_names(label):
            known = kind == "?"
            yield Record("MeSH", f"MESH:{id_}", "medication" if known else kind, name, names, parents, known=known)


def disease_terms(rows: Iterable[list[str]], headings: Iterable[list[str]]) -> Iterator[Record]:
    """Entry terms of disease headings: they lead to their heading, and some are narrower than it.

    The list has the headings in small letters; ``headings`` say how they are written.
    """
    ids = {row[1].lower(): (f"MESH:{row[0]}", row[1]) for row in headings}
    terms: dict[str, list[str]] = {}
    for variant, canonical, _, tree in rows:
        if re.search(r"\b(C(?!22)\d\d|F03)\.?", tree):
            terms.setdefault(canonical, []).append(variant)
    for canonical, variants in terms.items():
        id_, written = ids.get(canonical.lower(), (f"MeSH entry:{canonical}", canonical))
        for label in plain_names(written):
            names = [(n, "entry term") for v in variants for n in plain_names(v)]
            yield Record("MeSH", id_, "condition", label, names)


def protocols(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """Chemotherapy protocols and the drugs in them ("R-CHOP")."""
    general = {"D000971", "D000970", "D017024"}  # headings for combinations as such
    for id_, label, synonyms, mapped in rows:
        if "protocol" not in label and "regimen" not in label:
            continue
        short = re.sub(r"\s+(protocol|regimen)$", "", label)
        names = [(short, "abbreviation" if is_abbreviation(short) else "synonym")]
        names += [(n, "synonym") for s in synonyms.split("|") if s for n in plain_names(s)]
        yield Record("MeSH", f"MESH:{id_}", "regimen", label, names)
        for drug in mapped.strip().split(","):
            if drug not in general:
                yield Related(f"MESH:{id_}", "contains", f"MESH:{drug}", "MeSH")
