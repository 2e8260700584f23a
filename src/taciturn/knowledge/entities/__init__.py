"""Entity bases: entities with the terms of their contexts."""
