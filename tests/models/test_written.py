"""The written forms of a concept, and that none of them is released: the cases that people found standing."""

from __future__ import annotations

import pytest

import taciturn
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized, Denied, Informative, Model, Related
from taciturn.models.names import Protected, index
from taciturn.models.written import concept_forms
from taciturn.secondreader import read


def found(protect: str, text: str) -> list[str]:
    """What the second reader is sure of."""
    forms = index((Protected(protect),), Knowledge.default())
    return [text[h.start : h.end] for h in read(text, forms) if not h.ambiguous]


WRITTEN = [
    ("HIV", "Dx: B20, B24; Z21.", ["B20", "B24", "Z21"]), ("HIV", "VIH positivo, SIDA", ["VIH", "SIDA"]),
    ("HIV", "ICD-9: 042", ["042"]), ("hemophilia A", "Dx: D66.", ["D66"]),
    ("schizophrenia", "Dx: F20.0, F209; F20", ["F20.0", "F209", "F20"]), ("bipolar disorder", "Dx: F31.9,", ["F31.9"]),
    ("bipolar disorder", "She is bipolar.", ["bipolar"]),
    ("schizoaffective disorder", "a schizoaffective man", ["schizoaffective"]),
    ("asthma", "two asthmatics", ["asthmatics"]), ("psoriasis", "psoriatic plaques", ["psoriatic"]),
    ("anorexia", "an anorexic girl", ["anorexic"]), ("alcoholism", "an alcoholic", ["alcoholic"]),
    ("diabetes", "a diabetic, diabetics", ["diabetic", "diabetics"]),
    ("hypothyroidism", "her hypothyroid state", ["hypothyroid"]),
    ("epilepsy", "epileptics", ["epileptics"]), ("schizophrenia", "a schizophrenic", ["schizophrenic"]),
    ("bradycardia", "the brady settings", ["brady"]), ("adenocarcinoma", "sigmoid adenoca, 2020", ["adenoca"]),
    ("lupus", "known lupis", ["lupis"]), ("autism", "with autsim", ["autsim"]),
    ("hepatitis C", "hepatitis B and C", ["hepatitis B and C"]),
    ("breast cancer", "breast and ovarian cancer", ["breast and ovarian cancer"]),
    ("hepatitis C", "Hep C", ["Hep C"]), ("Crohn's disease", "her Crohn's is quiet", ["Crohn's"]),
    ("diabetes", "type 2 diabetes mellitus", ["type 2 diabetes mellitus"]),
]  # fmt: skip


@pytest.mark.parametrize(("protect", "text", "shown"), WRITTEN)
def test_every_written_form_of_a_concept_is_found(protect: str, text: str, shown: list[str]) -> None:
    assert found(protect, text) == shown


@pytest.mark.parametrize(
    ("protect", "text"),
    [
        ("hepatitis C", "hepatic veins, hepatitis profile, C3 and C4"), ("gastritis", "a gastric tube"),
        ("diabetes", "a type 2 fracture"), ("stroke", "masses; a putt"), ("schizophrenia", "the other leg"),
        ("HIV", "aged 42; a bill of 042; his hearing aids"), ("religion", "his sister, a friend, this method"),
        ("political opinion", "a reaction after revision"),
        pytest.param("cancer", "The PLAN was benign.", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_other_words_are_not(protect: str, text: str) -> None:
    assert found(protect, text) == []


@pytest.mark.parametrize(
    "name", ["aids", "tb", "ms", "als", "std", "add"]
)  # fmt: skip
def test_an_abbreviation_in_small_letters_protects_its_disease(name: str) -> None:
    (understood,) = taciturn.sanitize("A dog.", CSanitized(protect=name)).report.understood
    label = understood.labels[0]
    release = taciturn.sanitize(f"She has {label}. {name.upper()} was found.", CSanitized(protect=name))
    assert name.upper() not in release.text
    assert label not in release.text


def test_codes_are_hidden_for_all_that_is_protected() -> None:
    model = CSanitized(protect=["HIV", "schizophrenia", "bipolar disorder"])
    text = taciturn.sanitize("Dx: B20, F20.0, F31.9, Z21", model).text
    assert not any(code in text for code in ("B20", "F20", "F31", "Z21"))


@pytest.mark.parametrize(
    ("protect", "kind"),
    [("psychiatric diagnosis", "schizophrenia"),
     pytest.param("genetic disease", "cystic fibrosis", marks=pytest.mark.slow),
     pytest.param("genetic disease", "hemophilia", marks=pytest.mark.slow)],
)  # fmt: skip
def test_a_family_in_one_word_covers_its_kinds(protect: str, kind: str) -> None:
    assert found(protect, f"Known {kind}.") == [kind]


@pytest.mark.parametrize(
    "model",
    [Related(beta="HIV"), Informative(protect="HIV"), Related(protect="HIV", w=1), Denied(protect="HIV")],
    ids=["related-beta", "informative", "related", "denied"],
)
@pytest.mark.parametrize("written", ["B20", "HTLV-III", "VIH", "human immunodeficiency virus disease"])
def test_every_model_that_protects_knows_names_and_codes(written: str, model: Model) -> None:
    assert written not in taciturn.sanitize(f"Dx: {written}, then home.", model).text


def test_a_name_of_a_kind_that_mostly_means_something_else_is_a_homograph() -> None:
    forms = {f.text: f.how for f in concept_forms("mental disorder", Knowledge.default(), kinds=True)}
    assert (forms["DID"], forms["Withdrawal"], forms["F20.0"]) == ("homograph", "homograph", "code")
