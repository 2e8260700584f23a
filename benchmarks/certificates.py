"""The attack on certificates: who has text, certificate, knowledge and program tries one concept after another.

For every disease that the pack counts, the certificate is computed that would stand there if it were the protected one.
``fit before`` counts those with the figures that certificates published until version 2 (margins and shares), ``fit``
those with the public certificate of today. The protected one is always among them; alone it would be found.
"""

from __future__ import annotations

from collections.abc import Callable

from taciturn import CSanitized, Denied, Informative, InputError, Knowledge, Related, sanitize
from taciturn.models.base import Model
from taciturn.release import certify

LIMIT = 1200
NOTE = (
    "The patient was admitted with fever and night sweats. He has AIDS and takes zidovudine. "
    "His brother Paul visited him on 3 May in Boston. He smokes and has a cough."
)
MODELS: dict[str, Callable[[str], Model]] = {
    "c-sanitized": lambda name: CSanitized(protect=[name], alpha=1.5),
    "informative": lambda name: Informative(protect=[name]),
    "related": lambda name: Related(protect=[name]),
    "denied": lambda name: Denied(protect=[name]),
}


def main(protected: str = "HIV") -> list[dict[str, object]]:
    knowledge = Knowledge.default()
    diseases = next(t for t in knowledge.taxonomies if t.name == "diseases")
    nodes = {n.id: n for k in diseases.starting("") for n in diseases.senses(k)[:1]}
    names = sorted({n.key for n in nodes.values() if knowledge.counts.count(n.key)} | {protected})
    rows: list[dict[str, object]] = []
    for label, make in MODELS.items():
        released = sanitize(NOTE, make(protected), knowledge)
        shown = released.certificate.to_json()["guarantees"]
        private = released.certificate.private()
        tried = before = after = 0
        for name in names:
            try:
                found = certify(released.report.released, [make(name)], knowledge, released.applied.spans)
            except (InputError, ValueError):
                continue  # it cannot be protected by this model
            tried += 1
            before += _figures(found.private()) == _figures(private)
            after += found.to_json()["guarantees"] == shown
        rows.append({"model": label, "concepts": tried, "fit before": before, "fit": after})
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    return rows


def _figures(told: list[dict[str, object]]) -> list[dict[str, object]]:
    """The figures of the checks without what only the second reader counts of a plan."""
    return [
        {**row, "figures": {k: v for k, v in dict(row["figures"]).items() if "searched" not in k}}  # type: ignore[call-overload]
        for row in told
    ]


if __name__ == "__main__":
    main()
