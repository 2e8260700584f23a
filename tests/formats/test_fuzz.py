"""Mutated files: whatever comes in, there is a released file without the name, or a clear refusal. Never a crash, a
hang, or a leak. The fast run takes a few mutations of each kind, the slow one 2,000: the same ones on every machine."""

from __future__ import annotations

import io
import json
import random
import re
import time
import warnings
import zipfile
from collections.abc import Callable

import docx as python_docx
import openpyxl
import pikepdf
import pptx
import pyarrow as pa
import pyarrow.parquet as pq
import pypdfium2
import pytest
from lxml import etree

from taciturn.formats import FormatError, read_rows, removed, write
from taciturn.formats.sweep import Removed, Sweeper
from tests.formats import nasty, nasty_office, nasty_pdf
from tests.formats.plans import hide, release
from tests.formats.test_parquet import parquet_file
from tests.formats.test_pptx import deck
from tests.formats.test_rtf import rtf
from tests.formats.test_xlsx import book
from tests.formats.test_zip import packed


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


def _pdf(data: bytes, chance: random.Random) -> bytes:
    """Bytes anywhere, or in one expanded stream, or another value in a dictionary: so that the file still opens."""
    if chance.random() < 0.4:
        return _bytes(data, chance)
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            objects = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary | pikepdf.Stream)]
            streams = [o for o in objects if isinstance(o, pikepdf.Stream)]
            if streams and chance.random() < 0.6:
                stream = chance.choice(streams)
                stream.write(_bytes(stream.read_bytes() or b"x", chance))
            else:
                holder = chance.choice(objects)
                key = chance.choice(sorted(holder.keys()) or ["/X"])
                values = (b"null", b"-1", b"1e30", b"/Name", b"(text)", b"[]", b"<<>>", b"[1 [2 [3]]]", b"true")
                if key not in ("/Length", "/Type"):
                    holder[key] = pikepdf.Object.parse(chance.choice(values))
            buffer = io.BytesIO()
            pdf.save(buffer, static_id=True)
            return buffer.getvalue()
    except (pikepdf.PikepdfError, ValueError, TypeError, RuntimeError):
        return _bytes(data, chance)


def _letters(data: bytes, chance: random.Random) -> bytes:
    """Bytes anywhere, or letters and blanks only, which leave the syntax whole more often."""
    if chance.random() < 0.4:
        return _bytes(data, chance)
    made = bytearray(data)
    for _ in range(chance.choice((1, 3, 10))):
        at = chance.randrange(len(made))
        if chr(made[at]).isalnum() or made[at] == 32:
            made[at : at + 1] = chance.choice(
                (b"x", b" ", b"Q", b"Antonio Banderas", b"antonio", b"\\u0041", b"", b"_")
            )
    return bytes(made)


def _cells(data: bytes, chance: random.Random) -> bytes:
    """Bytes anywhere, or other values in the cells of a table."""
    if chance.random() < 0.3:
        return _bytes(data, chance)
    table = pq.read_table(io.BytesIO(data))
    name = chance.choice(table.column_names)
    column = table.column(name)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        words = (
            "Antonio Banderas",
            "antonio_banderas",
            "x",
            "",
            None,
            "Antonio\nBanderas",
            "\ud55c\uad6d\uc5b4",
            "a" * 5000,
        )
        values = [chance.choice(words) if chance.random() < 0.5 else v for v in column.to_pylist()]
        table = table.set_column(table.column_names.index(name), name, pa.array(values, column.type))
    buffer = io.BytesIO()
    pq.write_table(table.rename_columns([*table.column_names[:-1], chance.choice(("x", "Antonio Banderas"))]), buffer)
    return buffer.getvalue()


RTF_PLACES = (
    "@\\par ",
    "{\\header @}",
    "An{\\b tonio Band}eras\\par ",
    "{\\footnote \\u65?ntonio Banderas}",
    "{\\*\\bkmkstart @}x\\par ",
    '{\\field{\\*\\fldinst HYPERLINK "http://e.org/@"}{\\fldrslt @}}',
    "{\\info{\\author @}}",
    "\\trowd\\cellx1000 @\\cell\\row ",
)


def _named(place: str) -> str:
    return place.replace("@", nasty.NAME)


Kind = tuple[str, Callable[[], list[bytes]], Callable[[bytes, random.Random], bytes]]
KINDS: dict[str, Kind] = {
    "text": ("a.txt", lambda: [nasty.markdown()], _bytes),
    "markdown": ("a.md", lambda: [nasty.markdown()], _bytes),
    "html": ("a.html", lambda: [nasty.page(*nasty.HTML_PLACES)], _bytes),
    "csv": ("a.csv", lambda: [nasty.table()], _bytes),
    "csv rows": ("a.csv", lambda: [nasty.table()], _bytes),
    "json": ("a.json", lambda: [nasty.leaves()], _letters),
    "jsonl": ("a.jsonl", lambda: [nasty.lines()], _letters),
    "jsonl rows": ("a.jsonl", lambda: [nasty.lines()], _letters),
    "mail": ("a.eml", lambda: [nasty.message()], _bytes),
    "docx": ("a.docx", lambda: [nasty_office.docx(inner=False)], _package),
    "odt": ("a.odt", lambda: [nasty_office.odt()], _package),
    "pptx": ("a.pptx", lambda: [deck()], _package),
    "xlsx": ("a.xlsx", lambda: [book()], _package),
    "rtf": ("a.rtf", lambda: [rtf("".join(map(_named, RTF_PLACES)))], _letters),
    "zip": ("a.zip", lambda: [packed({"a.txt": nasty.markdown(), f"{nasty.NAME}/b.html": nasty.page()})], _package),
    "parquet": ("a.parquet", lambda: [parquet_file()], _cells),
    "pdf": ("a.pdf", lambda: [make() for make in nasty_pdf.PLACES.values()], _pdf),
}


def _released(data: bytes) -> bytes:
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return b"\n".join(archive.read(name) for name in archive.namelist())
    if data.startswith(b"{\\rtf"):  # a letter by its number is one, and may make another word of a name
        return re.sub(rb"\\u(-?\d+)\?", lambda m: chr(int(m[1]) & 0xFFFF).encode("utf-8", "replace"), data)
    return data


# What a plan by whole words leaves to be read, it leaves in the file.
_LEFT = re.compile(
    r"\wantonio\W+banderas|antonio\W+banderas\w|antonio[^\w\s]+\s*banderas|antonio\s*[^\w\s]+banderas", re.I
)


def _opens(kind: str, data: bytes) -> bool:
    """Whether another program opens a file: pdfium draws it, python-docx, lxml, csv and json read it."""
    try:
        if kind == "pdf":
            for page in pypdfium2.PdfDocument(data):
                page.render(scale=0.2)
        elif kind == "docx":
            python_docx.Document(io.BytesIO(data))
        elif kind == "pptx":
            pptx.Presentation(io.BytesIO(data))
        elif kind == "xlsx":
            openpyxl.load_workbook(io.BytesIO(data))
        elif kind == "odt":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                etree.fromstring(archive.read("content.xml"))
        elif kind == "parquet":
            pq.read_table(io.BytesIO(data))
        elif kind == "json":
            json.loads(data)
        elif kind == "jsonl":
            [json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip()]
    except Exception:  # whatever the other program says
        return False
    return True


def _run(kind: str, count: int, seed: int) -> int:
    """Release some mutations of a kind; how many there were bytes for."""
    name, make, mutate = KINDS[kind]
    sources = make()
    written = 0
    for number in range(count):
        chance = random.Random(f"{kind} {seed} {number}")
        data = mutate(sources[number % len(sources)], chance)
        before = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text, made = _by_rows(data, name) if kind.endswith(" rows") else _whole(data, name)
        except FormatError:
            pass
        except Exception as error:
            raise AssertionError(f"mutation {number} of {kind} (seed {seed}) crashed: {error!r}") from error
        else:
            written += 1
            shown = _released(made).decode("utf-8", errors="replace")
            leaked = re.search(rf"(?<!\w){nasty.NAME}(?!\w)", shown) and not _LEFT.search(text)
            assert not leaked, f"mutation {number} of {kind} (seed {seed}) leaked"
            if not _opens(kind, made):
                assert not _opens(kind, data), f"mutation {number} of {kind} (seed {seed}) does not open any more"
        assert time.process_time() - before < 20, f"mutation {number} of {kind} (seed {seed}) took too long"
    return written


def _whole(data: bytes, name: str) -> tuple[str, bytes]:
    """The text of a file and its release."""
    file, made = release(data, name, nasty.HIDE)
    return file.document.text, made


def _by_rows(data: bytes, name: str) -> tuple[str, bytes]:
    """The text of a table, a row to a paragraph, and its release row by row."""
    table = read_rows(data, name)
    if table is None:
        return _whole(data, name)
    texts: list[str] = []
    pieces: list[bytes] = []
    names: list[Removed] = []
    for _, file in table.files():
        if isinstance(file, bytes):
            pieces.append(file)
            continue
        applied = hide(file.document, nasty.HIDE)
        pieces.append(write(file, applied))
        texts.append(file.document.text)
        names += [r for r in removed(applied) if r.name]
    return "\n\n".join(texts), b"".join(table.assemble(Sweeper(names), pieces))


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_mutations(kind: str) -> None:
    assert _run(kind, 25, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_mutations(kind: str) -> None:
    assert _run(kind, 2000, 2) > 150
