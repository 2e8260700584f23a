"""Is a pack what its digest says, byte for byte? Asked once a process, before the digest is quoted.

Three things are compared: the SHA-256 of every file with the manifest, the manifest with its own digest (that does
:func:`~taciturn.knowledge.storage.pack.open_pack`), and the manifest of the embedded pack with ``EMBEDDED`` below. So
no byte that a figure comes from can be altered under the same digest, however its checksums are rewritten.

Hashing 45 MB takes 50 ms. What was hashed is noted in the user's cache folder under the file's path, size, times and
inode, and hashed again only if one of these has changed; ``taciturn knowledge verify`` always reads everything.

After the embedded pack was built anew, write its constant anew: ``python -m taciturn.knowledge.storage.verified``.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from taciturn.knowledge.storage.pack import Pack, PackError, embedded_pack, file_sha256, open_pack

__all__ = ["EMBEDDED", "require_verified"]

EMBEDDED = "4013114cc0d0d65a3f059a148f44fe7f27594049e4e3181a8faca9185cb95cae"
"""The checksum of the embedded pack's manifest, which holds the SHA-256 of each of its files."""

_RENEW = "python -m taciturn.knowledge.storage.verified"
_SETTLED = 2_000_000_000  # nanoseconds: a file that was just written may be written again within the clock's grain
_seen: set[str] = set()


def require_verified(pack: Pack) -> None:
    """Raise :class:`PackError` unless every byte of a pack is as its manifest says; once a process for each pack.

    >>> require_verified(open_pack(embedded_pack()))
    """
    asked = f"{pack.path.resolve()}\n{pack.manifest['checksum']}"
    if asked in _seen:
        return
    if pack.path.resolve() == embedded_pack().resolve() and pack.manifest["checksum"] != EMBEDDED:
        raise PackError(
            f"the embedded pack {pack.path} is not the one that this Taciturn was made with; install Taciturn again, "
            f"or after building the pack anew run: {_RENEW}"
        )
    _compare(pack, _Noted(_cache_file()))
    _seen.add(asked)


class _Noted:
    """The SHA-256 of files by what the file system says of them, kept in a file if there is a place for it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, str] = {}
        with suppress(OSError, ValueError):
            data = json.loads(path.read_bytes()) if path is not None else {}
            self._known = {k: v for k, v in data.items() if isinstance(v, str)} if isinstance(data, dict) else {}
        self._new: dict[str, str] = {}

    def sha256(self, path: Path, hashed: Callable[[Path], str] = file_sha256) -> str:
        stat = os.stat(path)
        times = (stat.st_mtime_ns, stat.st_ctime_ns)
        name = "\n".join(map(str, (path.resolve(), stat.st_dev, stat.st_ino, stat.st_size, *times)))
        if name in self._known:
            return self._known[name]
        found = hashed(path)
        if time.time_ns() - max(times) > _SETTLED:
            self._new[name] = found
        return found

    def keep(self) -> None:
        """Write what is new, and forget other states of the same files."""
        if not self._new or self._path is None:
            return
        renewed = {name.split("\n")[0] for name in self._new}
        known = {k: v for k, v in self._known.items() if k.split("\n")[0] not in renewed}
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}.part")
        with suppress(OSError):  # A folder that cannot be written costs time, not soundness.
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps({**known, **self._new}), "utf-8")
            os.replace(part, self._path)


def _cache_file() -> Path | None:
    """Where what was hashed is noted; None where the user has no home."""
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        return None
    return Path(base) / "taciturn" / "packs.json"


def _compare(pack: Pack, noted: _Noted) -> None:
    files: Mapping[str, Mapping[str, Any]] = pack.manifest["files"]
    for name, entry in files.items():
        if noted.sha256(pack.path / name) != entry["sha256"]:
            raise PackError(f"the pack {pack.path} is damaged: {name} is not as built; build or copy it again")
    noted.keep()


def _renew() -> None:
    """Write the constant of the embedded pack, as it lies there, into this file."""
    pack = open_pack(embedded_pack())
    _compare(pack, _Noted(None))
    source = Path(__file__)
    told, checksum = source.read_text("utf-8"), pack.manifest["checksum"]
    source.write_text(re.sub(r'^EMBEDDED = "\w*"$', f'EMBEDDED = "{checksum}"', told, flags=re.M), "utf-8")
    print(f"EMBEDDED = {checksum}")


if __name__ == "__main__":
    _renew()
