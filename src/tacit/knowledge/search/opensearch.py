"""Counts from OpenSearch or Elasticsearch: how many documents of an index hold all keys of a group.

Each group is one search that returns a number and no document; hundreds go in one ``_msearch``. Keys are asked alone
first: a group with a key that never occurs needs no question. What is known is kept in memory and, if wanted, on disk.

An answer counts only if it is whole: a search that timed out, that a shard did not answer or that was cut off is asked
again, and in the end is an error. A count that is too low would call a term safe. The servers see the keys that are
asked for, and may log them: use a cluster that may know what the documents say.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.knowledge.counts import Counts
from tacit.knowledge.search.cache import CountCache
from tacit.knowledge.search.names import names_of, written_forms
from tacit.knowledge.taxonomy import Taxonomy

__all__ = ["SearchCounts", "SearchError", "send"]

_AGAIN = frozenset({429, 502, 503, 504, "N/A", "TIMEOUT"})
_MOST_FORMS = 1024  # clauses of one query that clusters accept
_MOST_NAMES = 65_536  # terms of one query that they accept
_KEPT = 1 << 20


class SearchError(RuntimeError):
    """A cluster that did not answer, or not with a whole count. The message quotes no key."""


class SearchCounts(Counts):
    """Counts over the documents of an index, a document being a context.

    ``client`` is an opensearch-py client. ``field`` is a ``keyword`` field with the keys of a context, filled by
    :func:`tacit.knowledge.search.index_in_search`: counts are then those of the pack. With ``phrases`` it is a ``text``
    field that exists already, and a key counts where the words of its singular or plural stand next to each other,
    as the field's analyzer sees them: capitals mostly do not count.

    ``version`` names the state of the index in certificates and in the cache; without it the sequence numbers of its
    shards do. ``cache`` is a file. ``timeout`` is in seconds for one request, which is repeated up to ``retries`` times
    with growing pauses::

        counts = SearchCounts(OpenSearch("https://search:9200"), "contexts", cache=Path("counts.cache"))
        tacit.sanitize(text, model, Knowledge(counts))
    """

    def __init__(
        self,
        client: Any,
        index: str,
        *,
        field: str = "keys",
        phrases: bool = False,
        taxonomies: Iterable[Taxonomy] = (),
        version: str | None = None,
        cache: Path | None = None,
        together: int = 500,
        timeout: float = 30.0,
        retries: int = 5,
    ) -> None:
        if together < 1 or retries < 0 or timeout <= 0:
            raise ValueError(
                f"together is {together}, retries {retries}, timeout {timeout}; give 1 or more, 0 or more, above 0"
            )
        self._client = client
        self._index = index
        self._field = field
        self._phrases = phrases
        self._taxonomies = tuple(taxonomies)
        self._version = version
        self._together = together
        self._timeout = timeout
        self._retries = retries
        self._cache = CountCache(cache) if cache else None
        self._known: dict[tuple[str, ...], int] = {}

    @cached_property
    def total(self) -> int:
        answer = send(self._client.count, self._retries, index=self._index, params={"request_timeout": self._timeout})
        if answer.get("_shards", {}).get("failed"):
            raise SearchError("the cluster could not count all of the index; see that all its shards are up")
        return int(answer["count"])

    @cached_property
    def _state(self) -> str:
        """What the figures depend on; another state, other questions to the cache."""
        return repr(
            (
                self._version or self._numbers_of_shards(),
                self._index,
                self._field,
                self._phrases,
                [t.digest for t in self._taxonomies],
            )
        )

    def _numbers_of_shards(self) -> str:
        stats = send(
            self._client.indices.stats, self._retries, index=self._index,
            params={"level": "shards", "request_timeout": self._timeout},
        )  # fmt: skip
        try:
            # Every write has a number, so the last one of each shard tells one state from another.
            numbers = sorted(
                (index["uuid"], shard, copy["seq_no"]["max_seq_no"], copy["docs"]["count"])
                for index in stats["indices"].values()
                for shard, copies in index["shards"].items()
                for copy in copies
                if copy["routing"]["primary"]
            )
        except (KeyError, TypeError) as error:
            raise SearchError(
                "the cluster does not tell the state of the index; name it yourself: version=..."
            ) from error
        return repr(numbers)

    @cached_property
    def digest(self) -> str:
        return sha256(repr((self._state, self.total)).encode()).hexdigest()

    def count_many(self, groups: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        wanted = [tuple(sorted(set(group))) for group in groups]
        if len(self._known) > _KEPT:
            self._known.clear()
        self._learn(dict.fromkeys((key,) for group in wanted for key in group))
        meets = {group: len(group) > 1 and all(self._known[(key,)] for key in group) for group in wanted}
        self._learn(group for group, may_meet in meets.items() if may_meet)
        counts = [
            self.total if not group else self._known[group] if len(group) == 1 or meets[group] else 0
            for group in wanted
        ]
        return np.array(counts, dtype=np.int64)

    def _learn(self, groups: Iterable[tuple[str, ...]]) -> None:
        """Know the counts of groups: from memory, from disk, or from the cluster."""
        new = [group for group in groups if group not in self._known]
        if self._cache and new:
            questions = {f"{self._state}\x1e" + "\x1f".join(group): group for group in new}
            self._known.update((questions[q], n) for q, n in self._cache.find(questions).items())
        asked = [group for group in new if group not in self._known]
        for start in range(0, len(asked), self._together):
            some = asked[start : start + self._together]
            counts = dict(zip(some, self._ask(some), strict=True))
            self._known.update(counts)
            if self._cache:
                self._cache.keep({f"{self._state}\x1e" + "\x1f".join(group): n for group, n in counts.items()})

    def _ask(self, groups: Sequence[tuple[str, ...]]) -> list[int]:
        """The counts of groups from the cluster; searches that it turned down are asked again."""
        counts: dict[tuple[str, ...], int] = {}
        queries = {group: {"bool": {"filter": [self._clause(key) for key in group]}} for group in groups}
        for attempt in range(self._retries + 1):
            left = [group for group in groups if group not in counts]
            if not left:
                break
            pause(attempt)
            body: list[Mapping[str, Any]] = []
            for group in left:
                body += [{}, {"query": queries[group], "size": 0, "track_total_hits": True}]
            answer = send(
                self._client.msearch, self._retries, body=body, index=self._index,
                params={"request_timeout": self._timeout},
            )  # fmt: skip
            for group, response in zip(left, answer["responses"], strict=True):
                if (n := whole_count(response)) is not None:
                    counts[group] = n
        if left := [group for group in groups if group not in counts]:
            raise SearchError(
                f"the cluster gave no whole count for {len(left)} of {len(groups)} searches, asked "
                f"{self._retries + 1} times; see that its shards are up and not overloaded"
            )
        return [counts[group] for group in groups]

    def _clause(self, key: str) -> dict[str, Any]:
        if self._phrases:
            forms = written_forms(key, self._taxonomies)
            if len(forms) > _MOST_FORMS:
                raise ValueError(
                    f"{key!r} has {len(forms):,} names, a cluster takes {_MOST_FORMS:,} phrases at once; "
                    "count with a field of keys, or without this taxonomy"
                )
            each = [{"match_phrase": {self._field: form}} for form in forms]
            return each[0] if len(each) == 1 else {"bool": {"should": each, "minimum_should_match": 1}}
        names = names_of(key, self._taxonomies)
        if len(names) > _MOST_NAMES:
            raise ValueError(
                f"{key!r} has {len(names):,} names, a cluster takes {_MOST_NAMES:,} at once; "
                "index the keys with all that subsumes them (index_in_search), and count without taxonomies"
            )
        return {"term": {self._field: key}} if len(names) == 1 else {"terms": {self._field: names}}


def whole_count(response: Mapping[str, Any]) -> int | None:
    """The number that a search found, None if it should be asked again; raises for one that will never be answered.

    >>> whole_count({"hits": {"total": {"value": 3, "relation": "eq"}}})
    3
    >>> whole_count({"timed_out": True, "hits": {"total": {"value": 1, "relation": "eq"}}}) is None
    True
    """
    if "error" in response:
        if response.get("status") in _AGAIN:
            return None
        kind = response["error"].get("type", "unknown") if isinstance(response["error"], Mapping) else "unknown"
        raise SearchError(f"the cluster refused a search with status {response.get('status')}: {kind}")
    if response.get("timed_out") or response.get("_shards", {}).get("failed"):
        return None
    total = response["hits"]["total"]
    if not isinstance(total, Mapping):
        return int(total)
    return int(total["value"]) if total["relation"] == "eq" else None


def send(request: Any, retries: int, **arguments: Any) -> Any:
    """Call a method of the client, again after growing pauses while the cluster is away or overloaded."""
    from opensearchpy.exceptions import TransportError

    status: object = None
    for attempt in range(retries + 1):
        pause(attempt)
        try:
            return request(**arguments)
        except TransportError as error:
            # The message of the error may quote the question, and thereby a document: only its kind is told.
            status = error.status_code
            if status not in _AGAIN:
                raise SearchError(f"the cluster refused a request with status {status}: {error.error}") from None
    raise SearchError(
        f"the cluster did not answer, asked {retries + 1} times (last: {status}); is it up and reachable?"
    )


def pause(attempt: int) -> None:
    """Wait before an attempt: not before the first, then 0.1 s, 0.2 s, 0.4 s and so on, 10 s at most."""
    if attempt:
        time.sleep(min(0.1 * 2 ** (attempt - 1), 10.0))
