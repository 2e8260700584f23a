"""Sorted strings in little space, found without loading them: front coding in blocks of sixteen.

In a block the first string stands whole and each further one names how many bytes it shares with the one before it.
A search bisects the first eight bytes of the blocks' heads, then reads one block. Alternatives measured on the noun
lemmas of WordNet: a plain blob with offsets takes twice the space, a hash table 2.5 times. The thousands of strings of
a document are searched for side by side, one step of all searches at a time, on arrays; where ``_strings.c`` was
compiled, one after the other, some ten times as fast.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from taciturn.compiled import load_compiled

__all__ = ["StringTable", "pack_strings"]

S = TypeVar("S", bound=str)

compiled = load_compiled("taciturn.knowledge.storage._strings")

_BLOCK = 16
_FEW = 128  # strings that are found sooner one by one
_WORD = 8  # bytes that are compared at a time
_MASKS = np.array([(1 << 64) - (1 << 8 * (_WORD - n)) for n in range(_WORD + 1)], dtype=np.uint64)  # of the first n
_BYTES = np.array([1 << 8 * n for n in range(_WORD)], dtype=np.uint64)
_MOST = 255  # bytes that a string can say it shares with the one before


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
            limit = min(len(before), len(data), _MOST)
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


class StringTable(Generic[S]):
    """Sorted strings by number and numbers by string. ``find`` is logarithmic in the number of strings."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._arrays = (
            np.ascontiguousarray(arrays["blob"], dtype=np.uint8),
            np.ascontiguousarray(arrays["starts"], dtype=np.uint32),
            np.ascontiguousarray(arrays["heads"], dtype=np.uint64),
        )
        self._blob, self._starts, self._heads = (array.data for array in self._arrays)
        self._length = int(arrays["length"][0])

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, number: int) -> S:
        if not 0 <= number < self._length:
            raise IndexError(f"there is no string {number} among {self._length}")
        for at, data in enumerate(self._block(number // _BLOCK), number - number % _BLOCK):
            if at == number:
                return cast(S, data.decode())
        raise AssertionError("a block ends before its last string")

    def __iter__(self) -> Iterator[S]:
        for block in range(len(self._heads)):
            for data in self._block(block):
                yield cast(S, data.decode())

    def find(self, string: S) -> int:
        """The number of a string, -1 if it is not here."""
        if compiled is not None:
            return int(self.find_many([string])[0])
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

    def starting(self, prefix: str) -> Iterator[S]:
        """The strings that begin with some letters, in order; costs as much as there are of them.

        >>> list(StringTable(pack_strings(["carcinoma", "cat", "catalogue", "dog"])).starting("cat"))
        ['cat', 'catalogue']
        """
        data = prefix.encode("utf-8", "surrogatepass")
        # The block before the first one that begins so may end with such strings.
        for block in range(max(bisect_left(self._heads, _head(data)) - 1, 0), len(self._heads)):
            for here in self._block(block):
                if here.startswith(data):
                    yield cast(S, here.decode())
                elif here > data:
                    return

    def find_many(self, strings: Sequence[S]) -> NDArray[np.int64]:
        """The number of each string, -1 for those that are not here: :meth:`find` for thousands at a time.

        >>> StringTable(pack_strings(["carcinoma", "cat", "catalogue"])).find_many(["dog", "cat"]).tolist()
        [-1, 1]
        """
        if compiled is not None:
            found = np.empty(len(strings), dtype=np.int64)
            coded = [s.encode("utf-8", "surrogatepass") for s in strings]
            compiled.find(*self._arrays, self._length, coded, found)
            return found
        if len(strings) < _FEW:
            return np.array([self.find(s) for s in strings], dtype=np.int64)
        blob, starts, heads = self._arrays
        searches = _Searches(strings, blob)
        low = np.searchsorted(heads, searches.heads, side="left")
        high = np.searchsorted(heads, searches.heads, side="right")
        while len(open_ := np.flatnonzero(low < high)):
            middle = (low[open_] + high[open_]) // 2
            at, size = searches.sizes_at(starts[middle].astype(np.int64))
            order, _ = searches.compare(open_, np.zeros_like(open_), at, size)
            low[open_[order <= 0]] = middle[order <= 0] + 1
            high[open_[order > 0]] = middle[order > 0]
        return self._walk(searches, low - 1, starts)

    def _walk(self, searches: _Searches, blocks: NDArray[np.int64], starts: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Go through the blocks of all searches in step.

        ``common`` is how many bytes a search shares with the string before, which sorts before it. A string that shares
        more with that one still sorts before the search, one that shares less sorts after it and ends the search, and
        only one that shares as much is compared.
        """
        found = np.full(len(blocks), -1, dtype=np.int64)
        live = np.flatnonzero(blocks >= 0)
        at, size = searches.sizes_at(starts[blocks[live]].astype(np.int64))
        order, common = searches.compare(live, np.zeros_like(live), at, size)
        common = np.minimum(common, _MOST)
        for slot in range(_BLOCK):
            same = order == 0
            found[live[same]] = blocks[live[same]] * _BLOCK + slot
            left = (order < 0) & (blocks[live] * _BLOCK + slot + 1 < self._length)
            live, at, common = live[left], (at + size)[left], common[left]
            if slot == _BLOCK - 1 or not len(live):
                break
            shared = searches.blob[at].astype(np.int64)
            at, size = searches.sizes_at(at + 1)
            order = np.where(shared < common, 1, -1)
            equal = np.flatnonzero(shared == common)
            order[equal], more = searches.compare(live[equal], common[equal], at[equal], size[equal])
            common[equal] = np.minimum(common[equal] + more, _MOST)
        return found

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


class _Searches:
    """Strings that are searched for side by side, and the bytes they are searched in."""

    def __init__(self, strings: Sequence[str], blob: NDArray[np.uint8]) -> None:
        coded = [s.encode("utf-8", "surrogatepass") for s in strings]
        self.blob = blob if len(blob) >= _WORD else np.concatenate([blob, np.zeros(_WORD, dtype=np.uint8)])
        self._lengths = np.fromiter(map(len, coded), dtype=np.int64, count=len(coded))
        self._ends = np.cumsum(self._lengths)
        self._bytes = np.frombuffer(b"".join(coded) + bytes(_WORD), dtype=np.uint8)
        self.heads = _loaded(self._bytes, self._ends - self._lengths, self._lengths)

    def sizes_at(self, at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers that are coded at some places in seven bits a byte: where each one ends, and the number."""
        here = self.blob[at]
        size = (here & 127).astype(np.int64)
        at = at + 1
        more, shift = np.flatnonzero(here > 127), 7
        while len(more):
            here = self.blob[at[more]]
            size[more] |= (here & 127).astype(np.int64) << shift
            at[more] += 1
            more, shift = more[here > 127], shift + 7
        return at, size

    def compare(
        self, which: NDArray[np.int64], skipped: NDArray[np.int64], at: NDArray[np.int64], size: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How bytes of the table sort against the searches named, the first bytes of each being ``skipped``.

        Gives -1, 0 or 1, and how many bytes the two share.
        """
        mine = (self._ends - self._lengths)[which] + skipped
        length = self._lengths[which] - skipped
        order = np.zeros(len(which), dtype=np.int64)
        shared = np.zeros(len(which), dtype=np.int64)
        todo, done = np.arange(len(which)), 0
        while len(todo):
            ours = _loaded(self._bytes, mine[todo] + done, length[todo] - done)
            theirs = _loaded(self.blob, at[todo] + done, size[todo] - done)
            differ = ours ^ theirs
            # Zero bytes stand for the end of a string, so that alike words may still be of strings unlike in length.
            alike = np.minimum(_same_bytes(differ), np.minimum(length[todo], size[todo]) - done)
            shared[todo] += alike
            order[todo] = np.where(differ == 0, np.sign(size[todo] - length[todo]), np.where(theirs > ours, 1, -1))
            done += _WORD
            todo = todo[(differ == 0) & (np.minimum(length[todo], size[todo]) > done)]
        return order, shared


def _loaded(data: NDArray[np.uint8], at: NDArray[np.int64], left: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The eight bytes at each place as one number, the first byte the highest; zero after the ``left`` ones."""
    words = np.ndarray(shape=(len(data) - _WORD + 1,), dtype=">u8", buffer=data.data, strides=(1,))
    within = np.minimum(at, len(words) - 1)
    loaded = words[within].astype(np.uint64) << ((at - within) * 8).astype(np.uint64)
    return loaded & _MASKS[np.clip(left, 0, _WORD)]


def _same_bytes(differ: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many of the first bytes are zero."""
    return _WORD - np.searchsorted(_BYTES, differ, side="right")
