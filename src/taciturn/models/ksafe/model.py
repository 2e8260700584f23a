"""K-safety: the terms left fit at least K other entities as well (ERASE; Chakaravarthy, Gupta, Roy, Mohania 2008).

A base connects entities with contexts, sets of terms. A released text is K-safe iff for every protected entity of which
it shows anything, at least K other entities have contexts that hold everything it shows of that one. Removed are the
fewest terms that make it so, or those of least weight. The plan solves that (:mod:`taciturn.solvers.safety`); the
check is the definition, applied to the terms found anew in the released text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, log2
from pathlib import Path
from typing import Any, ClassVar, Literal

from taciturn.document import Span
from taciturn.generalize.writing import Marks, MarkStyle, write_mark, write_phrase
from taciturn.knowledge import EntityBase, Knowledge, UnknownTermError
from taciturn.knowledge.concept import candidates
from taciturn.language import Analysis, Key, key
from taciturn.models.base import Guarantee, Violation
from taciturn.models.declare import Dial, declare, parameter, verify
from taciturn.models.ksafe.evidence import Connections, connections, entity_names, kinds_below, nodes_above, shown_by
from taciturn.models.parameter import ACTION, MARK, Action
from taciturn.plan import Edit, Figure, Plan, resolve
from taciturn.solvers.safety import Removal, fewest_removals, greedy_removals, is_safe

__all__ = ["KSafe"]

Search = Literal["exact", "greedy"]


def _load(name: str, given: Mapping[str, Any]) -> Any:
    from taciturn.knowledge.entities.files import load_base

    return load_base(Path(name), key) if Path(name).suffix else name


@declare(
    needs=("protect", "branches"),
    dial=Dial("k", (1, 2, 3, 5, 8, 12), "at least k other entities fit what is left"),
    infers=True,
)
@dataclass(frozen=True, slots=True)
class KSafe:
    """Hide which of some entities a text speaks of, among at least K others that its words fit as well.

    >>> base = EntityBase("tiny", {"HIV": frozenset({"HIV", "thrush", "fever"}), "flu": frozenset({"flu", "fever"})})
    >>> KSafe(base, ["HIV"]).protect
    ('HIV',)
    """

    name: ClassVar[str] = "k-safe"

    entities: EntityBase | str | None = field(
        default=None,
        metadata=parameter(
            "The entity base, by its name in the knowledge or as a file.",
            absent="the one that holds most of what is protected",
            load=_load,
        ),
    )
    protect: str | Sequence[str] = field(
        default=(), metadata=parameter("Entities of the base, by name.", takes="terms", holds="concepts")
    )
    k: int = field(
        default=3,
        metadata=parameter(
            "At least this many other entities fit what is left of the text as well.", least=1, letter="k"
        ),
    )
    search: Search = field(
        default="exact",
        metadata=parameter("Remove the fewest terms, or go the paper's fast way.", shorthand=("greedy", "greedy")),
    )
    action: Action = field(default="generalize", metadata=ACTION)
    branches: str | Sequence[str] = field(
        default=(),
        metadata=parameter(
            "Every entity under these terms of a taxonomy, such as sexually transmitted disease.",
            takes="branches",
            holds="concepts",
            option="protect-branch",
        ),
    )
    weights: Mapping[str, float] | Literal["information"] | None = field(
        default=None,
        hash=False,
        metadata=parameter(
            "What removing a term costs, by term; with information, the least informative terms go.", absent="1 each"
        ),
    )
    mark: MarkStyle = field(default="category", metadata=MARK)
    time_limit: float = field(
        default=10.0,
        metadata=parameter("Seconds of processor time; then the best removal found is taken, with a bound.", above=0),
    )

    def __post_init__(self) -> None:
        verify(self)

    @property
    def _reading(self) -> str:
        """How contexts are read: with generalizations, an entity also has what its terms are kinds of."""
        return "closed upwards" if self.action == "generalize" else "as given"

    def resolve(self, knowledge: Knowledge) -> tuple[EntityBase, tuple[str, ...]]:
        """The base, and the entities of it that are protected, by their names in it.

        Raises :class:`UnknownTermError` for a name or a branch of which the base holds no entity.

        >>> base = EntityBase("tiny", {"flu": frozenset({"flu"}), "HIV": frozenset({"HIV"})})
        >>> KSafe(protect="HIV", entities=base).resolve(Knowledge.default())[1]
        ('HIV',)
        """
        bases = self._bases(knowledge)
        found = [(base, {name: _named(name, base, knowledge) for name in self.protect}) for base in bases]
        under = [{name: _under(name, base, knowledge) for name in self.branches} for base in bases]
        best = max(range(len(bases)), key=lambda i: (_number(found[i][1]), _number(under[i]), -i))
        base, names = found[best]
        for kind, wanted in (("entity", names), ("entity under", under[best])):
            if missing := [name for name, entities in wanted.items() if not entities]:
                raise UnknownTermError(
                    f"the entity base {base.name!r} holds no {kind} {missing[0]!r}; check the spelling, "
                    "or add what you protect to a base of your own (taciturn knowledge entities)"
                )
        every = (*names.values(), *under[best].values())
        return base, tuple(sorted({e for entities in every for e in entities}))

    def _bases(self, knowledge: Knowledge) -> list[EntityBase]:
        if isinstance(self.entities, EntityBase):
            return [self.entities]
        if not knowledge.entities:
            raise UnknownTermError("the knowledge holds no entity base; give one, or open a pack that has one")
        if self.entities is None:
            return [knowledge.entities[name] for name in sorted(knowledge.entities)]
        if self.entities not in knowledge.entities:
            known = ", ".join(sorted(knowledge.entities))
            raise UnknownTermError(f"the knowledge holds no entity base {self.entities!r}; it has {known}")
        return [knowledge.entities[self.entities]]

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits after which the text is K-safe, for the fewest terms or the least weight."""
        base, protected = self.resolve(knowledge)
        shown = connections(analysis, base, knowledge, self.action == "generalize")
        guarded = [e for e in protected if e in shown.contexts]
        terms = list(shown.places)
        weights = self._weights(shown, knowledge)
        if self.search == "greedy":
            removal = greedy_removals(shown.contexts, guarded, terms, self.k, weights)
        else:
            removal = fewest_removals(shown.contexts, guarded, terms, self.k, weights, self.time_limit)
        labels = self._labels(removal, shown, guarded, base, knowledge) if self.action == "generalize" else {}
        edits = self._edits(analysis, shown, removal, guarded, labels)
        return Plan(analysis.document, resolve(edits, analysis.document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Re-derive the guarantee from a released text, by the definition."""
        base, protected = self.resolve(knowledge)
        shown = connections(analysis, base, knowledge, self.action == "generalize")
        total = len(base.contexts)
        least = total - 1
        touched = closest = 0
        failed: list[Violation] = []
        known: dict[frozenset[str], frozenset[str]] = {}
        for number, entity in enumerate(protected, 1):
            terms = shown.contexts.get(entity)
            if not terms:
                continue
            touched += 1
            if terms not in known:
                known[terms] = shown.fitting(terms)
            others = len(known[terms] - {entity})
            if others < least or not closest:
                least, closest = others, number
            if others < self.k:
                spans = tuple(sorted((p.start, p.end) for t in terms for p in shown.places[t]))
                message = f"{_listed(sorted(terms))} fit {entity!r} and {others} other entities, fewer than {self.k}"
                failed.append(Violation(spans, message, {"others": others, "k": self.k}))
        figures: dict[str, Figure] = {
            "entities": total,
            "protected": len(protected),
            "touched": touched,
            "least others": least,
        }
        return Guarantee(
            self.name,
            f"what the text shows of a protected entity fits at least {self.k} other entities of the base as well",
            not failed,
            float(least - self.k),
            {"k": self.k, "base": base.name, "contexts": self._reading},
            figures | ({"closest entity": closest} if closest else {}),
            protected,
            tuple(failed),
        )

    def _weights(self, shown: Connections, knowledge: Knowledge) -> Mapping[str, float] | None:
        if self.weights is None:
            return None
        if self.weights == "information":
            terms = list(shown.places)
            most = log2(max(knowledge.counts.total, 2))
            # A term that the counts do not know is as informative as one that was met once.
            bits = knowledge.counts.ic_many([[t] for t in terms]).tolist()
            return {t: max(b if isfinite(b) else most, 0.01) for t, b in zip(terms, bits, strict=True)}
        given = {key(t): w for t, w in self.weights.items()}
        return {t: given.get(t, 1.0) for t in shown.places}

    def _labels(
        self, removal: Removal, shown: Connections, guarded: Sequence[str], base: EntityBase, knowledge: Knowledge
    ) -> dict[Key, str]:
        """For each removed term that has one, the most specific ancestor whose own consequences stay K-safe.

        The ancestors chosen so far are among the terms that the next one joins.
        """
        holders = {t: shown.holders[t] for t in shown.places if t not in removal.removed}
        labels: dict[Key, str] = {}
        for term in map(Key, removal.removed):
            for node in nodes_above(term, knowledge):
                said = shown_by(node.label, base, knowledge)
                if key(node.label) not in said or any(t in removal.removed for t in said):
                    continue
                if not shown.holders[term] <= said[key(node.label)]:
                    continue  # Not a generalization as far as this base goes: it would point elsewhere.
                joined = {**holders, **said}
                if is_safe(_inverted(joined), _within(guarded, joined), list(joined), self.k):
                    holders = joined
                    labels[term] = node.label
                    break
        return labels

    def _edits(
        self,
        analysis: Analysis,
        shown: Connections,
        removal: Removal,
        guarded: Sequence[str],
        labels: Mapping[Key, str],
    ) -> list[Edit]:
        text = analysis.document.text
        sentences = analysis.sentences or ((0, len(text)),)
        starts = [s for s, _ in sentences]
        marks = Marks(self.mark, text)
        removed = [Key(t) for t in removal.removed]
        evidence = {t: _evidence(t, shown, removal, guarded, self.k) for t in removed}
        places = sorted(((p, t) for t in removed for p in shown.places[t]), key=lambda pair: pair[0].start)
        edits = []
        for place, term in places:
            if term in labels:
                sentence = sentences[max(bisect_right(starts, place.start) - 1, 0)]
                written = write_phrase(labels[term], place, text, sentence)
            else:
                written = write_mark(marks.mark(place), place, text)
            reason, figures = evidence[term]
            original = text[written.start : written.end]
            edits.append(Edit(written.start, written.end, original, written.text, reason, self.name, "other", figures))
        return edits


def _evidence(
    term: Key, shown: Connections, removal: Removal, guarded: Sequence[str], k: int
) -> tuple[str, dict[str, Figure]]:
    """Which entity a removal protects the most, and which K others now fit as well."""
    kept = frozenset(shown.places).difference(removal.removed)
    worst: tuple[int, str, frozenset[Key]] | None = None
    for entity in shown.holders[term].intersection(guarded):
        terms = (kept | {term}) & shown.contexts[entity]
        fit = (len(shown.fitting(terms)) - 1, entity, terms)
        worst = fit if worst is None or fit[:2] < worst[:2] else worst
    planned = "optimal" if removal.optimal else f"{removal.cost:g} removed, no less than {removal.bound:g} possible"
    figures: dict[str, Figure] = {"k": k, "removed": len(removal.removed), "least possible": removal.bound}
    figures["planning"] = planned
    if worst is None:
        return "it stands for something that a protected entity shows", figures
    others, entity, terms = worst
    alone = "alone" if len(terms) == 1 else f"with {_listed(sorted(terms - {term}))}"
    now = removal.witnesses.get(entity, ())
    after = f"now {_listed(now)} fit as well" if now else "now nothing of it is shown"
    figures |= {"entity": entity, "others before": others, "witnesses": "; ".join(now)}
    return f"{alone}, it fits {entity!r} and only {others} others; {after}", figures


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(n) for n in names)


def _inverted(holders: Mapping[Key, frozenset[str]]) -> dict[str, set[str]]:
    contexts: dict[str, set[str]] = {}
    for term, entities in holders.items():
        for entity in entities:
            contexts.setdefault(entity, set()).add(term)
    return contexts


def _within(guarded: Sequence[str], holders: Mapping[Key, frozenset[str]]) -> list[str]:
    touched = frozenset().union(*holders.values())
    return [e for e in guarded if e in touched]


def _number(found: Mapping[str, Sequence[str]]) -> int:
    return sum(map(len, found.values()))


def _named(name: str, base: EntityBase, knowledge: Knowledge) -> tuple[str, ...]:
    """The entities that a name means: the one so called, else those whose names have its key, or a synonym's."""
    if name in base.contexts:
        return (name,)
    names = entity_names(base)
    for wanted in candidates(name, knowledge):
        if wanted in names:
            return names[wanted]
        synonyms = {s for t in knowledge.taxonomies for s in t.synonyms(wanted)}
        if found := sorted({e for s in synonyms for e in names.get(s, ())}):
            return tuple(found)
    return ()


def _under(name: str, base: EntityBase, knowledge: Knowledge) -> tuple[str, ...]:
    """The entities whose names a taxonomy has at or under a term."""
    names = entity_names(base)
    below = kinds_below(key(name), knowledge, most=len(base.contexts) * 10)
    known = any(t.senses(key(name)) for t in knowledge.taxonomies)
    return tuple(sorted({e for n in below for e in names.get(n, ())})) if known else ()
