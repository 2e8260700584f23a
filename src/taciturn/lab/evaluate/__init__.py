"""How well masks agree with those that people made, what they keep, and what an adversary still makes of the rest."""

from taciturn.lab.evaluate.cases import Case, DatasetError, Mask, load_cases, told_by_kind
from taciturn.lab.evaluate.masking import Masking, by_people, load_masking, run_model, with_utility
from taciturn.lab.evaluate.risk import Risk, risk
from taciturn.lab.evaluate.scores import Scores, score

__all__ = [
    "Case",
    "DatasetError",
    "Mask",
    "Masking",
    "Risk",
    "Scores",
    "by_people",
    "load_cases",
    "load_masking",
    "risk",
    "run_model",
    "score",
    "told_by_kind",
    "with_utility",
]
