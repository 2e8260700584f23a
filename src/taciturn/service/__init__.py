"""The REST service: sanitize, check and explain for other programs."""
