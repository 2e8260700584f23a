from pathlib import Path

import pytest
from training.taxonomies import wordnet

FOLDER = Path("/usr/share/wordnet")


@pytest.mark.skipif(not (FOLDER / "data.noun").exists(), reason="Debian's wordnet-base is not installed")
def test_every_noun_is_read() -> None:
    concepts = list(wordnet.concepts(FOLDER))
    names = {name.lower() for c in concepts for name, _ in c.names}
    assert (len(concepts), len(names)) == (82_115, 117_798)
    assert sum(len(c.parents) for c in concepts) == 84_427
    first = {name: c for c in concepts for name, rank in c.names if rank == 0}
    assert first["dog"].label == "dog"
    assert first["Sacramento"].parents == (first["state capital"].id,)


def test_the_table_of_drug_classes_is_whole() -> None:
    from training.taxonomies import drugs

    above = drugs._ABOVE
    assert all(parent == "drug" or parent in above for parent in above.values())
    named = {
        "efavirenz": "non-nucleoside reverse transcriptase inhibitor",
        "darunavir": "HIV protease inhibitor",
        "atorvastatin": "statin",
        "fluoxetine": "SSRI antidepressant",
        "cefuroxime": "cephalosporin",
        "trastuzumab": "antibody drug",
        "insulin glargine": "diabetes drug",
        "water": None,
    }
    assert {name: drugs.class_of(name) for name in named} == named
