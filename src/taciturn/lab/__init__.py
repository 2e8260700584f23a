"""Experiments: attack releases, evaluate models on annotated data, reproduce the papers' results."""
