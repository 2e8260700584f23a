"""The words of a language, as data: the one loader of the lists in ``language/en``.

A language is a folder. It holds the tables and weights that training scripts write, and files of word lists that people
write. A file of lists has one list for each name::

    # What the list is for, and who uses it.
    article: a an the
    determiner: @article @closed.demonstrative every half_a
        each !an

Entries are separated by white space, an underscore stands for a space inside an entry, and a line that begins with
white space continues the list above. ``@name`` takes all entries of another list, of this file or (``@file.name``) of
another one; ``!entry`` takes an entry out again. So a word is written once, and a list that differs from another says
in what.

Algorithms ask :data:`LEXICON` for a list by ``file.name``. A file is read when its first list is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["LEXICON", "Lexicon", "any_word"]


class Lexicon:
    """The word lists of one language.

    >>> LEXICON.words("closed.article")
    ('a', 'an', 'the')
    >>> LEXICON.any_of("closed.article")
    '(?:a(?:n)?|the)'
    """

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder
        self._files: dict[str, dict[str, str]] = {}
        self._lists: dict[str, tuple[str, ...]] = {}

    def file(self, name: str) -> Traversable:
        """A file of the language: a table or weights that a training script has written."""
        return self._folder / name

    def words(self, *names: str) -> tuple[str, ...]:
        """The entries of one or several lists, each entry once, in the order of the file."""
        if len(names) == 1:
            return self._list(names[0])
        return tuple(dict.fromkeys(word for name in names for word in self._list(name)))

    def word_set(self, *names: str) -> frozenset[str]:
        """The entries of one or several lists, as a set."""
        return frozenset(self.words(*names))

    def table(self, name: str) -> dict[str, str]:
        """A list whose entries are pairs, ``key=value``, as a dictionary."""
        return dict(entry.split("=", 1) for entry in self.words(name))

    def any_of(self, *names: str) -> str:
        """A regular expression for any entry of the lists; white space inside an entry is any white space."""
        return any_word(self.words(*names)).replace(r"\ ", r"\s")

    def lists(self, file: str) -> dict[str, tuple[str, ...]]:
        """All lists of a file by name."""
        return {name: self._list(f"{file}.{name}") for name in self._source(file)}

    def _list(self, name: str) -> tuple[str, ...]:
        if (found := self._lists.get(name)) is None:
            found = self._lists[name] = self._resolve(name)
        return found

    def _resolve(self, name: str) -> tuple[str, ...]:
        file, _, short = name.partition(".")
        if (source := self._source(file).get(short)) is None:
            raise KeyError(f"the language in {self._folder} has no word list {name!r}; add it to {file}.txt")
        entries: dict[str, None] = {}
        for entry in source.split():
            if entry[0] == "@":
                other = entry[1:] if "." in entry else f"{file}.{entry[1:]}"
                entries |= dict.fromkeys(self._list(other))
            elif entry[0] == "!":
                del entries[entry[1:].replace("_", " ")]
            else:
                entries[entry.replace("_", " ")] = None
        return tuple(entries)

    def _source(self, file: str) -> dict[str, str]:
        """The lists of a file as they are written, by name."""
        if (found := self._files.get(file)) is None:
            found = self._files[file] = _read((self._folder / f"{file}.txt").read_text("utf-8"))
        return found


def _read(text: str) -> dict[str, str]:
    lists: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace():
            lists[name] += " " + line
            continue
        name, _, first = line.partition(":")
        if name in lists:
            raise ValueError(f"two word lists have the name {name!r}; give each its own")
        lists[name] = first
    return lists


def any_word(words: Iterable[str]) -> str:
    """A regular expression for any of the words, as a trie: a plain alternation would try each word at each place.

    >>> any_word(["May", "March", "Monday"])
    'M(?:a(?:rch|y)|onday)'
    """
    trie: dict[str, object] = {}
    for word in words:
        node = trie
        for letter in word:
            node = node.setdefault(letter, {})  # type: ignore[assignment]
        node[""] = {}
    return _pattern(trie)


def _pattern(node: dict[str, object]) -> str:
    branches = []
    for letter in sorted(node):
        if letter:
            branches.append(re.escape(letter) + _pattern(node[letter]))  # type: ignore[arg-type]
    if not branches:
        return ""
    inner = branches[0] if len(branches) == 1 else "(?:" + "|".join(branches) + ")"
    if "" in node:
        return f"(?:{inner})?" if len(branches) == 1 else inner + "?"
    return inner


LEXICON = Lexicon(files("taciturn.language") / "en")
"""The words of English, the language that Taciturn reads."""
