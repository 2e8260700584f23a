"""Figure 1 of ERASE made again: the doctor's letter, and the diseases of four categories that it must not disclose.

The base "diseases" is made by ``python -m training.diseases`` of open sources; the paper's came from a website. The
letter is not copied here: its terms are, and a letter around them says as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from taciturn.knowledge import EntityBase, Knowledge
from taciturn.models import KSafe
from taciturn.release import sanitize
from taciturn.report.plots import Section, Table, page

__all__ = ["CATEGORIES", "LETTER", "Removed", "remove", "run"]

CATEGORIES = {
    "sexual conditions": ("sexually transmitted disease",),
    "serious conditions": ("heart disease", "thyroid disease", "kidney disease", "liver disease", "ovarian disease"),
    "cancer conditions": ("cancer",),
    "mental conditions": ("mental disorder",),
}
"""The paper's four categories of protected diseases, as branches of the disease taxonomy."""

LETTER = (
    "These are the facts. You report weight loss, insomnia, sweating, fatigue, digestive problems and headaches. "
    "They need not come from sexually transmitted diseases, although you were exposed to gonorrhea and may have been "
    "exposed to hepatitis B and HIV. The symptoms should be looked into soon."
)


@dataclass(frozen=True, slots=True)
class Removed:
    """What K-safety takes out of the letter for one K; ``others`` is how many other diseases fit what is left."""

    k: int
    diseases: int
    protected: int
    removed: tuple[str, ...]
    others: int
    text: str


def remove(base: EntityBase, k: int, knowledge: Knowledge | None = None) -> Removed:
    """The letter, K-safe for every disease of the four categories."""
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    branches = [branch for several in CATEGORIES.values() for branch in several]
    model = KSafe(entities=base, branches=branches, k=k, action="redact")
    _, protected = model.resolve(knowledge)
    release = sanitize(LETTER, model, knowledge)
    others = release.certificate.guarantees[0].figures["least others"]
    terms = tuple(e.original for e in release.edits)
    return Removed(k, len(base.contexts), len(protected), terms, int(others), release.text)


def run(folder: Path, base: EntityBase, ks: Sequence[int] = (1, 3, 5, 10)) -> list[Removed]:
    """Write ``erase-figure-1.html`` into a folder: what is removed for each K, and the letter as released."""
    found = [remove(base, k) for k in ks]
    rows = tuple((r.k, ", ".join(r.removed), r.others) for r in found)
    text = (
        f"{found[0].diseases} diseases with symptoms, tests, treatments and causes (2,645 in the paper), "
        f"{found[0].protected} of them protected (550): {', '.join(CATEGORIES)}. The paper removes the names of the "
        'diseases and "sweating", because weight loss, sweating and fatigue together fit HIV alone in its base.'
    )
    table = Table(("K", "removed", "other diseases that fit what is left"), rows)
    letters = [Section(f"The letter at K = {r.k}", r.text) for r in found]
    folder.mkdir(parents=True, exist_ok=True)
    made = page("ERASE, Figure 1 made again", [Section("What is removed", text, (), (table,)), *letters])
    (folder / "erase-figure-1.html").write_text(made, "utf-8")
    return found
