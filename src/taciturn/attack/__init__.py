"""The adversary: whom or what does a text speak of, by what it still says?

Three adversaries rank candidates. Two know what the knowledge knows (of a pack's counts, or of an entity base) and add
up evidence term by term: mutual information, shrunk where little is known (``pmi``), and naive Bayes with the
candidates' own frequency as prior (``bayes``). The third is an outsider with a background text for each candidate, and
takes the nearest by TF-IDF (``tf-idf``). None of them is used in planning or checking a release.
"""

from tacit.attack.background import Outsider, read_background
from tacit.attack.candidates import under_branch
from tacit.attack.evidence import BaseAdversary, PackAdversary, Way, attack
from tacit.attack.guesses import Adversary, Attack, Guess, reidentified

__all__ = [
    "Adversary",
    "Attack",
    "BaseAdversary",
    "Guess",
    "Outsider",
    "PackAdversary",
    "Way",
    "attack",
    "read_background",
    "reidentified",
    "under_branch",
]
