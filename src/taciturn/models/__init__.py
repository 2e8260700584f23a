"""The privacy models, one module each: a definition, a plan and a check."""

from taciturn.knowledge import UnknownTermError
from taciturn.models.base import Bindable, Guarantee, Model, Violation
from taciturn.models.csanitized import CSanitized
from taciturn.models.denied import Denied
from taciturn.models.detecting import Detecting
from taciturn.models.indistinct import Indistinct
from taciturn.models.informative import Informative, Related
from taciturn.models.kanonymous import KAnonymous
from taciturn.models.kinds import Kinds
from taciturn.models.ksafe import KSafe
from taciturn.models.person import PersonRelease
from taciturn.models.tplausible import NotPlausibleError, TPlausible

__all__ = [
    "Bindable",
    "CSanitized",
    "Denied",
    "Detecting",
    "Guarantee",
    "Indistinct",
    "Informative",
    "KAnonymous",
    "KSafe",
    "Kinds",
    "Model",
    "NotPlausibleError",
    "PersonRelease",
    "Related",
    "TPlausible",
    "UnknownTermError",
    "Violation",
]
