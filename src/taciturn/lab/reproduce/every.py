"""All papers at once, and an index with a line for each claim: the paper's figure, ours, the same or why not."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from taciturn.knowledge import Knowledge
from taciturn.lab.reproduce import NEEDS_DATA, c_sanitized, erase, k_anonymity, s1_s2, t_plausibility
from taciturn.report.plots import Section, Table, page

__all__ = [
    "Claim",
    "c_sanitized_claims",
    "detection_claims",
    "erase_claims",
    "k_anonymity_claims",
    "run",
    "s1_s2_claims",
]


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a paper reports: its figure, ours, and ``same`` or the reason why not."""

    what: str
    paper: str
    ours: str
    verdict: str


def c_sanitized_claims(
    results: tuple[Sequence[c_sanitized.Measure], Sequence[c_sanitized.Detection]],
) -> list[Claim]:
    """The means of Tables 1 and 2, and what the paper reads from them."""
    measures, found = results
    claims = detection_claims(found)
    for alpha in c_sanitized.ALPHAS:
        for figure in ("redacted", "generalized"):
            theirs = c_sanitized.mean(measures, f"paper_{figure}", alpha)
            ours = c_sanitized.mean(measures, figure, alpha)
            near = "same within 5 points" if abs(ours - theirs) <= 5 else "not the same: other counts, other articles"
            claims.append(
                Claim(
                    f"Table 2, mean information kept, {figure}, alpha {alpha:g}",
                    f"{theirs:.1f} %",
                    f"{ours:.1f} %",
                    near,
                )
            )
    better = sum(m.generalized >= m.redacted for m in measures)
    claims.append(_counted("generalizing keeps at least as much as redacting", better, len(measures)))
    by_entity: dict[str, list[c_sanitized.Measure]] = {}
    for m in measures:
        by_entity.setdefault(m.entity, []).append(m)
    falls = sum(_falls([m.redacted for m in sorted(of, key=lambda m: m.alpha)]) for of in by_entity.values())
    claims.append(_counted("a larger alpha keeps less, redacted", falls, len(by_entity)))
    return claims


def detection_claims(found: Sequence[c_sanitized.Detection]) -> list[Claim]:
    """The means of Table 1, on whatever texts with masks were at hand."""
    if not found:
        return [Claim("Table 1, detection", "80.8 % precision, 79.3 % recall at alpha 1.5", "-", "no data at hand")]
    claims = []
    for alpha, theirs in c_sanitized.PAPER_DETECTION.items():
        for name, their in zip(("precision", "recall", "f1"), theirs, strict=True):
            ours = c_sanitized.mean_detection(found, name, alpha)
            near = abs(ours - their) <= 5
            why = "same within 5 points, on other texts" if near else "not the same: other texts, other people's masks"
            what = f"Table 1, mean {'F-measure' if name == 'f1' else name}, alpha {alpha:g}"
            claims.append(Claim(what, f"{their:.1f} %", f"{ours:.1f} %", why))
    entities = list(dict.fromkeys(d.entity for d in found))
    rises = sum(_falls([-d.recall for d in found if d.entity == e]) for e in entities)
    claims.append(_counted("Table 1: a larger alpha finds no less", rises, len(entities)))
    return claims


def s1_s2_claims(results: tuple[Sequence[s1_s2.Measure], Sequence[s1_s2.OfActor]]) -> list[Claim]:
    """What w does to precision and recall, and whether S2 finds what S1 leaves."""
    measures, actors = results
    related = sorted((m for m in measures if m.model == "S1+S2"), key=lambda m: m.w)
    alone = next(m for m in measures if m.model == "S1" and m.beta == s1_s2.BETA)
    steps = len(related) - 1
    recall = sum(a.recall >= b.recall for a, b in pairwise(related))
    best = max(related, key=lambda m: m.f1)
    return [
        _counted("recall does not rise with w", recall, steps),
        Claim(
            "S2 finds risky terms that S1 leaves (recall, best w)",
            "higher recall than S1",
            f"{best.recall:.3f} at w {best.w:g}, S1 {alone.recall:.3f}",
            "same" if best.recall > alone.recall else "not the same: S1 masks them already",
        ),
        Claim(
            "S1+S2 is better than S1 by F1",
            "higher F1 than S1",
            f"{best.f1:.3f} at w {best.w:g}, S1 {alone.f1:.3f}",
            "same" if best.f1 > alone.f1 else "not the same: what S2 adds, these people did not mask",
        ),
        *_actor_claims(actors),
    ]


def _actor_claims(actors: Sequence[s1_s2.OfActor]) -> list[Claim]:
    """What the paper reads from Figures 4 to 9, on the actors that are at hand."""
    alone = {a.actor: a for a in actors if a.model == "S1"}
    both = [a for a in actors if a.model == "S1+S2"]
    if not both:
        return [Claim("Figures 4 to 9", "six actors", "-", "not made: the knowledge knows none of the actors")]
    ws = sorted({a.w for a in both})
    mean = {w: fmean(a.f1 for a in both if a.w == w) for w in ws}
    best = max(ws, key=lambda w: mean[w])
    better = sum(a.f1 >= alone[a.actor].f1 for a in both)
    return [
        _counted(
            "Figures 4 to 9: S1 alone is at least as precise, generally",
            sum(alone[a.actor].precision >= a.precision for a in both),
            len(both),
        ),
        _counted(
            "Figures 4 to 9: S1+S2 never finds less than S1",
            sum(a.recall >= alone[a.actor].recall for a in both),
            len(both),
        ),
        _counted("Figures 4 to 9: F of S1+S2 is at least S1's in almost all cases", better, len(both)),
        Claim(
            "Figures 4 to 9: w with the best F, on the mean",
            "0.4 to 0.6",
            f"{best:g} (F1 {mean[best]:.3f})",
            "same" if 0.4 <= best <= 0.6 else "not the same: the scale of mutual information is the corpus's",
        ),
    ]


def t_plausibility_claims(measures: Sequence[t_plausibility.Measure]) -> list[Claim]:
    """The paper finds its heuristic as good as its exhaustive search."""
    best = {(m.words, m.t, m.draw): m.cost for m in measures if m.way == t_plausibility.UNIFORM and m.proven}
    found = [m for m in measures if m.way == t_plausibility.LUBS and (m.words, m.t, m.draw) in best]
    same = sum(m.cost <= best[m.words, m.t, m.draw] + 1e-9 for m in found)
    exact = [m for m in measures if m.way in (t_plausibility.LEAST, t_plausibility.UNIFORM)]
    slow = [m.seconds for m in measures if m.way == t_plausibility.EP]
    ours = [m.seconds for m in measures if m.way == t_plausibility.LEAST]
    lubs, ep = (
        {(m.words, m.t, m.draw): m for m in measures if m.way == w} for w in (t_plausibility.LUBS, t_plausibility.EP)
    )
    pairs = [(m, ep[text]) for text, m in lubs.items()]
    return [
        _counted("3(c): LUBS costs no more than EP", sum(a.cost <= b.cost + 1e-9 for a, b in pairs), len(pairs)),
        _counted(
            "3(d): the words' entropies vary no more with LUBS than with EP",
            sum(a.variance <= b.variance + 1e-9 for a, b in pairs),
            len(pairs),
        ),
        _counted(
            "3(e): the largest entropy is no larger with LUBS than with EP",
            sum(a.maximum <= b.maximum + 1e-9 for a, b in pairs),
            len(pairs),
        ),
        _counted(
            "3(f): a release is nearer to the original than suppression",
            sum(m.utility > 0 for m in measures if m.way == t_plausibility.UNIFORM),
            len([m for m in measures if m.way == t_plausibility.UNIFORM]),
        ),
        *_growth_claims(measures),
        _counted("LUBS costs the same as the optimum (UEP)", same, len(found)),
        _counted("ours is proven optimal (no such search in the paper)", sum(m.proven for m in exact), len(exact)),
        Claim(
            "mean time for the least product",
            f"EP, run here: {1000 * fmean(slow):.1f} ms",
            f"{1000 * fmean(ours):.2f} ms",
            "same answers, another search",
        ),
    ]


def _growth_claims(measures: Sequence[t_plausibility.Measure]) -> list[Claim]:
    """Figures 3(a) and 3(b): longer texts and larger t take the paper's searches longer, on the mean over draws."""
    claims = []
    for figure, way in (("3(a)", t_plausibility.EP), ("3(b)", t_plausibility.UEP)):
        means: dict[tuple[int, int], list[float]] = {}
        for m in measures:
            if m.way == way:
                means.setdefault((m.words, m.t), []).append(m.seconds)
        time = {at: fmean(seconds) for at, seconds in means.items()}
        sizes, ts = sorted({w for w, _ in time}), sorted({t for _, t in time})
        held = sum(time[a, t] <= time[b, t] for t in ts for a, b in pairwise(sizes))
        held += sum(time[w, a] <= time[w, b] for w in sizes for a, b in pairwise(ts))
        steps = len(ts) * (len(sizes) - 1) + len(sizes) * (len(ts) - 1)
        claims.append(_counted(f"{figure}: time of {way} grows with the words and with t", held, steps))
    return claims


def erase_claims(measures: Sequence[erase.Measure]) -> list[Claim]:
    """The level-wise search is exact, the greedy one is not far from it."""
    exact = {(m.terms, m.k): m for m in measures if m.way == "exact"}
    level = [m for m in measures if m.way == "level-wise" and m.proven == m.documents]
    same = sum(abs(m.removed - exact[m.terms, m.k].removed) < 1e-9 for m in level)
    greedy = [(m.removed, exact[m.terms, m.k].removed) for m in measures if m.way == "greedy"]
    theirs, ours = fmean(g for g, _ in greedy), fmean(e for _, e in greedy)
    return [
        _counted("the level-wise search finds the fewest removals, where it ends", same, len(level)),
        Claim(
            "terms that the fast search removes beyond the fewest",
            f"greedy, run here: {theirs:.2f} a document",
            f"exact: {ours:.2f}",
            "same" if theirs <= ours * 1.05 else f"not the same: {theirs / ours - 1:.0%} more than needed",
        ),
    ]


def k_anonymity_claims(measures: Sequence[k_anonymity.Measure]) -> list[Claim]:
    """The time for a term's dictionary."""
    ours = [1000 * m.ours for m in measures]
    faster = "faster: no set is intersected, and another machine"
    return [
        Claim("time a term, mean", "520 ms", f"{fmean(ours):.2f} ms", faster),
        Claim("time a term, most", "1,880 ms", f"{max(ours):.2f} ms", faster),
        _counted("the paper's method gives every pattern the same k", sum(m.agree for m in measures), len(measures)),
    ]


def _counted(what: str, held: int, of: int) -> Claim:
    verdict = "same" if held == of else f"not the same: fails in {of - held} of {of}"
    return Claim(what, "yes", f"{held} of {of}", verdict)


def _falls(values: Sequence[float]) -> bool:
    return all(a >= b for a, b in pairwise(values))


_Claims = Callable[[Any], list[Claim]]


def run(
    folder: Path,
    data: Path | None = None,
    titles: Path | None = None,
    knowledge: Knowledge | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, list[Claim]]:
    """Make every experiment again in a folder, and write ``index.html`` and ``claims.csv``.

    ``options``: arguments of an experiment's own ``run``, by paper, to make it smaller. Experiments whose data is not
    at hand are left out, and the index says so.
    """
    papers: dict[str, tuple[Callable[..., Any], _Claims]] = {
        "c-sanitized": (c_sanitized.run, c_sanitized_claims),
        "s1-s2": (s1_s2.run, s1_s2_claims),
        "t-plausibility": (t_plausibility.run, t_plausibility_claims),
        "erase": (erase.run, erase_claims),
        "k-anonymity": (k_anonymity.run, k_anonymity_claims),
    }
    found: dict[str, list[Claim]] = {}
    for paper, (experiment, claims) in papers.items():
        arguments: dict[str, Any] = dict((options or {}).get(paper, {}))
        if paper in NEEDS_DATA:
            if data is None:
                continue
            arguments |= {"data": data, "knowledge": knowledge}
        if paper == "k-anonymity" and titles:
            arguments["titles"] = titles
        found[paper] = claims(experiment(folder, **arguments))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "claims.csv").write_text(_csv(found), "utf-8")
    (folder / "index.html").write_text(_index(found, [p for p in papers if p not in found]), "utf-8")
    return found


def _csv(found: Mapping[str, Sequence[Claim]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["experiment", "claim", "paper", "ours", "verdict"])
    writer.writerows([paper, c.what, c.paper, c.ours, c.verdict] for paper, claims in found.items() for c in claims)
    return out.getvalue()


def _index(found: Mapping[str, Sequence[Claim]], left_out: Sequence[str]) -> str:
    columns = ("claim", "paper", "ours", "same, or why not")
    sections = [
        Section(
            paper, f"Page: {paper}.html", (), (Table(columns, tuple((c.what, c.paper, c.ours, c.verdict) for c in of)),)
        )
        for paper, of in found.items()
    ]
    if left_out:
        sections.append(Section("Left out", f"For want of data (name it with --data): {', '.join(left_out)}."))
    made = page("The papers, made again", sections)
    for paper in found:  # a page's text is plain, so links are put in here
        name = escape(f"{paper}.html")
        made = made.replace(f"Page: {name}", f'Page: <a href="{name}">{name}</a>')
    return made
