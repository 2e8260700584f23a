"""What the lexicon and the relations alone know of annotated documents: by set and role, and at which precision.

    python -m training.concepts.coverage --sets ../shared/data/concealment FOLDER

A document names what to hide; an expert marked what gives it away, and what gives it away alone. Every word and phrase
of the document is looked up: it is *told* if its names or relations give the matter a share of at least ``--least``.
An expression counts as reached if a told phrase stands in it; a told word that the expert did not mark is a false one.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import click

from taciturn.knowledge.lexicon import Lexicon
from taciturn.knowledge.relations import Relations
from taciturn.language.keys import key

__all__ = ["Figures", "Told", "matters", "measure", "told"]

_WORD = re.compile(r"[^\W_]+(?:['’/&.+-][^\W_]+)*")
_PARTS = re.compile(r"\s*(?:[/;()\[\]]|,\s)\s*")
_BREAK = re.compile(r"[.;:!?()\[\]\n,]")
_LONGEST = 6  # words of a phrase that is looked up
_SMALL = frozenset(
    "the a an of in at on by to for from with and or is was are were he she it his her this that has had have been be"
    " as no not patient s".split()
)
_INDIRECT = frozenset({"abbreviation", "code", "brand", "translation"})


@dataclass(frozen=True, slots=True)
class Told:
    """A phrase of a text that says the matter: where, by which share, and how ("synonym", "treats")."""

    start: int
    end: int
    share: float
    how: str


@dataclass(slots=True)
class Figures:
    """Expressions by role: how many, and how many are reached; told words that the expert marked and did not."""

    spans: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    unresolved: list[str] = field(default_factory=list)
    right: int = 0
    wrong: int = 0
    words: int = 0
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    false: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def rows(self) -> Iterator[tuple[str, int, float]]:
        """(role, expressions, share reached), all roles last."""
        for role in sorted(self.spans):
            yield role, self.spans[role], self.reached[role] / self.spans[role]
        yield "all", self.spans.total(), self.reached.total() / max(self.spans.total(), 1)

    @property
    def precision(self) -> float:
        """The share of told content words that the expert marks as well."""
        return self.right / max(self.right + self.wrong, 1)


def matters(text: str, lexicon: Lexicon) -> list[int]:
    """The concepts that a user's words mean: each part as it stands, reordered, or without its first words."""
    found: list[int] = []
    for part in filter(None, _PARTS.split(text.strip())):
        words = key(part).split()
        forms = [part]
        if 2 <= len(words) <= 5:
            forms += (" ".join(p) for p in permutations(words))
        forms += (" ".join(words[i:]) for i in range(1, len(words) - 1))
        for form in forms:
            senses = lexicon.senses(form)
            direct = [s.concept for s in senses if s.how not in _INDIRECT] or [s.concept for s in senses[:1]]
            if direct:
                found += direct
                break
    return list(dict.fromkeys(found))


def told(text: str, concepts: list[int], lexicon: Lexicon, relations: Relations, least: float) -> list[Told]:
    """The phrases of a text that say one of the concepts with at least a share."""
    words = list(_WORD.finditer(text))
    seen: dict[str, tuple[float, str]] = {}
    found = []
    for i, first in enumerate(words):
        for last in words[i : i + _LONGEST]:
            if last is not first and _BREAK.search(text, first.end(), last.start()):
                break
            phrase = text[first.start() : last.end()]
            if phrase not in seen:
                seen[phrase] = _share(phrase, concepts, lexicon, relations)
            share, how = seen[phrase]
            if share >= least:
                found.append(Told(first.start(), last.end(), share, how))
    return found


def _share(phrase: str, concepts: list[int], lexicon: Lexicon, relations: Relations) -> tuple[float, str]:
    """P(one of the concepts | phrase) over the meanings of a phrase, and how the most telling of them tells it."""
    total, most, how = 0.0, 0.0, ""
    for meant, chance in lexicon.meanings(phrase):
        if any(lexicon.is_a(meant, concept) for concept in concepts):
            share, said = 1.0, "name"
        else:
            found = [e for concept in concepts if (e := relations.evidence(concept, meant))]
            share, said = max(((e.share, e.predicate) for e in found), default=(0.0, ""))
        total += chance * share
        if chance * share > most:
            most, how = chance * share, said
    return total, how


def measure(documents: list[dict[str, Any]], lexicon: Lexicon, relations: Relations, least: float = 0.125) -> Figures:
    """The figures over a set of documents."""
    figures = Figures()
    for document in documents:
        text = document["text"]
        concepts = matters(document["hide"], lexicon)
        if not concepts:
            figures.unresolved.append(document["hide"])
        phrases = told(text, concepts, lexicon, relations, least)
        cover, marks = bytearray(len(text)), bytearray(len(text))
        for phrase in phrases:
            cover[phrase.start : phrase.end] = b"\1" * (phrase.end - phrase.start)
        for span in document["spans"]:
            places = [m.span() for m in re.finditer(re.escape(span["text"]), text)]
            for start, end in places:
                marks[start:end] = b"\1" * (end - start)
            if span["alone"] and places:
                figures.spans[span["role"]] += 1
                if all(any(cover[a:b]) for a, b in places):
                    figures.reached[span["role"]] += 1
                else:
                    figures.missed.append((document["hide"], span["role"], span["text"]))
        for word in re.finditer(r"[^\W_]+", text):
            if word[0].lower() in _SMALL:
                continue
            figures.words += 1
            if all(cover[word.start() : word.end()]):
                good = all(marks[word.start() : word.end()])
                figures.right += good
                figures.wrong += not good
                if not good:
                    over = max((p for p in phrases if p.start <= word.start() < p.end), key=lambda p: p.share)
                    figures.false[document["hide"], text[over.start : over.end], f"{over.how} {over.share:.2f}"] += 1
    return figures


def _documents(path: Path) -> list[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@click.command(help=__doc__)
@click.option("--sets", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--least", type=float, default=0.125, show_default=True)
@click.option("--details", is_flag=True, help="List what is missed and what is told falsely.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(sets: Path, least: float, details: bool, folder: Path) -> None:
    lexicon = Lexicon.open(folder / "en.lexicon")
    relations = Relations.open(folder / "en.relations", lexicon)
    for name in ("documents", "topics", "notes"):
        figures = measure(_documents(sets / f"{name}-dev.jsonl.xz"), lexicon, relations, least)
        _show(name, figures, details)


def _show(name: str, figures: Figures, details: bool) -> None:
    told_words = figures.right + figures.wrong
    click.echo(
        f"== {name}: precision {figures.precision:.3f} of {told_words} told words ({figures.words} in all); "
        f"not understood: {', '.join(figures.unresolved) or 'none'}"
    )
    for role, count, share in figures.rows():
        click.echo(f"   {role:14}{count:5}  reached {share:.2f}")
    if details:
        for hide, role, text in figures.missed:
            click.echo(f"   missed | {hide} | {role} | {text!r}")
        for (hide, text, how), count in sorted(figures.false.items(), key=lambda item: (item[0][0], -item[1])):
            click.echo(f"   false | {hide} | {text!r} | {how} | {count}")


if __name__ == "__main__":
    main()
