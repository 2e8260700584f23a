"""A tiny pack to test with, built from sentences made by hand."""

import json
from pathlib import Path

from taciturn.knowledge.building import Parameters, Source, build_pack
from taciturn.knowledge.storage.pack import Pack
from taciturn.knowledge.taxonomies import Concept, PackedTaxonomy, build_taxonomy

SMALL = Parameters(shortest=4, longest=8, min_count=1, min_phrase=1, min_common=1, shard=200)
SUBJECTS = ["cat", "dog", "nurse", "virus", "zidovudine", "aspirin", "HIV", "teapot"]


def write_texts(path: Path, articles: int = 12) -> Path:
    """JSON lines: each article says which things are near which, so that counts are known."""
    with open(path, "w") as file:
        for i in range(articles):
            a, b, c = (SUBJECTS[(i * k + k) % len(SUBJECTS)] for k in (1, 3, 5))
            text = f"The {a} is near the {b}.\nA {c} was seen in the garden with the {a}.\nThe garden is quiet today."
            file.write(json.dumps({"title": f"{a} (story)", "text": text}) + "\n")
    return path


def write_taxonomy(path: Path) -> Path:
    concepts = [
        Concept("t", "thing"),
        Concept("d", "drug", ("t",)),
        Concept("z", "zidovudine", ("d",), (("azt", 0),)),
        Concept("a", "aspirin", ("d",)),
        Concept("p", "animal", ("t",)),
        Concept("c", "cat", ("p",)),
        Concept("g", "dog", ("p",)),
    ]
    PackedTaxonomy.write(path, "things", build_taxonomy(concepts, str), {"licence": "none"})
    return path


def small_pack(folder: Path, workers: int = 1) -> Pack:
    source = Source(write_texts(folder / "texts.jsonl"), "texts", "1", "none")
    taxonomy = write_taxonomy(folder / "things.taxonomy")
    return build_pack([source], folder / "pack", taxonomies=[taxonomy], parameters=SMALL, workers=workers)
