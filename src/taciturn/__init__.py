"""Tacit releases text documents that say less, provably.

>>> import tacit
>>> [t.text for t in tacit.terms("The patient has AIDS.")]
['patient', 'AIDS']
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tacit.document import Document, Segment, Term
    from tacit.knowledge import Knowledge
    from tacit.models import (
        CSanitized,
        Informative,
        KAnonymous,
        Kinds,
        KSafe,
        NotPlausibleError,
        PersonRelease,
        Related,
        TPlausible,
    )
    from tacit.plan import Edit, Plan
    from tacit.policy import Policy, PolicyError
    from tacit.release import Certificate, NotReleasedError, Release, Report, check, sanitize, terms

# Names load when used, so that `import tacit` costs nothing and a solver can be had without the rest.
_HOMES = {
    "CSanitized": "models",
    "Certificate": "release",
    "Document": "document",
    "Edit": "plan",
    "Informative": "models",
    "KAnonymous": "models",
    "KSafe": "models",
    "Kinds": "models",
    "Knowledge": "knowledge",
    "NotPlausibleError": "models",
    "NotReleasedError": "release",
    "PersonRelease": "models",
    "Plan": "plan",
    "Policy": "policy",
    "PolicyError": "policy",
    "Related": "models",
    "Release": "release",
    "Report": "release",
    "Segment": "document",
    "TPlausible": "models",
    "Term": "document",
    "check": "release",
    "sanitize": "release",
    "terms": "release",
}

__all__ = [
    "CSanitized",
    "Certificate",
    "Document",
    "Edit",
    "Informative",
    "KAnonymous",
    "KSafe",
    "Kinds",
    "Knowledge",
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
    "Term",
    "check",
    "sanitize",
    "terms",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    return getattr(import_module(f"tacit.{_HOMES[name]}"), name)
