"""The pack: a folder of knowledge with a manifest that says where each figure came from.

    manifest.json      what the pack is, from what and how it was made, its files, its digest
    counts.bin         keys, concepts and the sizes of their sets (an array file, see arrayfile.py)
    postings.bin       the sets themselves (see postings.py), in pages with a checksum each
    *.taxonomy         is-a links, in the order of priority that the manifest names

Opening reads the manifest and compares the sizes of the files; every byte that answers a question is checked before it
is used, by the checksums of arrays and pages, so that a damaged pack gives an error and never a wrong figure.
Checksums can be rewritten: before the digest is quoted, every file is compared with its SHA-256 in the manifest, once a
process (:mod:`~taciturn.knowledge.storage.verified`). :func:`verify_pack` does so whenever asked. The digest covers
what the figures depend on (format, keys, parameters, files); notes such as licences and calibrated defaults, which
certificates state themselves, are under the manifest's own checksum only.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.language.keys import KEY_VERSION

__all__ = [
    "FORMAT",
    "Pack",
    "PackError",
    "Pages",
    "embedded_pack",
    "file_sha256",
    "finish_pack",
    "open_pack",
    "set_defaults",
    "verify_pack",
]

FORMAT = 1
PAGE = 1 << 16
_MANIFEST = "manifest.json"
_KIND = "taciturn knowledge pack"
_DIGESTED = ("format", "key_version", "parameters", "files", "taxonomies")


class PackError(DamagedFileError):
    """A pack that cannot be used: damaged, foreign, of another version, or made with other keys."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A folder of knowledge, found sound as far as opening can tell; ``verified.py`` tells the rest."""

    path: Path
    manifest: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """What certificates quote."""
        return str(self.manifest["digest"])

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Calibrated parameters for models, by name ("alpha", "w")."""
        defaults: Mapping[str, Any] = self.manifest.get("defaults", {})
        return defaults

    def file(self, name: str) -> Path:
        """The path of one of the pack's files."""
        if name not in self.manifest["files"]:
            raise PackError(f"the pack {self.path} has no {name}; build it again: {rebuild_command(self.path)}")
        return self.path / name


def embedded_pack() -> Path:
    """The folder of the pack that comes with Taciturn."""
    return Path(__file__).parents[2] / "packs" / "en"


def rebuild_command(path: Path) -> str:
    """The command that makes a pack anew.

    >>> rebuild_command(Path("mine"))
    'taciturn knowledge build SOURCE... -o mine'
    """
    return f"taciturn knowledge build SOURCE... -o {path}"


def _digest(manifest: Mapping[str, Any], names: Sequence[str]) -> str:
    part = {name: manifest[name] for name in names}
    return sha256(json.dumps(part, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _checksum(manifest: Mapping[str, Any]) -> str:
    return _digest(manifest, sorted(set(manifest) - {"checksum"}))


def open_pack(path: Path) -> Pack:
    """Open a pack. Raises :class:`PackError` unless it is whole, of this format, and made with this Taciturn's keys."""
    try:
        manifest = json.loads((path / _MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PackError(f"{path} is not a pack: it has no {_MANIFEST}; {rebuild_command(path)} makes one") from error
    except ValueError as error:
        raise PackError(f"the pack {path} is damaged: its manifest is not JSON; build or copy it again") from error
    if not isinstance(manifest, dict) or manifest.get("kind") != _KIND:
        raise PackError(f"{path} is not a pack of Taciturn: its manifest says nothing of the kind")
    if manifest.get("format") != FORMAT:
        raise PackError(
            f"the pack {path} has format {manifest.get('format')!r}, this Taciturn reads format {FORMAT}; "
            f"install the Taciturn that made it, or build it again: {rebuild_command(path)}"
        )
    if manifest.get("checksum") != _checksum(manifest) or manifest.get("digest") != _digest(manifest, _DIGESTED):
        raise PackError(f"the pack {path} is damaged: its manifest was changed; build or copy it again")
    if manifest["key_version"] != KEY_VERSION:
        raise PackError(
            f"the pack {path} was made with keys of version {manifest['key_version']!r}, this Taciturn's are of "
            f"version {KEY_VERSION!r}: its figures would be looked up under the wrong names; build it again: "
            f"{rebuild_command(path)}"
        )
    for name, entry in manifest["files"].items():
        try:
            size = os.stat(path / name).st_size
        except OSError as error:
            raise PackError(f"the pack {path} is damaged: {name} is missing; build or copy it again") from error
        if size != entry["size"]:
            raise PackError(
                f"the pack {path} is damaged: {name} has {size} bytes instead of {entry['size']}; "
                "build or copy it again"
            )
    return Pack(path, manifest)


def verify_pack(pack: Pack) -> None:
    """Read every byte; raise :class:`PackError` at the first file that is not as built."""
    for name, entry in pack.manifest["files"].items():
        if file_sha256(pack.path / name) != entry["sha256"]:
            raise PackError(f"the pack {pack.path} is damaged: {name} is not as built; build or copy it again")


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    figure = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            figure.update(block)
    return figure.hexdigest()


def _write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    manifest["digest"] = _digest(manifest, _DIGESTED)
    manifest["checksum"] = _checksum(manifest)
    temporary = folder / f".{_MANIFEST}.{os.getpid()}.part"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=2, sort_keys=True, ensure_ascii=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, folder / _MANIFEST)


def finish_pack(folder: Path, out: Path, facts: Mapping[str, Any], *, replace: bool = False) -> Pack:
    """Give a folder of finished files its manifest and put it where it belongs, at once.

    Until the last step there is nothing at ``out``, or what was there before.
    """
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
        files[path.relative_to(folder).as_posix()] = {"size": path.stat().st_size, "sha256": file_sha256(path)}
    manifest = {
        "kind": _KIND, "format": FORMAT, "key_version": KEY_VERSION, "defaults": {}, "sources": [],
        "taxonomies": [], **facts, "files": files,
    }  # fmt: skip
    _write_manifest(folder, manifest)
    out.parent.mkdir(parents=True, exist_ok=True)
    if out.exists():
        if not replace:
            raise ValueError(f"{out} exists already; remove it or ask for it to be replaced")
        open_pack_of_any_version(out)
        before = out.with_name(f"{out.name}.before")
        shutil.rmtree(before, ignore_errors=True)
        os.rename(out, before)
        os.rename(folder, out)
        shutil.rmtree(before)
    else:
        os.rename(folder, out)
    return open_pack(out)


def open_pack_of_any_version(path: Path) -> None:
    """Raise unless a folder is a pack, whatever its version: only a pack may be replaced by a pack."""
    try:
        kind = json.loads((path / _MANIFEST).read_bytes())["kind"]
    except (OSError, ValueError, KeyError, TypeError):
        kind = ""
    if kind != _KIND:
        raise ValueError(f"{path} exists and is not a pack of Taciturn: it will not be replaced; choose another place")


def set_defaults(pack: Pack, defaults: Mapping[str, float]) -> Pack:
    """Write calibrated parameters into a pack's manifest. The digest stays: figures do not depend on them."""
    manifest = {**pack.manifest, "defaults": dict(defaults)}
    _write_manifest(pack.path, manifest)
    return open_pack(pack.path)


class Pages:
    """A memory-mapped file whose pages are checked when they are first read.

    ``checksums`` are the CRC-32 of each ``PAGE`` bytes. Checking all of the embedded pack would cost 10 ms and read
    it all from the disk; a document touches a part of it.
    """

    def __init__(self, path: Path, checksums: NDArray[np.uint32]) -> None:
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._path = path
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        self._checksums = checksums
        self._checked = np.zeros(len(checksums), dtype=np.bool_)
        if len(checksums) != -(-len(self._bytes) // PAGE):
            raise PackError(f"{path} does not belong to its pack: it has another length; build or copy the pack again")

    @property
    def data(self) -> NDArray[np.uint8]:
        """All bytes, checked or not: ask :meth:`check` before using any."""
        return self._bytes

    def check(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> None:
        """Check the pages on which spans lie; raises :class:`PackError` if one is not as written."""
        touched = np.zeros(len(self._checked) + 1, dtype=np.int64)
        filled = starts < stops
        np.add.at(touched, starts[filled] // PAGE, 1)
        np.add.at(touched, -(-stops[filled] // PAGE), -1)
        for page in np.flatnonzero((np.cumsum(touched[:-1]) > 0) & ~self._checked).tolist():
            here = self._bytes[page * PAGE : (page + 1) * PAGE]
            if zlib.crc32(here.data) != self._checksums[page]:
                raise PackError(f"{self._path} is damaged at byte {page * PAGE}; build or copy the pack again")
            self._checked[page] = True


class PageWriter:
    """Writes such a file piece by piece and keeps its checksums."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "wb")  # noqa: SIM115 - closed by close()
        self._pending = bytearray()
        self._checksums: list[int] = []

    def write(self, data: NDArray[np.uint8]) -> None:
        self._pending += data.tobytes()
        whole = len(self._pending) // PAGE * PAGE
        for start in range(0, whole, PAGE):
            self._page(self._pending[start : start + PAGE])
        del self._pending[:whole]

    def _page(self, page: bytearray) -> None:
        self._checksums.append(zlib.crc32(page))
        self._file.write(page)

    def close(self) -> NDArray[np.uint32]:
        """Finish the file; returns its checksums."""
        if self._pending:
            self._page(self._pending)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return np.array(self._checksums, dtype=np.uint32)
