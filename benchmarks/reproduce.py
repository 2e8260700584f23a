"""`taciturn reproduce all`: a line for each claim of the papers, with their figure, ours, and the same or why not.

Table 2 of C-sanitized is left to the benchmark `sanitize`, which makes it as well.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from taciturn.knowledge import Knowledge
from taciturn.lab.reproduce import c_sanitized, erase, every, k_anonymity, s1_s2, t_plausibility

LIMIT = 600
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plausible = t_plausibility.run(folder)
        detected = c_sanitized.detect(s1_s2.read_biographies(DATA), Knowledge.default())
        claims = {
            "c-sanitized": every.detection_claims(detected),
            "s1-s2": every.s1_s2_claims(s1_s2.run(folder, DATA, Knowledge.default())),
            "t-plausibility": every.t_plausibility_claims(plausible),
            "erase": every.erase_claims(erase.run(folder)),
            "k-anonymity": every.k_anonymity_claims(k_anonymity.run(folder)),
        }
    rows: list[dict[str, object]] = [
        {"paper": paper, "claim": c.what, "the paper's": c.paper, "ours": c.ours, "same, or why not": c.verdict}
        for paper, of in claims.items()
        for c in of
    ]
    rows += [
        {"search": way, "texts": texts, "above the optimum": worse, "mean gap %": mean, "worst gap %": worst}
        for way, texts, worse, mean, worst in t_plausibility.gaps(plausible)
    ]
    for row in rows:
        print(row, flush=True)
    return rows


if __name__ == "__main__":
    main()
