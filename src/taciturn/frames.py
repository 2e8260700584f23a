"""Tables in memory: a column of texts released in Arrow record batches, in a pandas or a polars frame.

One row is judged by :func:`release_cells`, whatever holds it, so that every engine gives the same texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, time, timedelta
from numbers import Number
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from taciturn.batch.tables import Columns
from taciturn.batch.work import figures, knowledge_of, reason, release_row
from taciturn.formats.declared import kinds_declared
from taciturn.knowledge import Knowledge
from taciturn.models import Model
from taciturn.release import ModelsLike, several_models

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = [
    "CERTIFICATE",
    "certificate_type",
    "demand_columns",
    "release_cells",
    "sanitize_batches",
    "sanitize_pandas",
    "sanitize_polars",
]

CERTIFICATE = "certificate"

_DICTIONARY = "dictionary<"  # as Arrow writes a type that is one, or has one in it
_BARE = (NoneType, Number, np.bool_, date, time, timedelta)


def release_cells(
    cells: Mapping[str, Any], columns: Columns, models: Sequence[Model], knowledge: Knowledge
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cells of a row that change, and what is said of it.

    Cells beside the text stay, swept of what was removed from it; a swept cell that is no text becomes None. Of a row
    that cannot be released only numbers, dates and truth values stay: nobody has looked at the other cells, and a list,
    a structure or bytes may hold texts.
    """
    try:
        changed, certificate = release_row(cells, columns, models, knowledge)
    except Exception as error:
        hidden = {n: None for n, value in cells.items() if n in columns.named or not isinstance(value, _BARE)}
        return hidden, _failed(error)
    said = {
        "released": True,
        "text_sha256": certificate.text_digest,
        "knowledge_sha256": certificate.knowledge_digest,
        "guarantees": figures(certificate.guarantees),
    }
    return {name: value for name, value in changed.items() if value is None or value != cells[name]}, said


def _failed(error: Exception) -> dict[str, Any]:
    return {"released": False, "reason": reason(error)}


def sanitize_pandas(
    frame: pd.DataFrame,
    column: str,
    models: ModelsLike,
    knowledge: Knowledge | None = None,
    declared: Mapping[str, str] = MappingProxyType({}),
) -> pd.DataFrame:
    """A copy of a frame with the texts of a column released and a column ``certificate`` of dictionaries added.

    ``declared`` says by title what the cells of other columns are, each as a whole: "name", "date", "identifier", or
    "text" for more free text. Missing texts stay missing. Columns keep their types, unless something changes in one of
    whole numbers, truth values or categories. An index of other things than numbers is swept like a column.

    >>> import pandas, taciturn
    >>> from taciturn.knowledge import ContextCounts, Knowledge
    >>> frame = pandas.DataFrame({"note": ["He has HIV."]})
    >>> knowledge = Knowledge(ContextCounts([{"HIV"}, {"cat"}]))
    >>> sanitize_pandas(frame, "note", taciturn.CSanitized(protect=["HIV"]), knowledge)["note"].tolist()
    ['He has [REDACTED].']
    """
    import pandas as pd

    titles = [str(name) for name in frame.columns]
    _columns(column, declared, titles)
    several = several_models(models)
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    levels = [frame.index.get_level_values(i).to_series(index=frame.index) for i in range(frame.index.nlevels)]
    # Signs, for a word in front of a level's name would be looked for like those of the text.
    labels = ["#" * i + str(name or "") for i, name in enumerate(frame.index.names, 1)]
    names = [*titles, *labels]
    columns = _columns(column, declared, names)
    series = [*(frame.iloc[:, i] for i in range(len(titles))), *map(_swept, levels)]
    # The text is always written anew: categories list texts of rows that are not here any more.
    new: dict[str, dict[int, Any]] = {column: {}}
    said: list[dict[str, Any]] = []
    for place, values in enumerate(zip(*map(_objects, series), strict=True)):
        changed, certificate = release_cells(dict(zip(names, values, strict=True)), columns, several, knowledge)
        said.append(certificate)
        for name, value in changed.items():
            new.setdefault(name, {})[place] = value
    written = {name: _rewritten(one, new[name]) for name, one in zip(names, series, strict=True) if name in new}
    released = frame.copy()
    released.attrs.clear()  # which nobody has looked at
    for i, name in enumerate(titles):
        if name in written:
            released.isetitem(i, written[name])
    released[CERTIFICATE] = pd.Series(said, index=frame.index, dtype=object)
    if any(label in written for label in labels):
        arrays = [written.get(label, level) for label, level in zip(labels, levels, strict=True)]
        if isinstance(frame.index, pd.MultiIndex):
            released.index = pd.MultiIndex.from_arrays(arrays, names=frame.index.names)
        else:
            released.index = pd.Index(arrays[0], name=frame.index.name)
    return released


def _swept(level: pd.Series) -> pd.Series:
    """A level of an index as it is looked at: nothing, if it is of numbers. A number there is the place of a row; as a
    cell it would go wherever a note has the same number."""
    import pandas as pd

    return level.map(lambda _: None).astype(object) if pd.api.types.is_numeric_dtype(level.dtype) else level


def _objects(series: pd.Series) -> list[Any]:
    """The values of a column, None where they are missing."""
    values = series.astype(object).tolist()
    return [None if absent else value for value, absent in zip(values, series.isna(), strict=True)]


def _rewritten(series: pd.Series, places: Mapping[int, Any]) -> pd.Series:
    """A column with other values in some places, of its own type where that has room for them.

    Categories have none: they would go on listing what was removed.
    """
    import pandas as pd

    values = [places.get(i, value) for i, value in enumerate(_objects(series))]
    whole = isinstance(series.dtype, np.dtype) and series.dtype.kind in "iub"
    roomy = not (whole or isinstance(series.dtype, pd.CategoricalDtype))
    return pd.Series(values, index=series.index, dtype=series.dtype if roomy else object)


def sanitize_polars(
    frame: pl.DataFrame,
    column: str,
    models: ModelsLike,
    knowledge: Knowledge | None = None,
    declared: Mapping[str, str] = MappingProxyType({}),
) -> pl.DataFrame:
    """A frame with the texts of a column released and a column ``certificate`` of JSON added.

    Types are kept: a swept value that its column cannot hold (a category that does not exist) becomes null. In a lazy
    frame use ``map_batches``::

        frame.lazy().map_batches(lambda part: sanitize_polars(part, "note", model))
    """
    import polars as pl

    said_columns = _columns(column, declared, frame.columns)
    several = several_models(models)
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    new: dict[str, dict[int, Any]] = {}
    said: list[str] = []
    for place, cells in enumerate(frame.iter_rows(named=True)):
        changed, certificate = release_cells(cells, said_columns, several, knowledge)
        said.append(json.dumps(certificate))
        for name, value in changed.items():
            new.setdefault(name, {})[place] = value
    columns = []
    for name, places in new.items():
        if frame.schema[name] in (pl.String, pl.Categorical, pl.Enum, pl.Object):
            values = [places.get(i, value) for i, value in enumerate(frame[name].to_list())]
            columns.append(pl.Series(name, values, dtype=frame.schema[name], strict=False))
        else:
            # Taken row by row, for Python would not give back every value as it was (nanoseconds).
            columns.append(frame[name].gather([None if i in places else i for i in range(len(frame))]))
    return frame.with_columns(*columns, pl.Series(CERTIFICATE, said, dtype=pl.String))


def _columns(column: str, declared: Mapping[str, str], names: Sequence[str]) -> Columns:
    """What the columns of a frame are for; raises for those that it has not."""
    for title in (column, *declared):
        demand_columns(title, names)
    kinds_declared(declared.items())
    texts = [title for title, what in declared.items() if what == "text" and title != column]
    others = [pair for pair in declared.items() if pair[1] != "text" and pair[0] != column]
    return Columns((column, *texts), declared=tuple(others))


def demand_columns(column: str, names: Sequence[str]) -> None:
    """Raise unless a frame has the column, names no two alike, and has room for the certificates."""
    if column not in names:
        raise ValueError(f"the frame has no column {column!r}; it has {', '.join(map(repr, names[:20]))}")
    if CERTIFICATE in names:
        raise ValueError(f"the frame has a column {CERTIFICATE!r} already; rename it")
    if len(set(names)) < len(names):
        raise ValueError("the frame has two columns of one name; rename one of them")


def certificate_type() -> pa.DataType:
    """The type of the column that says what is guaranteed of a row's text, or why it was not released."""
    import pyarrow as pa

    guarantee = pa.struct(
        [
            ("model", pa.string()),
            ("holds", pa.bool_()),
            ("figures", pa.map_(pa.string(), pa.string())),
        ]
    )
    return pa.struct(
        [
            ("released", pa.bool_()),
            ("reason", pa.string()),
            ("text_sha256", pa.string()),
            ("knowledge_sha256", pa.string()),
            ("guarantees", pa.list_(guarantee)),
        ]
    )


def sanitize_batches(
    batches: Iterable[pa.RecordBatch],
    column: str,
    models: ModelsLike,
    pack: str | None = None,
    declared: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[pa.RecordBatch]:
    """Record batches with the texts of a column released and a column ``certificate`` added.

    See :func:`release_cells` for what becomes of the other columns. ``pack`` is a path; it is opened once a process.
    """
    import pyarrow as pa

    several = several_models(models)
    knowledge = knowledge_of(pack)
    for batch in batches:
        columns = _columns(column, declared, batch.schema.names)
        # The text is always written anew: a dictionary lists texts of rows that are not here any more.
        new: dict[str, dict[int, Any]] = {column: {}}
        certificates: list[dict[str, Any]] = []
        for place in range(batch.num_rows):
            try:
                cells = {name: _cell(batch.column(i)[place]) for i, name in enumerate(batch.schema.names)}
            except Exception as error:  # a zone that nobody knows, an extension's own: one row does not end a job
                changed, said = dict.fromkeys(batch.schema.names), _failed(error)
            else:
                changed, said = release_cells(cells, columns, several, knowledge)
            for name, value in changed.items():
                new.setdefault(name, {})[place] = value
            rated = [
                {**g, "figures": [(k, str(v)) for k, v in g["figures"].items()]} for g in said.get("guarantees", ())
            ]
            certificates.append({**said, "guarantees": rated})
        arrays = [
            _changed(batch.column(i), new[name]) if name in new else batch.column(i)
            for i, name in enumerate(batch.schema.names)
        ]
        yield pa.RecordBatch.from_arrays(
            [*arrays, pa.array(certificates, type=certificate_type())], names=[*batch.schema.names, CERTIFICATE]
        )


def _cell(scalar: pa.Scalar) -> Any:
    """A value as Python has it; as Arrow writes it, if it is a time that Python has not (after the year 9999)."""
    import pyarrow as pa

    try:
        return scalar.as_py()
    except (OverflowError, ValueError):
        return scalar.cast(pa.string()).as_py()


def _changed(array: pa.Array, places: Mapping[int, Any]) -> pa.Array:
    """An array with other values in some places: texts as given, anything else null."""
    import pyarrow as pa

    kind = str(array.type)
    # A dictionary, on whatever level, would go on listing what was removed.
    if kind in ("string", "large_string", "string_view") or _DICTIONARY in kind:
        return pa.array([places.get(i, value) for i, value in enumerate(array.to_pylist())], type=array.type)
    # Taken row by row, for Python would not give back every value as it was.
    return array.take(pa.array([None if i in places else i for i in range(len(array))], type=pa.int64()))
