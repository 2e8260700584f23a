"""Counts from servers that hold the texts, or the keys of a pack, already: OpenSearch, Elasticsearch, PostgreSQL.

Two ways, with each server. *Exact*: the contexts of a pack are put there as lists of keys (:mod:`ingest`), and counts
are those of the pack. *Approximate*: a text field or column that exists is asked for phrases.
"""

from taciturn.knowledge.counts.search.ingest import contexts_with_keys, index_in_postgres, index_in_search
from taciturn.knowledge.counts.search.opensearch import SearchCounts, SearchError
from taciturn.knowledge.counts.search.postgres import PostgresCounts

__all__ = [
    "PostgresCounts",
    "SearchCounts",
    "SearchError",
    "contexts_with_keys",
    "index_in_postgres",
    "index_in_search",
]
