"""Made-up documents that are shipped: for the demo, the tutorial and a first evaluation.

| name | what |
| --- | --- |
| discharge-note.txt, .pdf | a note on a patient with HIV |
| concealment.jsonl | eight documents with everything marked that gives one matter away |
| identifiers.jsonl | five documents with every identifier marked |

All persons, places of work and numbers in them are invented.
"""

from __future__ import annotations

from pathlib import Path

from taciturn.errors import InputError

__all__ = ["PREFIX", "path"]

PREFIX = "sample:"
_FOLDER = Path(__file__).parent


def path(name: str) -> Path:
    """The path of a sample, with its ending or without, also as ``sample:NAME``.

    >>> path("sample:concealment").name
    'concealment.jsonl'
    """
    wanted = name.removeprefix(PREFIX)
    there = {
        file.name: file for file in sorted(_FOLDER.iterdir()) if file.suffix not in (".py", ".pyc") and file.is_file()
    }
    for found, file in there.items():
        if wanted in (found, file.stem):
            return file
    raise InputError(f"there is no sample {wanted!r}: choose {', '.join(there)}")
