"""Speed of files: dense PDF pages and megabytes of DOCX a second, reading, writing and checking apart.

A peer is beside each: pdfminer's own text extraction for PDF (reading alone), python-docx for DOCX (reading and saving
alone, and only the body's paragraphs). CPU time of one core.
"""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable
from typing import Any

from taciturn.formats import leaks, read, removed, write
from taciturn.plan import Applied, Edit, Plan, apply

_SENTENCE = "The patient Antonio Banderas was seen on 12 May 2024 in the clinic for liver disease and other reasons. "


def _pdf(paragraphs: int = 80) -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    buffer = io.BytesIO()
    style = getSampleStyleSheet()["Normal"]
    SimpleDocTemplate(buffer).build([Paragraph(_SENTENCE * 8, style) for _ in range(paragraphs)])
    return buffer.getvalue()


def _docx(paragraphs: int = 4000) -> bytes:
    import docx

    document = docx.Document()
    for number in range(paragraphs):
        paragraph = document.add_paragraph()
        # Figures make the text as hard to compress as real prose is.
        paragraph.add_run(f"{number * 7919 % 99991} {_SENTENCE}")
        paragraph.add_run(f"{number * 104729 % 1299709:x} {_SENTENCE}").bold = True
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _plan(document: Any) -> Applied:
    words = re.finditer("Antonio Banderas", document.text)
    return apply(Plan(document, tuple(Edit(m.start(), m.end(), m.group(), "an actor") for m in words)))


def _timed(work: Callable[[], Any], rounds: int = 3) -> tuple[Any, float]:
    """The result and the least CPU time of some rounds: what others do on the machine only ever adds to it."""
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        result = work()
        least = min(least, time.process_time() - start)
    return result, least


def _measure(data: bytes, name: str) -> dict[str, float]:
    read(data[:], name)  # once before, so that imports do not count
    file, reading = _timed(lambda: read(data, name))
    applied = _plan(file.document)
    made, writing = _timed(lambda: write(file, applied))  # which checks
    found, checking = _timed(lambda: leaks(made, removed(applied), name))
    assert not found
    return {"read": reading, "write": writing - checking, "check": checking}


def main() -> list[dict[str, Any]]:
    """Print the table and return its rows."""
    from pdfminer.high_level import extract_text
    from pypdfium2 import PdfDocument

    rows: list[dict[str, Any]] = []
    pdf = _pdf()
    pages = len(PdfDocument(pdf))
    seconds = _measure(pdf, "a.pdf")
    _, peer = _timed(lambda: extract_text(io.BytesIO(pdf)))
    rows.append(
        {
            "what": f"PDF, {pages} pages of about 5,000 letters",
            "unit": "pages/s",
            "read + write": pages / (seconds["read"] + seconds["write"]),
            "with the check": pages / sum(seconds.values()),
            "peer": pages / peer,
        }
    )
    word = _docx()
    with zipfile.ZipFile(io.BytesIO(word)) as archive:
        expanded = sum(i.file_size for i in archive.infolist()) / 1e6
    seconds = _measure(word, "a.docx")

    def python_docx() -> None:
        import docx

        document = docx.Document(io.BytesIO(word))
        for paragraph in document.paragraphs:
            for run in paragraph.runs:
                run.text = run.text.replace("Antonio Banderas", "an actor")
        document.save(io.BytesIO())

    _, peer = _timed(python_docx)
    rows.append(
        {
            "what": f"DOCX, {expanded:.1f} MB of XML ({len(word) / 1e6:.2f} MB zipped)",
            "unit": "MB/s of XML",
            "read + write": expanded / (seconds["read"] + seconds["write"]),
            "with the check": expanded / sum(seconds.values()),
            "peer": expanded / peer,
        }
    )
    print(f"{'what':48} {'unit':12} {'read + write':>14} {'with check':>12} {'peer':>8}")
    for row in rows:
        figures = f"{row['read + write']:14.1f} {row['with the check']:12.1f} {row['peer']:8.1f}"
        print(f"{row['what']:48} {row['unit']:12} {figures}")
    return rows


if __name__ == "__main__":
    main()
