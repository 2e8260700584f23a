"""Counts from PostgreSQL: from an array of keys, exactly, or from full text search that exists already.

Asking the database for every pair of terms would cost 20 ms each. So each key is asked for once, many in one query, and
its set of rows is kept as a bitmap: all joint counts are made here. What is sent is one phrase a key; what comes back
is row numbers.

With a column of keys (``text[]``, filled by :func:`taciturn.knowledge.counts.search.index_in_postgres`) a key counts
where it is
in the array: the figures of the pack that the keys come from. With a ``tsvector`` a key counts where its words stand
next to each other, in singular or plural. PostgreSQL's configuration ``simple`` knows no capitals, so "AIDS" and "aids"
are one there, and figures of such words are blurred: the price of an index that exists already.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap64

from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.counts.search.names import names_of, written_forms
from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.language.keys import Key

__all__ = ["PostgresCounts", "quoted"]

_ASKED_TOGETHER = 500
_KEPT = 1 << 25  # row numbers kept in bitmaps


class PostgresCounts(Counts):
    """Counts over the rows of a table, a row being a context, by its column of keys or its ``tsvector``.

    ``connection`` is a psycopg connection (or anything with its ``execute``); ``number`` is a column of distinct
    integers, 0 or more. ``keys`` is a column of type ``text[]``; without it ``vector`` is asked, in the
    ``configuration`` that it was made with: in another, words are not found. ``version`` names the state of the table
    in certificates; without it every row is read once to make a digest of them. An index makes it fast: ``CREATE INDEX
    ON contexts USING gin (words)``. Where rows change meanwhile, counts are of one state only in a transaction that
    sees one::

        with psycopg.connect("dbname=notes") as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            counts = PostgresCounts(connection, "contexts", vector="words", number="id")
            taciturn.sanitize(text, model, Knowledge(counts))
            exact = PostgresCounts(connection, "keys_of_contexts", keys="keys")
    """

    def __init__(
        self,
        connection: Any,
        table: str,
        *,
        vector: str = "words",
        keys: str | None = None,
        number: str = "id",
        configuration: str = "simple",
        taxonomies: Iterable[Taxonomy] = (),
        version: str | None = None,
    ) -> None:
        self._connection = connection
        self._configuration = configuration
        self._taxonomies = tuple(taxonomies)
        self._version = version
        self._by_keys = keys is not None
        self._table, self._held, self._number = (quoted(name) for name in (table, keys or vector, number))
        self._sets: OrderedDict[Key, BitMap64] = OrderedDict()
        self._kept = 0

    @cached_property
    def total(self) -> int:
        rows, numbers = self._ask(f"SELECT count(*), count(DISTINCT {self._number}) FROM {self._table}")[0]
        if numbers != rows:
            # Rows of one number would count as one: too few.
            raise ValueError(
                f"{self._number} has {numbers:,} different values in {rows:,} rows of {self._table}; "
                "name a column that numbers the rows: number=..."
            )
        return int(rows)

    @cached_property
    def digest(self) -> str:
        state = self._version
        if state is None:
            each = f"hashtextextended({self._number}::text || ' ' || {self._held}::text, 0)::numeric"
            state = str(self._ask(f"SELECT sum({each}) FROM {self._table}")[0][0])
        asked = (self._table, self._held, self._by_keys, self._configuration)
        parts = (state, self.total, asked, [t.digest for t in self._taxonomies])
        return sha256(repr(parts).encode()).hexdigest()

    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        total = self.total
        sets = self._sets_of(dict.fromkeys(key for group in groups for key in group))
        counts = []
        for group in groups:
            if len(group) < 2:
                counts.append(len(sets[group[0]]) if group else total)
                continue
            first, second, *more = sorted((sets[key] for key in group), key=len)
            counts.append(
                len(BitMap64.intersection(first, second, *more)) if more else first.intersection_cardinality(second)
            )
        return np.array(counts, dtype=np.int64)

    def _sets_of(self, keys: Iterable[Key]) -> dict[Key, BitMap64]:
        """The rows that hold each key, from the database where they are not at hand."""
        wanted = list(keys)
        found = {key: self._sets[key] for key in wanted if key in self._sets}
        new = [key for key in wanted if key not in found]
        for start in range(0, len(new), _ASKED_TOGETHER):
            found |= self._fetch(new[start : start + _ASKED_TOGETHER])
        for key in wanted:
            if key not in self._sets:
                self._kept += len(found[key])
            self._sets[key] = found[key]
            self._sets.move_to_end(key)
        while self._kept > _KEPT and len(self._sets) > 1:
            self._kept -= len(self._sets.popitem(last=False)[1])
        return found

    def _fetch(self, keys: Sequence[Key]) -> dict[Key, BitMap64]:
        forms_of = names_of if self._by_keys else written_forms
        forms = [(place, form) for place, key in enumerate(keys) for form in forms_of(key, self._taxonomies)]
        held = f"held.{self._held}"
        holds = f"{held} @> ARRAY[form]" if self._by_keys else f"{held} @@ phraseto_tsquery(%s::regconfig, form)"
        rows = self._ask(
            f"SELECT asked.place, array_agg(DISTINCT held.{self._number}) "
            f"FROM unnest(%s::int[], %s::text[]) AS asked(place, form) JOIN {self._table} AS held ON {holds} "
            "GROUP BY asked.place",
            (
                [place for place, _ in forms],
                [form for _, form in forms],
                *([] if self._by_keys else [self._configuration]),
            ),
        )
        found = {keys[place]: BitMap64(numbers) for place, numbers in rows}
        return {key: found.get(key, BitMap64()) for key in keys}

    def _ask(self, question: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(question, values).fetchall()
        return rows


def quoted(name: str) -> str:
    """A name of a table or column, with its schema if it has one, as SQL.

    >>> quoted('public.my"table')
    '"public"."my""table"'
    """
    if not name or "\0" in name:
        raise ValueError(f"{name!r} is no name of a table or column")
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))
