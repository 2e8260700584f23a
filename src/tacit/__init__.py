"""Tacit releases text documents that say less, provably."""
