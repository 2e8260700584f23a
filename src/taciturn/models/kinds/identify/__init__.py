"""Which parts of a document identify somebody: pieces, their figures, the network over them, and what it finds."""

from taciturn.models.kinds.identify.find import KIND_OF, Identified, identify

__all__ = ["KIND_OF", "Identified", "identify"]
