"""Building a pack: read, find terms, cut windows, index, merge, subsume, write.

    sources --shards (parallel, kept)--> merge (part by part) --> concepts --> pack aside --> rename

Shards are cut by the input alone and named by their content and parameters, so that any number of workers gives the
same pack, and a build that was interrupted goes on with the shards it has. They lie in ``<out>.partial`` until the pack
stands at ``out``. Memory is bounded by a shard a worker, a slice of all shards (see merge.py), 28 bytes a context
for the order of contexts, and the sets beside one way through the taxonomies (see concepts.py). Shards may be made
elsewhere: ``taciturn.spark`` has workers of a cluster make them and hands them to :func:`assemble_pack`.
"""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from taciturn.knowledge.building.merge import merge_shards, shuffled
from taciturn.knowledge.building.shards import index_shard, open_shard
from taciturn.knowledge.building.sources import Article, read_articles, source_files
from taciturn.knowledge.building.writing import write_counts
from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.knowledge.storage.pack import Pack, embedded_pack, finish_pack
from taciturn.knowledge.taxonomies import PRIORITY, SUFFIX, PackedTaxonomy
from taciturn.language.keys import KEY_VERSION

__all__ = [
    "Parameters",
    "Progress",
    "ShardEnds",
    "Source",
    "assemble_pack",
    "build_pack",
    "embedded_taxonomies",
    "source_facts",
    "start_build",
]

Progress = Callable[[str, int, int], None]
"""Called with a stage, how much of it is done and how much there is."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text to build from, and what the manifest is to say of it.

    Articles of fewer than ``least_words`` words are left out: stubs by the thousand that programs wrote make "poland"
    and "administrative district" the most frequent words of the world.
    """

    path: Path
    name: str = ""
    version: str = ""
    licence: str = ""
    least_words: int = 0


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the figures depend on besides the texts; the manifest records them.

    ``shortest``, ``longest``: words in a window (see windows.py). ``min_count``, ``min_phrase``, ``min_common``:
    contexts that a key must occur in, by what is known of it (see merge.py). ``inside``, ``titles``: whether known keys
    inside phrases and an article's title in each of its windows count. ``most_pieces``, ``most_numbers``: the
    largest union that is left to be made when asked for (see concepts.py). ``shard``: characters in a shard.
    """

    shortest: int = 100
    longest: int = 200
    min_count: int = 3
    min_phrase: int = 8
    min_common: int = 24
    inside: bool = True
    titles: bool = True
    most_pieces: int = 2000
    most_numbers: int = 1_000_000
    seed: int = 20121
    shard: int = 8_000_000

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest:
            raise ValueError(
                f"a window of {self.shortest} to {self.longest} words is none; give 1 <= shortest <= longest"
            )
        for name in ("min_count", "min_phrase", "min_common", "most_pieces", "most_numbers", "shard"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")


def embedded_taxonomies() -> list[Path]:
    """The taxonomy files that come with Taciturn, in order of priority."""
    files = {path.name.removesuffix(SUFFIX): path for path in embedded_pack().glob(f"*{SUFFIX}")}
    return [files[name] for name in PRIORITY if name in files]


def build_pack(
    sources: Sequence[Source],
    out: Path,
    *,
    taxonomies: Sequence[Path] = (),
    entities: Sequence[Path] = (),
    parameters: Parameters | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    replace: bool = False,
    keep_partial: bool = False,
    name: str = "",
) -> Pack:
    """Build a pack from sources, with taxonomy files in order of priority and entity bases, and put it at ``out``.

    Raises ``ValueError`` before any work for a source that cannot be read, and when ``out`` exists and is not to be
    replaced. Whatever happens, there is a whole pack at ``out`` or what was there before.
    """
    parameters = parameters or Parameters()
    report = progress or (lambda stage, done, total: None)
    if not sources:
        raise ValueError("there is nothing to build from; name at least one source")
    partial = start_build(out, taxonomies, replace=replace)
    workers = workers or os.cpu_count() or 1
    shards = list(_index(sources, partial, parameters, workers, report))
    if not shards:
        raise ValueError("the sources hold no text; name sources with 'text' in them")
    told = [source_facts(s.name or s.path.name, s.version, s.licence, s.least_words) for s in sources]
    pack = assemble_pack(
        shards, out, sources=told, taxonomies=taxonomies, entities=entities, parameters=parameters, progress=progress,
        replace=replace, name=name, workers=workers,
    )  # fmt: skip
    if not keep_partial:
        shutil.rmtree(partial)
    return pack


def partial_folder(out: Path) -> Path:
    """Where the shards of a pack lie until it stands at ``out``.

    >>> partial_folder(Path("packs/mine")).as_posix()
    'packs/mine.partial'
    """
    return out.with_name(out.name + ".partial")


def start_build(out: Path, taxonomies: Sequence[Path], *, replace: bool) -> Path:
    """The folder for the shards of a pack, made; raises before any work if the pack could not be put at ``out``."""
    if out.exists() and not replace:
        raise ValueError(f"{out} exists already; remove it or ask for it to be replaced")
    for path in taxonomies:
        PackedTaxonomy.open(path)
    partial = partial_folder(out)
    partial.mkdir(parents=True, exist_ok=True)
    return partial


def assemble_pack(
    shards: Sequence[Path],
    out: Path,
    *,
    sources: Sequence[Mapping[str, Any]],
    taxonomies: Sequence[Path] = (),
    entities: Sequence[Path] = (),
    parameters: Parameters,
    progress: Progress | None = None,
    replace: bool = False,
    name: str = "",
    workers: int = 1,
) -> Pack:
    """Merge shards, in the order of the corpus, into a pack at ``out``: the second half of every build.

    Whoever made the shards (processes here, workers of a cluster), the same shards in the same order give the same
    bytes, with any number of ``workers``, threads that encode sets. ``sources`` is what the manifest says of the texts.
    """
    report = progress or (lambda stage, done, total: None)
    opened = [PackedTaxonomy.open(path) for path in taxonomies]
    partial = partial_folder(out)
    contexts = [int(open_shard(path).meta["contexts"]) for path in shards]
    known = sorted({k for taxonomy in opened for k in taxonomy.key_table})
    folder = partial / "pack"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    parts = merge_shards(
        shards, shuffled(sum(contexts), parameters.seed), known, min_count=parameters.min_count,
        min_phrase=parameters.min_phrase, min_common=parameters.min_common, inside=parameters.inside,
        titles=parameters.titles,
    )  # fmt: skip
    sizes = write_counts(
        folder, parts, sum(contexts), opened, parameters.most_pieces, parameters.most_numbers, partial, report, workers
    )
    for taxonomy, path in zip(opened, taxonomies, strict=True):
        shutil.copyfile(path, folder / f"{taxonomy.name}{SUFFIX}")
    for path in entities:
        shutil.copyfile(path, folder / path.name)
    facts = {
        "name": name or out.name,
        "parameters": asdict(parameters),
        "sources": [*sources, *(dict(t.source, taxonomy=t.name) for t in opened)],
        "taxonomies": [t.name for t in opened],
        "figures": sizes,
    }
    return finish_pack(folder, out, facts, replace=replace)


def source_facts(name: str, version: str, licence: str, least_words: int) -> dict[str, Any]:
    """What a manifest says of a source."""
    told = {"name": name, "version": version, "licence": licence}
    return told | ({"least_words": least_words} if least_words else {})


def _index(
    sources: Sequence[Source], partial: Path, parameters: Parameters, workers: int, report: Progress
) -> Iterator[Path]:
    """The shard of each batch of articles, in order of the input; those found finished are not made again."""
    settings = f"{KEY_VERSION} {parameters.shortest} {parameters.longest} {_language_version()}"
    total = sum(f.stat().st_size for s in sources for f in source_files(s.path))
    used: set[Path] = set()
    waiting: deque[tuple[Path, Future[int] | None, int]] = deque()
    # Workers inherit the environment. A thread of linear algebra for each core in each worker, all spinning for each
    # other, costs ten times the processor time.
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(threads, "1")
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if workers > 1 else None
    try:
        for batch, done in _batches(sources, parameters.shard):
            path = partial / f"{_fingerprint(batch, settings)}.shard"
            if path in used or _is_whole(path):
                waiting.append((path, None, done))
            elif pool:
                task = pool.submit(index_shard, batch, path, parameters.shortest, parameters.longest)
                waiting.append((path, task, done))
            else:
                index_shard(batch, path, parameters.shortest, parameters.longest)
                waiting.append((path, None, done))
            used.add(path)
            while len(waiting) > 2 * workers or (waiting and waiting[0][1] is None):
                yield _finished(waiting.popleft(), total, report)
        while waiting:
            yield _finished(waiting.popleft(), total, report)
    finally:
        if pool:
            pool.shutdown(wait=True, cancel_futures=True)


def _finished(entry: tuple[Path, Future[int] | None, int], total: int, report: Progress) -> Path:
    path, task, done = entry
    if task:
        task.result()
    report("reading", done, total)
    return path


class ShardEnds:
    """Says, article by article in the order of the corpus, where a shard ends: once it has so many characters.

    >>> ends = ShardEnds(10)
    >>> [ends.after(size) for size in (4, 6, 12, 3)]
    [False, True, True, False]
    """

    def __init__(self, characters: int) -> None:
        self._characters = characters
        self._size = 0

    def after(self, size: int) -> bool:
        """Does the shard end after the next article, which has ``size`` characters?"""
        self._size += size
        if self._size < self._characters:
            return False
        self._size = 0
        return True


def _batches(sources: Iterable[Source], characters: int) -> Iterator[tuple[list[Article], int]]:
    """Articles in batches of about so many characters, with the bytes read so far; a batch ends with its file."""
    before = 0
    for source in sources:
        for file in source_files(source.path):
            batch: list[Article] = []
            ends = ShardEnds(characters)
            at = 0
            for article, at in read_articles(file):
                if article.text.count(" ") + 1 < source.least_words:
                    continue
                batch.append(article)
                if ends.after(len(article.text)):
                    yield batch, before + at
                    batch = []
            before += file.stat().st_size
            if batch:
                yield batch, before


def _fingerprint(batch: Sequence[Article], settings: str) -> str:
    figure = sha256(settings.encode())
    for article in batch:
        for part in (article.title, article.text, "markup" if article.markup else "plain"):
            data = part.encode("utf-8", "surrogatepass")
            figure.update(len(data).to_bytes(8, "little"))
            figure.update(data)
    return figure.hexdigest()[:32]


def _language_version() -> str:
    """A digest of everything that finds terms: shards made by other code or another model are not used again."""
    from importlib.resources import files

    figure = sha256()
    for package in ("taciturn.language", "taciturn.recognizers"):
        root = Path(str(files(package)))
        for path in sorted(p for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
            figure.update(path.relative_to(root).as_posix().encode() + b"\0" + sha256(path.read_bytes()).digest())
    return figure.hexdigest()


def _is_whole(path: Path) -> bool:
    try:
        open_shard(path).verify()
    except (OSError, DamagedFileError):
        return False
    return True
