"""t-plausibility (Jiang, Murugesan, Clifton, Si 2009): at least t base texts generalize to the released one.

Each sensitive term is shown as itself or as one of its generalizations; the volumes of what is shown multiply to the
number of base texts, and the product is at least t in every unit (the document, each paragraph or each sentence).
Among the choices that reach t, t-PAT takes the least product; the uniform variant (the default) the least cost of
Equation 1, which protects every term alike. ``against="algorithm"`` promises more than the paper: at least t base texts
would have been released as this one (:mod:`~taciturn.models.tplausible.cut`).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Literal

from taciturn.document import Span, Term
from taciturn.generalize.writing import Marks, write_mark, write_phrase
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key, key
from taciturn.models.base import Guarantee, Model, Violation
from taciturn.models.declare import Dial, declare, parameter, verify
from taciturn.models.tplausible.chains import Base, Paths, Step, chain_of, reader_volume, sense_of, word_of
from taciturn.models.tplausible.counting import Hidden, generalizes, laid_along, named_alone
from taciturn.models.tplausible.cut import Cut, cut_of
from taciturn.models.tplausible.sensitive import sensitive_terms
from taciturn.models.tplausible.solved import NotPlausibleError, Solved
from taciturn.models.tplausible.writing import write_blindly
from taciturn.plan import Edit, Figure, Plan, resolve
from taciturn.solvers.plausibility import (
    Choice,
    Infeasible,
    esearch_prune,
    least_product,
    lub_search,
    uniform,
    uniform_esearch_prune,
)
from taciturn.solvers.plausibility.alike import base_texts, least_class

__all__ = ["NotPlausibleError", "TPlausible"]

Unit = Literal["document", "paragraph", "sentence"]
Search = Literal["exact", "lub", "prune"]
_Volumes = dict[tuple[int, Key], int]
Against = Literal["taxonomy", "algorithm"]
_STATEMENTS = {
    "taxonomy": "at least t base texts generalize to each {unit} with sensitive terms, as a reader of the taxonomies "
    "counts them",
    "algorithm": "at least t base texts would have been released as each {unit} with sensitive terms stands here, as a "
    "reader who knows the taxonomies and the method counts them",
}


@declare(
    needs=("protect", "kinds"),
    dial=Dial("t", (2, 10, 100, 1000, 10_000, 100_000), "at least t base texts fit the release"),
    infers=True,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class TPlausible:
    """At least t base texts generalize to every unit of the release.

    ``protect`` may also be another model, whose plan marks the sensitive terms. A sensitive term that no taxonomy knows
    is redacted and counts as one base value. No term is shown as a phrase that says a named sensitive term.

    >>> import taciturn
    >>> taciturn.sanitize("He has AIDS.", taciturn.TPlausible(protect=["AIDS"], t=3)).certificate.holds
    True
    """

    name: ClassVar[str] = "t-plausible"

    t: int = field(metadata=parameter("At least this many base texts generalize to each unit.", least=1))
    protect: str | Sequence[str] | Model = field(
        default=(), metadata=parameter("The sensitive terms.", takes="terms", holds="concepts")
    )
    kinds: str | Sequence[str] = field(
        default=(), metadata=parameter("Kinds of terms that are sensitive.", holds="kinds")
    )
    uniform: bool = field(
        default=True, metadata=parameter("Protect every term alike (Equation 1), or take the least product.")
    )
    alpha: float = field(
        default=0.5,
        metadata=parameter("What weighs the whole text (1) against single terms (0) in Equation 1.", least=0, most=1),
    )
    segment: Unit = field(default="document", metadata=parameter("The unit that t counts for."))
    base: Base = field(
        default="leaves",
        metadata=parameter("What counts as a base value: the leaves, or the values at the term's own level."),
    )
    paths: Paths = field(default="first", metadata=parameter("Generalize along first hypernyms, or by any."))
    meanings: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}),
        hash=False,
        metadata=parameter("What ambiguous terms are meant as, such as marijuana: drug."),
    )
    against: Against = field(
        default="taxonomy",
        metadata=parameter(
            "What the reader knows: the taxonomy, so that t base texts generalize to the release, or the algorithm as "
            "well, so that t base texts would have been released as this one."
        ),
    )
    search: Search = field(
        default="exact", metadata=parameter("The best choice, or the paper's searches lub and prune.")
    )
    time_limit: float | None = field(
        default=None,
        metadata=parameter(
            "Seconds for each unit; then the best choice found is taken, and how far it may be from the best is said.",
            above=0,
            absent="none",
        ),
    )
    solved: Solved | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        verify(self)
        object.__setattr__(self, "meanings", MappingProxyType({key(k): v for k, v in self.meanings.items()}))
        if self.search == "lub" and not self.uniform:
            raise ValueError("search='lub' is the paper's search for the uniform variant; use 'exact' or 'prune'")
        if self.against == "algorithm" and (self.base, self.paths) != ("leaves", "first"):
            raise ValueError("against='algorithm' cuts the tree of first hypernyms: leave out base and paths")

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
        starts = [s for s, _ in self._units(analysis)]
        hidden = self._hidden(analysis, knowledge, replaced, starts)
        units: dict[int, dict[Key, list[Hidden]]] = {}
        for h in hidden:
            units.setdefault(self._unit(starts, h.span[0]), {}).setdefault(h.word, []).append(h)
        volumes = self._volumes(units, knowledge)
        products = self._products(units, volumes)
        violations = [
            Violation(
                tuple(h.span for hs in units[unit].values() for h in hs if h.shown),
                f"{self.segment} {unit + 1} has {count} base texts, fewer than {self.t}",
            )
            for unit, count in sorted(products.items())
            if count < self.t
        ]
        if not products and self.solved is None and self.t > 1:
            violations.append(
                Violation((), "no replaced span stands for a sensitive term, so there are no base texts to count")
            )
        least = min(products.values(), default=1)
        bits = [math.log2(max(volumes[unit, word], 1)) for unit in sorted(units) for word in units[unit]]
        return Guarantee(
            self.name,
            _STATEMENTS[self.against].format(unit=self.segment),
            not violations,
            math.log2(max(least, 1)) - math.log2(self.t) if products or violations else 0.0,
            self._parameters(),
            self._figures(least, len(products), bits),
            self._protected(),
            tuple(violations),
        )

    def _protected(self) -> tuple[str, ...]:
        """The sensitive terms: those that are named, or, where kinds or a model find them, those of the document."""
        named = self.protect if isinstance(self.protect, tuple) else ()
        return named or (tuple(dict.fromkeys(self.solved.mentions)) if self.solved else ())

    def _hidden(
        self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...], starts: Sequence[int]
    ) -> tuple[Hidden, ...]:
        """What the release shows for each sensitive word. Spans that were replaced for other reasons do not count."""

        def fits(phrase: Key, word: Key) -> bool:
            return generalizes(phrase, word, knowledge, self.meanings.get(word, ""))

        left = [
            (word_of(t.key, knowledge, self.meanings), (t.start, t.end))
            for t in self._sensitive(analysis, knowledge, replaced)
        ]
        if self.solved is not None:
            mentions = self.solved.mentions
            # What only the release has, such as a kind of term that a replacement brought about, is not of the text.
            original = [at for at in left if at[0] in set(mentions)]
            return laid_along(mentions, original, replaced, analysis, fits)
        names = [word_of(key(n), knowledge, self.meanings) for n in self._protected()]
        return named_alone(
            list(dict.fromkeys(names)), left, replaced, lambda at: self._unit(starts, at), analysis, fits
        )

    def _volumes(self, units: Mapping[int, Mapping[Key, Sequence[Hidden]]], knowledge: Knowledge) -> _Volumes:
        """The base values of each word in each unit: of what it is shown as, the least if that differs."""
        cut = self._cut(units, knowledge) if self.against == "algorithm" else None

        def volume(shown: Key) -> int:
            return cut.size(shown) if cut is not None else reader_volume(shown, knowledge, self.base)

        return {
            (unit, word): min(volume(h.shown) if h.shown else 1 for h in places)
            for unit, words in units.items()
            for word, places in words.items()
        }

    def _products(self, units: Mapping[int, Mapping[Key, Sequence[Hidden]]], volumes: _Volumes) -> dict[int, int]:
        if self.against == "taxonomy":
            return {unit: math.prod(volumes[unit, word] for word in words) for unit, words in units.items()}
        # What is shown alike is of one class: its words are different in every base text.
        everywhere = Counter(
            {h.word: h.shown for words in units.values() for hs in words.values() for h in hs}.values()
        )
        products = {}
        for unit, words in units.items():
            here = Counter(places[0].shown for places in words.values())
            size = {places[0].shown: volumes[unit, word] for word, places in words.items()}
            products[unit] = base_texts((size[p], n, everywhere[p] - n) for p, n in here.items() if p)
        return products

    def _cut(self, units: Mapping[int, Collection[Key]], knowledge: Knowledge) -> Cut:
        """The cut for words in units: k follows from how many words stand where, not from which."""
        words = {w: sense_of(w, knowledge, self.meanings.get(w, "")) for unit in units.values() for w in unit}
        known = {w for w, found in words.items() if found}
        sizes = [
            least_class(self.t, here, len(known) - here)
            for unit in units.values()
            if (here := sum(1 for w in unit if w in known))
        ]
        of = frozenset(f[0].name for f in words.values() if f)
        return cut_of(knowledge, max(sizes, default=1), of, tuple(sorted(self.meanings.items())))

    def _parameters(self) -> dict[str, Figure]:
        parameters: dict[str, Figure] = {"t": self.t, "segment": self.segment, "base": self.base, "paths": self.paths}
        if self.against == "algorithm":
            return parameters | {"against": self.against}
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
            "fewest bits": round(math.log2(max(least, 1)), 6),
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
        named, model = (self.protect, None) if isinstance(self.protect, tuple) else ((), self.protect)
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
        words = {t.key: word_of(t.key, knowledge, self.meanings) for t in terms}
        named = {key(name) for name in self.protect} if isinstance(self.protect, tuple) else set()
        unsaid = {k for pair in words.items() if not named.isdisjoint(pair) for k in pair}
        chains = {
            w: chain_of(w, knowledge, self.base, self.paths, self.meanings, unsaid) for w in sorted(set(words.values()))
        }
        starts = [s for s, _ in self._units(analysis)]
        units: dict[int, dict[Key, None]] = {}
        for term in terms:
            units.setdefault(self._unit(starts, term.start), {})[words[term.key]] = None
        mentions = tuple(words[t.key] for t in terms)
        unknown = {k for k, w in words.items() if sense_of(w, knowledge, self.meanings.get(w, "")) is None}
        if self.against == "algorithm":
            labels = self._labels(units, knowledge)
            shown = {k: labels[w] for k, w in words.items() if k not in unknown}
            return Solved(MappingProxyType(shown), frozenset(unknown), 0.0, 0.0, False, False, mentions)
        choices = self._choices(units, chains)
        places: dict[Key, int] = {}
        shared = False
        for unit, choice in choices.items():
            for word, place in zip(units[unit], choice.choice, strict=True):
                shared |= places.get(word, place) != place
                places[word] = max(places.get(word, 0), place)
        shown = {k: chains[w][places[w] - 1] if places[w] else None for k, w in words.items()}
        found = choices.values()
        return Solved(
            MappingProxyType(shown),
            frozenset(unknown),
            math.fsum(c.cost for c in found),
            math.fsum(c.cost - c.bound if self.uniform else math.log2(c.product) - math.log2(c.bound) for c in found),
            all(c.optimal for c in found),
            shared,
            mentions,
        )

    def _labels(self, units: Mapping[int, Collection[Key]], knowledge: Knowledge) -> dict[Key, Step | None]:
        """What the cut shows each word as; words that no taxonomy knows have no label."""
        cut = self._cut(units, knowledge)
        labels = {w: cut.step(w) for unit in units.values() for w in unit}
        for unit, words in units.items():
            known = [w for w in words if sense_of(w, knowledge, self.meanings.get(w, ""))]
            if any(labels[w] is None for w in known) or (not known and self.t > 1):
                k = min((cut.largest(w) for u in units.values() for w in u if sense_of(w, knowledge)), default=0)
                most = base_texts([(k, len(known), 0)]) if known else 1
                raise NotPlausibleError(self.segment, unit + 1, len(words), self.t, most, min(most, self.t - 1))
        return labels

    def _choices(self, units: Mapping[int, Iterable[Key]], chains: Mapping[Key, tuple[Step, ...]]) -> dict[int, Choice]:
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
                write = write_phrase if self.against == "taxonomy" else write_blindly
                written = write(step.label, term, text, sentence, is_name=step.is_name)
                reason = f"{step.volume} base terms generalize to {step.label!r}"
                figures = {"volume": step.volume, "bits": round(math.log2(step.volume), 3), "taxonomy": step.source}
            original = text[written.start : written.end]
            edits.append(
                Edit(written.start, written.end, original, written.text, reason, self.name, term.kind, figures)
            )
        return edits
