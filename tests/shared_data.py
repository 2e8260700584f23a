"""Where the evaluation data is; tests that need it skip, loudly, where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"SKIPPED FOR WANT OF DATA: no folder {SHARED.name!r} beside the checkout"
)
