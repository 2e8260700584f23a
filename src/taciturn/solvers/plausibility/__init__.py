"""t-plausibility as pure numbers: one volume from each word's chain, with a product of at least t.

A *chain* lists the volumes of a word and of what it generalizes to: it starts with 1 (the word itself) and never
decreases. :func:`least_product` solves t-PAT, :func:`uniform` its uniform variant, both exactly; the paper's own
algorithms stand beside them as baselines. All work on integers of any size.

>>> chains = [[1, 4, 32], [1, 2, 4], [1, 2, 8], [1, 2, 16]]
>>> least_product(chains, 32).volumes, uniform(chains, 32, alpha=0.5).volumes
((1, 1, 2, 16), (4, 2, 2, 2))
"""

from taciturn.solvers.plausibility.entropies import entropy_cost, least_entropy_cost
from taciturn.solvers.plausibility.exact import least_product
from taciturn.solvers.plausibility.paper import esearch_prune, lub_search, uniform_esearch_prune
from taciturn.solvers.plausibility.problem import Choice, Infeasible, cost
from taciturn.solvers.plausibility.uniform import uniform

__all__ = [
    "Choice",
    "Infeasible",
    "cost",
    "entropy_cost",
    "esearch_prune",
    "least_entropy_cost",
    "least_product",
    "lub_search",
    "uniform",
    "uniform_esearch_prune",
]
