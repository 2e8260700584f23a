"""The contexts of a pack, as lists of keys, put into a search cluster or a database.

A context is listed with every key that counts in it, by subsumption: a context with "zidovudine" has "drug" too. Then a
group's count is the number of lists that hold its keys, one exact word each, and equals the pack's own figure, whatever
the taxonomies. A list has no order and its number says nothing of the text it came from, as in the pack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.counts.search.opensearch import AGAIN, SearchError, pause, send
from taciturn.knowledge.counts.search.postgres import quoted

__all__ = ["MAPPING", "contexts_with_keys", "index_in_postgres", "index_in_search"]

MAPPING: dict[str, Any] = {
    "settings": {
        "index": {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "-1", "blocks": {"read": True}}
    },
    "mappings": {
        "dynamic": "strict",
        "_source": {"enabled": False},
        "properties": {"keys": {"type": "keyword", "doc_values": False, "norms": False, "index_options": "docs"}},
    },
}
"""What an index of keys is created with: one exact-word field, not sorted, not scored, not kept as text.

It can be read when it is whole: counts from a part of the contexts would be too low.
"""

_PAIRS = 1 << 26  # a key in a context: 12 bytes each while lists are made
_BULK = 500  # contexts in a request


def contexts_with_keys(counts: PackCounts, together: int = _PAIRS) -> Iterator[tuple[int, list[str]]]:
    """Every context that holds a key, with its keys in order.

    The sets of a pack are by key; here they are turned round, for a range of contexts at a time, so that ``together``
    bounds the memory. Each range reads the pack once.
    """
    keys = list(counts.keys())
    pairs = int(counts.count_many([(k,) for k in keys]).sum())
    ranges = pairs // together + 1
    for number in range(ranges):
        low, high = counts.total * number // ranges, counts.total * (number + 1) // ranges
        contexts: list[np.ndarray[Any, np.dtype[np.uint32]]] = []
        sizes = np.zeros(len(keys), dtype=np.int64)
        for place, key in enumerate(keys):
            here = np.frombuffer(counts.contexts(key).to_array(), dtype=np.uint32)
            here = here[np.searchsorted(here, low) : np.searchsorted(here, high)]
            contexts.append(here)
            sizes[place] = len(here)
        every = np.concatenate(contexts)
        order = np.argsort(every, kind="stable")
        owner = np.repeat(np.arange(len(keys), dtype=np.uint32), sizes)[order]
        distinct, starts = np.unique(every[order], return_index=True)
        edges = [*starts.tolist(), len(owner)]
        for place, context in enumerate(distinct.tolist()):
            yield context, [keys[k] for k in owner[edges[place] : edges[place + 1]].tolist()]


def index_in_search(
    client: Any,
    index: str,
    counts: PackCounts,
    *,
    retries: int = 5,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Create an index with :data:`MAPPING` and fill it by the bulk API with a pack's contexts; returns how many.

    ``client`` is an opensearch-py client. Contexts without keys are put as well: they count in the total. An index of
    this name must not exist; if the work is interrupted, it stays closed to searches: delete it and begin anew.
    """
    send(client.indices.create, retries, index=index, body=MAPPING)
    done = 0
    filled = _every_context(counts)
    while some := {str(number): keys for number, keys in islice(filled, _BULK)}:
        _put(client, index, some, retries)
        done += len(some)
        if progress:
            progress(done, counts.total)
    send(client.indices.refresh, retries, index=index)
    send(client.indices.put_settings, retries, index=index, body={"index": {"blocks": {"read": False}}})
    return done


def _put(client: Any, index: str, contexts: dict[str, list[str]], retries: int) -> None:
    """Put contexts by the bulk API; those that an overloaded cluster turned down are put again."""
    left = list(contexts)
    for attempt in range(retries + 1):
        pause(attempt)
        body: list[dict[str, Any]] = []
        for number in left:
            # A number of its own makes a repeated request harmless.
            body += [{"index": {"_id": number}}, {"keys": contexts[number]}]
        answer = send(client.bulk, retries, body=body, index=index)
        refused = [item["index"] for item in answer["items"] if item["index"]["status"] >= 300]
        if never := [item["status"] for item in refused if item["status"] not in AGAIN]:
            raise SearchError(f"the cluster refused {len(never)} contexts with status {never[0]}")
        left = [item["_id"] for item in refused]
        if not left:
            return
    raise SearchError(
        f"the cluster turned down {len(left)} contexts, put {retries + 1} times; begin anew when it is less busy"
    )


def index_in_postgres(
    connection: Any, table: str, counts: PackCounts, *, progress: Callable[[int, int], None] | None = None
) -> int:
    """Create a table (id, keys) with an index on its keys and copy a pack's contexts into it; returns how many.

    ``connection`` is a psycopg connection. All is done in one transaction: the table is there whole or not at all.
    """
    name = quoted(table)
    done = 0
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} (id integer PRIMARY KEY, keys text[] NOT NULL)")
        with cursor.copy(f"COPY {name} (id, keys) FROM STDIN") as copy:
            for number, keys in _every_context(counts):
                copy.write_row((number, keys))
                done += 1
                if progress and done % _BULK == 0:
                    progress(done, counts.total)
        cursor.execute(f"CREATE INDEX ON {name} USING gin (keys)")
    return done


def _every_context(counts: PackCounts) -> Iterator[tuple[int, list[str]]]:
    """All contexts of a pack in order, also those without a key."""
    following = 0
    for number, keys in contexts_with_keys(counts):
        yield from ((empty, []) for empty in range(following, number))
        yield number, keys
        following = number + 1
    yield from ((empty, []) for empty in range(following, counts.total))
