"""Settings that hold for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# Tests assert no times, so no example has a deadline. A landing must not depend on luck: there, examples are drawn the
# same way each time; at a desk they are drawn anew.
settings.register_profile("taciturn", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("taciturn")
