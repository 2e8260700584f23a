"""Features of each word, from which a network predicts whether a human would hide it to protect a person.

All features can be computed for any text: what the term around the word is (kind, identifier, its place in the
taxonomies), how informative it is and how much it says of the person, how it is written (capitals, a run of capitals,
quotes, brackets), where it stands and how often it recurs, what stands beside it, and what the tagger's network makes
of it in its sentence. No feature stands for a particular word; :mod:`taciturn.models.person.contexts` adds such
features for a style with enough training texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span, Term
from taciturn.generalize.writing import MARK, outside_marks
from taciturn.knowledge import Knowledge
from taciturn.knowledge.taxonomies.flags import DISEASES, DRUGS, GENERAL, PLACES, VALUES
from taciturn.language import Analysis, Key, key
from taciturn.language.lexicon import LEXICON
from taciturn.language.tagger import describe_tokens, load_weights
from taciturn.language.tokens import Tokens, tokenize
from taciturn.language.words import SHAPES, normal, shape
from taciturn.models.person.contexts import Contexts, read_contexts
from taciturn.recognizers import family
from taciturn.recognizers.base import FAMILY
from taciturn.recognizers.base import KINDS as IDENTIFIERS

__all__ = ["Words", "person_key", "read_words"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_KINDS = ("person", "organization", "place", "time", "quantity", "code", "other", "none")
# One column a flag, in the order that the networks were trained with. The sixth belonged to a taxonomy of occupations
# that is gone; it stays, always 0, because the trained weights have a row for it. The column after it means any other.
_TAXONOMIES = (VALUES, PLACES, GENERAL, DISEASES, DRUGS, None)
_MOST_BITS = 20.0  # information of what the corpus never shows; the rarest known keys come close
_RUN = re.compile(rf"[^\W\d_a-z][\w'’.-]*(?:[ ](?:{LEXICON.any_of('function.in-run')}[ ]){{0,2}}[^\W_a-z][\w'’.-]*)*")
_QUOTED = re.compile(r"[“\"«‘][^“”\"«»‘’\n]{1,120}[”\"»’]")
_BRACKETED = re.compile(r"\([^()\n]{1,200}\)|\[[^\[\]\n]{1,200}\]")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: their spans, the number of the term that each lies in (-1: none), and their figures.

    ``hidden`` marks the words of redaction marks, ``solid`` those with a letter or a digit. ``figures`` has one row a
    word. ``contexts`` are read only for a network that looks at them.
    """

    starts: Ints
    ends: Ints
    term: Ints
    hidden: NDArray[np.bool_]
    solid: NDArray[np.bool_]
    figures: Floats
    contexts: Contexts | None = None


def person_key(names: Sequence[str], knowledge: Knowledge) -> Key | None:
    """The key under which the counts know the person best; None for a person that they do not know."""
    keys = [k for name in names if (k := key(name))]
    if not keys:
        return None
    counts = knowledge.counts.table([], keys)[0]
    best = int(counts.argmax())
    return keys[best] if counts[best] else None


def read_words(analysis: Analysis, knowledge: Knowledge, names: Sequence[str], contexts: bool = False) -> Words:
    """Every word of a text with its figures, and with its contexts if asked for, in time linear in the text."""
    text = analysis.document.text
    tokens = tokenize(text, analysis.sentences)
    n = len(tokens)
    if not n:
        none = np.zeros(0, np.int64)
        return Words(none, none, none, none.astype(bool), none.astype(bool), np.zeros((0, 1), np.float32))
    terms = list(outside_marks(analysis.terms, text))
    term = _inside(tokens, [(t.start, t.end) for t in terms])
    hidden = _inside(tokens, [m.span() for m in MARK.finditer(text)]) >= 0
    sentence_ends = np.array([end for _, end in analysis.sentences], np.int64)
    ended = np.zeros(n, np.bool_)
    ended[np.searchsorted(tokens.starts, sentence_ends, side="left") - 1] = True
    person = person_key(names, knowledge)
    of_term = _term_figures(terms, knowledge, person, names)
    of_type = _type_figures(tokens, knowledge, person, names)
    shapes = _one_hot([shape(t) for t in tokens.types], SHAPES)
    solid = np.fromiter((any(map(str.isalnum, t)) for t in tokens.types), np.bool_, len(tokens.types))[tokens.ids]
    kind_rows = np.vstack([_kind_rows(terms), _one_hot([len(_KINDS) - 1], len(_KINDS))])
    before, after = _neighbours(term, len(terms))
    parts = [
        describe_tokens(tokens, ended),
        of_term[term],
        of_type[tokens.ids],
        shapes[tokens.ids],
        _shifted(shapes[tokens.ids], 1),
        _shifted(shapes[tokens.ids], -1),
        kind_rows[before],
        kind_rows[after],
        _hidden_near(hidden),
        _places(tokens, term, terms, analysis, ended),
    ]
    figures = np.concatenate([p.astype(np.float32) for p in parts], axis=1)
    seen = read_contexts(text, tokens, term, terms, analysis.sentences) if contexts else None
    return Words(tokens.starts, tokens.ends, term, hidden, solid, figures, seen)


def _inside(tokens: Tokens, spans: Sequence[Span]) -> Ints:
    """The number of the span that each token lies in, or -1; spans come in order and do not overlap."""
    if not spans:
        return np.full(len(tokens), -1)
    begins = np.array([s for s, _ in spans], np.int64)
    finishes = np.array([e for _, e in spans], np.int64)
    number = np.searchsorted(begins, tokens.ends - 1, side="right") - 1
    return np.where((number >= 0) & (finishes[number] > tokens.starts), number, -1)


def _one_hot(numbers: Sequence[int], size: int) -> Floats:
    rows = np.zeros((len(numbers), size), np.float32)
    rows[np.arange(len(numbers)), np.asarray(numbers, np.int64)] = 1
    return rows


def _kind_rows(terms: Sequence[Term]) -> Floats:
    return _one_hot([_KINDS.index(family(t.kind)) for t in terms], len(_KINDS))


def _name_words(names: Sequence[str]) -> set[str]:
    return {w.lower() for name in names for w in re.findall(r"\w{2,}", name)}


def _bits(keys: Sequence[Key], knowledge: Knowledge, person: Key | None) -> Floats:
    """For each key: is it known, its information, does it occur with the person, the share of the person it tells."""
    table = knowledge.counts.table([person] if person else [], list(keys)).astype(np.float64)
    total, alone = knowledge.counts.total, table[0]
    known = alone > 0
    ic = np.where(known, np.log2(total / np.maximum(alone, 1)), _MOST_BITS)
    rows = np.zeros((len(keys), 5), np.float32)
    rows[:, 0], rows[:, 1] = known, np.minimum(ic, _MOST_BITS) / _MOST_BITS
    rows[:, 2] = person is not None
    if person:
        own = knowledge.counts.count(person)
        rows[:, 3] = table[1] > 0
        # One accidental meeting says little: half a meeting is taken away by adding one to what was expected.
        expected = alone * own / total
        pmi = np.log2((table[1] + 0.5) / (expected + 0.5))
        rows[:, 4] = np.clip(pmi, 0, None) / np.log2(total / own)
    return rows


def _term_figures(terms: Sequence[Term], knowledge: Knowledge, person: Key | None, names: Sequence[str]) -> Floats:
    """A row for each term, and a last one for words outside terms."""
    chains = Counter(t.mention for t in terms if t.mention)
    repeats = Counter(t.key for t in terms)
    own = _name_words(names)
    protected = {t.mention for t in terms if t.mention and own & set(re.findall(r"\w+", t.text.lower()))}
    bits = _bits([t.key for t in terms], knowledge, person)
    placed = {k: _taxonomy_row(k, knowledge) for k in dict.fromkeys(t.key for t in terms)}
    plain = np.array(
        [
            (
                1.0,
                min(len(t.text.split()), 8) / 8,
                t.mention > 0,
                np.log1p(chains[t.mention]) / 5 if t.mention else 0.0,
                np.log1p(repeats[t.key]) / 5,
                t.mention in protected,
                any(c.isdigit() for c in t.text),
                sum(w[:1].isupper() for w in t.text.split()) / len(t.text.split()),
                t.text.isupper(),
            )
            for t in terms
        ],
        np.float32,
    ).reshape(len(terms), 9)
    identifiers = _one_hot(
        [IDENTIFIERS.index(t.kind) + 1 if t.kind in FAMILY else 0 for t in terms], len(IDENTIFIERS) + 1
    )
    taxonomy = np.array([placed[t.key] for t in terms], np.float32).reshape(len(terms), len(_TAXONOMIES) + 3)
    rows = np.concatenate([_kind_rows(terms), plain, identifiers, bits, taxonomy], axis=1)
    return np.vstack([rows, np.zeros((1, rows.shape[1]), np.float32)])


def _taxonomy_row(name: Key, knowledge: Knowledge) -> list[float]:
    """Which taxonomy knows a key, how many base values lie under it, and how deep it lies."""
    row = [0.0] * (len(_TAXONOMIES) + 3)
    taxonomy = knowledge.taxonomy_of(name)
    if taxonomy is None:
        return row
    columns = (i for i, flag in enumerate(_TAXONOMIES) if flag in taxonomy.flags)
    row[next(columns, len(_TAXONOMIES))] = 1.0
    node = taxonomy.senses(name)[0]
    row[-2] = float(np.log1p(taxonomy.volume(node))) / 10
    row[-1] = min(len(taxonomy.chain(node)), 16) / 16
    return row


def _type_figures(tokens: Tokens, knowledge: Knowledge, person: Key | None, names: Sequence[str]) -> Floats:
    """A row for each distinct word."""
    own, weights = _name_words(names), load_weights()
    often = np.bincount(tokens.ids, minlength=len(tokens.types))
    small = {t for t in tokens.types if t.islower()}
    bits = _bits([key(t) or Key(t) for t in tokens.types], knowledge, person)
    plain = np.array(
        [
            (
                np.log1p(often[i]) / 6,
                t.lower() in own,
                not t.islower() and t.lower() in small,
                float(weights.capitals[weights.rows.get(normal(t), 0)]) / 255,
                normal(t) in weights.rows,
                min(len(t), 12) / 12,
            )
            for i, t in enumerate(tokens.types)
        ],
        np.float32,
    )
    return np.concatenate([bits, plain], axis=1)


def _neighbours(term: Ints, count: int) -> tuple[Ints, Ints]:
    """For each word the number of the last term before it and of the first one after it; ``count`` where none is."""
    before = np.maximum.accumulate(term)
    own = term >= 0
    before = np.where(own, term - 1, before)
    after = np.minimum.accumulate(np.where(own, term, count)[::-1])[::-1]
    after = np.where(own, term + 1, after)
    return np.where(before < 0, count, before), np.minimum(after, count)


def _shifted(rows: Floats, by: int) -> Floats:
    moved = np.zeros_like(rows)
    if by > 0:
        moved[by:] = rows[:-by]
    else:
        moved[:by] = rows[-by:]
    return moved


def _hidden_near(hidden: NDArray[np.bool_]) -> Floats:
    """Do redaction marks stand right before or after?"""
    marks = hidden.astype(np.float32)[:, None]
    return np.concatenate([_shifted(marks, 1), _shifted(marks, -1)], axis=1)


def _places(tokens: Tokens, term: Ints, terms: Sequence[Term], analysis: Analysis, ended: NDArray[np.bool_]) -> Floats:
    """Where each word stands: in its term, its sentence, the document; in capitals, quotes or brackets."""
    text, n = analysis.document.text, len(tokens)
    own = term >= 0
    first = own & np.concatenate(([True], term[1:] != term[:-1]))
    last = own & np.concatenate((term[1:] != term[:-1], [True]))
    begins = np.concatenate(([True], ended[:-1]))
    runs = [m.span() for m in _RUN.finditer(text)]
    run = _inside(tokens, runs)
    sizes = np.array([len(text[s:e].split()) for s, e in runs] + [0], np.float32)
    quoted = _inside(tokens, [m.span() for m in _QUOTED.finditer(text)]) >= 0
    bracketed = _inside(tokens, [m.span() for m in _BRACKETED.finditer(text)]) >= 0
    starts = np.array([s for s, _ in analysis.paragraphs], np.int64)
    paragraph = np.searchsorted(starts, tokens.starts, side="right") - 1
    into = np.arange(n) - np.searchsorted(tokens.starts, starts[paragraph])
    columns = [
        first,
        last,
        begins,
        run >= 0,
        np.minimum(sizes[run], 10) / 10,
        quoted,
        bracketed,
        tokens.starts / max(len(text), 1),
        np.exp(-tokens.starts / 400.0),
        np.exp(-into / 20.0),
        np.log1p(paragraph) / 5,
        np.full(n, np.log1p(len(text)) / 12),
    ]
    return np.stack([c.astype(np.float32) for c in columns], axis=1)
