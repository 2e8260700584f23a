"""Is the sense that a word gets of the right kind? Judged by the entity types of GUM's dev part.

A head noun counts if its senses differ in whether they fit the type that annotators gave to the mention. Compared are
the order of WordNet, the order stored in the embedded taxonomy, and the choice by the words of the sentences around, if
a pack with counts is at hand. Kinds are WordNet's own lexicographer files, so Debian's wordnet-base is needed.

    python -m benchmarks.senses [PACK]
"""

from __future__ import annotations

import lzma
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.shared_data import SHARED
from training.taxonomies import wordnet

import taciturn
from taciturn.knowledge import Knowledge
from taciturn.knowledge.taxonomies import PackedTaxonomy, build_taxonomy
from taciturn.knowledge.taxonomies.build import parents_first
from taciturn.knowledge.taxonomies.senses import rank_senses
from taciturn.language import key

_FOLDER = Path("/usr/share/wordnet")
_GUM = SHARED / "data" / "treebank" / "gum-dev.conllu.xz"
_EMBEDDED = Path(taciturn.__file__).parent / "packs" / "en" / "wordnet.taxonomy"
_ENTITY = re.compile(r"Entity=([^|]*)")
_BRACKET = re.compile(r"(\()?([^()]+)?(\))?")
_SLOW = 80  # cases to choose in context: each asks some thousand counts
_AROUND = 2  # sentences before and after whose nouns are the context
# Lexicographer file -> the entity types that a sense from it may stand for.
_KINDS = {
    "abstract": (3, 7, 9, 10, 12, 16, 21, 23, 24, 25, 26, 4, 22, 11),
    "event": (4, 11, 19, 22, 26),
    "animal": (5,),
    "object": (6, 8, 17, 10),
    "substance": (13, 27, 8),
    "organization": (14,),
    "place": (15, 6, 17),
    "person": (18, 14),
    "plant": (20,),
    "time": (28,),
}
Token = list[str]


def _sentences(path: Path) -> Iterator[list[list[Token]]]:
    """Documents as lists of sentences of CoNLL-U rows."""
    document: list[list[Token]] = []
    sentence: list[Token] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in (raw.rstrip("\n") for raw in lines):
            if line.startswith("# newdoc") and document:
                yield document
                document = []
            elif not line and sentence:
                document.append(sentence)
                sentence = []
            elif line and line[0] != "#" and line.split("\t")[0].isdigit():
                sentence.append(line.split("\t"))
    if document:
        yield document


def _mentions(sentence: list[Token]) -> Iterator[tuple[str, Token]]:
    """(entity type, head token) of the mentions that lie within a sentence."""
    opened: list[tuple[str, int]] = []
    for at, token in enumerate(sentence):
        marked = _ENTITY.search(token[9])
        for opens, body, closes in _BRACKET.findall(marked[1]) if marked else ():
            if opens:
                opened.append((f"{body}-".split("-")[1], at))
            if closes and opened:
                kind, start = opened.pop()
                span = sentence[start : at + 1]
                inside = {t[0] for t in span}
                heads = [t for t in span if t[6] not in inside]
                if len(heads) == 1 and heads[0][3] == "NOUN":
                    yield kind, heads[0]


def _cases(path: Path) -> Iterator[tuple[str, str, set[str]]]:
    """(entity type, key of the head noun, keys of the nouns around it)."""
    for document in _sentences(path):
        nouns = [{key(t[2].lower()) for t in s if t[3] == "NOUN"} for s in document]
        for at, sentence in enumerate(document):
            around = set().union(*nouns[max(0, at - _AROUND) : at + _AROUND + 1])
            for kind, head in _mentions(sentence):
                yield kind, key(head[2].lower()), around


def main(pack: Path | None = None) -> list[dict[str, Any]]:
    """Print the table and return its rows."""
    concepts = list(wordnet.concepts(_FOLDER))
    with open(_FOLDER / "data.noun", encoding="ascii") as lines:
        files = {line[:8]: int(line.split()[1]) for line in lines if not line.startswith("  ")}
    kinds = [files[c.id] for c in parents_first(concepts)]
    plain = PackedTaxonomy("wordnet", build_taxonomy(concepts, key))
    stored = PackedTaxonomy.open(_EMBEDDED)

    def fits(number: int, kind: str) -> bool:
        return kinds[number] in _KINDS.get(kind, ())

    cases = [
        (kind, k, around)
        for kind, k, around in _cases(_GUM)
        if len({fits(n, kind) for n in stored.sense_numbers(k)}) > 1
    ]
    rows: list[dict[str, Any]] = []

    def told(order: str, answers: list[bool]) -> None:
        rows.append({"order": order, "cases": len(answers), "right %": 100 * sum(answers) / len(answers)})
        print(f"{order:28} {len(answers):6} {rows[-1]['right %']:.1f}", flush=True)

    told("WordNet's", [fits(plain.sense_numbers(k)[0], t) for t, k, _ in cases])
    told("stored", [fits(stored.sense_numbers(k)[0], t) for t, k, _ in cases])
    if pack:
        counts = Knowledge.open(pack).counts
        some = cases[:: max(1, len(cases) // _SLOW)]
        told("stored, some", [fits(stored.sense_numbers(k)[0], t) for t, k, _ in some])
        told("in context, the same", [fits(int(rank_senses(stored, k, c, counts)[0].id), t) for t, k, c in some])
    return rows


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
