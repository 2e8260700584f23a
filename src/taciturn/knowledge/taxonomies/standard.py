"""The taxonomies of a pack, in order of priority."""

from __future__ import annotations

from pathlib import Path

from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.knowledge.taxonomies.flags import STANDARD
from taciturn.knowledge.taxonomies.packed import PackedTaxonomy
from taciturn.knowledge.taxonomies.values import ValueTaxonomy

__all__ = ["PRIORITY", "SUFFIX", "open_taxonomies"]

SUFFIX = ".taxonomy"
PRIORITY = tuple(STANDARD)


def open_taxonomies(folder: Path) -> tuple[Taxonomy, ...]:
    """The taxonomies in a folder, memory-mapped, and values, in order of priority; others follow by name."""
    found: dict[str, Taxonomy] = {path.stem: PackedTaxonomy.open(path) for path in sorted(folder.glob(f"*{SUFFIX}"))}
    found[ValueTaxonomy.name] = ValueTaxonomy()
    return tuple(found[name] for name in (*PRIORITY, *sorted(set(found) - set(PRIORITY))) if name in found)
