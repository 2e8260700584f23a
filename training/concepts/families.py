"""Families that people name in one word, over what the sources have under several headings."""

from __future__ import annotations

from training.concepts.join import Joiner
from training.concepts.records import Record

__all__ = ["FAMILIES", "add_families"]

# family: (other names, ids or names of what is under it)
FAMILIES = {
    "mental disorder": (
        ("psychiatric diagnosis", "psychiatric disorder", "mental illness", "mental health condition",
         "psychiatric illness"),
        ("MONDO:0002025", "MESH:D001523", "ICD10:chapter 5", "NCIT:C2893", "substance use"),
    ),
    "substance use": (
        ("substance abuse", "drug use", "drug abuse", "addiction", "substance use disorder", "drug addiction"),
        ("MONDO:0002494", "MESH:D019966", "ICD10:F10-F19", "MESH:D000428", "MESH:D063386", "MESH:D000078327",
         "alcohol use disorder", "opioid use disorder", "nicotine dependence"),
    ),
    "sexually transmitted infection": (
        ("sexually transmitted disease", "venereal disease", "STI", "STD"),
        ("MESH:D012749", "ICD10:A50-A64", "MESH:D015231", "HIV infection", "chlamydia infection",
         "human papillomavirus infection"),
    ),
    "genetic disease": (
        ("genetic disorder", "hereditary disease", "inherited disease", "hereditary disorder", "genetic condition"),
        ("MONDO:0003847", "MESH:D030342"),
    ),
    "cancer": (
        ("malignancy", "malignant neoplasm", "malignant tumor"),
        ("MONDO:0004992", "MESH:D009369", "ICD10:chapter 2"),
    ),
    "reproductive health": (
        ("sexual and reproductive health", "reproductive condition", "reproductive history"),
        ("MESH:D011247", "MESH:D011248", "MESH:D003267", "MESH:D007246", "MESH:D000028", "ICD10:chapter 15",
         "pregnancy", "infertility", "MESH:D027724", "MESH:D003267", "MESH:D012098", "sexual dysfunction", "menopause"),
    ),
}  # fmt: skip


def add_families(joiner: Joiner) -> list[str]:
    """Make each family a concept above its members; return the members that no source has."""
    missing = []
    for label, (names, members) in FAMILIES.items():
        found = joiner.add(Record("names", f"family:{label}", "condition", label, [(n, "synonym") for n in names]))
        for member in members:
            under = joiner.resolve(member, "CPX")
            if under is None:
                missing.append(f"{label}: {member}")
            elif under != found:
                joiner.concepts[under].parents.append(f"family:{label}")
    return missing
