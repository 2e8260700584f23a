"""Medications: ingredients, brands, classes and what they are given for.

A brand of one ingredient is a name of the ingredient; a combination is a concept of its own that contains its
ingredients. Salts and dosage forms are stripped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from training.concepts.records import Record, Related, plain_names

__all__ = [
    "classes", "drug_names", "ema", "fda_labels", "fda_products", "indications", "ingredient", "labeledin", "wikidata",
]  # fmt: skip

# What chemists add to an ingredient's name: salts, esters, hydrates; and what product names add to a brand.
_SALT = re.compile(
    r"\b(sodium|potassium|calcium|magnesium|(mono|di|tri)?hydrochloride|(di)?hydrobromide|(di|hemi|bi)?sulfate|(di)?mesylate|"
    r"maleate|fumarate|(hemi)?fumarate|tartrate|bitartrate|(di)?phosphate|acetate|succinate|besylate|tosylate|nitrate|"
    r"(di|tri)?citrate|lactate|(mono|di|tri|hemi|sesqui)?hydrate|xinafoate|pamoate|gluconate|bromide|chloride|iodide|"
    r"propionate|dipropionate|furoate|valerate|decanoate|enanthate|cypionate|stearate|estolate|malate|mucate|embonate|"
    r"anhydrous|meglumine|tromethamine|disodium|dipotassium|hyclate|monohydrochloride|disoproxil|alafenamide|as|base|"
    r"human|recombinant|conjugated|purified|synthetic)\b",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\b(\d[\d.,/]*\s*%?|mg|mcg|ml|hfa|diskus|xr|sr|er|cr|la|xl|ir|dr|ec|odt|forte|plus|junior|pediatric|extended|release|"
    r"tablets?|capsules?|injection|solution|suspension|cream|ointment|gel|patch|kit|pak|in|container|plastic|oral|nasal|"
    r"preservative|free|for|and|with|w|children'?s|adult|flexpen|pen|inhaler|spray|lotion|syrup|drops|chewable)\b",
    re.IGNORECASE,
)
_LEGIBLE = re.compile(r"[A-Za-z][A-Za-z' -]*(?:[ -]?\d{1,3})?")
_SKIPPED = re.compile(
    r"\b(receptor|kinase|pollen|extract|oil|ion|food|allergenic|flower|seed|root|leaf|bark|venom|skin|water|air)s?\b"
)


def ingredient(name: str) -> str:
    """An ingredient without its salt.

    >>> ingredient("SALMETEROL XINAFOATE"), ingredient("sodium chloride"), ingredient("abacavir (as sulfate)")
    ('salmeterol', 'sodium chloride', 'abacavir')
    """
    plain = re.sub(r"\([^)]*\)", " ", name).lower()
    bare = " ".join(re.sub(r"[^\w' -]", " ", _SALT.sub(" ", plain)).split())
    return bare if len(bare) > 3 else " ".join(plain.split())


def _parts(names: str, mark: str) -> list[str]:
    """The ingredients of a product: "PANCRELIPASE (AMYLASE;LIPASE;PROTEASE)" is one, whatever it is made of."""
    bare = re.sub(r"\([^)]*\)", " ", names)
    return list(dict.fromkeys(i for p in re.split(mark, bare) if len(i := ingredient(p)) > 2))


def _brand(name: str) -> str:
    return " ".join(_FORM.sub(" ", name).split(",")[0].split()).strip(" -/")


def _combination(source: str, parts: list[str], names: list[tuple[str, str]]) -> Iterator[Record | Related]:
    """One ingredient with further names, or a combination that contains several."""
    if len(parts) == 1:
        yield Record(source, f"drug:{parts[0]}", "medication", parts[0], names)
    elif 1 < len(parts) <= 6:
        label = "/".join(sorted(parts))
        yield Record(source, f"drug:{label}", "medication", label, names)
        for part in parts:
            yield Record(source, f"drug:{part}", "medication", part)
            yield Related(f"drug:{label}", "contains", f"drug:{part}", source)


def drug_names(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """Drugs that DrugBank, MedlinePlus or the NHS lists, with their variants."""
    variants: dict[str, list[str]] = {}
    listed: set[str] = set()
    targets: dict[str, set[str]] = {}
    for row in rows:
        variant, canonical, *rest = row
        variants.setdefault(canonical, []).append(variant)
        targets.setdefault(variant, set()).add(canonical)
        if rest[3] or rest[5] or rest[2]:
            listed.add(canonical)
    for canonical, names in variants.items():
        parts = _parts(canonical, r"/|,(?: and)?| and ")
        if canonical not in listed and len(parts) < 2:
            continue
        good = [n for n in names if _LEGIBLE.fullmatch(n) and len(n.split()) <= 4 and not _SKIPPED.search(n)]
        if _SKIPPED.search(canonical) or not _LEGIBLE.fullmatch(parts[0] if parts else ""):
            continue
        own = [(n, "entry term") for n in good if len(targets[n]) == 1 and n != canonical]
        yield from _combination("drug names", parts, own)


def fda_products(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """Brands of Drugs@FDA and their ingredients."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        parts = _parts(row[6], ";")
        brand = _brand(row[5].title())
        if parts and len(brand) > 3 and not any(p.split()[0] in brand.lower() for p in parts):
            found.setdefault("; ".join(sorted(parts)), {})[brand] = None
    for contained, brands in found.items():
        yield from _combination("Drugs@FDA", contained.split("; "), [(b, "brand") for b in brands])


def ema(rows: Iterable[dict[str, str]]) -> Iterator[Record | Related]:
    """European medicines: brand, substances and therapeutic area (MeSH headings)."""
    for row in rows:
        if row["Category"] != "Human":
            continue
        parts = _parts(
            row["International non-proprietary name (INN) / common name"] or row["Active substance"], r"[,/;]| and "
        )
        brand = re.sub(r"\(.*|\bprevious.*", "", row["Medicine name"]).strip()
        if not parts or not _LEGIBLE.fullmatch(parts[0]):
            continue
        if row["ATC code"].startswith("J07"):
            parts = [p if "vaccine" in p else f"{p} vaccine" for p in parts]  # "hepatitis b" is what it is against
        names = [(_brand(brand), "brand")] if not any(p.split()[0] in brand.lower() for p in parts) else []
        yield from _combination("EMA", parts, names)
        for area in filter(None, map(str.strip, row["Therapeutic area"].split(";"))):
            for matter in plain_names(area):
                yield Related(f"drug:{'/'.join(sorted(parts))}", "treats", matter, "EMA")


def classes(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """DrugCentral's pharmacologic classes and the drugs in them."""
    for _, drug, id_, name in rows:
        for label in plain_names(name):
            yield Record("DrugCentral", f"class:{id_}", "medication class", label)
            part = ingredient(drug)
            yield Record("DrugCentral", f"drug:{part}", "medication", part, parents=[f"class:{id_}"])


def indications(rows: Iterable[list[str]], source: str) -> Iterator[Record | Related]:
    """Curated pairs of disease and drug; those marked NOT are not indications."""
    for _, _, disease, drug, category, *_ in rows:
        if category in ("DM", "SYM"):
            yield Related(f"drug:{ingredient(drug)}", "treats", disease, source, 1.0 if category == "DM" else 0.6)


def labeledin(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """Indications that experts and crowds read in labels."""
    for _, _, _, _, _, disease, drug in rows:
        if disease:
            for matter in plain_names(disease):
                for part in _parts(drug, "/"):
                    yield Related(f"drug:{part}", "treats", matter, "LabeledIn")


def wikidata(diseases: Iterable[dict[str, Any]], medicines: Iterable[dict[str, Any]]) -> Iterator[Record | Related]:
    """Wikidata's drugs, symptoms, causes and specialties of diseases."""
    for d in diseases:
        name = d["Disease"]
        if "species" in (d.get("Info") or "") or not plain_names(name) or re.fullmatch(r"Q\d+", name):
            continue
        yield Record(
            "Wikidata", f"WD:{d['DiseaseURI'].rsplit('/', 1)[-1]}", "condition", plain_names(name)[0], known=True
        )
        for specialty in d.get("HealthSpecialty", ()):
            yield Record("Wikidata", f"specialty:{specialty}", "specialty", specialty)
            yield Related(f"specialty:{specialty}", "clinic for", name, "Wikidata")
        for drug in d.get("TreatmentDrugs", ()):
            yield Related(ingredient(drug), "treats", name, "Wikidata", 0.5)
        for cause in d.get("Cause", ()):
            yield Related(cause, "caused by", name, "Wikidata")
        for sign in d.get("Symptons", ()):
            yield Related(sign, "sign of", name, "Wikidata")
    for m in medicines:
        for disease in m.get("ConditionsTreated", ()):
            yield Related(ingredient(m["Medicine"]), "treats", disease, "Wikidata", 0.5)


def fda_labels(text: str) -> Iterator[tuple[list[str], str]]:
    """Blocks of (product names, the text of their indications)."""
    for block in re.split(r"\n---+\n", text):
        head, _, body = block.strip().partition("\n")
        if "|" in head and body:
            sentences = re.split(r"(?<=[.;])\s+|\n", body)
            told = [s for s in sentences if re.search(r"\bindicated\b|\btreatment of\b|\bmanagement of\b", s)]
            yield [n.strip() for n in head.split("|")[0].split(",") if n.strip()], " ".join(told[:6])
