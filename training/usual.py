"""Count what is usual in clinical notes, for ``usual.bin`` of a pack.

    python -m training.usual --texts ../shared/data/text --notes ../shared/data/notes/clinical-notes.jsonl.xz -o FILE

The texts are MTS-Dialog's and ACI-Bench's notes (CC BY 4.0): 1,701 sections and 207 whole notes, cut at blank lines.
Paragraphs that share ten words in a row with one of ``--notes`` are left out, so that those can judge what is built.
A key counts once a paragraph, for itself and for all that it is a kind of. Only figures are kept, no text.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import click

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.knowledge.counts.usual import Usual
from taciturn.language import Key, analyze
from taciturn.reading import expressions

ARCHIVE = "mts-dialog-aci-bench.tar.xz"
SHA256 = "9ab3e1bf957a622c02cbd650c579ba5b21c1365eddd382b9ebeb5d1660da8222"
SOURCE = {"name": "MTS-Dialog and ACI-Bench, sections of clinical notes", "licence": "CC BY 4.0", "version": ARCHIVE}
_WORD = re.compile(r"[^\W_]+")
_SHARED = 10  # words in a row
_LEAST = 2  # paragraphs that a key must stand in to be kept


def paragraphs(archive: Path) -> Iterator[str]:
    """The paragraphs of all notes."""
    data = archive.read_bytes()
    if (found := sha256(data).hexdigest()) != SHA256:
        raise click.ClickException(f"{archive} is not the pinned file: its SHA-256 is {found}, not {SHA256}")
    with tarfile.open(fileobj=io.BytesIO(data)) as files:
        for name in sorted(n for n in files.getnames() if n.endswith(".csv")):
            member = files.extractfile(name)
            assert member is not None
            for row in csv.DictReader(io.TextIOWrapper(member, "utf-8", newline="")):
                yield from re.split(r"\n\s*\n", row.get("section_text") or row.get("note") or "")


def runs(text: str) -> set[str]:
    """Every run of ten words."""
    words = _WORD.findall(text.lower())
    return {" ".join(words[i : i + _SHARED]) for i in range(len(words) - _SHARED + 1)}


def counted(texts: Iterable[str], knowledge: Knowledge) -> tuple[Counter[Key], int]:
    """How many of the texts have each key, and how many texts there are."""
    found: Counter[Key] = Counter()
    number = 0
    for text in texts:
        keys = {k for r in expressions(analyze(Document.of(text))) for k in r.keys}
        found.update(keys.union(*(knowledge.above(k) for k in keys)))
        number += 1
    return found, number


@click.command()
@click.option("--texts", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--notes", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
def main(texts: Path, notes: Path, out: Path) -> None:
    """Write usual.bin."""
    with lzma.open(notes, "rt", encoding="utf-8") as lines:
        kept_out = set[str]().union(*(runs(json.loads(line)["text"]) for line in lines))
    every = (p for p in paragraphs(texts / ARCHIVE) if len(p.split()) > 3 and not runs(p) & kept_out)
    found, number = counted(every, Knowledge.default())
    kept = {k: n for k, n in found.items() if n >= _LEAST}
    digest = Usual.write(out, kept, number, {**SOURCE, "sha256": SHA256})
    click.echo(f"{digest}  {len(kept):,} keys of {number:,} paragraphs, {out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
