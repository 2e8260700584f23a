"""A pack on the machines of a cluster: shipped by Spark once an executor, opened once a Python worker, mapped."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from taciturn.knowledge.storage.pack import open_pack

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["located", "ship_pack"]

_SHIPPED = "shipped:"


def ship_pack(spark: SparkSession, pack: str | Path) -> str:
    """Send a pack from the driver to every executor, and return the name to give as ``pack``.

    Spark copies it once an executor, when the first task arrives, and unpacks it beside its own files; all Python
    workers of the executor map the same bytes. Not needed for a path that every worker can read, nor for the embedded
    pack, which comes with Taciturn::

        released = sanitize_frame(frame, "note", model, pack=ship_pack(spark, "mypack"))

    Raises :class:`taciturn.knowledge.storage.pack.PackError` for what is no sound pack.
    """
    from pyspark import SparkFiles

    opened = open_pack(Path(pack))
    name = f"pack-{opened.digest[:16]}"
    archive = Path(SparkFiles.getRootDirectory()) / f"{name}.zip"
    if not archive.exists():
        # In Spark's own folder on the driver: it is served from there, and goes when the session ends.
        partial = archive.with_suffix(".part")
        # Files may be older than ZIP can say: images of containers are made with times of 1970.
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED, strict_timestamps=False) as file:
            for member in sorted(p for p in opened.path.rglob("*") if p.is_file()):
                file.write(member, member.relative_to(opened.path).as_posix())
        partial.rename(archive)
        spark.sparkContext.addArchive(f"{archive}#{name}")
    return f"{_SHIPPED}{name}"


def located(pack: str | Path | None) -> str | None:
    """In a worker: where the pack lies; a path stays what it is.

    >>> located("packs/mine"), located(None)
    ('packs/mine', None)
    """
    if pack is None or not str(pack).startswith(_SHIPPED):
        return None if pack is None else str(pack)
    from pyspark import SparkFiles

    return str(SparkFiles.get(str(pack).removeprefix(_SHIPPED)))
