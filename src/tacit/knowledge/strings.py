"""Sorted strings in little space, found without loading them: front coding in blocks of sixteen.

In a block the first string stands whole and each further one names how many bytes it shares with the one before it.
A search bisects the first eight bytes of the blocks' heads, then reads one block. Alternatives measured on the noun
lemmas of WordNet: a plain blob with offsets takes twice the space, a hash table 2.5 times.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["StringTable", "pack_strings"]

_BLOCK = 16


def pack_strings(strings: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a :class:`StringTable` of sorted, distinct strings.

    >>> table = StringTable(pack_strings(["carcinoma", "cat", "catalogue"]))
    >>> table.find("cat"), table.find("dog"), table[2]
    (1, -1, 'catalogue')
    """
    blob = bytearray()
    starts, heads = [0], []
    before = b""
    for i, string in enumerate(strings):
        data = string.encode()
        if i and data <= before:
            raise ValueError(f"strings must be sorted and distinct: {string!r} does not come after the one before it")
        if i % _BLOCK == 0:
            if i:
                starts.append(len(blob))
            heads.append(_head(data))
            shared = 0
        else:
            limit = min(len(before), len(data), 255)
            shared = next((n for n in range(limit) if before[n] != data[n]), limit)
            blob.append(shared)
        blob += _varint(len(data) - shared) + data[shared:]
        before = data
    return {
        "blob": np.frombuffer(bytes(blob), dtype=np.uint8),
        "starts": np.array(starts, dtype=np.uint32),
        "heads": np.array(heads, dtype=np.uint64),
        "length": np.array([len(strings)], dtype=np.uint32),
    }


def _head(data: bytes) -> int:
    return int.from_bytes(data[:8].ljust(8, b"\0"), "big")


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


class StringTable:
    """Sorted strings by number and numbers by string. ``find`` is logarithmic in the number of strings."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._blob = np.ascontiguousarray(arrays["blob"], dtype=np.uint8).data
        self._starts = np.ascontiguousarray(arrays["starts"], dtype=np.uint32).data
        self._heads = np.ascontiguousarray(arrays["heads"], dtype=np.uint64).data
        self._length = int(arrays["length"][0])

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < self._length:
            raise IndexError(f"there is no string {number} among {self._length}")
        for at, data in enumerate(self._block(number // _BLOCK), number - number % _BLOCK):
            if at == number:
                return data.decode()
        raise AssertionError("a block ends before its last string")

    def __iter__(self) -> Iterator[str]:
        for block in range(len(self._heads)):
            for data in self._block(block):
                yield data.decode()

    def find(self, string: str) -> int:
        """The number of a string, -1 if it is not here."""
        data = string.encode("utf-8", "surrogatepass")
        head = _head(data)
        low = bisect_left(self._heads, head)
        high = bisect_right(self._heads, head, low)
        # Blocks low..high-1 begin like the string; the one before begins lower and may hold it as well.
        while low < high:
            middle = (low + high) // 2
            if next(self._block(middle)) <= data:
                low = middle + 1
            else:
                high = middle
        block = low - 1
        if block >= 0:
            for at, here in enumerate(self._block(block), block * _BLOCK):
                if here >= data:
                    return at if here == data else -1
        return -1

    def _block(self, block: int) -> Iterator[bytes]:
        blob, at = self._blob, self._starts[block]
        here = b""
        for i in range(min(_BLOCK, self._length - block * _BLOCK)):
            shared = 0
            if i:
                shared = blob[at]
                at += 1
            size, shift = 0, 0
            while blob[at] & 128:
                size |= (blob[at] & 127) << shift
                shift += 7
                at += 1
            size |= blob[at] << shift
            at += 1
            here = here[:shared] + bytes(blob[at : at + size])
            at += size
            yield here
