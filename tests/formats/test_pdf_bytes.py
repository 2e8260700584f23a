"""The same document gives the same bytes, in processes that order sets differently."""

from __future__ import annotations

import os
import subprocess
import sys

_RELEASE = """
import hashlib, itertools
from taciturn.formats import Options
from tests.formats import nasty, nasty_pdf, test_fonts
from tests.formats.plans import release
makes = {**{p: nasty_pdf.PLACES[p] for p in ("embedded font", "fields", "vertical", "layers", "attachments", "names")},
         "type 1": test_fonts._type1, "type 1 in CFF": test_fonts._type1c, "CID keyed": test_fonts._cid_keyed}
for name, make in makes.items():
    print(name, hashlib.sha256(release(make(), "a.pdf", {**nasty.HIDE, **test_fonts.HIDE})[1]).hexdigest())
data = release(nasty_pdf.PLACES["blind fonts"](), "a.pdf", nasty.HIDE, Options(unreadable="rasterize"))[1]
print("rasterized", hashlib.sha256(data).hexdigest())
"""


def test_the_same_bytes_with_any_order_of_sets() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", _RELEASE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for seed in ("1", "2", "3")
    ]
    assert len(said[0]) == 10
    assert said[0] == said[1] == said[2]
