"""From texts to a pack: sources, windows, shards, merge, concepts. Nothing here runs when a pack is only read."""

from taciturn.knowledge.building.build import Parameters, Source, build_pack, embedded_taxonomies

__all__ = ["Parameters", "Source", "build_pack", "embedded_taxonomies"]
