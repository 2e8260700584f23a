"""ERASE (Chakaravarthy, Gupta, Roy, Mohania 2008) made again: exact, greedy and level-wise over document sizes and K.

The paper's base came from a website (2,645 diseases, 550 of them protected). Here as many diseases are drawn from the
Human Phenotype Ontology's annotations in the embedded pack. Documents are signs drawn as often as diseases have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time

from taciturn.knowledge.entities.base import EntityBase, open_bases
from taciturn.knowledge.storage.pack import embedded_pack
from taciturn.lab.reproduce import erase_figure
from taciturn.lab.reproduce.writing import as_csv
from taciturn.language.keys import Key
from taciturn.report.plots import Section, Table, line_chart, page
from taciturn.solvers.safety import Removal, fewest_removals, greedy_removals, levelwise_removals

__all__ = [
    "ENTITIES",
    "PROTECTED",
    "Measure",
    "case_document",
    "draw_base",
    "measure",
    "run",
    "signs",
    "usual_document",
]

ENTITIES, PROTECTED = 2645, 550
SEED = 2008
Contexts = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Measure:
    """One way over some documents of one size: mean and worst seconds of processor time, terms removed, proofs."""

    way: str
    terms: int
    k: int
    documents: int
    seconds: float
    worst: float
    removed: float
    proven: int


def signs(base: EntityBase) -> dict[str, frozenset[Key]]:
    """A base's contexts with one key for the keys that the same entities hold (synonyms), without what only one holds.

    >>> flu, cold = frozenset({"fever", "pyrexia", "flu"}), frozenset({"fever", "pyrexia", "cold"})
    >>> signs(EntityBase("tiny", {"flu": flu, "cold": cold}))
    {'cold': frozenset({'fever'}), 'flu': frozenset({'fever'})}
    """
    holders: dict[Key, list[int]] = {}
    names = sorted(base.contexts)
    for i, name in enumerate(names):
        for key in base.contexts[name]:
            holders.setdefault(key, []).append(i)
    first: dict[tuple[int, ...], Key] = {}
    for key in sorted(holders):
        if len(holders[key]) > 1:
            first.setdefault(tuple(holders[key]), key)
    contexts: list[list[Key]] = [[] for _ in names]
    for group, key in first.items():
        for i in group:
            contexts[i].append(key)
    return {name: frozenset(found) for name, found in zip(names, contexts, strict=True)}


def draw_base(contexts: Contexts, entities: int, protected: int, random: Random) -> tuple[Contexts, list[str]]:
    """Some entities of a base, and those of them that are protected."""
    names = sorted(contexts)
    chosen = random.sample(names, entities) if entities < len(names) else names
    return {name: contexts[name] for name in chosen}, sorted(random.sample(chosen, min(protected, len(chosen))))


def usual_document(contexts: Contexts, size: int, random: Random) -> list[str]:
    """Signs drawn as often as entities have them: a text that speaks of many things."""
    every = [t for name in sorted(contexts) for t in sorted(contexts[name])]
    found: dict[str, None] = {}
    while len(found) < size:
        found[random.choice(every)] = None
    return list(found)


def case_document(contexts: Contexts, protected: Sequence[str], size: int, random: Random) -> list[str]:
    """All signs of one protected entity after another: a text about cases, the hardest kind."""
    found: dict[str, None] = {}
    for name in random.sample(list(protected), len(protected)):
        here = sorted(contexts[name])
        found |= dict.fromkeys(random.sample(here, len(here)))
        if len(found) >= size:
            break
    return list(found)[:size]


def measure(
    way: str, contexts: Contexts, protected: Sequence[str], documents: Iterable[Sequence[str]], k: int, limit: float
) -> Measure:
    """One way (``exact``, ``greedy``, ``level-wise``) over some documents, each with a time limit."""
    seconds, removals, size = [], [], 0
    for terms in documents:
        size = len(terms)
        start = process_time()
        removals.append(_remove(way, contexts, protected, terms, k, limit))
        seconds.append(process_time() - start)
    proven = sum(r.optimal for r in removals)
    mean = fmean(r.cost for r in removals)
    return Measure(way, size, k, len(removals), fmean(seconds), max(seconds), mean, proven)


def _remove(
    way: str, contexts: Contexts, protected: Sequence[str], terms: Sequence[str], k: int, limit: float
) -> Removal:
    if way == "exact":
        return fewest_removals(contexts, protected, terms, k, time_limit=limit)
    if way == "greedy":
        return greedy_removals(contexts, protected, terms, k)
    if way == "level-wise":
        return levelwise_removals(contexts, protected, terms, k, time_limit=limit)
    raise ValueError(f"no way {way!r}; exact, greedy and level-wise are known")


def run(
    folder: Path,
    sizes: Sequence[int] = (5, 10, 15, 20, 30, 50),
    ks: Sequence[int] = (1, 3, 10),
    documents: int = 10,
    limit: float = 2.0,
    base: EntityBase | None = None,
) -> list[Measure]:
    """Measure all ways and write ``erase.csv``, the charts as SVG, and ``erase.html`` into a folder; also the paper's
    Figure 1 (:mod:`~taciturn.lab.reproduce.erase_figure`) where the pack has the base "diseases".

    The level-wise search is given up for longer documents once it has proven none of a size. Its removals are left out
    where it was cut short.
    """
    random = Random(SEED)
    contexts, protected = draw_base(signs(base or _embedded()), ENTITIES, PROTECTED, random)
    measures: list[Measure] = []
    for k in ks:
        hopeless = False
        for size in sizes:
            drawn = [usual_document(contexts, size, random) for _ in range(documents)]
            for way in ("exact", "greedy", "level-wise"):
                if way == "level-wise" and hopeless:
                    continue
                found = measure(way, contexts, protected, drawn, k, limit)
                measures.append(found)
                hopeless = hopeless or (way == "level-wise" and not found.proven)
    folder.mkdir(parents=True, exist_ok=True)
    if base is None and (diseases := open_bases(embedded_pack()).get("diseases")) is not None:
        erase_figure.run(folder, diseases)
    charts = _charts(measures, ks, sizes)
    for name, svg in charts.items():
        (folder / f"erase-{name}.svg").write_text(svg, "utf-8")
    (folder / "erase.csv").write_text(as_csv(measures), "utf-8")
    (folder / "erase.html").write_text(_page(measures, charts, len(contexts), len(protected), limit), "utf-8")
    return measures


def _embedded() -> EntityBase:
    folder = embedded_pack()
    bases = open_bases(folder)
    if "rare-diseases" not in bases:
        raise FileNotFoundError(f"no entity base 'rare-diseases' in {folder}; build the pack, or give a base")
    return bases["rare-diseases"]


def _charts(measures: Sequence[Measure], ks: Sequence[int], sizes: Sequence[int]) -> dict[str, str]:
    charts = {}
    for k in ks:
        times: dict[str, list[tuple[float, float]]] = {}
        removed: dict[str, list[tuple[float, float]]] = {}
        for m in (m for m in measures if m.k == k):
            times.setdefault(m.way, []).append((m.terms, max(m.seconds * 1000, 0.01)))
            if m.way != "level-wise" or m.proven == m.documents:
                removed.setdefault(m.way, []).append((m.terms, m.removed))
        charts[f"time-k{k}"] = line_chart(
            f"Time for a document, K = {k}", times, "terms of the document", "milliseconds", log_y=True, x_ticks=sizes
        )
        charts[f"removed-k{k}"] = line_chart(
            f"Terms removed, K = {k}", removed, "terms of the document", "terms removed", x_ticks=sizes
        )
    return charts


def _page(measures: Sequence[Measure], charts: Mapping[str, str], entities: int, protected: int, limit: float) -> str:
    columns = ("way", "terms", "K", "documents", "ms, mean", "ms, worst", "removed, mean", "proven least")
    rows = tuple(
        (m.way, m.terms, m.k, m.documents, m.seconds * 1000, m.worst * 1000, m.removed, m.proven) for m in measures
    )
    text = (
        f"{entities} diseases, {protected} of them protected, as many as in the paper, drawn from the Human Phenotype "
        "Ontology's annotations. Documents are signs drawn as often as diseases have them. A document is K-safe when "
        "what it shows of a protected disease fits at least K others as well.\n\n"
        f"Processor time; exact and level-wise searches were stopped after {limit:g} s a document. The level-wise "
        "search is left out for sizes above the first of which it finished no document."
    )
    return page(
        "ERASE, made again", [Section("Fewest removals", text, tuple(charts.values()), (Table(columns, rows),))]
    )
