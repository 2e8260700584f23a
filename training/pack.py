"""The recipe of the embedded pack ``en``.

    python -m training.taxonomies --inputs FOLDER -o src/taciturn/packs/en      (only when their sources change)
    python -m training.pack --corpus ../shared/data/corpus
    python -m training.learned --pack src/taciturn/packs/en                     (the base of common diseases)
    python -m training.calibrate --pack src/taciturn/packs/en                   (the defaults of alpha and w)

The corpus is read from outside the repository; the pack holds figures computed from it, no sentence of it.
Calibrated defaults of the pack that is replaced are kept. A build that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from taciturn.knowledge.building import Parameters, Source, build_pack, embedded_taxonomies
from taciturn.knowledge.entities.base import ENTITIES_SUFFIX
from taciturn.knowledge.storage.pack import PackError, embedded_pack, open_pack, set_defaults

PACK = embedded_pack()
CORPUS = {
    "wikipedia-core.jsonl.xz": ("Wikipedia, 19,227 best-known English articles", "CC BY-SA 4.0"),
    "wikipedia-leads.jsonl.xz": ("Wikipedia, openings of 227,092 further English articles", "CC BY-SA 4.0"),
    "medquad.jsonl.xz": ("MedQuAD, 5,420 medical questions and answers of the NIH", "CC BY 4.0"),
}
PARAMETERS = Parameters(min_common=60)  # what fits into 45 MB: phrases on a topic rather than frequent ones


def sources(corpus: Path) -> list[Source]:
    """The texts of the embedded pack, with what the manifest says of them."""
    stubs = {"wikipedia-leads.jsonl.xz": 50}
    return [Source(corpus / f, name, f, licence, stubs.get(f, 0)) for f, (name, licence) in CORPUS.items()]


@click.command()
@click.option("--corpus", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), default=PACK, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
@click.option("--keep-partial", is_flag=True, help="Keep the shards, to try other parameters of the merge.")
def main(corpus: Path, out: Path, workers: int, keep_partial: bool) -> None:
    """Build the embedded pack from the corpus and the taxonomies beside it."""
    made = out.with_name(out.name + ".new")
    defaults = {}
    if out.exists():
        try:
            defaults = dict(open_pack(out).defaults)
        except PackError as error:
            click.echo(f"{error} (its defaults are not kept)", err=True)
    with Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()) as bars:
        tasks = {stage: bars.add_task(stage) for stage in ("reading", "merging", "subsuming", "writing")}
        pack = build_pack(
            sources(corpus), made, taxonomies=embedded_taxonomies(),
            entities=sorted(PACK.glob(f"*{ENTITIES_SUFFIX}")), parameters=PARAMETERS, workers=workers, replace=True,
            progress=lambda stage, done, total: bars.update(tasks[stage], completed=done, total=total),
            keep_partial=keep_partial, name="en",
        )  # fmt: skip
    if defaults:
        pack = set_defaults(pack, defaults)
    if out.exists():
        shutil.rmtree(out)
    os.rename(made, out)
    click.echo(f"{pack.digest}  {sum(f['size'] for f in pack.manifest['files'].values()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
