"""Adversaries that guess which person or thing a released text is about.

Three adversaries rank candidates. Two use the counts of a pack, or an entity base, and add up evidence term by term: by
mutual information, shrunk where counts are small (``pmi``), or by naive Bayes with the candidates' frequency as prior
(``bayes``). The third has a background text for each candidate and takes the nearest by TF-IDF (``tf-idf``). None of
them is used in planning or checking a release.
"""

from taciturn.knowledge.rivals import under_branch
from taciturn.lab.attack.background import Outsider, read_background
from taciturn.lab.attack.classifier import Classifier
from taciturn.lab.attack.evidence import BaseAdversary, PackAdversary, Way, attack
from taciturn.lab.attack.guesses import Adversary, Attack, Guess, reidentified
from taciturn.lab.attack.reader import Reader

__all__ = [
    "Adversary",
    "Attack",
    "BaseAdversary",
    "Classifier",
    "Guess",
    "Outsider",
    "PackAdversary",
    "Reader",
    "Way",
    "attack",
    "read_background",
    "reidentified",
    "under_branch",
]
