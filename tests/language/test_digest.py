"""What analyze() finds in texts of ours, pinned: work on its speed must change nothing.

A change that is meant changes the digest here, and packs that were built with the old terms have to be built anew.
"""

from __future__ import annotations

import hashlib

from taciturn.document import Document
from taciturn.language import KnownSentences, analyze

TEXTS = [
    "Dr. Anna M. Evagorou (“the applicant”) of 12 Harbour Road, Nicosia, was born on 5 May 1962. Mrs Evagorou's\n"
    "doctor, Prof. J.-P. O'Neill of the European Liver Institute (ELI), saw her at 9.30 a.m. on Friday 3 June 1994;\n"
    "the ELI's report no. 18403/91 (MRN: 55-1234) was sent to a.evagorou@example.org and to www.example.org/eli.",
    "HISTORY OF PRESENT ILLNESS:\nThis is a 47-year-old HIV-positive male with a 15-year history of hepatitis C,\n"
    "s/p liver transplantation in 2003. T 98.6, BP 120/80 mm Hg.\n\n1. Zidovudine 300 mg b.i.d.\n2. Follow up in two\n"
    "to three weeks, call 212-555-0123.\n- No known drug allergies.\n* Smoked 1½ packs a day until the late 1980s.",
    "U.S. GROSS SALES OF ACME INC. ROSE 18.5% TO $3.4 BILLION. Acme Ltd. paid EUR 3,000 to Acme's founders, A. Smith\n"
    "and B. Smith (see Fig. 3, p. 12). Smith left. The World Health Organization (WHO) said so… “Why?” asked Lee.",
    "東京 and Zürich: naïve e\u0301tudes, 5 °C, www.a.b, don't, rock'n'roll, mother-in-law's, co-operate, x_y, --- **\n"
    "\n\tTable\t1\nName\tAge\nJosé\t93\nName: ____ \x00 \ud800 😀 end",
]
DIGEST = "c8ff670265a2de4eba28ca6b02257d835a7557009f80dea6e23f9e128b3b2aef"


def found(text: str, known: KnownSentences | None = None) -> list[object]:
    analysis = analyze(Document.of(text), known)
    terms = [(t.start, t.end, t.text, t.key, t.kind, t.mention) for t in analysis.terms]
    return [analysis.paragraphs, analysis.sentences, terms]


def test_what_is_found_in_texts_of_ours_stays_the_same() -> None:
    whole = repr([found(text) for text in TEXTS]).encode("utf-8", "surrogatepass")
    assert hashlib.sha256(whole).hexdigest() == DIGEST


def test_known_sentences_find_the_same() -> None:
    known = KnownSentences()
    assert [found(text, known) for text in [*TEXTS, *TEXTS]] == [found(text) for text in [*TEXTS, *TEXTS]]
