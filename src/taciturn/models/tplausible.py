"""t-plausibility (Jiang, Murugesan, Clifton, Si 2009): at least t base texts generalize to the released one.

Each sensitive term is shown as itself or as one of its generalizations; the volumes of what is shown multiply to the
number of base texts, and the product is at least t in every unit (the document, each paragraph or each sentence).
Among the choices that reach t, t-PAT takes the least product; the uniform variant (the default) the least cost of
Equation 1, which protects every term alike.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from tacit.document import Span, Term
from tacit.knowledge import Knowledge
from tacit.language import Analysis, key
from tacit.models.base import Guarantee, Model, Violation
from tacit.models.chains import Base, Paths, Step, chain_of, reader_volume, sense_of
from tacit.models.sensitive import sensitive_terms
from tacit.plan import Edit, Figure, Plan, resolve
from tacit.replacement import Marks, write_mark, write_phrase
from tacit.solvers.plausibility import (
    Choice,
    Infeasible,
    esearch_prune,
    least_product,
    lub_search,
    uniform,
    uniform_esearch_prune,
)

__all__ = ["NotPlausibleError", "TPlausible"]

Unit = Literal["document", "paragraph", "sentence"]
Search = Literal["exact", "lub", "prune"]
_STATEMENT = (
    "at least t base texts generalize to each {unit} with sensitive terms, as a reader of the taxonomies counts them"
)


class NotPlausibleError(ValueError):
    """Some unit cannot have t base texts; ``largest`` is the largest t that every unit can have."""

    def __init__(self, unit: str, number: int, terms: int, t: int, largest: int, everywhere: int) -> None:
        where = "the document" if unit == "document" else f"{unit} {number}"
        super().__init__(
            f"t = {t} cannot be reached, so nothing is released: {where} has {terms} sensitive "
            f"{'term' if terms == 1 else 'terms'}, and with all at their most general {largest} base texts; "
            f"ask for t = {everywhere} or less, for larger units "
            '(segment="document"), or mark more terms as sensitive'
        )
        self.t = t
        self.largest = everywhere


@dataclass(frozen=True, slots=True)
class Solved:
    """What was found for one document: what each sensitive key is shown as (None: itself), and how good that is.

    ``redacted`` are the keys that no taxonomy knows.
    ``cost`` is the sum of Equation 1 over the units, ``above`` how far it may lie above the best: in the same unit for
    the uniform variant, in bits for the least product. ``shared``: a term of several units was generalized further in
    some than that unit asked for, so that it is the same everywhere.
    """

    shown: Mapping[str, Step | None] = field(hash=False)
    redacted: frozenset[str]
    cost: float
    above: float
    optimal: bool
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TPlausible:
    """At least ``t`` base texts behind every unit of the release.

    ``sensitive``: the terms to protect, or another model, whose plan marks them; ``kinds``: kinds of terms to protect.
    ``uniform``: protect every term alike (Equation 1 with ``alpha``), or take the least product. ``segment``: the unit
    that t counts for. ``base``: what counts as a base value, the leaves or the values at the term's own level.
    ``paths``: generalize along first hypernyms, or by any. ``meanings``: what an ambiguous term is meant as
    (``{"marijuana": "drug"}``). ``search``: ``exact``, or the paper's ``lub`` and ``prune``. ``time_limit``: seconds
    for each unit, after which the best choice found is taken and the certificate says how far it may be from the best.

    A sensitive term that no taxonomy knows is redacted and counts as one base value. No term is shown as a phrase that
    says a named sensitive term.
    """

    t: int
    sensitive: Sequence[str] | Model = ()
    kinds: Sequence[str] = ()
    uniform: bool = True
    alpha: float = 0.5
    segment: Unit = "document"
    base: Base = "leaves"
    paths: Paths = "first"
    meanings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    search: Search = "exact"
    time_limit: float | None = None
    solved: Solved | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.sensitive, str):
            raise ValueError(f"sensitive is a list of terms; write [{self.sensitive!r}]")
        if isinstance(self.sensitive, Sequence):
            object.__setattr__(self, "sensitive", tuple(self.sensitive))
        object.__setattr__(self, "kinds", tuple(self.kinds))
        object.__setattr__(self, "meanings", MappingProxyType({key(k): v for k, v in self.meanings.items()}))
        if not self.sensitive and not self.kinds:
            raise ValueError("name sensitive terms, kinds of terms, or a model that marks them")
        if isinstance(self.t, bool) or not isinstance(self.t, int) or self.t < 1:
            raise ValueError(f"t counts base texts, so it is a whole number from 1, not {self.t!r}")
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha weighs the whole text against single terms, from 0 to 1, not {self.alpha!r}")
        for value, name, allowed in (
            (self.segment, "segment", ("document", "paragraph", "sentence")),
            (self.base, "base", ("leaves", "level")),
            (self.paths, "paths", ("first", "best")),
            (self.search, "search", ("exact", "lub", "prune")),
        ):
            if value not in allowed:
                raise ValueError(f"{name} is {value!r}, but must be one of {', '.join(map(repr, allowed))}")
        if self.search == "lub" and not self.uniform:
            raise ValueError("search='lub' is the paper's search for the uniform variant; use 'exact' or 'prune'")

    @property
    def name(self) -> str:
        return "t-plausible"

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> TPlausible:
        """The model with the choice for this document, which later rounds keep."""
        terms = self._sensitive(analysis, knowledge)
        return replace(self, solved=self._solve(terms, analysis, knowledge))

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that show each sensitive term as chosen; raises :class:`NotPlausibleError` if t is out of reach."""
        terms = self._sensitive(analysis, knowledge)
        solved = self.solved or self._solve(terms, analysis, knowledge)
        return Plan(analysis.document, resolve(self._edits(terms, solved, analysis), analysis.document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Count the base texts anew: look up what stands in the replaced spans, and multiply unit by unit.

        A sensitive term that still stands in the text counts as one base value. The text alone does not tell which of
        its words stand for others: without replaced spans there is nothing to count, and the guarantee does not hold
        unless the model was bound to a document in which nothing is sensitive.
        """
        text = analysis.document.text
        left = self._sensitive(analysis, knowledge, replaced)
        starts = [s for s, _ in self._units(analysis)]
        products: dict[int, int] = {self._unit(starts, t.start): 1 for t in left}
        spans: dict[int, list[Span]] = {}
        bits = [(t.start, 0.0) for t in left]
        for start, end in replaced:
            volume = reader_volume(key(text[start:end]), knowledge, self.base)
            unit = self._unit(starts, start)
            products[unit] = products.get(unit, 1) * volume
            spans.setdefault(unit, []).append((start, end))
            bits.append((start, math.log2(volume)))
        violations = [
            Violation(
                tuple(spans.get(unit, ())), f"{self.segment} {unit + 1} has {count} base texts, fewer than {self.t}"
            )
            for unit, count in sorted(products.items())
            if count < self.t
        ]
        if not products and self.solved is None and self.t > 1:
            violations.append(Violation((), "no replaced spans are given, so there are no base texts to count"))
        least = min(products.values(), default=1)
        return Guarantee(
            self.name,
            _STATEMENT.format(unit=self.segment),
            not violations,
            math.log2(least) - math.log2(self.t) if products or violations else 0.0,
            self._parameters(),
            self._figures(least, len(products), [b for _, b in sorted(bits)]),
            self.sensitive if isinstance(self.sensitive, tuple) else (),
            tuple(violations),
        )

    def _parameters(self) -> dict[str, Figure]:
        parameters: dict[str, Figure] = {"t": self.t, "segment": self.segment, "base": self.base, "paths": self.paths}
        parameters["variant"] = "uniform" if self.uniform else "least product"
        if self.uniform:
            parameters["alpha"] = self.alpha
        return parameters | {"search": self.search}

    def _figures(self, least: int, units: int, entropies: Sequence[float]) -> dict[str, Figure]:
        mean = math.fsum(entropies) / len(entropies) if entropies else 0.0
        variance = math.fsum((h - mean) ** 2 for h in entropies) / len(entropies) if entropies else 0.0
        figures: dict[str, Figure] = {
            "units": units,
            "words": len(entropies),
            "fewest base texts": least,
            "fewest bits": round(math.log2(least), 6),
            "bits of each word": " ".join(f"{h:.2f}" for h in entropies),
            "variance of bits": round(variance, 6),
            "most bits": round(max(entropies, default=0.0), 6),
        }
        if self.solved is not None:
            figures["optimal"] = "yes" if self.solved.optimal else "no"
            figures["cost"] = round(self.solved.cost, 9)
            figures["at most above the best"] = round(self.solved.above, 9)
            figures["raised to agree between units"] = "yes" if self.solved.shared else "no"
        return figures

    def _sensitive(self, analysis: Analysis, knowledge: Knowledge, apart_from: Sequence[Span] = ()) -> tuple[Term, ...]:
        named, model = (self.sensitive, None) if isinstance(self.sensitive, tuple) else ((), self.sensitive)
        assert not isinstance(model, Sequence)
        return sensitive_terms(analysis, knowledge, named, self.kinds, model, apart_from)

    def _units(self, analysis: Analysis) -> Sequence[Span]:
        if self.segment == "document":
            return [(0, len(analysis.document.text))]
        return analysis.paragraphs if self.segment == "paragraph" else analysis.sentences

    @staticmethod
    def _unit(starts: Sequence[int], offset: int) -> int:
        return max(bisect_right(starts, offset) - 1, 0)

    def _solve(self, terms: Sequence[Term], analysis: Analysis, knowledge: Knowledge) -> Solved:
        """Choose unit by unit; a term of several units is shown everywhere as the most general of its choices.

        Two names of one node are one word, and repeated mentions count once: they are the same unknown.
        """
        words = {t.key: _word(t.key, knowledge, self.meanings) for t in terms}
        named = {key(name) for name in self.sensitive} if isinstance(self.sensitive, tuple) else set()
        unsaid = {k for pair in words.items() if not named.isdisjoint(pair) for k in pair}
        chains = {
            w: chain_of(w, knowledge, self.base, self.paths, self.meanings, unsaid) for w in sorted(set(words.values()))
        }
        starts = [s for s, _ in self._units(analysis)]
        units: dict[int, dict[str, None]] = {}
        for term in terms:
            units.setdefault(self._unit(starts, term.start), {})[words[term.key]] = None
        choices = self._choices(units, chains)
        places: dict[str, int] = {}
        shared = False
        for unit, choice in choices.items():
            for word, place in zip(units[unit], choice.choice, strict=True):
                shared |= places.get(word, place) != place
                places[word] = max(places.get(word, 0), place)
        shown = {k: chains[w][places[w] - 1] if places[w] else None for k, w in words.items()}
        unknown = {k for k, w in words.items() if not chains[w] and sense_of(w, knowledge) is None}
        found = choices.values()
        return Solved(
            MappingProxyType(shown),
            frozenset(unknown),
            math.fsum(c.cost for c in found),
            math.fsum(c.cost - c.bound if self.uniform else math.log2(c.product) - math.log2(c.bound) for c in found),
            all(c.optimal for c in found),
            shared,
        )

    def _choices(self, units: Mapping[int, Iterable[str]], chains: Mapping[str, tuple[Step, ...]]) -> dict[int, Choice]:
        volumes = {unit: [[1, *(s.volume for s in chains[w])] for w in words] for unit, words in units.items()}
        largest = {unit: math.prod(v[-1] for v in rows) for unit, rows in volumes.items()}
        found = {}
        for unit, rows in volumes.items():
            try:
                found[unit] = self._search(rows)
            except Infeasible as error:
                everywhere = min(largest.values())
                raise NotPlausibleError(self.segment, unit + 1, len(rows), self.t, error.largest, everywhere) from None
        return found

    def _search(self, chains: list[list[int]]) -> Choice:
        if not self.uniform:
            solve = least_product if self.search == "exact" else esearch_prune
            return solve(chains, self.t, self.time_limit)
        if self.search == "lub":
            return lub_search(chains, self.t, self.alpha)
        search = uniform if self.search == "exact" else uniform_esearch_prune
        return search(chains, self.t, self.alpha, self.time_limit)

    def _edits(self, terms: Sequence[Term], solved: Solved, analysis: Analysis) -> list[Edit]:
        text, marks = analysis.document.text, Marks()
        starts = [s for s, _ in analysis.sentences]
        edits = []
        for term in terms:
            step = solved.shown.get(term.key)
            if step is None and term.key not in solved.redacted:
                continue
            sentence = analysis.sentences[self._unit(starts, term.start)]
            figures: dict[str, Figure]
            if step is None:
                written = write_mark(marks.mark(term), term, text)
                reason, figures = "no taxonomy knows this term, so it cannot be generalized", {"volume": 1}
            else:
                written = write_phrase(step.label, term, text, sentence, is_name=step.is_name)
                reason = f"{step.volume} base terms generalize to {step.label!r}"
                figures = {"volume": step.volume, "bits": round(math.log2(step.volume), 3), "taxonomy": step.source}
            original = text[written.start : written.end]
            edits.append(
                Edit(written.start, written.end, original, written.text, reason, self.name, term.kind, figures)
            )
        return edits


def _word(name: str, knowledge: Knowledge, meanings: Mapping[str, str]) -> str:
    """The key that speaks for a key: the preferred one of its node, so that synonyms are one word.

    A key stands for itself where it is not known as a whole, or where its preferred synonym would be read otherwise.
    """
    found = sense_of(name, knowledge, meanings.get(name, ""))
    if found is None or meanings.get(name):
        return name
    taxonomy, node = found
    keys = taxonomy.keys(node)
    return keys[0] if name in keys and sense_of(keys[0], knowledge) == found else name
