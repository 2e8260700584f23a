"""Mutated files: whatever comes in, there is a released file without the name, or a clear refusal. Never a crash, a
hang, or a leak. The fast run takes a few mutations of each kind, the slow one 2,000 within a time budget."""

from __future__ import annotations

import io
import random
import re
import time
import warnings
import zipfile
from collections.abc import Callable

import pytest

from tacit.formats import FormatError
from tests.formats import nasty, nasty_office, nasty_pdf
from tests.formats.plans import release
from tests.formats.test_parquet import parquet_file

SECONDS = 45.0
"""How long the slow run works on each kind at most."""


def _bytes(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at = chance.randrange(len(made) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            made[at : at + 1] = bytes([chance.randrange(256)])
        elif kind == 1:
            del made[at : at + chance.choice((1, 2, 10, 200))]
        elif kind == 2:
            made[at:at] = bytes(chance.randrange(256) for _ in range(chance.choice((1, 3, 20))))
        elif kind == 3:
            start = chance.randrange(len(made) + 1)
            made[at:at] = made[start : start + chance.choice((5, 50, 500))]
        elif kind == 4:
            made[at : at + 2] = chance.choice(
                (b"<", b">", b'"', b"&", b"(", b")", b"\\", b"\n", b"]", b"}", b"-1", b"999999999")
            )
        elif chance.random() < 0.2:
            del made[at:]
        if not made:
            return b"x"
    return bytes(made)


def _package(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.3:
        return _bytes(data, chance)
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        names = old.namelist()
        victims = set(chance.sample(names, min(len(names), chance.choice((1, 1, 2)))))
        for name in names:
            content = old.read(name)
            if name in victims:
                if chance.random() < 0.1:
                    continue
                content = _bytes(content, chance)
            new.writestr(name, content)
    return buffer.getvalue()


Kind = tuple[str, Callable[[], list[bytes]], Callable[[bytes, random.Random], bytes]]
KINDS: dict[str, Kind] = {
    "text": ("a.txt", lambda: [nasty.markdown()], _bytes),
    "markdown": ("a.md", lambda: [nasty.markdown()], _bytes),
    "html": ("a.html", lambda: [nasty.page(*nasty.HTML_PLACES)], _bytes),
    "csv": ("a.csv", lambda: [nasty.table()], _bytes),
    "json": ("a.json", lambda: [nasty.leaves()], _bytes),
    "jsonl": ("a.jsonl", lambda: [nasty.lines()], _bytes),
    "mail": ("a.eml", lambda: [nasty.message()], _bytes),
    "docx": ("a.docx", lambda: [nasty_office.docx(inner=False)], _package),
    "odt": ("a.odt", lambda: [nasty_office.odt()], _package),
    "parquet": ("a.parquet", lambda: [parquet_file()], _bytes),
    "pdf": ("a.pdf", lambda: [make() for make in nasty_pdf.PLACES.values()], _bytes),
}


def _released(data: bytes) -> bytes:
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return b"\n".join(archive.read(name) for name in archive.namelist())
    return data


# What a plan by whole words leaves to be read, it leaves in the file.
_LEFT = re.compile(
    r"\wantonio\W+banderas|antonio\W+banderas\w|antonio[^\w\s]+\s*banderas|antonio\s*[^\w\s]+banderas", re.I
)


def _run(kind: str, count: int, seed: int, seconds: float) -> tuple[int, int]:
    name, make, mutate = KINDS[kind]
    sources = make()
    written = tried = 0
    started = time.process_time()
    for number in range(count):
        chance = random.Random(f"{kind} {seed} {number}")
        data = mutate(sources[number % len(sources)], chance)
        before = time.process_time()
        tried += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                file, made = release(data, name, nasty.HIDE)
        except FormatError:
            pass
        except Exception as error:
            raise AssertionError(f"mutation {number} of {kind} (seed {seed}) crashed: {error!r}") from error
        else:
            written += 1
            shown = _released(made).decode("utf-8", errors="replace")
            leaked = re.search(rf"(?<!\w){nasty.NAME}(?!\w)", shown) and not _LEFT.search(file.document.text)
            assert not leaked, f"mutation {number} of {kind} (seed {seed}) leaked"
        assert time.process_time() - before < 20, f"mutation {number} of {kind} (seed {seed}) took too long"
        if time.process_time() - started > seconds:
            break
    return tried, written


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_mutations(kind: str) -> None:
    tried, written = _run(kind, 25, 1, 6.0)
    assert tried >= 5
    assert written


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_mutations(kind: str) -> None:
    tried, written = _run(kind, 2000, 2, SECONDS)
    print(f"{kind}: {tried} mutated files, {written} released")
    assert tried > 300
