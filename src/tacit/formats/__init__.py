"""File formats, one module each: read a file into a document, write a release back. Knows no model."""
