"""A user's own taxonomy files: the same taxonomy from every format, and errors that name the line."""

import json
from pathlib import Path

import pytest

from taciturn.knowledge.storage.files import KnowledgeFileError
from taciturn.knowledge.taxonomies import load_taxonomy
from taciturn.knowledge.taxonomies.flags import GENERAL, PLACES, PROFESSIONAL
from taciturn.language import key

CSV = (
    "child,parent,synonyms\nLiver cancer,Cancer,hepatic cancer|HCC\ncancer,disease,\nflu,disease,influenza\ndisease,,\n"
)
MAP = {"liver cancer": ["cancer"], "flu": "disease", "cancer": "disease"}
LIST = [
    {"term": "liver cancer", "parents": ["cancer"], "synonyms": ["hepatic cancer", "HCC"]},
    {"term": "cancer", "parents": ["disease"]},
    {"term": "flu", "parents": ["disease"], "synonyms": ["influenza"]},
]
OBO = """format-version: 1.2

[Term]
id: X:1
name: disease

[Term]
id: X:2
name: cancer
is_a: X:1 ! disease

[Term]
id: X:3
name: liver cancer
synonym: "hepatic cancer" EXACT []
synonym: "HCC" EXACT ABBREVIATION []
synonym: "cancer of the \\"liver\\"" RELATED []
is_a: X:2 {source="me"} ! cancer

[Term]
id: X:4
name: flu
synonym: "influenza" EXACT []
is_a: X:1

[Term]
id: X:5
name: old flu
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""
RDF = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:ConceptScheme rdf:about="x:scheme"><skos:prefLabel>all</skos:prefLabel></skos:ConceptScheme>
  <skos:Concept rdf:about="x:1">
    <skos:prefLabel xml:lang="fr">maladie</skos:prefLabel>
    <skos:prefLabel xml:lang="en">disease</skos:prefLabel>
    <skos:narrower rdf:resource="x:4"/>
  </skos:Concept>
  <skos:Concept rdf:about="x:2"><skos:prefLabel>cancer</skos:prefLabel><skos:broader rdf:resource="x:1"/></skos:Concept>
  <rdf:Description rdf:about="x:3">
    <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>
    <skos:prefLabel xml:lang="en-GB">liver cancer</skos:prefLabel>
    <skos:altLabel xml:lang="de">Leberkrebs</skos:altLabel>
    <skos:altLabel>hepatic cancer</skos:altLabel>
    <skos:altLabel>HCC</skos:altLabel>
    <skos:broader rdf:resource="x:2"/>
  </rdf:Description>
  <skos:Concept rdf:about="x:4">
    <skos:prefLabel>flu</skos:prefLabel><skos:altLabel>influenza</skos:altLabel>
  </skos:Concept>
</rdf:RDF>
"""
JSON_LD = {
    "@context": {"skos": "http://www.w3.org/2004/02/skos/core#"},
    "@graph": [
        {"@id": "x:0", "@type": "skos:ConceptScheme"},
        {"@id": "x:1", "@type": "skos:Concept", "skos:prefLabel": {"@language": "en", "@value": "disease"}},
        {"@id": "x:2", "@type": "skos:Concept", "skos:prefLabel": "cancer", "skos:broader": {"@id": "x:1"}},
        {
            "@id": "x:3",
            "@type": ["skos:Concept"],
            "skos:prefLabel": {"de": "Leberkrebs", "en": "liver cancer"},
            "skos:altLabel": ["hepatic cancer", {"@value": "HCC"}],
            "skos:broader": [{"@id": "x:2"}],
        },
        {"@id": "x:4", "prefLabel": "flu", "altLabel": "influenza", "broader": "x:1"},
    ],
}
FILES = {
    "mine.csv": CSV,
    "mine.json": json.dumps(LIST),
    "mine.obo": OBO,
    "mine.rdf": RDF,
    "mine.jsonld": json.dumps(JSON_LD),
}


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", FILES)
def test_the_same_taxonomy_from_every_format(tmp_path: Path, name: str) -> None:
    tree = load_taxonomy(write(tmp_path / name, FILES[name]), key)
    assert tree.name == "mine"
    assert [n.label.lower() for n in tree.generalizations("HCC")] == ["cancer", "disease"]
    assert set(tree.synonyms("liver cancer")) == {"hepatic cancer", "HCC"}
    assert [n.key for n in tree.generalizations("influenza")] == ["disease"]
    assert tree.volume(tree.senses("disease")[0]) == 2
    assert len(tree) == 4
    assert tree.senses("old flu") == () == tree.senses("leberkrebs")


def test_a_json_object_of_terms_and_parents(tmp_path: Path) -> None:
    tree = load_taxonomy(write(tmp_path / "t.json", json.dumps(MAP)), key, name="other")
    assert (tree.name, [n.label for n in tree.generalizations("liver cancer")]) == ("other", ["cancer", "disease"])


FLAGGED = {
    "mine.csv": "# flags: places, professional\n# Anything else.\n" + CSV,
    "mine.json": json.dumps({"flags": ["places", "professional"], "terms": LIST}),
    "mine.obo": OBO.replace("1.2\n", "1.2\nremark: flags: places, professional\nremark: of mine\n", 1),
    "mine.rdf": RDF.replace("</skos:ConceptS", "<skos:note>flags: places, professional</skos:note></skos:ConceptS"),
    "mine.jsonld": json.dumps(JSON_LD).replace(
        '"skos:ConceptScheme"', '"skos:ConceptScheme", "skos:note": "flags: places, professional"', 1
    ),
}


@pytest.mark.parametrize("name", FLAGGED)
def test_a_file_declares_flags(tmp_path: Path, name: str) -> None:
    tree = load_taxonomy(write(tmp_path / name, FLAGGED[name]), key)
    plain = load_taxonomy(write(tmp_path / name, FILES[name]), key)
    assert (tree.flags, plain.flags, len(tree)) == ({PLACES, PROFESSIONAL}, frozenset(), len(plain))
    assert tree.digest != plain.digest
    assert load_taxonomy(write(tmp_path / name, FLAGGED[name]), key, flags=[GENERAL]).flags == {GENERAL}


def test_a_name_gives_no_flags(tmp_path: Path) -> None:
    tree = load_taxonomy(write(tmp_path / "places.csv", CSV), key)
    assert tree.flags == frozenset()


def test_a_flag_that_no_code_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeFileError, match="'towns' is no flag of a taxonomy; use general, places"):
        load_taxonomy(write(tmp_path / "t.csv", "# flags: towns\n" + CSV), key)
    with pytest.raises(KnowledgeFileError, match="'flags' must be a list of texts, not 'places'"):
        load_taxonomy(write(tmp_path / "t.json", json.dumps({"flags": "places", "terms": LIST})), key)
    with pytest.raises(KnowledgeFileError, match="'towns' is no flag"):
        load_taxonomy(write(tmp_path / "t.csv", CSV), key, flags=["towns"])


HEAD = "child,parent\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", "# mine\nchild,above\n", "line 2: no column 'parent'"),
        ("t.csv", "child,above\n", "line 1: no column 'parent'"),
        ("t.csv", "child,parent,colour\n", "line 1: unknown column 'colour'"),
        ("t.csv", HEAD + "a1,b1\n,b1\n", "line 3: the child is empty"),
        ("t.csv", HEAD + "dog,animal\ncat,animal\ndog,Animal\n", "line 4: 'dog' under 'Animal' was given before"),
        ("t.csv", HEAD + "dog,Dog\n", "line 2: 'dog' lies under itself"),
        ("t.csv", HEAD + "dog,animal\nanimal,thing\nthing,dog\n", "a circle, 'dog' > 'animal' > 'thing' > 'dog'"),
        ("t.csv", HEAD + "dog\n", "line 2: 1 cells, the first line has 2"),
        ("t.csv", HEAD + "...,animal\n", "line 2: '...' has no word"),
        ("t.csv", HEAD, "there is no concept in it"),
        ("t.csv", b"child,parent\ndog,animal\ncaf\xe9,place\n", "line 3: byte 0xe9 is not UTF-8"),
        ("t.json", '{"dog": "animal",\n', "line 2: not JSON"),
        ("t.json", "3", "neither an object of terms and parents nor a list"),
        ("t.json", '[{"term": "dog", "colour": 1}]', "entry 1: unknown 'colour'"),
        ("t.json", '[{"term": "dog", "parents": [3]}]', "entry 1: 'dog' needs texts"),
        ("t.obo", "[Term]\nid: X:1\n\n[Term]\nname: dog\n", "line 1: a term without name"),
        ("t.obo", "[Term]\nid: X:1\nname: dog\nis_a: X:9\n", "line 1: 'dog' lies under 'X:9', which the file does not"),
        (
            "t.obo",
            "[Term]\nid: X:1\nname: a\n\n[Term]\nid: X:1\nname: b\n",
            "line 5: 'X:1' was given before, at line 1",
        ),
        ("t.obo", "[Term]\nid: X:1\nname: dog\nsynonym: hound\n", "line 4: a synonym needs quotes"),
        ("t.rdf", "<a><b></a>", "line 1: not well-formed XML"),
        ("t.rdf", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "line 1: a document type"),
        ("t.rdf", RDF.replace(">cancer<", "><"), "line 9: 'x:2' has no skos:prefLabel"),
        ("t.jsonld", '{"@graph": [{"prefLabel": "dog"}]}', "entry 1: a concept without '@id'"),
        ("t.jsonld", '[{"@id": "1", "prefLabel": "dog", "broader": 3}]', "entry 1: a link must name a concept"),
        ("t.ttl", "", "'.ttl' is no taxonomy file; use one of .csv .json"),
    ],
)
def test_bad_files_say_where_and_why(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(KnowledgeFileError) as error:
        load_taxonomy(write(tmp_path / name, content), key)
    assert message in str(error.value)
    assert str(tmp_path / name) in str(error.value)


def test_long_chains_and_wide_diamonds_take_linear_time(tmp_path: Path) -> None:
    rows = [f"n{i},n{i + 1}\nn{i},m{i + 1}\nm{i},n{i + 1}\nm{i},m{i + 1}" for i in range(1000)]
    tree = load_taxonomy(write(tmp_path / "t.csv", HEAD + "\n".join(rows)), key)
    assert len(tree.ancestors(tree.senses("n0")[0])) == 2000
