"""A pack from a corpus of any size: shards are made by the workers, the driver merges them.

    sizes of articles, in order --> where shards begin --> articles by shard --> shards --> assemble_pack on the driver

The figures of a pack depend on the order of its contexts and on how articles are cut into shards (what is a name is
voted on shard by shard). So both follow from the corpus alone, as in the local builder: ``order`` names columns that
give the articles one order, and the shards are cut by the same rule in that order. Spark's partitions leave no trace.

What the driver does: it reads the *sizes* of the articles in order, as a stream, and keeps where shards begin (one
entry a shard); it takes the finished shards one partition at a time and writes them beside ``out``; it runs
:func:`taciturn.knowledge.building.assemble_pack`, the second half of every build, with the memory that is said there.
The texts themselves never come to the driver. Shards come as rows, so no folder has to be shared with the workers.
"""

from __future__ import annotations

import json
import os
import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from taciturn.batch.work import reason
from taciturn.formats import write_whole
from taciturn.knowledge.building import Parameters
from taciturn.knowledge.building.build import Progress, ShardEnds, assemble_pack, source_facts, start_build
from taciturn.knowledge.building.shards import index_shard
from taciturn.knowledge.building.sources import Article
from taciturn.knowledge.storage.pack import Pack

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

__all__ = ["Built", "Corpus", "build_pack", "index_articles"]

_SHARD = "taciturn_shard"
_PLACE, _TEXT, _TITLE = "place", "text", "title"
_ORDERED = {"tinyint", "smallint", "int", "bigint", "string"}
_PIECES = "shard int, contexts bigint, documents bigint, failed array<struct<place:string,reason:string>>, data binary"


@dataclass(frozen=True)
class Corpus:
    """A frame of articles to build from, and what the manifest is to say of it: on Spark what ``Source`` is locally.

    ``order`` names columns of whole numbers or strings by which the articles have one order; no two may be alike.
    ``title`` is a column or None. ``markup`` says that the texts are still wikitext. See
    :class:`taciturn.knowledge.building.Source` for ``least_words``.
    """

    frame: DataFrame
    order: str | Sequence[str]
    text: str = "text"
    title: str | None = "title"
    markup: bool = False
    name: str = ""
    version: str = ""
    licence: str = ""
    least_words: int = 0

    @property
    def places(self) -> tuple[str, ...]:
        return (self.order,) if isinstance(self.order, str) else tuple(self.order)

    def demand(self) -> None:
        """Raise ``ValueError`` unless the frame has the columns, and they hold what they must."""
        types = {f.name: f.dataType.simpleString() for f in self.frame.schema.fields}
        if not self.places:
            raise ValueError("the articles need an order; name at least one column in 'order'")
        for column in (*self.places, self.text, *([self.title] if self.title else [])):
            if column not in types:
                raise ValueError(f"the frame has no column {column!r}; it has {', '.join(map(repr, list(types)[:20]))}")
            if column in (self.text, self.title) and types[column] != "string":
                raise ValueError(f"the column {column!r} holds {types[column]}, not text")
            if column in self.places and types[column] not in _ORDERED:
                raise ValueError(
                    f"the column {column!r} holds {types[column]}; order by whole numbers or strings, which compare "
                    "alike everywhere"
                )


@dataclass(frozen=True)
class Built:
    """A pack and what it was made of: articles counted, articles without text or with too few words, and failures.

    ``failed`` has an entry (place in the order, reason) for each article that could not be counted; if it is empty, the
    pack is the one that the local builder makes.
    """

    pack: Pack
    documents: int
    left_out: int
    failed: tuple[tuple[str, str], ...]


def build_pack(
    corpora: Corpus | Sequence[Corpus],
    out: Path,
    *,
    taxonomies: Sequence[Path] = (),
    entities: Sequence[Path] = (),
    parameters: Parameters | None = None,
    progress: Progress | None = None,
    replace: bool = False,
    name: str = "",
) -> Built:
    """Build a pack from frames of articles, with taxonomy files in order of priority, and put it at ``out``.

    It equals, byte for byte, what :func:`taciturn.knowledge.building.build_pack` makes of the same articles in files, a
    file for each corpus. ``out`` and the taxonomies are paths on the driver::

        notes = Corpus(spark.read.parquet("notes"), order=["file", "line"], text="note", title=None, name="our notes")
        build_pack(notes, Path("mypack"), taxonomies=embedded_taxonomies())

    Raises ``ValueError`` before any work for a column that is missing or of the wrong type, later if two articles have
    one place in the order.
    """
    several = [corpora] if isinstance(corpora, Corpus) else list(corpora)
    if not several:
        raise ValueError("there is nothing to build from; name at least one corpus")
    for corpus in several:
        corpus.demand()
    parameters = parameters or Parameters()
    partial = start_build(out, taxonomies, replace=replace)
    shards: list[Path] = []
    documents = left_out = 0
    failed: list[tuple[str, str]] = []
    for number, corpus in enumerate(several):
        starts, empty = _shard_starts(corpus, parameters.shard)
        left_out += empty
        folder = partial / f"corpus-{number:04}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for piece in _pieces(corpus, starts, parameters):
            path = folder / f"{piece.shard:09}.shard"
            write_whole(path, piece.data)
            shards.append(path)
            documents += piece.documents
            failed += [(f.place, f.reason) for f in piece.failed]
            if progress:
                progress("reading", len(shards), len(starts))
    if not shards:
        raise ValueError("the corpora hold no text; name columns with text in them")
    told = [source_facts(c.name, c.version, c.licence, c.least_words) for c in several]
    pack = assemble_pack(
        sorted(shards), out, sources=told, taxonomies=taxonomies, entities=entities, parameters=parameters,
        progress=progress, replace=replace, name=name, workers=os.cpu_count() or 1,
    )  # fmt: skip
    shutil.rmtree(partial)
    return Built(pack, documents, left_out, tuple(failed))


def _column(name: str) -> Column:
    """The column of a name, which may have dots in it; Spark would look for a field."""
    from pyspark.sql import functions as f

    return f.col("`" + name.replace("`", "``") + "`")


def _counted(corpus: Corpus) -> Column:
    """Is there text, and are there words enough? Counted as the local builder does, and where the rows are."""
    from pyspark.sql import functions as f

    text = _column(corpus.text)
    words = f.length(text) - f.length(f.replace(text, f.lit(" "), f.lit(""))) + 1
    return f.coalesce(words >= corpus.least_words, f.lit(False))


def _shard_starts(corpus: Corpus, characters: int) -> tuple[list[tuple[Any, ...]], int]:
    """The place of the first article of each shard, and how many articles are not counted at all."""
    from pyspark.sql import functions as f

    places = [_column(c) for c in corpus.places]
    ordered = corpus.frame.select(*places, f.length(_column(corpus.text)), _counted(corpus)).orderBy(*places)
    ends = ShardEnds(characters)
    starts: list[tuple[Any, ...]] = []
    left_out = 0
    before: tuple[Any, ...] = ()
    begins = True
    for *cells, size, counted in ordered.toLocalIterator(prefetchPartitions=True):
        place = tuple(cells)
        if None in place or place == before:
            fault = "no place" if None in place else "the place of another article"
            raise ValueError(
                f"an article has {fault} in the order of {corpus.places!r}: {place!r}; order by more columns"
            )
        before = place
        if not counted:
            left_out += 1
            continue
        if begins:
            starts.append(place)
        begins = ends.after(size)
    return starts, left_out


def _pieces(corpus: Corpus, starts: list[tuple[Any, ...]], parameters: Parameters) -> Iterator[Any]:
    """A row for each shard, from the workers."""
    from pyspark import StorageLevel
    from pyspark.sql import functions as f

    if not starts:
        return
    places = [_column(c).alias(f"{_PLACE}{i}") for i, c in enumerate(corpus.places)]
    names = [f"{_PLACE}{i}" for i in range(len(places))]
    title = f.coalesce(_column(corpus.title), f.lit("")) if corpus.title else f.lit("")
    articles = corpus.frame.where(_counted(corpus)).select(
        *places, _column(corpus.text).alias(_TEXT), title.alias(_TITLE)
    )
    schema = ", ".join(f"`{n}` {t}" for n, t in articles.dtypes) + f", {_SHARD} int"
    markup, shortest, longest = corpus.markup, parameters.shortest, parameters.longest

    def assign(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return assign_shards(batches, names, starts)

    def index(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return index_batches(batches, names, markup, shortest, longest)

    assigned = articles.mapInArrow(assign, schema)
    # One shard a partition, as far as hashing has it: what a task that is lost has to do again.
    gathered = assigned.repartition(len(starts), _SHARD).sortWithinPartitions(_SHARD, *names)
    pieces = gathered.mapInArrow(index, _PIECES).persist(StorageLevel.DISK_ONLY)
    try:
        # All at once, then one partition after the other: an iterator alone would have them made one by one.
        if (made := pieces.count()) != len(starts):
            raise RuntimeError(
                f"{made} shards came back instead of {len(starts)}; did the frame change while it was read?"
            )
        yield from pieces.toLocalIterator()
    finally:
        pieces.unpersist()


def assign_shards(
    batches: Iterable[pa.RecordBatch], places: Sequence[str], starts: Sequence[tuple[Any, ...]]
) -> Iterator[pa.RecordBatch]:
    """Record batches with a column that has the shard of each article: the last that starts before or at it."""
    import pyarrow as pa

    for batch in batches:
        columns = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in places]
        numbers = [bisect_right(starts, place) - 1 for place in zip(*columns, strict=True)]
        yield batch.append_column(_SHARD, pa.array(numbers, type=pa.int32()))


def index_batches(
    batches: Iterable[pa.RecordBatch], places: Sequence[str], markup: bool, shortest: int, longest: int
) -> Iterator[pa.RecordBatch]:
    """A row for each shard among articles that are sorted by shard and place; memory for one shard at a time."""
    import pyarrow as pa
    from pyspark import SparkFiles

    failure = pa.struct([("place", pa.string()), ("reason", pa.string())])
    types = [pa.int32(), pa.int64(), pa.int64(), pa.list_(failure), pa.binary()]
    rows = (row for batch in batches for row in batch.to_pylist())
    for shard, members in groupby(rows, key=lambda row: row[_SHARD]):
        articles = [
            (json.dumps([row[p] for p in places], ensure_ascii=False), Article(row[_TITLE], row[_TEXT], markup))
            for row in members
        ]
        # In Spark's own folder, where it spills the same texts.
        with TemporaryDirectory(dir=SparkFiles.getRootDirectory()) as folder:
            path = Path(folder) / "shard"
            contexts, failed = index_articles(articles, path, shortest, longest)
            data = path.read_bytes()
        told = [{"place": place, "reason": why} for place, why in failed]
        values = (shard, contexts, len(articles) - len(failed), told, data)
        arrays = [pa.array([value], type=kind) for value, kind in zip(values, types, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, names=["shard", "contexts", "documents", "failed", "data"])


def index_articles(
    articles: Sequence[tuple[str, Article]], path: Path, shortest: int, longest: int
) -> tuple[int, list[tuple[str, str]]]:
    """Write the shard of some articles, each with its place; returns the number of contexts, and failures with reasons.

    An article that fails alone is left out. If the others fail still, together, none of them can be counted. Whatever
    the error is, it is told as a row with its place: one article of a hundred million does not end the job.
    """
    try:
        return index_shard([article for _, article in articles], path, shortest, longest), []
    except Exception as error:
        together = reason(error)
    failed: list[tuple[str, str]] = []
    sound: list[tuple[str, Article]] = []
    for place, article in articles:
        try:
            index_shard([article], path, shortest, longest)
            sound.append((place, article))
        except Exception as error:
            failed.append((place, reason(error)))
    if failed:
        contexts, more = index_articles(sound, path, shortest, longest)
        return contexts, failed + more
    return index_shard([], path, shortest, longest), [(place, together) for place, _ in articles]
