"""The privacy models, one module each: a definition, a plan and a check."""

from tacit.models.base import Bindable, Guarantee, Model, Violation
from tacit.models.csanitized import CSanitized
from tacit.models.denied import Denied
from tacit.models.detecting import Detecting
from tacit.models.informative import Informative, Related
from tacit.models.kanonymous import KAnonymous
from tacit.models.kinds import Kinds
from tacit.models.ksafe import KSafe
from tacit.models.person import PersonRelease
from tacit.models.protected import UnknownEntityError
from tacit.models.tplausible import NotPlausibleError, TPlausible

__all__ = [
    "Bindable",
    "CSanitized",
    "Denied",
    "Detecting",
    "Guarantee",
    "Informative",
    "KAnonymous",
    "KSafe",
    "Kinds",
    "Model",
    "NotPlausibleError",
    "PersonRelease",
    "Related",
    "TPlausible",
    "UnknownEntityError",
    "Violation",
]
