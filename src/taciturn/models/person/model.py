"""PersonRelease: hide what a human who masks a text to protect a person would hide.

Three things are hidden: every mention of the person by name, every expression of the same chain of mentions, and every
word that a small network, trained on masks made by people, takes for one that a human would hide. The network sees
figures (see :mod:`taciturn.models.person.figures`), and words in and around each word as well
(:mod:`taciturn.models.person.contexts`) where there were enough texts to learn them; its weights come from
``training/person.py``. The style for any text also hides what identifies by itself
(:mod:`taciturn.models.person.identifiers`).

The check reads the released text anew and scores it anew. Words that stand beside a mark look a little different from
before, so the limit that is guaranteed lies above the score from which words are hidden.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import exp, log
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span, Term
from taciturn.generalize.persons import DECADE, softened
from taciturn.generalize.writing import Marks, MarkStyle, Written, outside_marks
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, analyze, key
from taciturn.language.lexicon import LEXICON
from taciturn.models.base import Guarantee, Violation
from taciturn.models.declare import Dial, declare, parameter, verify
from taciturn.models.parameter import MARK as MARK_PARAMETER
from taciturn.models.person.contexts import AROUND
from taciturn.models.person.figures import Words, read_words
from taciturn.models.person.identifiers import identifying_words
from taciturn.plan import Edit, Plan, apply, compose, resolve

__all__ = ["STYLES", "Network", "PersonRelease", "Style", "known_rows", "load_network", "spoken_scores"]

Style = Literal["general", "court", "biography"]
STYLES = ("general", "court", "biography")
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_PARTICLES = LEXICON.word_set("names.nameless")
_WORD = re.compile(r"[^\W\d_]+")
_TITLE = re.compile(LEXICON.any_of("names.title", "names.title-male", "names.title-female") + r"\b")
_SHARE = 1 / 3  # of a score, each: the word's own, its term's, that of all mentions of the same thing
_READINGS = 4  # of a text with its marks; two are enough as a rule
_SLACK = 2.0  # the guaranteed limit lies this far above the threshold, in logits
_BLOCK = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Networks of one hidden layer whose outputs are averaged, and the threshold that people's masks suggest.

    ``near`` and ``rows`` are for networks that look at contexts: weights of relations and vectors of words, and a row
    of weights for each of the ``numbers`` that they know, in ascending order.
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    threshold: float
    near: NDArray[np.float32] | None = None
    numbers: NDArray[np.int64] | None = None
    rows: NDArray[np.float32] | None = None

    def __call__(self, words: Words) -> Floats:
        """A logit for each word."""
        scores = np.zeros(len(words.starts))
        around = (
            known_rows(words.contexts.numbers, self.numbers) if words.contexts and self.numbers is not None else None
        )
        for net in range(len(self.first)):
            by_word = self._by_word(words, net)
            for start in range(0, len(scores), _BLOCK):
                block = slice(start, start + _BLOCK)
                layer = words.figures[block] @ self.first[net] + self.first_bias[net]
                if by_word is not None and words.contexts is not None and self.near is not None:
                    relations = words.contexts.relations[block]
                    layer += relations @ self.near[net][: relations.shape[1]]
                    for place, column in zip(by_word, words.contexts.around[block].T, strict=True):
                        layer += place[column]
                if around is not None and self.rows is not None:
                    for column in around[block].T:
                        layer += self.rows[net][column]
                scores[block] += np.maximum(layer, 0) @ self.second[net] + self.second_bias[net]
        return scores / len(self.first)

    def _by_word(self, words: Words, net: int) -> list[NDArray[np.float32]] | None:
        """What each distinct word adds to the hidden layer at each place where it can be seen."""
        if self.near is None or words.contexts is None:
            return None
        vectors = words.contexts.vectors
        size, begin = vectors.shape[1], words.contexts.relations.shape[1]
        return [vectors @ self.near[net][begin + i * size : begin + (i + 1) * size] for i in range(AROUND)]


def known_rows(numbers: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
    """The row of each number; the last row, of zeros, for one that is not known.

    >>> known_rows(np.array([[7, 4, -1]]), np.array([4, 5, 7])).tolist()
    [[2, 0, 3]]
    """
    at = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return np.where(known[at] == numbers, at, len(known))


@lru_cache(maxsize=3)
def load_network(style: Style) -> Network:
    """The network for a style, from the package; read once."""
    with (files("taciturn.models.person") / "data" / "person.npz").open("rb") as file, np.load(file) as stored:
        arrays = {n.removeprefix(f"{style}."): stored[n] for n in stored.files if n.startswith(f"{style}.")}
    threshold = float(arrays.pop("threshold"))
    weights = {n: a.astype(np.float32) for n, a in arrays.items() if n not in ("numbers", "rows", "scales")}
    if "rows" not in arrays:
        return Network(**weights, threshold=threshold)
    rows = arrays["rows"] * arrays["scales"].astype(np.float32)[..., None]
    rows = np.concatenate([rows, np.zeros_like(rows[:, :1])], axis=1)
    return Network(**weights, threshold=threshold, numbers=arrays["numbers"].astype(np.int64), rows=rows)


@declare(
    needs=("protect",),
    dial=Dial("recall", (0.1, 0.3, 0.5, 0.7, 0.9), "above 0.5 more is hidden, below it less"),
    infers=True,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRelease:
    """No mention of the person is left, and no word that a human would hide to protect them, as far as was learned.

    Nothing is known of the person's own figures when the knowledge does not know the name; the model then goes by the
    other ones.

    >>> import taciturn
    >>> taciturn.sanitize("Mary Smith is a nurse.", taciturn.PersonRelease(protect=["Mary Smith"])).text
    '[person] is a nurse.'
    """

    name: ClassVar[str] = "person-release"

    protect: str | Sequence[str] = field(metadata=parameter("The names of the person.", takes="terms", holds="people"))
    style: Literal["general", "court", "biography"] = field(
        default="general",
        metadata=parameter(
            "Whose masks to follow: those of people who masked judgments, or biographies; general is for letters, "
            "reports, mails and any other text."
        ),
    )
    recall: float = field(
        default=0.5,
        metadata=parameter(
            "The balance: 0.5 is that of the training texts, more hides more, less hides less.", above=0, below=1
        ),
    )
    mark: MarkStyle = field(default="category", metadata=MARK_PARAMETER)
    network: Network | None = field(
        default=None,
        metadata=parameter("A network trained on masks of one's own.", absent="the packaged one"),
    )

    def __post_init__(self) -> None:
        verify(self)
        if not any(_WORD.search(name) for name in self.protect):
            raise ValueError(f"no name in {self.protect!r}: name the person to hide, for example 'Mary Smith'")

    def _network(self) -> Network:
        return self.network or load_network(self.style)

    def _words(self, analysis: Analysis, knowledge: Knowledge) -> Words:
        return read_words(analysis, knowledge, self.protect, contexts=self._network().near is not None)

    def threshold(self) -> float:
        """The logit from which a word is hidden.

        >>> cautious, usual = (PersonRelease(protect="Ann Miller", recall=recall) for recall in (0.99, 0.9))
        >>> cautious.threshold() < usual.threshold()
        True
        """
        return self._network().threshold - log(self.recall / (1 - self.recall))

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that hide each run of words to hide, one mark a run.

        A mark changes what is said of the words around it, so the text with its marks is read again until it asks for
        no more edits: a second release changes nothing.
        """
        applied = apply(self._reading(analysis, knowledge, first=True))
        for _ in range(_READINGS):
            more = self._reading(analyze(applied.document), knowledge)
            if not more.edits:
                break
            applied = compose(applied, more.edits)
        return applied.plan

    def _reading(self, analysis: Analysis, knowledge: Knowledge, *, first: bool = False) -> Plan:
        """The edits that one reading of a text asks for. The first one writes more general phrases where there are
        such; what they still say too much is marked by the next."""
        words = self._words(analysis, knowledge)
        scores = spoken_scores(words, analysis, self._network())
        named = _named(words, analysis, self.protect)
        sure = self._identifying(words, analysis, knowledge)
        hide = (named | sure | (scores >= self.threshold())) & words.solid & ~words.hidden
        if not first:
            hide &= ~_decades(words, analysis)
        softer = knowledge if first and self.mark == "category" else None
        edits = self._edits(analysis, words, hide, named, sure, scores, softer)
        return Plan(analysis.document, resolve(edits, analysis.document))

    def _identifying(self, words: Words, analysis: Analysis, knowledge: Knowledge) -> Flags:
        """Which words identify by themselves, as far as this style asks."""
        if self.style != "general" or not len(words.starts):
            return np.zeros(len(words.starts), np.bool_)
        return identifying_words(words, analysis, knowledge)

    def _edits(
        self,
        analysis: Analysis,
        words: Words,
        hide: Flags,
        named: Flags,
        sure: Flags,
        scores: Floats,
        softer: Knowledge | None,
    ) -> Iterator[Edit]:
        text = analysis.document.text
        sentences = [s for s, _ in analysis.sentences] or [0]
        marks = Marks(self.mark, text)
        terms = _terms(analysis)
        for first, last in _runs(words, analysis, hide):
            start, end = int(words.starts[first]), int(words.ends[last])
            number = max(words.term[first : last + 1].tolist())
            around = terms[number] if number >= 0 else None
            kind, mention = (around.kind, around.mention) if around else ("other", 0)
            shown = text[start:end]
            if _TITLE.match(shown):
                kind = "person"
            term = Term(start, end, shown, key(shown), kind, mention)
            best = float(scores[first : last + 1].max())
            # People's masks go by what a word says in its place; a name is a name everywhere.
            local = not named[first : last + 1].all()
            if named[first : last + 1].any():
                reason = "names the person"
            elif sure[first : last + 1].all():
                reason = "identifies somebody by itself"
            else:
                reason = f"a human would hide this with probability {_probability(best):.2f}"
            figures = {"score": round(best, 3), "threshold": round(self.threshold(), 3)}
            written = None
            if softer is not None and around is not None and (around.start, around.end) == (start, end):
                sentence = analysis.sentences[max(bisect_right(sentences, start) - 1, 0)]
                written = softened(term, text, sentence, softer)
            written = written or Written(start, end, marks.mark(term))
            original = text[written.start : written.end]
            yield Edit(written.start, written.end, original, written.text, reason, self.name, kind, figures, local)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Read and score the released text anew: no name of the person, no word that scores at the limit or above."""
        words = self._words(analysis, knowledge)
        scores = spoken_scores(words, analysis, self._network())
        limit = self.threshold() + _SLACK
        open_words = words.solid & ~words.hidden & ~_decades(words, analysis)
        named = _named(words, analysis, self.protect) & open_words
        sure = self._identifying(words, analysis, knowledge) & open_words
        wrong = named | sure | (open_words & (scores >= limit))
        text = analysis.document.text
        violations = []
        for i in np.flatnonzero(wrong).tolist():
            span = (int(words.starts[i]), int(words.ends[i]))
            if named[i] or sure[i]:
                what = "names the person" if named[i] else "identifies somebody by itself"
            else:
                what = f"scores {scores[i]:.2f}; the limit is {limit:.2f}"
            violations.append(Violation((span,), f"{text[span[0] : span[1]]!r} {what}", {"score": float(scores[i])}))
        highest = float(scores[open_words].max()) if open_words.any() else -np.inf
        margin = min(limit - highest, -1.0 if named.any() or sure.any() else 99.0)
        return Guarantee(
            self.name,
            "no name of the person is left, and but for decades no word that a human would hide, by a model of "
            "people's masks",
            not violations,
            margin,
            {"style": self.style, "recall": self.recall, "limit": round(limit, 6)},
            {"words checked": int(open_words.sum()), "highest probability": round(_probability(highest), 6)},
            tuple(self.protect),
            tuple(violations),
            ("words checked",),
        )


def _decades(words: Words, analysis: Analysis) -> Flags:
    """Which words are a decade: what is shown of dates, however much of a year it says."""
    found = np.zeros(len(words.starts), np.bool_)
    for decade in DECADE.finditer(analysis.document.text):
        found |= (words.starts >= decade.start()) & (words.ends <= decade.end())
    return found


def spoken_scores(words: Words, analysis: Analysis, network: Network) -> Floats:
    """A logit for each word: its own, its term's and that of all mentions of the same thing, in equal parts.

    A word outside terms has its own only. People hide a thing wherever it is mentioned, or nowhere.
    """
    scores = network(words)
    inside = np.flatnonzero((words.term >= 0) & words.solid)
    if not len(inside):
        return scores
    numbers: dict[str, int] = {}
    terms = _terms(analysis)
    thing = np.array([numbers.setdefault(f"#{t.mention}" if t.mention else t.key, len(numbers)) for t in terms])
    term = words.term[inside]
    size = np.bincount(term, minlength=len(terms))
    of_term = np.bincount(term, scores[inside], len(terms)) / np.maximum(size, 1)
    there = np.flatnonzero(size)
    of_thing = np.bincount(thing[there], of_term[there], len(numbers)) / np.maximum(
        np.bincount(thing[there], minlength=len(numbers)), 1
    )
    scores[inside] = _SHARE * (scores[inside] + of_term[term] + of_thing[thing[term]])
    return scores


def _terms(analysis: Analysis) -> list[Term]:
    """The terms that :func:`read_words` numbers: all but redaction marks."""
    text = analysis.document.text
    return list(outside_marks(analysis.terms, text))


def _named(words: Words, analysis: Analysis, names: Sequence[str]) -> Flags:
    """Which words name the person: a word of the name with a capital, and names in one chain of mentions with it."""
    own = {w.casefold() for name in names for w in _WORD.findall(name) if len(w) > 1} - _PARTICLES
    text = analysis.document.text
    named = np.zeros(len(words.starts), np.bool_)
    chains = set()
    terms = _terms(analysis)
    for i, (start, end) in enumerate(zip(words.starts.tolist(), words.ends.tolist(), strict=True)):
        if text[start].isupper() and any(w.casefold() in own for w in _WORD.findall(text, start, end)):
            named[i] = True
            at = int(words.term[i])
            if at >= 0 and terms[at].kind == "person" and terms[at].mention:
                chains.add(terms[at].mention)
    for i in np.flatnonzero(words.term >= 0).tolist():
        term = terms[int(words.term[i])]
        if term.mention in chains and term.kind == "person" and text[words.starts[i]].isupper():
            named[i] = True
    return named


def _runs(words: Words, analysis: Analysis, hide: Flags) -> Iterator[tuple[int, int]]:
    """Words to hide that follow each other with no other word, sentence end or line end between, as (first, last)."""
    text = analysis.document.text
    ends = np.array([end for _, end in analysis.sentences], np.int64)
    sentence = np.searchsorted(ends, words.starts, side="right")
    first = last = -1
    for i in np.flatnonzero(hide).tolist():
        if last >= 0 and sentence[i] == sentence[last]:
            between = text[words.ends[last] : words.starts[i]]
            if len(between) < 4 and "\n" not in between and not any(map(str.isalnum, between)):
                last = i
                continue
        if last >= 0:
            yield first, last
        first = last = i
    if last >= 0:
        yield first, last


def _probability(score: float) -> float:
    return 1 / (1 + exp(-score)) if score > -700 else 0.0
