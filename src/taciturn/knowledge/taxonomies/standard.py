"""The taxonomies of a pack, in order of priority."""

from __future__ import annotations

from pathlib import Path

from tacit.knowledge.taxonomies.packed import PackedTaxonomy
from tacit.knowledge.taxonomy import Taxonomy
from tacit.knowledge.values import ValueTaxonomy

__all__ = ["PRIORITY", "SUFFIX", "open_taxonomies"]

SUFFIX = ".taxonomy"
# What is read off the text first, then what is precise, then what is broad. Places come after WordNet: there
# "Sacramento" is a state capital and "reading" no town; who wants places by state (HIPAA) asks the taxonomy "places".
PRIORITY = ("values", "diseases", "phenotypes", "drugs", "wordnet", "places", "diagnoses")


def open_taxonomies(folder: Path) -> tuple[Taxonomy, ...]:
    """The taxonomies in a folder, memory-mapped, and values, in order of priority; others follow by name."""
    found: dict[str, Taxonomy] = {path.stem: PackedTaxonomy.open(path) for path in sorted(folder.glob(f"*{SUFFIX}"))}
    found["values"] = ValueTaxonomy()
    return tuple(found[name] for name in (*PRIORITY, *sorted(set(found) - set(PRIORITY))) if name in found)
