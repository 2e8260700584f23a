"""Taciturn releases text documents that say less, provably.

>>> import taciturn
>>> [t.text for t in taciturn.terms("The patient has AIDS.")]
['patient', 'AIDS']
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taciturn.certificate import Certificate
    from taciturn.document import Document, Segment, Term
    from taciturn.errors import FormatError, InputError, KnowledgeError, NotReleasedError, PolicyError, TaciturnError
    from taciturn.knowledge import Knowledge
    from taciturn.models import (
        CSanitized,
        Denied,
        Indistinct,
        Informative,
        KAnonymous,
        Kinds,
        KSafe,
        NotPlausibleError,
        PersonRelease,
        Related,
        TPlausible,
    )
    from taciturn.plan import Edit, Plan
    from taciturn.policy import Policy
    from taciturn.release import Release, Report, check, sanitize, terms

__version__ = "0.1.0"

# Names load when used, so that `import taciturn` costs nothing and a solver can be had without the rest.
_HOMES = {
    "CSanitized": "models",
    "Certificate": "certificate",
    "Denied": "models",
    "Document": "document",
    "Edit": "plan",
    "FormatError": "errors",
    "Indistinct": "models",
    "Informative": "models",
    "InputError": "errors",
    "KAnonymous": "models",
    "KSafe": "models",
    "Kinds": "models",
    "Knowledge": "knowledge",
    "KnowledgeError": "errors",
    "NotPlausibleError": "models",
    "NotReleasedError": "errors",
    "PersonRelease": "models",
    "Plan": "plan",
    "Policy": "policy",
    "PolicyError": "errors",
    "Related": "models",
    "Release": "release",
    "Report": "release",
    "Segment": "document",
    "TPlausible": "models",
    "TaciturnError": "errors",
    "Term": "document",
    "check": "release",
    "sanitize": "release",
    "terms": "release",
}

__all__ = [
    "CSanitized",
    "Certificate",
    "Denied",
    "Document",
    "Edit",
    "FormatError",
    "Indistinct",
    "Informative",
    "InputError",
    "KAnonymous",
    "KSafe",
    "Kinds",
    "Knowledge",
    "KnowledgeError",
    "NotPlausibleError",
    "NotReleasedError",
    "PersonRelease",
    "Plan",
    "Policy",
    "PolicyError",
    "Related",
    "Release",
    "Report",
    "Segment",
    "TPlausible",
    "TaciturnError",
    "Term",
    "__version__",
    "check",
    "sanitize",
    "terms",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'taciturn' has no attribute {name!r}")
    return getattr(import_module(f"taciturn.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
