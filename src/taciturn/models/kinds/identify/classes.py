"""What the network tells apart."""

__all__ = ["CLASSES"]

CLASSES = (
    "O", "PERSON", "DATE", "ID", "PHONE", "STREET", "CITY", "ZIP", "AGE_OVER_89", "USERNAME", "VEHICLE",
    "ORGANIZATION", "URL", "EMAIL", "IP", "NATIONALITY_OR_ETHNICITY",
)  # fmt: skip
"""No identifier, and the kinds of identifiers that the marked documents have."""
