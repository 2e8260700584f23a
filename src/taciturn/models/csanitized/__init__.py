"""C-sanitized: definition and plan in ``model``, the check in ``check``."""

from taciturn.models.csanitized.model import CSanitized

__all__ = ["CSanitized"]
