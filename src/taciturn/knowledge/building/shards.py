"""The first half of a build, done by workers: a shard of articles becomes an inverted index of its own.

A shard holds, for each of ``PARTS`` equal ranges of key hashes: the hashes in order, how many contexts each key has,
those contexts with how the key occurs in them (``context << 2 | how``), and the keys themselves. Keys that occur inside
phrases only carry no text: if they matter, somebody else knows them. The merge then needs one part of every shard at a
time, which bounds its memory whatever the size of the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document, Span
from taciturn.knowledge.building.phrases import HEAD, INSIDE, TITLE, expand
from taciturn.knowledge.building.sources import Article
from taciturn.knowledge.building.windows import cut_windows
from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays
from taciturn.language import analyze, key
from taciturn.language.keys import Key

__all__ = ["ABOUT", "NAME", "PARTS", "hash_keys", "index_shard", "open_shard", "title_key", "whole_title"]

PARTS = 64
ABOUT, NAME = 1, 2
"""What is marked of a key: that an article is about it; that it is mostly a person, an organization or a place."""

KIND = "shard of a knowledge build"
_TOGETHER = 50_000
_NAMES = frozenset({"person", "organization", "place"})
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")


def hash_keys(keys: Iterable[Key]) -> NDArray[np.uint64]:
    """64 bits of each key, the same in every process. Among ten million keys a clash has a chance of 1 in 400,000."""
    data = b"".join(blake2b(k.encode("utf-8", "surrogatepass"), digest_size=8).digest() for k in keys)
    return np.frombuffer(data, dtype="<u8").astype(np.uint64)


def title_key(title: str) -> Key:
    """The key of what an article is about.

    >>> title_key("Mercury (planet)"), title_key("HIV/AIDS")
    ('mercury', 'HIV/AIDS')
    """
    return key(_ASIDE.sub("", title)) if title else Key("")


def index_shard(articles: Sequence[Article], path: Path, shortest: int, longest: int) -> int:
    """Write the index of some articles to a file; returns the number of contexts."""
    phrases: dict[Key, int] = {}
    named: list[int] = []  # of each phrase: how often it is a name, less how often it is not
    phrase_of: list[int] = []
    context_of: list[int] = []
    titles: dict[Key, int] = {}
    title_runs: list[tuple[int, int, int]] = []
    contexts = 0
    for batch in _batches(articles):
        # Several articles at a time: what the analysis costs by document and by distinct word is paid once.
        analysis = analyze(Document.join([("text", text) for _, text in batch]))
        sentences, terms = iter(analysis.sentences), iter(analysis.terms)
        sentence, term = next(sentences, None), next(terms, None)
        for (title, _), segment in zip(batch, analysis.document.segments, strict=True):
            here: list[Span] = []
            while sentence and sentence[0] < segment.end:
                here.append(sentence)
                sentence = next(sentences, None)
            ends = cut_windows(analysis.document.text, here, segment.end, shortest, longest)
            if about := title_key(whole_title(title, analysis.document.text[segment.start : segment.start + 400])):
                title_runs.append((titles.setdefault(about, len(titles)), contexts, contexts + len(ends)))
            for end in ends:
                while term and term.start < end:
                    phrase = phrases.setdefault(term.key, len(phrases))
                    if phrase == len(named):
                        named.append(0)
                    named[phrase] += 1 if term.kind in _NAMES else -1
                    phrase_of.append(phrase)
                    context_of.append(contexts)
                    term = next(terms, None)
                contexts += 1
    occurrences = np.array(phrase_of, dtype=np.int64), np.array(context_of, dtype=np.int64)
    _write(path, phrases, named, *occurrences, titles, title_runs, contexts)
    return contexts


def whole_title(title: str, opening: str) -> str:
    """A title whose spaces were lost, with those that the article's opening has, or before its capitals.

    >>> whole_title("CharlesDarwin", "Charles Robert Darwin "), whole_title("YouTube", "YouTube is")
    ('Charles Darwin', 'YouTube')
    """
    bare = title.partition("(")[0]
    if " " in title or not 4 <= len(bare) <= 60 or bare[1:] == bare[1:].lower():
        return title
    found = re.search(r"\s?".join(map(re.escape, bare)), opening)
    return found.group() if found else _CAPITAL.sub(" ", bare)


def _batches(articles: Iterable[Article]) -> Iterator[list[tuple[str, str]]]:
    """Titles and texts of articles that have any text, in batches of about ``_TOGETHER`` characters."""
    batch: list[tuple[str, str]] = []
    size = 0
    for article in articles:
        text = _text_of(article)
        if text.strip():
            batch.append((article.title, text))
            size += len(text)
        if size > _TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _text_of(article: Article) -> str:
    if not article.markup:
        return article.text
    from taciturn.knowledge.building.wikitext import strip_markup

    return strip_markup(article.text)


def _write(
    path: Path,
    phrases: dict[Key, int],
    named: Sequence[int],
    phrase_of: NDArray[np.int64],
    context_of: NDArray[np.int64],
    titles: dict[Key, int],
    title_runs: list[tuple[int, int, int]],
    contexts: int,
) -> None:
    keys: dict[Key, int] = {}
    parts: list[int] = []  # of each phrase in turn: key << 2 | how
    starts = [0]
    best: list[int] = []
    for phrase in phrases:
        for part, how in expand(phrase).items():
            number = keys.setdefault(part, len(keys))
            if number == len(best):
                best.append(how)
            elif how < best[number]:
                best[number] = how
            parts.append(number << 2 | how)
        starts.append(len(parts))
    title_parts: list[list[int]] = []
    for title in titles:
        # An article on blood transfusion is one on transfusion, one on Antonio Banderas one on Banderas.
        about = [keys.setdefault(part, len(keys)) for part, how in expand(title).items() if how <= HEAD]
        best.extend([TITLE] * (len(keys) - len(best)))
        title_parts.append(about)
    hashes = hash_keys(keys)
    order = np.argsort(hashes, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))

    of_phrase = np.array(parts, dtype=np.int64)
    first = np.array(starts, dtype=np.int64)
    sizes = np.diff(first)[phrase_of]
    where = np.repeat(first[:-1][phrase_of] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    expanded = of_phrase[where]
    records = [rank[expanded >> 2] << 34 | np.repeat(context_of, sizes) << 2 | (expanded & 3)]
    for which, start, end in title_runs:
        run = np.arange(start, end, dtype=np.int64)
        records.extend(rank[number] << 34 | run << 2 | TITLE for number in title_parts[which])
    record = np.sort(np.concatenate(records))
    # Of several ways in which a key occurs in a context the strongest, which sorts first, is kept.
    record = record[np.concatenate([[True], record[1:] >> 2 != record[:-1] >> 2])] if len(record) else record
    counts = np.bincount(record >> 34, minlength=len(keys))

    texts = list(keys)
    written = np.array([how != INSIDE for how in best], dtype=bool)
    marks = np.zeros(len(keys), dtype=np.uint8)
    for phrase, surplus in zip(phrases, named, strict=True):
        if surplus > 0:
            marks[keys[phrase]] |= NAME
    for about in title_parts:
        marks[about[0]] |= ABOUT
    bounds = np.searchsorted(hashes[order] >> np.uint64(58), np.arange(PARTS + 1).astype(np.uint64))
    edges = np.concatenate([[0], np.cumsum(counts)])
    arrays: dict[str, NDArray[Any]] = {}
    for p in range(PARTS):
        low, high = int(bounds[p]), int(bounds[p + 1])
        members = order[low:high]
        encoded = [texts[k].encode("utf-8", "surrogatepass") if written[k] else b"" for k in members.tolist()]
        arrays[f"hashes.{p}"] = hashes[members]
        arrays[f"counts.{p}"] = counts[low:high].astype(np.uint32)
        arrays[f"contexts.{p}"] = (record[edges[low] : edges[high]] & ((1 << 34) - 1)).astype(np.uint32)
        arrays[f"marks.{p}"] = marks[members]
        arrays[f"lengths.{p}"] = np.array([len(e) for e in encoded], dtype=np.uint32)
        arrays[f"texts.{p}"] = np.frombuffer(b"".join(encoded), dtype=np.uint8)
    write_arrays(path, KIND, {"contexts": contexts, "phrases": len(phrase_of)}, arrays)


def open_shard(path: Path) -> ArrayFile:
    """A shard that was written whole; a damaged one raises."""
    return ArrayFile(path, KIND)
