"""Compound files made by hand: storages and streams, as Outlook writes its messages."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
Tree = Mapping[str, Any]
"""Names with bytes (streams) or trees (storages)."""


def compound(tree: Tree) -> bytes:
    """The bytes of a compound file, version 3: sectors of 512 bytes, small streams in sectors of 64."""
    entries: list[dict[str, Any]] = [{"name": "Root Entry", "kind": 5, "data": b"", "next": _FREE, "child": _FREE}]

    def add(items: Tree) -> int:
        numbers = []
        for name, value in items.items():
            is_stream = isinstance(value, bytes)
            entries.append({"name": name, "kind": 2 if is_stream else 1, "next": _FREE, "child": _FREE})
            number = len(entries) - 1
            entries[number]["data"] = value if is_stream else b""
            numbers.append(number)
            if not is_stream:
                entries[number]["child"] = add(value)
        for one, other in pairwise(numbers):
            entries[one]["next"] = other
        return numbers[0] if numbers else _FREE

    entries[0]["child"] = add(tree)
    small = bytearray()
    small_fat: list[int] = []
    sectors: list[bytes] = []
    fat: list[int] = []

    def store(data: bytes) -> int:
        if not data:
            return _END
        first = len(sectors)
        count = -(-len(data) // 512)
        sectors.extend(data[i * 512 : i * 512 + 512].ljust(512, b"\0") for i in range(count))
        fat.extend([*range(first + 1, first + count), _END])
        return first

    for entry in entries[1:]:
        data = entry["data"]
        if entry["kind"] == 2 and 0 < len(data) < 4096:
            first, count = len(small_fat), -(-len(data) // 64)
            small.extend(data.ljust(count * 64, b"\0"))
            small_fat.extend([*range(first + 1, first + count), _END])
            entry["start"] = first
        else:
            entry["start"] = store(data)
    entries[0]["data"], entries[0]["start"] = bytes(small), store(bytes(small))
    packed = struct.pack(f"<{len(small_fat)}I", *small_fat)
    packed += b"\xff" * (-len(packed) % 512)
    small_start = store(packed)
    directory = b"".join(map(_entry, entries))
    directory += b"".join([_entry(None)] * (-len(entries) % 4))
    directory_start = store(directory)
    count = 1
    while (len(fat) + count) > count * 128:
        count += 1
    fat_start = len(fat)
    fat += [_FAT] * count
    fat += [_FREE] * (count * 128 - len(fat))
    table = struct.pack(f"<{len(fat)}I", *fat)
    header = struct.pack(
        "<8s16sHHHHHHIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, count, directory_start, 0, 4096,
        small_start, len(packed) // 512, _END, 0,
    )  # fmt: skip
    places = [*range(fat_start, fat_start + count), *[_FREE] * (109 - count)]
    return header + struct.pack("<109I", *places) + b"".join(sectors) + table


def _entry(entry: dict[str, Any] | None) -> bytes:
    if entry is None:
        return struct.pack("<64sHBBIII36sIQ", b"", 0, 0, 0, _FREE, _FREE, _FREE, b"", 0, 0)
    name = entry["name"].encode("utf-16-le")
    links = (_FREE, entry["next"], entry["child"])
    return struct.pack(
        "<64sHBBIII36sIQ", name, len(name) + 2, entry["kind"], 1, *links, b"", entry["start"], len(entry["data"])
    )


def properties(head: int, *fixed: tuple[int, int, int]) -> bytes:
    """A stream of properties of fixed size: the type, the number and the value of each."""
    return bytes(head) + b"".join(struct.pack("<HHIQ", kind, number, 6, value) for kind, number, value in fixed)


def text(number: int, value: str) -> dict[str, bytes]:
    """A property that is a text."""
    return {f"__substg1.0_{number:04X}001F": value.encode("utf-16-le")}


def recipient(name: str, address: str, kind: int = 1) -> dict[str, bytes]:
    return {
        "__properties_version1.0": properties(8, (3, 0x0C15, kind)),
        **text(0x3001, name),
        **text(0x39FE, address),
    }


def attachment(name: str, data: bytes) -> dict[str, bytes]:
    return {"__properties_version1.0": properties(8), **text(0x3707, name), "__substg1.0_37010102": data}


def message(subject: str, body: str, head: int = 32, **more: Any) -> dict[str, Any]:
    """A message from Ann Lee to Bob Ray."""
    return {
        "__properties_version1.0": properties(head, (0x40, 0x0039, 133_600_000_000_000_000)),
        **text(0x0037, subject),
        **text(0x1000, body),
        **text(0x0C1A, "Ann Lee"),
        **text(0x5D01, "ann@example.org"),
        "__recip_version1.0_#00000000": recipient("Bob Ray", "bob@example.org"),
        **more,
    }
