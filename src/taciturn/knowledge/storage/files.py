"""Text files that people hand in: read whole, with errors that say where and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from taciturn.errors import KnowledgeError

__all__ = ["KnowledgeFileError", "read_json", "read_text"]


class KnowledgeFileError(KnowledgeError, ValueError):
    """A file of knowledge that cannot be used: says where and why."""


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; an error names the line that is not UTF-8."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise KnowledgeFileError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from None


def read_json(path: Path) -> Any:
    """The value in a JSON file; an error names the line."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise KnowledgeFileError(f"{path}, line {error.lineno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise KnowledgeFileError(f"{path}: nested too deeply") from None
