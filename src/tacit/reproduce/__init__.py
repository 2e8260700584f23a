"""The papers' tables and figures, made again with the papers' algorithms and ours."""
