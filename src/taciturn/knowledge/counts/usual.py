"""What is usual in texts of one profession, whatever they are about: nearly every clinical note speaks of infections.

The counts of an encyclopedia call "infection" a strong sign of one infection. In notes it stands everywhere, so it
tells little. The sections of openly licensed notes were counted; a key that stands in many of them keeps the part of
its information that they leave it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays
from taciturn.knowledge.storage.strings import StringTable, pack_strings
from taciturn.language.keys import Key

__all__ = ["USUAL_KIND", "Usual"]

USUAL_KIND = "usual"
_SELDOM = 10  # sections, up to which a key is not usual: so many may be an accident of the texts


class Usual:
    """In how many sections of a profession's texts each key stands."""

    def __init__(self, file: ArrayFile) -> None:
        self._file = file
        self._sections = int(file.meta["sections"])

    @classmethod
    def open(cls, path: str | Path) -> Usual:
        """The file that :meth:`write` made. Raises :class:`DamagedFileError` for any other."""
        return cls(ArrayFile(Path(path), USUAL_KIND))

    @staticmethod
    def write(path: Path, counts: Mapping[Key, int], sections: int, origin: object) -> str:
        """Write how many of the sections have each key."""
        keys = sorted(counts)
        arrays = {f"keys.{part}": array for part, array in pack_strings(keys).items()}
        arrays["counts"] = np.array([counts[k] for k in keys], np.uint32)
        return write_arrays(path, USUAL_KIND, {"sections": sections, "origin": origin}, arrays)

    @property
    def digest(self) -> str:
        """A digest of the figures, quoted by certificates."""
        return self._file.digest

    @cached_property
    def _keys(self) -> StringTable[Key]:
        return StringTable({part: self._file[f"keys.{part}"] for part in ("blob", "starts", "heads", "length")})

    def left(self, keys: Sequence[Key]) -> NDArray[np.float64]:
        """The part of its information that each key keeps: 1 for one that few sections have, 0 for one in all of them.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = Usual.write(Path(folder, "u"), {Key("pain"): 43, Key("gout"): 10}, 175, "example")
        ...     Usual.open(Path(folder, "u")).left([Key("pain"), Key("gout"), Key("rabies")]).tolist()
        [0.5, 1.0, 1.0]
        """
        at = self._keys.find_many(keys)
        counts = np.where(at >= 0, self._file["counts"][at], 0)
        above = np.maximum(np.log2((counts + 1) / (_SELDOM + 1)), 0)
        part: NDArray[np.float64] = 1 - above / np.log2((self._sections + 1) / (_SELDOM + 1))
        return part
