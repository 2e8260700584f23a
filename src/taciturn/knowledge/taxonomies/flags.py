"""What kind of taxonomy one is: flags that code asks for, so that no code asks for a taxonomy by its name.

A taxonomy carries any number of flags. A class declares them as an attribute, a packed file names them in its header,
and a user's own file declares them in a line (see :mod:`taciturn.knowledge.taxonomies.own`).
"""

from __future__ import annotations

from typing import Final

__all__ = ["DISEASES", "DRUGS", "FLAGS", "GENERAL", "PLACES", "PROFESSIONAL", "STANDARD", "VALUES"]

GENERAL: Final = "general"
"""The words of a whole language in all their senses (WordNet). A word may have the wrong sense, or be no noun."""
PLACES: Final = "places"
"""Names of places under the regions they lie in: a label with a capital is a name and not a kind of thing."""
VALUES: Final = "values"
"""Dates, ages, amounts and codes, computed from the text itself."""
PROFESSIONAL: Final = "professional"
"""The terms of a profession: what is known here is worth protecting, and not an everyday word by chance."""
DISEASES: Final = "diseases"
"""Names of diseases."""
DRUGS: Final = "drugs"
"""Names of drugs."""

FLAGS: Final = (GENERAL, PLACES, VALUES, PROFESSIONAL, DISEASES, DRUGS)
"""All of them. Another one would mean nothing to any code, so files that declare another are refused."""

# The taxonomies that training makes, by name, with their flags;
# in order of priority: what is read off the text first, then what is precise, then what is broad. Places come after
# WordNet: there "Sacramento" is a state capital and "reading" no town; who wants places by state (HIPAA) asks for them.
STANDARD: Final = {
    "values": frozenset({VALUES}),
    "diseases": frozenset({PROFESSIONAL, DISEASES}),
    "phenotypes": frozenset({PROFESSIONAL}),
    "drugs": frozenset({PROFESSIONAL, DRUGS}),
    "wordnet": frozenset({GENERAL}),
    "places": frozenset({PLACES}),
    "diagnoses": frozenset({PROFESSIONAL}),
}
