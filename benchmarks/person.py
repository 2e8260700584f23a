"""Human masks that hide a person: the person model against S1 and C-sanitized, on documents it has not seen.

Court cases (TAB) and biographies of actors, 5 folds split by document: each document is released, with its check, by
a network that was trained on the other folds. The threshold is the packaged one: a single figure for each style, chosen
on such scores of all folds; that of biographies also on openings of other biographies, of which names and numbers are
to be hidden. Word-level figures as in ``taciturn evaluate``. Anchors on the sealed test parts, from others:
TAB Presidio R .683 P .841, spaCy R .885 P .540, fine-tuned Longformer R .919 P .836; actors word2vec F1 .823.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from training.openings import openings
from training.person import DATA, SHARED, THIRD, cases_of, lesson, unseen_networks

from taciturn.knowledge import Knowledge
from taciturn.lab.evaluate import Masking, Scores, run_model, score
from taciturn.models import CSanitized, Informative, Model, PersonRelease
from taciturn.models.person.model import Network, load_network

LIMIT = 900
RECALLS = (0.35, 0.5, 0.65)


def main(pack: str | None = None) -> list[dict[str, object]]:
    knowledge = Knowledge.open(pack) if pack else Knowledge.default()
    rows: list[dict[str, object]] = []

    def add(style: str, found: Scores) -> None:
        rows.append({"dataset": style, **found.row()})
        print(rows[-1], flush=True)

    lessons = {style: [lesson(case, knowledge) for case in cases_of(style)] for style in DATA}
    others = [lesson(case, knowledge) for case in openings(SHARED.parent)]
    further = {"court": [], "biography": lessons["court"], "general": [*lessons["court"][::THIRD], *others]}
    for style, own in lessons.items():
        cases = [k.case for k in own]
        network_of: dict[str, Network] = {}
        for network, fold in unseen_networks(own, style, further[style]):
            network = replace(network, threshold=load_network(style).threshold)
            network_of |= {cases[i].name: network for i in fold}
        for recall in RECALLS:
            masking = run_model(
                f"person-release, unseen, recall {recall}",
                lambda c, s=style, r=recall, n=network_of: PersonRelease(
                    protect=c.protect, style=s, recall=r, network=n[c.name]
                ),
                cases,
                knowledge,
            )
            add(style, score(cases, masking))
        peers: dict[str, Model] = {
            f"informative, beta {b}": Informative(beta=float(b), action="redact") for b in (9, 11)
        }
        for label, model in peers.items():
            add(style, score(cases, run_model(label, lambda c, m=model: m, cases, knowledge)))
        if style == "biography":
            masking = run_model(
                "c-sanitized, alpha 1.5", lambda c: CSanitized(protect=c.protect, alpha=1.5, groups=1), cases, knowledge
            )
            add(style, score(cases, masking))
        add(style, score(cases, Masking("everything", {c.name: [(0, len(c.text))] for c in cases})))
    # Nothing was learned from these: the packaged network may judge them.
    cases = openings(SHARED.parent)
    masking = run_model(
        "person-release", lambda c: PersonRelease(protect=c.protect, style="biography"), cases, knowledge
    )
    add("openings", score(cases, masking))
    add("openings", score(cases, Masking("everything", {c.name: [(0, len(c.text))] for c in cases})))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--knowledge", help="a pack; default: the embedded one")
    main(parser.parse_args().knowledge)
