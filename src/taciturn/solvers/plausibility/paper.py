"""The algorithms of Jiang et al. (2009), as baselines: ESearch_Prune, its uniform twin, and LUB_Search.

They are written as in the paper with its slips corrected. Algorithm 1 evaluates a text when i = m, before the last
word has been chosen: read i > m. Step 2 of Algorithm 2 means the lowest ancestor with H(w) >= log t / m, and a word
whose root is below that gets its root; where the text then falls short of t, other words are raised further.
Algorithm 3 steps word j to *its own* parent or child and allows H = log t. The pruning of the uniform search is not in
the paper; here a partial text is cut when the part of its cost that can only grow is no better than the best known.
"""

from __future__ import annotations

import math

from taciturn.solvers.plausibility.problem import Chains, Choice, Clock, chosen, distinct_volumes

__all__ = ["esearch_prune", "lub_search", "uniform_esearch_prune"]

_LOOK_AT_CLOCK = 4096


def esearch_prune(chains: Chains, t: int, time_limit: float | None = None) -> Choice:
    """Algorithm 1: exhaustive search for the least product >= t, cut where a partial product exceeds the best known.

    Exponential in the number of words. After ``time_limit`` the best found is returned, with t as the bound.

    >>> esearch_prune([[1, 3], [1, 5], [1, 7]], 16).product
    21
    """
    volumes = distinct_volumes(chains, t)
    clock, m = Clock(time_limit), len(chains)
    best, found = math.prod(v[-1] for v in volumes), [v[-1] for v in volumes]
    at, products = [-1] * m, [1] * (m + 1)
    i, steps, timed_out = 0, 0, False
    # The recursion of the paper with its stack spelled out: at[i] is the place of word i, products[i] what lies before.
    while i >= 0 and best > t and not timed_out:
        steps += 1
        timed_out = steps % _LOOK_AT_CLOCK == 0 and clock.out()
        if i == m:
            if t <= products[m] < best:
                best, found = products[m], [volumes[j][at[j]] for j in range(m)]
            i -= 1
            continue
        at[i] += 1
        if at[i] == len(volumes[i]) or products[i] * volumes[i][at[i]] > best:
            at[i] = -1
            i -= 1
        else:
            products[i + 1] = products[i] * volumes[i][at[i]]
            i += 1
    return chosen(chains, found, t, 1.0, not timed_out, t if timed_out else best)


def uniform_esearch_prune(chains: Chains, t: int, alpha: float, time_limit: float | None = None) -> Choice:
    """Exhaustive search for the least cost of Equation 1, cut by the part of the cost that can only grow (UEP).

    Exponential in the number of words. After ``time_limit`` the best found is returned, with 0 as the bound.

    >>> uniform_esearch_prune([[1, 4, 32], [1, 2], [1, 2], [1, 2]], 32, alpha=0.5).volumes
    (4, 2, 2, 2)
    """
    volumes = distinct_volumes(chains, t)
    clock, m = Clock(time_limit), len(chains)
    bits = math.log2(t)
    share = bits / max(m, 1)
    entropies = [[math.log2(v) for v in word] for word in volumes]
    whole, single = alpha / max(m, 1) ** 2, (1 - alpha) / max(m, 1)
    found = [v[-1] for v in volumes]
    best = math.inf
    at, products, totals, locals_ = [-1] * m, [1] * (m + 1), [0.0] * (m + 1), [0.0] * (m + 1)
    i, steps, timed_out = 0, 0, False
    while i >= 0 and not timed_out:
        steps += 1
        timed_out = steps % _LOOK_AT_CLOCK == 0 and clock.out()
        if i == m:
            price = whole * (totals[m] - bits) ** 2 + locals_[m]
            if products[m] >= t and price < best:
                best, found = price, [volumes[j][at[j]] for j in range(m)]
            i -= 1
            continue
        at[i] += 1
        if at[i] < len(volumes[i]):
            entropy = entropies[i][at[i]]
            total = totals[i] + entropy
            local = locals_[i] + single * (entropy - share) ** 2
            if whole * max(0.0, total - bits) ** 2 + local < best:
                products[i + 1], totals[i + 1], locals_[i + 1] = products[i] * volumes[i][at[i]], total, local
                i += 1
                continue
            if entropy < share:
                continue
        # The word is used up, or every volume from here on costs more than the best known text.
        at[i] = -1
        i -= 1
    return chosen(chains, found, t, alpha, not timed_out, 0.0 if timed_out else None)


def lub_search(chains: Chains, t: int, alpha: float) -> Choice:
    """Algorithms 2 and 3: every word at its least upper bound, then m rounds of the best single step (LUBS).

    A heuristic: ``optimal`` is True only where the cost is 0. O(m^2) steps.

    >>> lub_search([[1, 4, 32], [1, 2], [1, 2], [1, 2]], 32, alpha=0.5).volumes
    (4, 2, 2, 2)
    """
    volumes = distinct_volumes(chains, t)
    m, bits = len(chains), math.log2(t)
    if not m:
        return chosen(chains, (), t, alpha, True)
    entropies = [[math.log2(v) for v in word] for word in volumes]
    at = [_least_upper_bound(word, m, t) for word in volumes]
    product = math.prod(word[i] for word, i in zip(volumes, at, strict=True))
    whole, single, share = alpha / m**2, (1 - alpha) / m, bits / m

    def local(j: int, place: int) -> float:
        return single * (entropies[j][place] - share) ** 2

    while product < t:
        steps = [j for j in range(m) if at[j] + 1 < len(volumes[j])]
        j = min(steps, key=lambda j: local(j, at[j] + 1) - local(j, at[j]))
        product = product // volumes[j][at[j]] * volumes[j][at[j] + 1]
        at[j] += 1
    total = math.fsum(entropies[j][at[j]] for j in range(m))
    spread = math.fsum(local(j, at[j]) for j in range(m))
    price = whole * (total - bits) ** 2 + spread
    for _ in range(m if price > 0 else 0):
        best, move = price, None
        for j in range(m):
            for place in (at[j] + 1, at[j] - 1):
                if 0 <= place < len(volumes[j]):
                    now = entropies[j][place] - entropies[j][at[j]]
                    step = whole * (total + now - bits) ** 2 + spread + local(j, place) - local(j, at[j])
                    if step < best and product // volumes[j][at[j]] * volumes[j][place] >= t:
                        best, move = step, (j, place)
        if move is None:
            break  # no step helps, so no later round finds one either
        j, place = move
        product = product // volumes[j][at[j]] * volumes[j][place]
        total += entropies[j][place] - entropies[j][at[j]]
        spread += local(j, place) - local(j, at[j])
        at[j], price = place, best
    found = chosen(chains, [word[i] for word, i in zip(volumes, at, strict=True)], t, alpha, False, 0.0)
    return chosen(chains, found.volumes, t, alpha, True) if found.cost == 0 else found


def _least_upper_bound(word: tuple[int, ...], m: int, t: int) -> int:
    """The place of the least volume v with log2(v) >= log2(t) / m, decided by integers; the last one if none has."""
    return next((i for i, v in enumerate(word) if v**m >= t), len(word) - 1)
