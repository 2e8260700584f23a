"""Re-identification: which actor does a biography speak of, by what its release still says?

The adversary knows what the pack knows and takes each actor for as likely. Shares of biographies for which the truth
comes at rank 1 and 5, the mean rank and the information kept: as it is, with the name alone
hidden, as a human masked it, by C-sanitized over alpha, by the person model (whose packaged weights have seen these
texts, not their names).
"""

from __future__ import annotations

import argparse
import re

from training.person import DATA

from tacit.attack import attack, reidentified
from tacit.document import Document
from tacit.evaluate import Case, load_cases
from tacit.knowledge import Knowledge
from tacit.language import analyze, key
from tacit.models import CSanitized, Model, PersonRelease
from tacit.models.reading import information
from tacit.release import sanitize

ALPHAS = (1.0, 1.5, 2.0, 3.0)


def _masked(case: Case) -> str:
    pieces, at = [], 0
    for mask in case.masks:
        pieces += [case.text[at : mask.start], "[REDACTED]"]
        at = mask.end
    return "".join([*pieces, case.text[at:]])


def _unnamed(case: Case) -> str:
    words = {w for name in case.protect for w in re.findall(r"\w{2,}", name)}
    return re.sub(r"\w+", lambda m: "[REDACTED]" if m.group() in words else m.group(), case.text)


def main(pack: str | None = None) -> list[dict[str, object]]:
    knowledge = Knowledge.open(pack) if pack else Knowledge.default()
    cases = load_cases(DATA["biography"])
    known = [c for c in cases if knowledge.counts.count(key(c.protect[0]))]
    names = [c.protect[0] for c in known]
    print(f"{len(known)} of {len(cases)} actors are known to the pack", flush=True)
    before = {c.name: information(analyze(Document.of(c.text)), knowledge.counts) for c in known}
    rows: list[dict[str, object]] = []

    def add(label: str, texts: list[str]) -> None:
        attacks = [(attack(t, names, knowledge), c.protect[0]) for t, c in zip(texts, known, strict=True)]
        shares = reidentified(attacks, (1, 5))
        kept = [information(analyze(Document.of(t)), knowledge.counts) for t in texts]
        rows.append(
            {
                "release": label,
                "rank 1": round(shares[1], 3),
                "rank 5": round(shares[5], 3),
                "mean rank": round(sum(a.rank(n) or 0 for a, n in attacks) / len(attacks), 2),
                "mean posterior": round(sum(a.posterior(n) or 0 for a, n in attacks) / len(attacks), 3),
                "information kept": round(
                    sum(k / before[c.name] for k, c in zip(kept, known, strict=True)) / len(kept), 3
                ),
            }
        )
        print(rows[-1], flush=True)

    def released(model: Model, case: Case) -> str:
        return sanitize(Document.of(case.text), model, knowledge).text

    add("the original", [c.text for c in known])
    add("the name hidden", [_unnamed(c) for c in known])
    add("masked by a human", [_masked(c) for c in known])
    add("person-release", [released(PersonRelease(protect=c.protect), c) for c in known])
    for alpha in ALPHAS:
        add(f"c-sanitized, alpha {alpha}", [released(CSanitized(protect=c.protect, alpha=alpha), c) for c in known])
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--knowledge", help="a pack; default: the embedded one")
    main(parser.parse_args().knowledge)
