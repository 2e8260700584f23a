"""How well masks agree with those that people made, what they keep, and what an adversary still makes of the rest."""

from taciturn.lab.evaluate.case import Case, DatasetError, Mask
from taciturn.lab.evaluate.cases import load_cases, told_by_kind
from taciturn.lab.evaluate.masking import (
    Masking,
    blacked_out,
    by_people,
    load_masking,
    run_model,
    untouched,
    with_utility,
)
from taciturn.lab.evaluate.risk import Risk, risk
from taciturn.lab.evaluate.scores import Scores, score

__all__ = [
    "Case",
    "DatasetError",
    "Mask",
    "Masking",
    "Risk",
    "Scores",
    "blacked_out",
    "by_people",
    "load_cases",
    "load_masking",
    "risk",
    "run_model",
    "score",
    "told_by_kind",
    "untouched",
    "with_utility",
]
