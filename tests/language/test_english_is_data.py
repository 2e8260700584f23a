"""English words are data in ``language/en``: no list of them and no alternation of them stands in an algorithm."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import taciturn
from taciturn.language.lexicon import LEXICON
from taciturn.registry import models

SOURCE = Path(taciturn.__file__).parent
FORMAT = ("docx", "html", "odt", "ooxml", "pptx", "xlsx", "rtf", "css", "vocabulary", "mail", "leak/", "pdf/")
"""Modules of formats that hold the vocabulary of a markup: elements, attributes, operators, headers, fonts."""
FILES = sorted(
    path
    for path in SOURCE.glob("**/*.py")
    if not path.relative_to(SOURCE).as_posix().startswith(tuple(f"formats/{name}" for name in FORMAT))
)
MOST = 6  # English words that one collection or expression may hold

_WORD = re.compile(r"[A-Za-z]?[a-z'’]+")
_PHRASE = re.compile(rf"{_WORD.pattern}(?:[ -]{_WORD.pattern})*")
# What a regular expression has in letters that is no text: escapes, classes of characters, names of groups, flags.
_SYNTAX = re.compile(r"\\.|\[[^\]]*\]|\(\?P[<=]\w+[>)]?|\(\?[a-z]+[:)]|\{[^}]*\}")

# Collections of the program's own words, which no other language would change. Each says why.
OWN = {
    ("language/tagger.py", "KINDS"): "what the network tells apart",
    ("language/inflection.py", "_YOU"): "beginnings of words that are spoken 'you' or 'one': a rule of spelling",
    ("knowledge/lexicon/base.py", "KINDS"): "the kinds of concepts",
    ("knowledge/lexicon/base.py", "HOWS"): "how a name names a concept",
    ("knowledge/relations/base.py", "PREDICATES"): "the names of relations",
    ("models/person/figures.py", "_KINDS"): "the kinds of terms",
    ("policy/file.py", "_NAMING"): "fields of a policy",
    ("models/csanitized/subjects.py", "_CLINICAL"): "names of categories in categories.toml",
    ("review/choices.py", "Status"): "what may be decided of an edit",
    ("secondreader/forms.py", "_CHANGED"): "spellings, in code that shares nothing with language",
    ("models/parameter.py", "Content"): "the keys of what a policy protects",
}


def words_in(node: ast.expr) -> list[str]:
    """The English words or phrases that are elements of a collection, or that a string splits or alternates.

    The keys and values of a dictionary are names of fields and settings; its values are looked at one by one.
    """
    if isinstance(node, ast.Set | ast.List | ast.Tuple):
        texts = [text_of(element) for element in node.elts]
        return [text for text in texts if text is not None and _PHRASE.fullmatch(text)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        text = text_of(node.func.value)
        return [] if text is None else [word for word in re.split(r"[\s,|]+", text) if _PHRASE.fullmatch(word)]
    text = text_of(node)
    if text is None or "|" not in text:
        return []
    return [word for word in _WORD.findall(_SYNTAX.sub(" ", text)) if len(word) > 1]


def text_of(node: ast.expr) -> str | None:
    """The text of a string, the values in an f-string left out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else " " for part in node.values)
    return None


def lists_of(source: str) -> Iterator[tuple[str, int, list[str]]]:
    """Every collection and every alternation with too many words: the name it is assigned to, its line, its words."""

    def visit(node: ast.AST, name: str) -> Iterator[tuple[str, int, list[str]]]:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = target.id if isinstance(target, ast.Name) else name
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.expr) and name != "__all__" and len(found := words_in(node)) > MOST:
            yield name, node.lineno, found
            return
        for child in ast.iter_child_nodes(node):
            yield from visit(child, name)

    return visit(ast.parse(source), "")


@pytest.mark.parametrize(
    "source",
    [
        '_SMALL = frozenset("of the and in for to a an".split())',
        '_STREETS = ["Street", "Avenue", "Road", "Lane", "Drive", "Court", "Place"]',
        '_EMPTY = frozenset("ability, action, body, change, concept, device, event".split(", "))',
        r'_LAW = re.compile(r"\b(?:Law|Act|Protocol|Article|Rule|Decree|Regulation)\s$")',
        'def f():\n    return re.search(rf"(?:in|since|during|until|till|before|after){_END}", text)',
    ],
)
def test_a_list_of_words_in_code_is_seen(source: str) -> None:
    assert len(list(lists_of(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '__all__ = ["one", "two", "three", "four", "five", "six", "seven"]',
        '"""Words in a docstring: of | the | and | in | for | to | a | an."""',
        r'_MAIL = re.compile(r"(?P<local>[a-z]+)@(?P<domain>[a-z]+)|\w\d\s\b(?i:x)|(?P=local)")',
        'raise ValueError(f"unknown redaction mark {style!r}: choose one of the four that there are")',
    ],
)
def test_what_is_no_list_of_words_is_left_alone(source: str) -> None:
    assert list(lists_of(source)) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_list_of_english_words_in_code(path: Path) -> None:
    relative = path.relative_to(SOURCE).as_posix()
    rows = (row for row in lists_of(path.read_text("utf-8")) if not set(row[2]) <= set(models.names()))
    found = [row for row in rows if (relative, row[0]) not in OWN]
    assert not found, f"{relative} has lists of English words; write them into language/en and load them: {found}"


def test_every_exception_is_still_needed() -> None:
    found = {(p.relative_to(SOURCE).as_posix(), row[0]) for p in FILES for row in lists_of(p.read_text("utf-8"))}
    assert OWN.keys() <= found, f"no list stands there any more: {sorted(OWN.keys() - found)}"


def test_every_word_list_is_used() -> None:
    code = "\n".join(p.read_text("utf-8") for p in SOURCE.glob("**/*.py"))
    folder = Path(str(LEXICON.file("")))
    data = {p.stem: p.read_text("utf-8") for p in sorted(folder.glob("*.txt")) if p.stem not in ("inflection", "keys")}
    unused = [
        f"{file}.{name}"
        for file, text in data.items()
        if f'lists("{file}")' not in code
        for name in LEXICON.lists(file)
        if not re.search(rf"[\"']{file}\.{name}[\"']", code)
        and not re.search(rf"@{name}(?![\w-])", text)
        and not any(re.search(rf"@{file}\.{name}(?![\w-])", other) for other in data.values())
    ]
    assert not unused, f"nothing uses these word lists, delete them: {unused}"
