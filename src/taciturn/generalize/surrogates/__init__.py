"""Surrogates: values of the same form in the place of identifiers, so that what was missed hides among them."""

from taciturn.generalize.surrogates.book import Surrogates

__all__ = ["Surrogates"]
