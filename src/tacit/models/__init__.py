"""The privacy models, one module each: a definition, a plan and a check."""

from tacit.models.base import Bindable, Guarantee, Model, Violation
from tacit.models.csanitized import CSanitized
from tacit.models.informative import Informative, Related
from tacit.models.protected import UnknownEntityError

__all__ = [
    "Bindable",
    "CSanitized",
    "Guarantee",
    "Informative",
    "Model",
    "Related",
    "UnknownEntityError",
    "Violation",
]
