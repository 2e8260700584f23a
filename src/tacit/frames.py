"""Tables in memory: a column of texts released in Arrow record batches, in a pandas or a polars frame.

One row is judged by :func:`release_cells`, whatever holds it, so that every engine gives the same texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tacit.batch.tables import Columns
from tacit.batch.work import figures, knowledge_of, reason, release_row
from tacit.knowledge import Knowledge
from tacit.models import Model
from tacit.policy import Policy

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["CERTIFICATE", "certificate_type", "release_cells", "sanitize_batches", "sanitize_pandas", "sanitize_polars"]

CERTIFICATE = "certificate"


def release_cells(
    cells: Mapping[str, Any], column: str, models: Sequence[Model], knowledge: Knowledge
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cells of a row that change, and what is said of it.

    Cells beside the text stay, swept of what was removed from it; a swept cell that is no text becomes None. Of a row
    that cannot be released the texts of *all* columns become None, for nobody has looked at them.
    """
    try:
        changed, certificate = release_row(cells, Columns((column,)), models, knowledge)
    except Exception as error:
        return {name: None for name, value in cells.items() if isinstance(value, str) or name == column}, {
            "released": False,
            "reason": reason(error),
        }
    said = {
        "released": True,
        "text_sha256": certificate.text_digest,
        "knowledge_sha256": certificate.knowledge_digest,
        "guarantees": figures(certificate.guarantees),
    }
    return {name: value for name, value in changed.items() if value != cells[name]}, said


def _several(models: Model | Sequence[Model] | Policy) -> tuple[Model, ...]:
    if isinstance(models, Policy):
        return models.build()
    return tuple(models) if isinstance(models, Sequence) else (models,)


def sanitize_pandas(
    frame: pd.DataFrame,
    column: str,
    models: Model | Sequence[Model] | Policy,
    knowledge: Knowledge | None = None,
) -> pd.DataFrame:
    """A copy of a frame with the texts of a column released and a column ``certificate`` of dictionaries added.

    Missing texts stay missing; the index and the types of columns that do not change are kept.

    >>> import pandas, tacit
    >>> from tacit.knowledge import ContextCounts, Knowledge
    >>> frame = pandas.DataFrame({"note": ["He has HIV."]})
    >>> knowledge = Knowledge(ContextCounts([{"HIV"}, {"cat"}]))
    >>> sanitize_pandas(frame, "note", tacit.CSanitized(protect=["HIV"]), knowledge)["note"].tolist()
    ['He has [REDACTED].']
    """
    _demand(column, [str(name) for name in frame.columns])
    several = _several(models)
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    names = [str(name) for name in frame.columns]
    new: dict[str, dict[int, Any]] = {}
    said: list[dict[str, Any]] = []
    missing = frame.isna().to_numpy()
    for place, values in enumerate(frame.itertuples(index=False, name=None)):
        cells = {n: None if absent else v for n, v, absent in zip(names, values, missing[place], strict=True)}
        changed, certificate = release_cells(cells, column, several, knowledge)
        said.append(certificate)
        for name, value in changed.items():
            new.setdefault(name, {})[place] = value
    released = frame.copy()
    for name, places in new.items():
        values = frame.iloc[:, names.index(name)].astype(object).tolist()
        for place, value in places.items():
            values[place] = value
        released[frame.columns[names.index(name)]] = values
    released[CERTIFICATE] = said
    return released


def sanitize_polars(
    frame: pl.DataFrame,
    column: str,
    models: Model | Sequence[Model] | Policy,
    knowledge: Knowledge | None = None,
) -> pl.DataFrame:
    """A frame with the texts of a column released and a column ``certificate`` of JSON added.

    Types are kept: a swept value that its column cannot hold (a category that does not exist) becomes null. In a lazy
    frame use ``map_batches``::

        frame.lazy().map_batches(lambda part: sanitize_polars(part, "note", model))
    """
    import polars as pl

    _demand(column, frame.columns)
    several = _several(models)
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    new: dict[str, dict[int, Any]] = {}
    said: list[str] = []
    for place, cells in enumerate(frame.iter_rows(named=True)):
        changed, certificate = release_cells(cells, column, several, knowledge)
        said.append(json.dumps(certificate))
        for name, value in changed.items():
            new.setdefault(name, {})[place] = value
    columns = []
    for name, places in new.items():
        values = [places.get(i, value) for i, value in enumerate(frame[name].to_list())]
        columns.append(pl.Series(name, values, dtype=frame.schema[name], strict=False))
    return frame.with_columns(*columns, pl.Series(CERTIFICATE, said, dtype=pl.String))


def _demand(column: str, names: Sequence[str]) -> None:
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
            ("margin", pa.float64()),
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
    models: Model | Sequence[Model] | Policy,
    pack: str | None = None,
) -> Iterator[pa.RecordBatch]:
    """Record batches with the texts of a column released and a column ``certificate`` added.

    See :func:`release_cells` for what becomes of the other columns. ``pack`` is a path; it is opened once a process.
    """
    import pyarrow as pa

    several = _several(models)
    knowledge = knowledge_of(pack)
    for batch in batches:
        _demand(column, batch.schema.names)
        rows = batch.to_pylist()
        new: dict[str, list[Any]] = {}
        certificates: list[dict[str, Any]] = []
        for place, cells in enumerate(rows):
            changed, said = release_cells(cells, column, several, knowledge)
            for name, value in changed.items():
                new.setdefault(name, [row[name] for row in rows])[place] = value
            rated = [
                {**g, "figures": [(k, str(v)) for k, v in g["figures"].items()]} for g in said.get("guarantees", ())
            ]
            certificates.append({**said, "guarantees": rated})
        arrays = [
            pa.array(new[name], type=batch.schema.field(name).type) if name in new else batch.column(i)
            for i, name in enumerate(batch.schema.names)
        ]
        yield pa.RecordBatch.from_arrays(
            [*arrays, pa.array(certificates, type=certificate_type())], names=[*batch.schema.names, CERTIFICATE]
        )
