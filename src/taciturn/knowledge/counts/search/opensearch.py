"""Counts from OpenSearch or Elasticsearch: how many documents of an index hold all keys of a group.

Each group is one search that returns a number and no document; hundreds go in one ``_msearch``. Keys are asked alone
first: a group with a key that never occurs needs no question. What is known is kept in memory and, if wanted, on disk.

An answer counts only if it is whole: a search that timed out, that a shard did not answer or that was cut off is asked
again, and in the end is an error. So is a field that cannot answer, and an index that is written to meanwhile. A count
that is too low would call a term safe. The servers see the keys that are asked for, and may log them: use a cluster
that may know what the documents say.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.errors import KnowledgeError
from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.counts.search.cache import CountCache
from taciturn.knowledge.counts.search.names import names_of, written_forms
from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.language.keys import Key

__all__ = ["AGAIN", "SearchCounts", "SearchError", "pause", "send"]

AGAIN = frozenset({429, 502, 503, 504, "N/A", "TIMEOUT"})
"""What a cluster answers, or its client tells, when the same request may succeed later."""

_ADVICE = {
    401: "; give the client a name and a password",
    403: "; may this user do so, and was the index filled to its end?",
    404: "; is there an index of this name?",
    413: "; ask for less at once (together), or raise http.max_content_length of the cluster",
}
_KEYWORDS = frozenset({"keyword", "constant_keyword", "wildcard"})
_TEXTS = frozenset({"text", "match_only_text", "annotated_text", "search_as_you_type"})
_MOST_FORMS = 1024  # clauses of one query that clusters accept
_MOST_NAMES = 65_536  # terms of one query that they accept
_KEPT = 1 << 20


class SearchError(KnowledgeError, RuntimeError):
    """A cluster that did not answer, or not with a whole count. The message quotes no key."""


class _Shards(NamedTuple):
    """The state of an index: what has been written to it, and how much of that each copy of a shard shows."""

    written: str
    shown: str


class SearchCounts(Counts):
    """Counts over the documents of an index, a document being a context.

    ``client`` is an opensearch-py client. ``field`` is a ``keyword`` field with the keys of a context, filled by
    :func:`taciturn.knowledge.counts.search.index_in_search`: counts are then those of the pack. With ``phrases`` it
    is a ``text``
    field that exists already, and a key counts where the words of its singular or plural stand next to each other,
    as the field's analyzer sees them: capitals mostly do not count.

    ``version`` names the state of the index in certificates and in the cache; without it the sequence numbers of its
    shards do, and an index that changes after the first question is an error. ``cache`` is a file. ``timeout`` is
    in seconds for one request, which is repeated up to ``retries`` times with growing pauses::

        counts = SearchCounts(OpenSearch("https://search:9200"), "contexts", cache=Path("counts.cache"))
        taciturn.sanitize(text, model, Knowledge(counts))
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
        self._known: dict[tuple[Key, ...], int] = {}
        self._digests: dict[str, str] = {}

    @cached_property
    def total(self) -> int:
        # Not by _count: its answer does not say whether it timed out.
        self._learn([()])
        return self._known[()]

    @cached_property
    def _state(self) -> str:
        """What the figures depend on."""
        return repr(
            (
                self._version or self._begun.written,
                self._index,
                self._field,
                self._phrases,
                [t.digest for t in self._taxonomies],
            )
        )

    @cached_property
    def _begun(self) -> _Shards:
        """The shards as they were before the first question."""
        return self._shards()

    def _shards(self) -> _Shards:
        try:
            stats = send(
                self._client.indices.stats, self._retries, index=self._index,
                params={"level": "shards", "request_timeout": self._timeout},
            )  # fmt: skip
            return _state_of(stats)
        except (SearchError, KeyError, TypeError) as error:
            why = f" ({error})" if isinstance(error, SearchError) else ""
            raise SearchError(
                f"the cluster does not tell the state of the index{why}; name it yourself: version=..."
            ) from error

    @cached_property
    def _field_answers(self) -> bool:
        """Whether the field exists and is of the right kind: else a cluster answers 0, and no error."""
        answer = send(
            self._client.field_caps, self._retries, index=self._index,
            params={"fields": self._field, "request_timeout": self._timeout},
        )  # fmt: skip
        kinds = set(answer.get("fields", {}).get(self._field, {})) - {"unmapped"}
        return bool(kinds) and kinds <= (_TEXTS if self._phrases else _KEYWORDS)

    @cached_property
    def digest(self) -> str:
        return sha256(repr((self._state, self.total)).encode()).hexdigest()

    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        wanted = [tuple(sorted(set(group))) for group in groups]
        if len(self._known) > _KEPT:
            self._known.clear()
            self._digests.clear()
        self._learn(dict.fromkeys((key,) for group in wanted for key in group))
        meets = {group: len(group) > 1 and all(self._known[(key,)] for key in group) for group in wanted}
        self._learn(group for group, may_meet in meets.items() if may_meet)
        counts = [
            self.total if not group else self._known[group] if len(group) == 1 or meets[group] else 0
            for group in wanted
        ]
        return np.array(counts, dtype=np.int64)

    def _learn(self, groups: Iterable[tuple[Key, ...]]) -> None:
        """Know the counts of groups: from memory, from disk, or from the cluster."""
        new = [group for group in groups if group not in self._known]
        if self._cache and new:
            questions = {self._question(group): group for group in new}
            self._known.update((questions[q], n) for q, n in self._cache.find(questions).items())
        asked = [group for group in new if group not in self._known]
        for start in range(0, len(asked), self._together):
            some = asked[start : start + self._together]
            counts = dict(zip(some, self._ask(some), strict=True))
            self._known.update(counts)
            if self._cache:
                self._cache.keep({self._question(group): n for group, n in counts.items()})

    @cached_property
    def _cached_under(self) -> str:
        # Writes that are not shown yet have their numbers already: a count made before is not one made after.
        shown = "" if self._version else self._begun.shown
        return repr((self._state, shown))

    def _question(self, group: tuple[Key, ...]) -> str:
        """What the cache is asked: the state of the index and the query itself, for what a key means may change."""
        for key in group:
            if key not in self._digests:
                self._digests[key] = sha256(json.dumps(self._clause(key)).encode()).hexdigest()
        return " ".join([self._cached_under, *(self._digests[key] for key in group)])

    def _ask(self, groups: Sequence[tuple[Key, ...]]) -> list[int]:
        """The counts of groups from the cluster, all of one state."""
        if not self._field_answers:
            raise SearchError(
                f"{self._field!r} of {self._index!r} is no {'text' if self._phrases else 'keyword'} field, so nothing "
                "would be found in it; name another field, or say with phrases whether it holds texts or keys"
            )
        begun = None if self._version else self._begun
        counts = self._search(groups)
        if begun and self._shards() != begun:
            raise SearchError(
                "the index was written to, or showed more of its writes, while it was counted, and counts of two "
                "states do not go together; count anew, or name the state yourself: version=..."
            )
        return counts

    def _search(self, groups: Sequence[tuple[Key, ...]]) -> list[int]:
        """The counts of groups from the cluster; searches that it turned down are asked again."""
        counts: dict[tuple[Key, ...], int] = {}
        queries = {group: self._query(group) for group in groups}
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

    def _query(self, group: tuple[Key, ...]) -> dict[str, Any]:
        return {"bool": {"filter": [self._clause(key) for key in group]}} if group else {"match_all": {}}

    def _clause(self, key: Key) -> dict[str, Any]:
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

    >>> whole_count({"_shards": {"total": 1, "successful": 1}, "hits": {"total": {"value": 3, "relation": "eq"}}})
    3
    >>> whole_count({"_shards": {"total": 2, "successful": 1}, "hits": {"total": {"value": 1, "relation": "eq"}}})
    """
    if "error" in response:
        status = response.get("status")
        if status in AGAIN:
            return None
        raise SearchError(f"the cluster refused a search with status {status}: {_kind(response)}{_advice(status)}")
    if response.get("timed_out") or response.get("terminated_early"):
        return None
    shards, clusters = response.get("_shards", {}), response.get("_clusters", {})
    # No shards at all is what a pattern has that fits no index, or a remote cluster that is away.
    if not (shards.get("total") and _all_answered(shards) and _all_answered(clusters)):
        return None
    total = response["hits"]["total"]
    if not isinstance(total, Mapping):
        return int(total)
    return int(total["value"]) if total["relation"] == "eq" else None


def _all_answered(parts: Mapping[str, Any]) -> bool:
    """Whether all shards or clusters did; one that is away is told neither among the failed nor the successful."""
    return parts.get("successful", 0) == parts.get("total", 0) and not parts.get("failed")


def _kind(answer: object) -> str:
    """The kind of an error, and no more of it: the rest may quote the question, and thereby a document."""
    error = answer.get("error") if isinstance(answer, Mapping) else None
    return str(error.get("type", "unknown")) if isinstance(error, Mapping) else "unknown"


def _advice(status: object) -> str:
    return _ADVICE.get(status, "") if isinstance(status, int) else ""


def _state_of(stats: Mapping[str, Any]) -> _Shards:
    copies = [
        (index["uuid"], shard, copy)
        for index in stats["indices"].values()
        for shard, copies in index["shards"].items()
        for copy in copies
    ]
    if not copies:
        raise SearchError("it has no shards")
    # Every write has a number, so the last one of each shard tells one state from another.
    written = sorted((i, s, copy["seq_no"]["max_seq_no"]) for i, s, copy in copies if copy["routing"]["primary"])
    shown = sorted((i, s, copy["refresh"]["external_total"], copy["docs"]["count"]) for i, s, copy in copies)
    return _Shards(repr(written), repr(shown))


def send(request: Any, retries: int, **arguments: Any) -> Any:
    """Call a method of the client, again after growing pauses while the cluster is away or overloaded."""
    from opensearchpy.exceptions import SerializationError, SSLError, TransportError

    status: object = None
    for attempt in range(retries + 1):
        pause(attempt)
        try:
            return request(**arguments)
        except SSLError:
            raise SearchError(
                "no safe connection to the cluster; is its address https, and its certificate known to the client "
                "(ca_certs, or SSL_CERT_FILE in the environment)?"
            ) from None
        except SerializationError:
            raise SearchError("the answer is not a search cluster's; is something else at this address?") from None
        except TransportError as error:
            status = error.status_code
            if status not in AGAIN:
                raise SearchError(
                    f"the cluster refused a request with status {status}: {_kind(error.info)}{_advice(status)}"
                ) from None
    raise SearchError(
        f"the cluster did not answer, asked {retries + 1} times (last: {status}); is it up and reachable?"
    )


def pause(attempt: int) -> None:
    """Wait before an attempt: not before the first, then 0.1 s, 0.2 s, 0.4 s and so on, 10 s at most."""
    if attempt:
        time.sleep(min(0.1 * 2 ** (attempt - 1), 10.0))
