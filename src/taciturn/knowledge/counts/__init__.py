"""How often terms occur, alone and together: in memory, in a pack, on a search server."""
