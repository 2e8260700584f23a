"""Procedures, tests, devices, questionnaires and shorthand from code lists, and what simulated patients get."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from training.concepts.records import Record, Related, is_abbreviation, plain_names

__all__ = ["abbreviations", "cdisc", "devices", "hcpcs", "icd_procedures", "maxo_annotations", "synthea"]

SPECIALTIES = {
    "AN": "anesthesiology", "CV": "cardiology", "DE": "dentistry", "EN": "otolaryngology", "GU": "gastroenterology",
    "HE": "hematology", "NE": "neurology", "OB": "obstetrics and gynecology", "OP": "ophthalmology",
    "OR": "orthopedics", "PM": "physical medicine", "RA": "radiology",
}  # fmt: skip
"""FDA's review panels that are specialties of medicine."""

_CDISC = {
    "Category of Questionnaire": "score", "Category of Clinical Classification": "score",
    "Laboratory Test Name": "test",
    "Procedure": "procedure", "Method": "test", "Microorganism": "organism", "ECG Test Name": "test",
    "Respiratory Test Name": "test", "Functional Test": "score", "Category of Functional Test": "score",
}  # fmt: skip
_TAIL = re.compile(r" (Measurement|Questionnaire|Clinical Classification|Functional Test|Count)$", re.IGNORECASE)
_DOSE = re.compile(
    r"\b\d[\d.,]*\s*(MG|MCG|ML|ACTUAT|UNT|HR|MEQ|%|UNT/ML|MG/ML|NDA\S*)\S*|\b(Oral|Injectable|Injection|Tablet|Capsule|"
    r"Solution|Suspension|Topical|Cream|Dry Powder|Inhaler|Metered Dose|"
    r"Prefilled|Syringe|Extended|Release|Delayed|Nasal|"
    r"Spray|Pack|Vaginal|System|Transdermal|Chewable|Auto-Injector|Implant|Medicated|Patch|Ring|Inhalation|Cartridge|"
    r"Delivery|24|12)\b|\{.*|[()]",
    re.IGNORECASE,
)
_STATES = {
    "MedicationOrder": ("treats", "medication"), "Procedure": ("procedure for", "procedure"),
    "Device": ("device for", "device"), "Symptom": ("sign of", "sign"), "Observation": ("measures", "test"),
    "MultiObservation": ("measures", "test"), "DiagnosticReport": ("measures", "test"),
    "CarePlanStart": ("procedure for", "procedure"),
}  # fmt: skip


def _names(text: str) -> list[tuple[str, str]]:
    return [(n, "abbreviation" if is_abbreviation(n) else "synonym") for n in plain_names(text)]


def cdisc(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """Laboratory tests with synonyms, questionnaires by their full names (no item of any is taken), microorganisms."""
    for codelist, id_, value, term, synonyms, definition in rows:
        kind = _CDISC.get(codelist)
        if kind is None:
            continue
        names = [n for s in (*synonyms.split("|"), value) if s and not re.fullmatch(r"[A-Z]+\d+", s) for n in _names(s)]
        # A questionnaire's definition begins with its full name and, in brackets, how it is called for short.
        if kind == "score" and (match := re.match(r"(?:The )?([^(]{8,90}?) \(([A-Za-z][\w -]{1,14})\)", definition)):
            names += [*_names(match[1]), (match[2], "abbreviation")]
        short = _TAIL.sub("", term)
        names += _names(short) if len(short.split()) > 1 or kind == "score" else []
        for label in plain_names(term):
            yield Record("CDISC", f"CDISC:{id_}", kind, label, names, definition=definition if kind == "test" else "")


def icd_procedures(titles: str, groups: Iterable[list[str]]) -> Iterator[Record | Related]:
    """ICD-9-CM procedures (the ICD-10-PCS titles are composed and written by nobody) and AHRQ's groups."""
    for line in titles.splitlines():
        code, _, title = line.strip().partition(" ")
        dotted = f"{code[:2]}.{code[2:]}"
        for label in plain_names(title.strip()):
            if not re.match(r"(Other|Unspecified)\b", label):
                label = label[:1].lower() + label[1:] if label[1:2].islower() else label
                yield Record("ICD-9-CM procedures", f"ICD9P:{dotted}", "procedure", label)
    for row in groups:
        for label in plain_names(row[1]):
            if not re.search(r"\b[Oo]ther\b|;", label):
                yield Record("CCS", f"CCS:{row[0]}", "procedure", label[:1].lower() + label[1:])


def hcpcs(text: str) -> Iterator[Record | Related]:
    """Supplies and devices: the part of a description before its first comma."""
    for line in text.splitlines():
        code, kind, title = line[:5].strip(), line[10:11], line[11:91].strip()
        if len(code) == 5 and kind == "3" and code[0] in "ABEKLV":
            head = title.split(",")[0].strip()
            if 1 < len(head.split()) <= 5 and head.replace(" ", "").replace("-", "").isalpha():
                yield Record("HCPCS", f"HCPCS:{head.lower()}", "device", head[:1].lower() + head[1:])


def devices(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """FDA's types of devices, turned into the order of speech, with the specialty that reviews them."""
    for panel, _, code, name, *_ in rows:
        parts = [p.strip() for p in name.split(",")]
        if len(parts) > 3 or any(c.isdigit() for c in name):
            continue
        label = " ".join([*parts[1:], parts[0]]).lower()
        if not 1 <= len(label.split()) <= 5 or not re.fullmatch(r"[a-z' -]+", label):
            continue
        yield Record("FDA devices", f"FDA:{code}", "device", label)
        if panel in SPECIALTIES:
            yield Related(f"FDA:{code}", "device for", SPECIALTIES[panel], "FDA devices")


def maxo_annotations(rows: Iterable[list[str]], diagnostic: Iterable[list[str]]) -> Iterator[Record | Related]:
    """Actions that treat diseases, tests through which a sign is seen."""
    for row in rows:
        predicate = "treats" if row[6] in ("treats", "prevents") else "monitors" if "investigat" in row[6] else ""
        if predicate:
            yield Related(row[3], "procedure for" if predicate == "treats" else "monitors", row[0], "MAxO")
    for row in diagnostic:
        if row[2] == "is_observable_through" and row[4] != "clinical assessment":
            yield Related(row[3], "measures", row[0], "MAxO")


def synthea(rows: Iterable[list[str]]) -> Iterator[Record | Related]:
    """What one disease module orders: drugs, procedures, tests, devices, signs. Modules that simulate no disease of
    their own (wellness, encounters, medication groups) say nothing."""
    rows = [
        r
        for r in rows
        if not re.match(r"(encounter|allergies|medications|veterans?|wellness|surgery|anemia/|weight)", r[0])
    ]
    for module, _title, state, _, _, display in rows:
        if state not in _STATES:
            continue
        predicate, kind = _STATES[state]
        matter = re.sub(r"^veteran[_ ]", "", module.split("/")[0].replace("_", " "))
        if kind == "medication":
            brand = re.search(r"\[([A-Za-z ]+)\]", display)
            plain = " ".join(_DOSE.sub(" ", re.sub(r"\[.*?\]", "", display)).split())
            for part in plain.split(" / "):
                yield Related(part.strip().lower(), predicate, matter, "Synthea", 0.5)
            if brand:
                yield Related(brand[1], predicate, matter, "Synthea", 0.5)
            continue
        for label in plain_names(display):
            label = label[:1].lower() + label[1:] if label[1:2].islower() else label
            yield Related(label, predicate, matter, "Synthea", 0.5)


def abbreviations(pairs: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """(abbreviation, meaning, source) of the lists, the meanings cut where a list gives several."""
    for short, meaning, source in pairs:
        short = short.strip()
        if not 2 <= len(short) <= 12 or not any(map(str.isalpha, short)):
            continue
        for part in re.split(r"\s*[;/]\s+|\s+or\s+(?=[a-z])", meaning):
            for name in plain_names(re.sub(r"\s*\([^)]*\)\s*", " ", part).strip()):
                yield short, name, source
