"""t-plausibility (Jiang, Murugesan, Clifton, Si 2009): at least t base texts generalize to the released one.

Each sensitive term is shown as itself or as one of its generalizations; the volumes of what is shown multiply to the
number of base texts, and the product is at least t in every unit (the document, each paragraph or each sentence).
Among the choices that reach t, t-PAT takes the least product; the uniform variant (the default) the least cost of
Equation 1, which protects every term alike. With ``words="counts"`` base values are as likely as the counts have
them, and a reader's doubt must reach log2 t bits (Equations 2 to 4). ``against="algorithm"`` promises more than the
paper: at least t base texts would have been released as this one (:mod:`~taciturn.models.tplausible.cut`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from taciturn.document import Span, Term
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key, key
from taciturn.models.base import Guarantee, Model, Violation
from taciturn.models.declare import Dial, declare, declared, parameter, verify
from taciturn.models.tplausible.chains import Base, Paths, reader_volume, word_of
from taciturn.models.tplausible.counting import Hidden, generalizes, laid_along, named_alone
from taciturn.models.tplausible.likely import reader_entropy
from taciturn.models.tplausible.sensitive import sensitive_terms
from taciturn.models.tplausible.solved import NotPlausibleError, Solved
from taciturn.models.tplausible.solving import cut_for, solve
from taciturn.models.tplausible.units import Unit, Units, units_of
from taciturn.models.tplausible.writing import edits_of
from taciturn.plan import Figure, Plan, resolve
from taciturn.solvers.plausibility.alike import base_texts

__all__ = ["NotPlausibleError", "TPlausible"]

Search = Literal["exact", "lub", "prune"]
Against = Literal["taxonomy", "algorithm"]
Likely = Literal["alike", "counts"]
Finder = Literal["names", "c-sanitized", "informative", "related"]
_Shown = Mapping[int, Mapping[Key, Sequence[Hidden]]]
_ROUNDING = 1e-9  # bits
_STATEMENTS = {
    "taxonomy": "at least t base texts generalize to each {unit} with sensitive terms, as a reader of the taxonomies "
    "counts them",
    "algorithm": "at least t base texts would have been released as each {unit} with sensitive terms stands here, as a "
    "reader who knows the taxonomies and the method counts them",
    "counts": "the base texts that generalize to each {unit} with sensitive terms leave a reader of the taxonomies at "
    "least log2 t bits of doubt, if each word is as likely as the counts of the knowledge have it",
}


@declare(
    needs=("protect", "kinds"),
    dial=Dial("t", (2, 10, 100, 1000, 10_000, 100_000), "at least t base texts fit the release"),
    infers=True,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class TPlausible:
    """At least t base texts generalize to every unit of the release.

    ``protect`` may also be another model or a policy, whose plan marks the sensitive terms. A sensitive term that no
    taxonomy knows is redacted and counts as one base value. No term is shown as a phrase that says a named one.

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
    found_by: Finder = field(
        default="names",
        metadata=parameter(
            "Which terms are sensitive: those that protect names, or all that this model would hide to protect them."
        ),
    )
    uniform: bool = field(
        default=True, metadata=parameter("Protect every term alike (Equation 1), or take the least product.")
    )
    alpha: float = field(
        default=0.5,
        metadata=parameter("What weighs the whole text (1) against single terms (0) in Equation 1.", least=0, most=1),
    )
    words: Likely = field(
        default="alike",
        metadata=parameter(
            "How likely base values are: all alike, or as often as the knowledge counts them (Equations 2 to 4)."
        ),
    )
    segment: Unit = field(default="document", metadata=parameter("The unit that t counts for."))
    t_of: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({}),
        hash=False,
        metadata=parameter("Another t for units that begin with these words, such as Diagnosis: 1000."),
    )
    sensitivity: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({}),
        hash=False,
        metadata=parameter("How sensitive terms are beside others, which have 1: their share of the bits of doubt."),
    )
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
    mentions: tuple[Key, ...] | None = field(default=None, repr=False)  # the original's sensitive words, in its order
    ts: tuple[int, ...] | None = field(default=None, repr=False)  # the t of each unit of the original

    def __post_init__(self) -> None:
        verify(self)
        for name in ("meanings", "sensitivity"):
            object.__setattr__(self, name, MappingProxyType({key(k): v for k, v in getattr(self, name).items()}))
        if self.search == "lub" and not self.uniform:
            raise ValueError("search='lub' is the paper's search for the uniform variant; use 'exact' or 'prune'")
        if self.against == "algorithm" and (self.base, self.paths) != ("leaves", "first"):
            raise ValueError("against='algorithm' cuts the tree of first hypernyms: leave out base and paths")
        for word, weight in self.sensitivity.items():
            if not 0 < weight < math.inf:
                raise ValueError(f"the sensitivity of {word!r} is {weight!r}, but must be more than 0")
        for opening, t in self.t_of.items():
            if not opening.strip() or t != int(t) or t < 1:
                raise ValueError(f"t_of has {opening!r}: {t!r}, but must have a whole number, 1 or more, for words")
        usual = ("taxonomy", True, "exact", "leaves")
        if self.weighs and (self.against, self.uniform, self.search, self.base) != usual:
            raise ValueError(
                "words='counts' and sensitivity belong to Equation 1: leave out against, base, search and uniform=False"
            )
        if self.found_by != "names" and not self.named:
            raise ValueError(f"found_by={self.found_by!r} finds what gives away the terms of protect; name some there")

    @property
    def named(self) -> tuple[str, ...]:
        """The terms that ``protect`` names.

        >>> TPlausible(protect="HIV", t=10).named
        ('HIV',)
        """
        return self.protect if isinstance(self.protect, tuple) else ()

    @property
    def weighs(self) -> bool:
        """Do base values differ in likelihood, or words in sensitivity?

        >>> TPlausible(protect="HIV", t=10, words="counts").weighs
        True
        """
        return self.words == "counts" or bool(self.sensitivity)

    @property
    def finders(self) -> tuple[Model, ...]:
        """The models whose plans mark the sensitive terms.

        >>> [m.name for m in TPlausible(protect=["HIV"], t=10, found_by="c-sanitized").finders]
        ['c-sanitized']
        """
        if self.found_by != "names":
            return (declared(self.found_by).make({"protect": self.named}),)
        given: Any = () if isinstance(self.protect, tuple) else self.protect
        return tuple(given.build()) if hasattr(given, "build") else (given,) if given else ()

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> TPlausible:
        """The model with the choice for this document, which later rounds keep."""
        terms, units = self._sensitive(analysis, knowledge), self._units(analysis)
        words = self._words(terms, knowledge)
        solved = solve(self, terms, words, units, analysis, knowledge)
        return replace(self, solved=solved, mentions=tuple(words[t.key] for t in terms), ts=units.ts)

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that show each sensitive term as chosen; raises :class:`NotPlausibleError` if t is out of reach."""
        terms = self._sensitive(analysis, knowledge)
        solved = self.solved
        if solved is None:
            solved = solve(self, terms, self._words(terms, knowledge), self._units(analysis), analysis, knowledge)
        edits = edits_of(terms, solved, analysis, self.name, blindly=self.against == "algorithm")
        return Plan(analysis.document, resolve(edits, analysis.document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Count the base texts anew: look up what stands in the replaced spans, and multiply unit by unit.

        A sensitive term that still stands in the text counts as one base value. The text alone does not tell which of
        its words stand for others: without replaced spans there is nothing to count, and the guarantee does not hold
        unless the model was bound to a document in which nothing is sensitive.
        """
        units = self._units(analysis)
        shown: dict[int, dict[Key, list[Hidden]]] = {}
        for h in self._hidden(analysis, knowledge, replaced, units):
            shown.setdefault(units.number(h.span[0]), {}).setdefault(h.word, []).append(h)
        volumes = self._volumes(shown, analysis, units, replaced, knowledge)
        products = self._products(shown, volumes)
        doubts = self._doubts(shown, volumes, knowledge)
        ts = {unit: units.t_of(unit, self.ts or ()) for unit in shown}
        doubt = {unit: _log2(product) for unit, product in products.items()}
        if self.words == "counts":
            doubt = {unit: math.fsum(doubts[unit, word] for word in words) for unit, words in shown.items()}
        violations = [
            Violation(
                tuple(h.span for hs in shown[unit].values() for h in hs if h.shown),
                f"{self.segment} {unit + 1} has {products[unit]} base texts and {doubt[unit]:.2f} bits, fewer than {t}"
                if self.words == "counts"
                else f"{self.segment} {unit + 1} has {products[unit]} base texts, fewer than {t}",
            )
            for unit, t in sorted(ts.items())
            if (doubt[unit] < math.log2(t) - _ROUNDING if self.words == "counts" else products[unit] < t)
        ]
        if not shown and self.mentions is None and self.t > 1:
            violations.append(
                Violation((), "no replaced span stands for a sensitive term, so there are no base texts to count")
            )
        margins = [doubt[unit] - math.log2(t) for unit, t in ts.items()]
        bits = [doubts[unit, word] for unit in sorted(shown) for word in shown[unit]]
        least = min(products.values(), default=1)
        return Guarantee(
            self.name,
            _STATEMENTS["counts" if self.words == "counts" else self.against].format(unit=self.segment),
            not violations,
            min(margins, default=-math.log2(self.t) if violations else 0.0),
            self._parameters(),
            self._figures(least, min(doubt.values(), default=0.0), len(products), bits),
            self._protected(),
            tuple(violations),
        )

    def _protected(self) -> tuple[str, ...]:
        """What is protected: the named terms, or, where kinds or a model find them, those of the document."""
        return self.named or tuple(dict.fromkeys(self.mentions or ()))

    def _hidden(
        self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...], units: Units
    ) -> tuple[Hidden, ...]:
        """What the release shows for each sensitive word. Spans that were replaced for other reasons do not count."""

        def fits(phrase: Key, word: Key) -> bool:
            return generalizes(phrase, word, knowledge, self.meanings.get(word, ""))

        left = [
            (word_of(t.key, knowledge, self.meanings), (t.start, t.end))
            for t in self._sensitive(analysis, knowledge, replaced)
        ]
        if self.mentions is not None:
            # What only the release has, such as a kind of term that a replacement brought about, is not of the text.
            original = [at for at in left if at[0] in set(self.mentions)]
            return laid_along(self.mentions, original, replaced, analysis, fits)
        names = [word_of(key(n), knowledge, self.meanings) for n in self._protected()]
        return named_alone(list(dict.fromkeys(names)), left, replaced, units.number, analysis, fits)

    def _volumes(
        self, shown: _Shown, analysis: Analysis, units: Units, replaced: tuple[Span, ...], knowledge: Knowledge
    ) -> dict[tuple[int, Key], int]:
        """The base values of each word in each unit: of what it is shown as, the least if that differs."""
        cut = cut_for(self, shown, units, analysis, replaced, knowledge) if self.against == "algorithm" else None

        def volume(phrase: Key) -> int:
            return cut.size(phrase) if cut is not None else reader_volume(phrase, knowledge, self.base)

        return {
            (unit, word): min(volume(h.shown) if h.shown else 1 for h in places)
            for unit, words in shown.items()
            for word, places in words.items()
        }

    def _doubts(
        self, shown: _Shown, volumes: Mapping[tuple[int, Key], int], knowledge: Knowledge
    ) -> dict[tuple[int, Key], float]:
        """The bits of each word in each unit."""
        if self.words == "alike":
            return {at: _log2(volume) for at, volume in volumes.items()}
        return {
            (unit, word): min(reader_entropy(h.shown, knowledge) if h.shown else 0.0 for h in places)
            for unit, words in shown.items()
            for word, places in words.items()
        }

    def _products(self, shown: _Shown, volumes: Mapping[tuple[int, Key], int]) -> dict[int, int]:
        if self.against == "taxonomy":
            return {unit: math.prod(volumes[unit, word] for word in words) for unit, words in shown.items()}
        # What is shown alike is of one class: its words are different in every base text.
        everywhere = Counter(
            {h.word: h.shown for words in shown.values() for hs in words.values() for h in hs}.values()
        )
        products = {}
        for unit, words in shown.items():
            here = Counter(places[0].shown for places in words.values())
            size = {places[0].shown: volumes[unit, word] for word, places in words.items()}
            products[unit] = base_texts((size[p], n, everywhere[p] - n) for p, n in here.items() if p)
        return products

    def _parameters(self) -> dict[str, Figure]:
        parameters: dict[str, Figure] = {"t": self.t, "segment": self.segment, "base": self.base, "paths": self.paths}
        if self.t_of:
            parameters["t of units that begin so"] = ", ".join(f"{words}: {int(t)}" for words, t in self.t_of.items())
        if self.found_by != "names":
            parameters["found_by"] = self.found_by
        if self.against == "algorithm":
            return parameters | {"against": self.against}
        parameters["variant"] = "uniform" if self.uniform else "least product"
        if self.uniform:
            parameters |= {"alpha": self.alpha, "words": self.words}
        return parameters | {"search": self.search}

    def _figures(self, least: int, doubt: float, units: int, entropies: Sequence[float]) -> dict[str, Figure]:
        mean = math.fsum(entropies) / len(entropies) if entropies else 0.0
        variance = math.fsum((h - mean) ** 2 for h in entropies) / len(entropies) if entropies else 0.0
        figures: dict[str, Figure] = {
            "units": units,
            "words": len(entropies),
            "fewest base texts": least,
            "fewest bits": round(doubt, 6),
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
        named = self.named if self.found_by == "names" else ()
        return sensitive_terms(analysis, knowledge, named, self.kinds, self.finders, apart_from)

    def _words(self, terms: Sequence[Term], knowledge: Knowledge) -> dict[Key, Key]:
        """For each sensitive key the word that it is."""
        return {t.key: word_of(t.key, knowledge, self.meanings) for t in terms}

    def _units(self, analysis: Analysis) -> Units:
        return units_of(analysis, self.segment, self.t, self.t_of)


def _log2(number: int) -> float:
    return math.log2(max(number, 1))
