"""Openings of encyclopedia biographies with a plain mask: names and numbers, as the treebank GUM tags them.

The biographies of actors are 20 texts by one hand, which hid three of four words. Other people who mask biographies
hide about what a named-entity recognizer finds. Nothing is learned from these openings; they only help to choose the
threshold, so that one balance serves both readings (see :mod:`training.person`).
"""

from __future__ import annotations

from pathlib import Path

from taciturn.lab.evaluate import Case, Mask
from training.treebank import gold_tools

GENRE = "_bio_"
WORDS = 260  # about the opening of an article
_ENDS = frozenset(".?!:")


def openings(shared: Path) -> list[Case]:
    """The first words of each biography in GUM; masked are proper nouns, numbers and words with an inner capital."""
    tools = gold_tools(shared)
    cases = []
    for part in ("train", "dev"):
        name = title = text = ""
        masks: list[Mask] = []
        words = 0
        for block in tools.sentences(str(shared / "data" / "treebank" / f"gum-{part}.conllu.xz")):
            head = [line for line in block if line.startswith("#")]
            started = _value(head, "newdoc id")
            if started:
                if GENRE in name and masks:
                    cases.append(Case(name, text, (title,), tuple(masks)))
                name, title, text, masks, words = started, _value(head, "meta::title"), "", [], 0
            if GENRE not in name or words >= WORDS:
                continue
            sentence, tokens = tools.tokens_of(block)
            if sentence == title:
                continue
            if text:
                text += "\n" if any(line.startswith("# newpar") for line in head) else " "
            first = True
            for form, tag, _, _, start, end in tokens:
                if tag in ("PROPN", "NUM") or (tag in ("ADJ", "NOUN") and form[0].isupper() and not first):
                    masks.append(Mask(len(text) + start, len(text) + end))
                first = form in _ENDS
            text += sentence
            words += len(tokens)
        if GENRE in name and masks:
            cases.append(Case(name, text, (title,), tuple(masks)))
    return cases


def _value(head: list[str], label: str) -> str:
    return next((line.split(" = ", 1)[1] for line in head if line.startswith(f"# {label} =")), "")
