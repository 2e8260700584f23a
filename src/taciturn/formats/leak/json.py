"""JSON read twice more: loaded whole, and with its escapes undone in place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from taciturn.formats.leak.found import Found

__all__ = ["texts"]


def texts(data: bytes, name: str) -> Iterator[Found]:
    """Keys and leaves; then the source with \\uXXXX undone."""
    source = data.decode("utf-8-sig", errors="replace")
    values: list[object] = []
    try:
        values = [json.loads(source)]
    except ValueError:
        values = [json.loads(line) for line in source.splitlines() if line.strip()]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            for key, inner in value.items():
                yield Found("key", "loaded", key, title=True)
                values.append(inner)
        elif isinstance(value, list):
            values.extend(value)
        elif isinstance(value, str):
            yield Found("value", "loaded", value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield Found("number", "loaded", str(value))
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), source)
    # Without the keys, which were found above as what they are.
    yield Found("source", "escapes undone", re.sub(r'"(?:[^"\\]|\\.)*"\s*:', " ", plain), structure=True)
