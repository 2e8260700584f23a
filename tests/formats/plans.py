"""Plans by simple string search: what a model would do, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping

from taciturn.document import Document
from taciturn.formats import File, Options, read, write
from taciturn.plan import Applied, Edit, Plan, apply, resolve


def hide(document: Document, words: Mapping[str, str]) -> Applied:
    """Replace every occurrence of each key by its value, segment by segment, white space in a key matching any."""
    edits = []
    for segment in document.segments:
        text = document.text[segment.start : segment.end]
        for word, replacement in words.items():
            pattern = r"\s+".join(re.escape(part) for part in word.split())
            for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
                start = segment.start + found.start()
                kind = "person" if word.istitle() else "other"
                edits.append(Edit(start, segment.start + found.end(), found.group(), replacement, kind=kind))
    return apply(Plan(document, resolve(edits, document)))


def release(data: bytes, name: str, words: Mapping[str, str], options: Options | None = None) -> tuple[File, bytes]:
    """Read, hide, write: the file as read and the released bytes."""
    file = read(data, name, options)
    return file, write(file, hide(file.document, words))
