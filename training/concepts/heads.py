"""What kind of thing a phrase names, by its last word: "early pregnancy assessment unit" is a clinic."""

from __future__ import annotations

from training.concepts.records import is_abbreviation

__all__ = ["head_kind", "noun_kind"]

_HEADS = {
    "specialty": "unit clinic service department center centre ward team hospital charity foundation hospice",
    "score": "score scale questionnaire inventory index rating interview assessment schedule checklist survey",
    "test": "test antigen antibody screen screening measurement assay level culture count ratio ultrasound scan "
    "imaging biomarker marker technique",
    "procedure": "therapy surgery repair replacement procedure excision biopsy resection transplant transplantation "
    "graft psychotherapy operation treatment intervention",
    "condition": "disease disorder syndrome infection cancer carcinoma lymphoma leukemia injury failure deficiency "
    "condition tumor tumour neoplasm",
    "medication": "inhibitor blocker agonist antagonist vaccine medication drug medicine antibiotic antidepressant "
    "antipsychotic antiviral hormone steroid opioid benzodiazepine",
    "device": "device catheter instrument implant prosthesis pump stent brace splint appliance",
    "sign": "sign symptom reflex",
}
_OF_KIND = {word: kind for kind, words in _HEADS.items() for word in words.split()}
_OPERATIONS = ("ectomy", "otomy", "ostomy", "plasty", "scopy")


def noun_kind(phrase: str) -> str | None:
    """The kind of thing that a noun phrase names by its last word; None where that does not tell.

    >>> noun_kind("prescription drug"), noun_kind("laparoscopic cholecystectomy"), noun_kind("village")
    ('medication', 'procedure', None)
    """
    last = phrase.lower().split(" ")[-1]
    return _OF_KIND.get(last) or ("procedure" if last.endswith(_OPERATIONS) else None)


def head_kind(meaning: str) -> str | None:
    """The same of what an abbreviation is short for: several words, not an abbreviation itself.

    >>> head_kind("early pregnancy assessment unit"), head_kind("left lower quadrant"), head_kind("test")
    ('specialty', None, None)
    """
    return noun_kind(meaning) if " " in meaning and not is_abbreviation(meaning) else None
