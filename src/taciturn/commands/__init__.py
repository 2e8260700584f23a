"""The commands, one module each, with a ``command`` that :mod:`tacit.cli` loads when it is called."""
