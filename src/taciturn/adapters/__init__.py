"""Tacit inside other tools: spaCy, Presidio, LangChain. One module each, which imports its tool and no other.

Frames of pandas, polars, Arrow and Spark are in :mod:`tacit.frames` and :mod:`tacit.spark`.
"""
