"""Taciturn inside other tools: spaCy, Presidio, LangChain. One module each, which imports its tool and no other.

Frames of pandas, polars, Arrow and Spark are in :mod:`taciturn.frames` and :mod:`taciturn.spark`.
"""
