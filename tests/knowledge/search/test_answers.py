"""What is taken for a count, and what is not; the cache; no server needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacit.commands.knowledge import command
from tacit.knowledge.packcounts import PackCounts
from tacit.knowledge.search import SearchCounts, SearchError, contexts_with_keys
from tacit.knowledge.search.cache import CountCache
from tacit.knowledge.search.opensearch import whole_count
from tests.knowledge.packs import small_pack

TOTAL = {"value": 5, "relation": "eq"}


def test_only_a_whole_count_is_one() -> None:
    assert whole_count({"hits": {"total": TOTAL}, "_shards": {"failed": 0}}) == 5
    assert whole_count({"hits": {"total": 5}}) == 5
    for part in ({"timed_out": True}, {"_shards": {"failed": 1}}, {"hits": {"total": {**TOTAL, "relation": "gte"}}}):
        assert whole_count({"hits": {"total": TOTAL}, **part}) is None
    assert whole_count({"error": {"type": "rejected"}, "status": 429}) is None
    with pytest.raises(SearchError, match="status 400: parsing_exception") as caught:
        whole_count({"error": {"type": "parsing_exception", "reason": "near HIV"}, "status": 400})
    assert "HIV" not in str(caught.value)


def test_settings_that_cannot_be() -> None:
    for settings in ({"together": 0}, {"retries": -1}, {"timeout": 0}):
        with pytest.raises(ValueError, match="give 1 or more"):
            SearchCounts(None, "contexts", **settings)  # type: ignore[arg-type]


def test_a_cache_is_found_again_and_a_foreign_file_is_refused(tmp_path: Path) -> None:
    cache = CountCache(tmp_path / "cache")
    questions = {f"question {i}": i for i in range(1200)}
    cache.keep(questions)
    other = CountCache(tmp_path / "cache")
    assert other.find([*questions, "another"]) == questions
    (tmp_path / "foreign").write_bytes(b"no database at all, only text" * 100)
    with pytest.raises(ValueError, match="is not a cache of counts"):
        CountCache(tmp_path / "foreign")


def test_lists_of_keys_are_the_sets_of_a_pack_turned_round(tmp_path: Path) -> None:
    counts = PackCounts(small_pack(tmp_path))
    lists = dict(contexts_with_keys(counts))
    assert list(lists) == sorted(lists)
    for key in counts.keys():  # noqa: SIM118 - not a mapping
        assert [c for c, keys in lists.items() if key in keys] == list(counts.contexts(key))
    assert dict(contexts_with_keys(counts, together=20)) == lists


def test_an_address_of_no_known_kind_is_refused() -> None:
    run = CliRunner().invoke(command, ["index", "ftp://nowhere"])
    assert run.exit_code == 2
    assert re.search("is no address", run.output)
