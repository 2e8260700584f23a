"""K-safety (ERASE): the fewest terms to remove so that what is left fits K other entities as well.

A base connects entities with contexts, sets of terms. A set of terms is *K-safe* for some protected entities when for
each of them that it touches, at least K other entities have contexts that hold all that it shows of that one. Parts of
a safe set are safe, so the least removal is the cheapest set of terms that meets every minimal unsafe set.

- :func:`fewest_removals` is exact. It writes all minimal unsafe sets down where they are few, and finds them as needed
  where they are not.
- :func:`greedy_removals` is the paper's fast way, with a pass that puts back what is safe to put back.
- :func:`levelwise_removals` is the paper's exact way, for comparison on small documents.
- :func:`violations` is the definition, and shares no code with the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from time import thread_time

from taciturn.solvers.bitsets import bits, columns
from taciturn.solvers.cores import cheapest_cover
from taciturn.solvers.hitting import cheapest_hitting
from taciturn.solvers.unsafe import View, minimal_unsafe_sets

__all__ = [
    "Disclosure",
    "Removal",
    "fewest_removals",
    "greedy_removals",
    "is_safe",
    "levelwise_removals",
    "violations",
]

Contexts = Mapping[str, Collection[str]]

SETS = 300_000
NODES = 2_000_000
DIGITS = 9
SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Removal:
    """Terms whose removal makes the rest K-safe.

    ``cost`` is their number or weight, ``bound`` a cost that no removal is below, ``optimal`` says that the two agree.
    ``witnesses`` names, for each protected entity that the rest still touches, K others that fit what it shows.
    """

    removed: tuple[str, ...]
    cost: float
    optimal: bool
    bound: float
    witnesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A protected entity given away: what the terms show of it, and the fewer than K others that fit as well."""

    entity: str
    terms: frozenset[str]
    others: tuple[str, ...]


def violations(
    contexts: Contexts, protected: Collection[str], terms: Collection[str], k: int = 1
) -> tuple[Disclosure, ...]:
    """The protected entities that a set of terms gives away, by the definition, in order of their names.

    >>> base = {"HIV": {"fatigue", "sweating"}, "flu": {"fatigue"}}
    >>> violations(base, ["HIV"], ["fatigue"]), violations(base, ["HIV"], ["fatigue", "sweating"])[0].entity
    ((), 'HIV')
    """
    _verify(contexts, protected, k)
    given = set(terms)
    found = []
    for entity in sorted(set(protected)):
        shown = frozenset(given.intersection(contexts[entity]))
        if shown:
            others = tuple(sorted(e for e in contexts if e != entity and shown.issubset(contexts[e])))
            if len(others) < k:
                found.append(Disclosure(entity, shown, others))
    return tuple(found)


def is_safe(contexts: Contexts, protected: Collection[str], terms: Collection[str], k: int = 1) -> bool:
    """Is a set of terms K-safe? The fast answer for planning; :func:`violations` is the check.

    >>> is_safe({"HIV": {"fatigue", "sweating"}, "flu": {"fatigue"}}, ["HIV"], ["fatigue"])
    True
    """
    task = _Task.of(contexts, protected, terms, k, None)
    return task.safe(task.touching)


def fewest_removals(
    contexts: Contexts,
    protected: Collection[str],
    terms: Collection[str],
    k: int = 1,
    weights: Mapping[str, float] | None = None,
    time_limit: float | None = None,
) -> Removal:
    """The fewest terms, or those of least weight, whose removal leaves a K-safe rest.

    NP-hard; a ``time_limit`` in seconds of processor time ends the search with the best removal found and the bound
    reached. A term that no protected context holds is never removed. A base of no more than K entities leaves nothing
    that touches a protected one. Weights are 1 where none is given. Raises ``ValueError`` for a protected entity that
    the base does not hold, K below 1, or a weight that is not a positive number.

    >>> base = {"HIV": {"weight loss", "sweating", "fatigue"}, "flu": {"sweating", "fatigue"},
    ...         "diabetes": {"weight loss", "fatigue"}, "cancer": {"weight loss", "sweating"}}
    >>> fewest_removals(base, ["HIV"], ["weight loss", "sweating", "fatigue"], weights={"sweating": 0.5}).removed
    ('sweating',)
    """
    deadline = thread_time() + time_limit if time_limit is not None else inf
    task = _Task.of(contexts, protected, terms, k, weights)
    # Three quarters of the time at most go into writing them down: what is left must suffice to choose.
    writing = thread_time() + 0.75 * time_limit if time_limit is not None else inf
    sets, complete = minimal_unsafe_sets(task.view, SETS, NODES, writing)
    if complete:
        mask, bound = cheapest_hitting(sets, task.cost, deadline)
        return task.removal(mask, bound)
    known = _greedy(task)
    if not known:
        return task.removal(0, 0.0)
    whole = all(c.is_integer() for c in task.cost)
    paid = task.paid(known)
    scale = 1.0 if whole else 10**DIGITS / paid
    costs = [max(1, round(min(c, paid) * scale)) for c in task.cost]
    mask, least = cheapest_cover(_short(sets), costs, known, deadline, lambda chosen: _separate(task, chosen))
    if not whole:
        reached = (least - mask.bit_count()) / scale
        return task.removal(mask, task.paid(mask) if task.paid(mask) - reached <= SLACK * paid else max(0.0, reached))
    return task.removal(mask, float(least))


def greedy_removals(
    contexts: Contexts,
    protected: Collection[str],
    terms: Collection[str],
    k: int = 1,
    weights: Mapping[str, float] | None = None,
) -> Removal:
    """A removal found fast: the term that most given-away classes of entities show, for its weight, goes until none is
    given away; then each term that is safe to put back is put back. The bound is only that of removing one term.

    >>> greedy_removals({"HIV": {"fatigue", "thrush"}, "flu": {"fatigue"}}, ["HIV"], ["fatigue", "thrush"]).removed
    ('thrush',)
    """
    task = _Task.of(contexts, protected, terms, k, weights)
    mask = _greedy(task)
    return task.removal(mask, min((task.cost[t] for t in bits(task.touching)), default=0.0) if mask else 0.0)


def levelwise_removals(
    contexts: Contexts,
    protected: Collection[str],
    terms: Collection[str],
    k: int = 1,
    weights: Mapping[str, float] | None = None,
    time_limit: float | None = None,
) -> Removal:
    """The paper's exact way: safe sets of one term, of two, of three ..., each level made from the one before.

    A candidate whose every part is safe is tested against the base; the heaviest safe set met is kept. Exponential in
    the number of terms kept, so it is for documents of some fifteen terms, and for comparison. A ``time_limit`` in
    seconds gives back the best set met so far, without proof.

    >>> levelwise_removals({"HIV": {"fatigue", "thrush"}, "flu": {"fatigue"}}, ["HIV"], ["fatigue", "thrush"]).removed
    ('thrush',)
    """
    deadline = thread_time() + time_limit if time_limit is not None else inf
    task = _Task.of(contexts, protected, terms, k, weights)
    everything = task.touching
    best = 0
    level = [0]
    while level:
        known = set(level)
        following = []
        for kept in level:
            for t in bits(everything >> kept.bit_length() << kept.bit_length()):
                grown = kept | 1 << t
                if thread_time() > deadline:
                    return task.removal(everything & ~best, 0.0)
                if all(grown & ~(1 << o) in known for o in bits(kept)) and task.safe(grown):
                    following.append(grown)
        level = following
        best = max([best, *level], key=lambda m: (task.paid(m), -m))
    mask = everything & ~best
    return task.removal(mask, task.paid(mask))


@dataclass(frozen=True, slots=True)
class _Task:
    """A removal to be found: terms by number, their costs, the entities that hold any by name with the mask of what
    they hold, and the base seen through the terms."""

    protected: frozenset[str]
    terms: tuple[str, ...]
    k: int
    cost: tuple[float, ...]
    holding: Mapping[str, int]
    view: View
    touching: int

    @classmethod
    def of(
        cls,
        contexts: Contexts,
        protected: Collection[str],
        terms: Collection[str],
        k: int,
        weights: Mapping[str, float] | None,
    ) -> _Task:
        _verify(contexts, protected, k)
        guarded = frozenset(protected)
        ordered = tuple(dict.fromkeys(terms if isinstance(terms, list | tuple) else sorted(terms)))
        cost = tuple(_weight(weights, t) for t in ordered)
        place = {t: 1 << i for i, t in enumerate(ordered)}
        wanted = frozenset(ordered)
        holding = {}
        touching = 0
        for entity, context in contexts.items():
            held = wanted.intersection(context)
            if held:
                mask = 0
                for t in held:
                    mask |= place[t]
                holding[entity] = mask
                if entity in guarded:
                    touching |= mask
        view = View.of(((mask, entity in guarded) for entity, mask in holding.items()), len(ordered), k)
        return cls(guarded, ordered, k, cost, holding, view, touching)

    def safe(self, kept: int) -> bool:
        return not any(self.view.unsafe(shown) for shown in {m & kept for m in self.view.masks})

    def paid(self, mask: int) -> float:
        return float(sum(self.cost[t] for t in bits(mask)))

    def removal(self, mask: int, bound: float) -> Removal:
        removed = tuple(self.terms[t] for t in bits(mask))
        cost = self.paid(mask)
        return Removal(removed, cost, cost == bound, bound, self.witnesses(self.touching & ~mask))

    def witnesses(self, kept: int) -> dict[str, tuple[str, ...]]:
        """For each protected entity that the terms kept touch, the first K others by name that fit what they show."""
        ordered = sorted((entity, shown) for entity, mask in self.holding.items() if (shown := mask & kept))
        holders: dict[int, list[tuple[str, int]]] = {t: [] for t in bits(kept)}
        for entity, shown in ordered:
            for t in bits(shown):
                holders[t].append((entity, shown))
        first: dict[int, list[str]] = {}
        found = {}
        for entity, shown in ordered:
            if entity not in self.protected:
                continue
            if shown not in first:
                rare = min(bits(shown), key=lambda t: (len(holders[t]), t))
                first[shown] = []
                for other, mask in holders[rare]:
                    if mask & shown == shown:
                        first[shown].append(other)
                        if len(first[shown]) > self.k:
                            break
            found[entity] = tuple(other for other in first[shown] if other != entity)[: self.k]
        return found


def _verify(contexts: Contexts, protected: Collection[str], k: int) -> None:
    if k < 1:
        raise ValueError(f"K is the number of other entities that must fit as well, at least 1, not {k!r}")
    if isinstance(protected, str):
        raise ValueError(f"protected is a collection of entities, not the text {protected!r}; put it in a list")
    if missing := sorted(e for e in set(protected) if e not in contexts):
        raise ValueError(
            f"the base holds no entity {missing[0]!r} to protect; check its name, or add it with its terms"
        )


def _weight(weights: Mapping[str, float] | None, term: str) -> float:
    weight = 1.0 if weights is None else weights.get(term, 1.0)
    if not (weight > 0 and isfinite(weight)):
        raise ValueError(f"the weight of {term!r} is {weight!r}; weights are positive numbers")
    return float(weight)


def _greedy(task: _Task) -> int:
    view, cost = task.view, task.cost
    masks = [m for m in view.masks if view.unsafe(m)]
    held = columns(masks)
    known: dict[int, bool] = {}
    kept = task.touching
    left = (1 << len(masks)) - 1
    while left:
        worst = max(held, key=lambda t: ((held[t] & left).bit_count() / cost[t], -t))
        kept &= ~(1 << worst)
        # Safety is inherited by parts: only what showed the term can have become safe, and what is safe stays safe.
        for i in bits(held[worst] & left):
            shown = masks[i] & kept
            if shown not in known:
                known[shown] = view.unsafe(shown)
            if not known[shown]:
                left ^= 1 << i
        del held[worst]
    for t in sorted(bits(task.touching & ~kept), key=lambda t: (-cost[t], t)):
        more = kept | 1 << t
        if not any(view.unsafe(shown) for shown in {m & more for m in view.masks if m >> t & 1}):
            kept = more
    return task.touching & ~kept


def _short(sets: list[int]) -> list[int]:
    """The smaller half of some sets: the strongest demands to begin with."""
    ordered = sorted(sets, key=lambda s: (s.bit_count(), s))
    return ordered[: max(1, len(ordered) // 2)]


def _separate(task: _Task, chosen: int) -> tuple[list[int], int]:
    """Minimal unsafe sets that a removal leaves whole, and a larger removal that leaves none."""
    view = task.view
    missing: set[int] = set()
    removed = chosen
    while open_ := {shown for m in view.masks if view.unsafe(shown := m & ~removed)}:
        count: dict[int, int] = {}
        for shown in sorted(open_):
            order = sorted(bits(shown), key=lambda t: (count.get(t, 0), t), reverse=True)
            small = view.shrunk(shown, order)
            missing.add(small)
            for t in bits(small):
                count[t] = count.get(t, 0) + 1
        worst = max(count, key=lambda t: (count[t] / task.cost[t], -t))
        removed |= 1 << worst
    for t in sorted(bits(removed & ~chosen), key=lambda t: (-task.cost[t], t)):
        if task.safe(task.touching & ~removed | 1 << t):
            removed &= ~(1 << t)
    return sorted(missing, key=lambda s: (s.bit_count(), s)), removed
