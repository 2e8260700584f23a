"""How packs lie on disk: memory-mapped arrays, sets and strings, and the manifest."""
