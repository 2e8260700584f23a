"""Models whose surrogates and numbers are the same throughout a dossier: each document gets those of its own.

What no surrogate may be is every name in the documents of the dossier, so the inputs are read once before the work:
then the outcome depends on them and not on the order in which workers come to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from taciturn.batch.sources import Source
from taciturn.formats import FormatError, Options, read
from taciturn.generalize.surrogates.names import all_names
from taciturn.language.letters import LETTER
from taciturn.models import Kinds, Model
from taciturn.models.excepting import Excepting

if TYPE_CHECKING:
    from taciturn.batch.work import Chunk

__all__ = ["dossier_of", "has_dossiers", "names_in", "names_met", "within"]

_WORD = re.compile(rf"{LETTER}+")


def has_dossiers(models: Iterable[Model]) -> bool:
    """Does one of the models draw its surrogates or numbers for a dossier?

    >>> has_dossiers([Kinds(hide=["person"])]), has_dossiers([Kinds(hide=["person"], secret="s", scope="dossier")])
    (False, True)
    """
    return any(isinstance(m := _inner(model), Kinds) and m.scope == "dossier" for model in models)


def _inner(model: Model) -> Model:
    return _inner(model.model) if isinstance(model, Excepting) else model


def within(models: Sequence[Model], dossier: str, met: frozenset[str]) -> tuple[Model, ...]:
    """The models for the documents of a dossier."""
    return tuple(_within(model, dossier, met) for model in models)


def _within(model: Model, dossier: str, met: frozenset[str]) -> Model:
    if isinstance(model, Excepting):
        return replace(model, model=_within(model.model, dossier, met))
    return model.within(dossier, met) if isinstance(model, Kinds) else model


def names_in(text: str) -> frozenset[str]:
    """The words of a text that a surrogate could be, in small letters.

    >>> sorted(names_in("Dr. Okafor saw SMITH."))
    ['okafor', 'smith']
    """
    return all_names().intersection(word.casefold() for word in _WORD.findall(text))


def dossier_of(source: Source, cells: Mapping[str, Any] | None, dossier: str | None) -> str:
    """The name of the dossier that a file or a row belongs to; all are of one where none is named."""
    if dossier is None:
        return ""
    if cells is None:
        return str(PurePosixPath(source.name).parent)
    own = cells.get(dossier)
    return "" if own is None else str(own)


def names_met(chunks: Iterable[Chunk], dossier: str | None, options: Options | None) -> dict[str, frozenset[str]]:
    """The names that the documents of each dossier have."""
    found: dict[str, frozenset[str]] = {}
    for chunk in chunks:
        table = chunk.sources[0]
        said = [(dossier_of(table, row.cells, dossier), _cells(row.cells)) for row in chunk.rows]
        if not table.table:
            said += [(dossier_of(source, None, dossier), _text(source, options)) for source in chunk.sources]
        for own, text in said:
            found[own] = found.get(own, frozenset()) | names_in(text)
    return found


def _cells(cells: Mapping[str, Any]) -> str:
    return "\n".join(str(cell) for cell in cells.values() if cell is not None)


def _text(source: Source, options: Options | None) -> str:
    """The text of a file; nothing of one that cannot be read, for nothing of it is released."""
    if source.fault:
        return ""
    try:
        return read(source.path if source.data is None else source.data, source.name, options).document.text
    except (FormatError, OSError):
        return ""
