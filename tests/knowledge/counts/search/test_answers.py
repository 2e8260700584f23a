"""What is taken for a count, and what is not; the cache; no server needed."""

from __future__ import annotations

import re
import socket
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from taciturn.cli.knowledge import command
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.counts.search import SearchCounts, SearchError, contexts_with_keys
from taciturn.knowledge.counts.search.cache import CountCache
from taciturn.knowledge.counts.search.opensearch import send, whole_count
from tests.knowledge.counts.search import servers
from tests.knowledge.packs import small_pack

TOTAL = {"value": 5, "relation": "eq"}
SHARDS = {"total": 5, "successful": 5, "skipped": 2, "failed": 0}
WHOLE = {"timed_out": False, "hits": {"total": TOTAL}, "_shards": SHARDS}


def test_only_a_whole_count_is_one() -> None:
    assert whole_count(WHOLE) == 5
    assert whole_count({**WHOLE, "hits": {"total": 5}}) == 5
    assert whole_count({**WHOLE, "_clusters": {"total": 2, "successful": 2, "skipped": 0}}) == 5
    parts: list[dict[str, Any]] = [
        {"timed_out": True},
        {"terminated_early": True},
        {"hits": {"total": {**TOTAL, "relation": "gte"}}},
        {"_shards": {**SHARDS, "failed": 1}},
        {"_shards": {**SHARDS, "successful": 4}},  # one has no place, which is no failure
        {"_shards": {"total": 0, "successful": 0, "skipped": 0, "failed": 0}},  # no index fits the pattern
        {"_clusters": {"total": 2, "successful": 1, "skipped": 1}},
        {"_shards": {}},
    ]
    for part in parts:
        assert whole_count({**WHOLE, **part}) is None
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


def test_a_number_that_the_disk_has_spoilt_is_not_found(tmp_path: Path) -> None:
    cache = CountCache(tmp_path / "cache")
    cache.keep({"one": 700, "other": 3})
    cache.close()
    with closing(sqlite3.connect(tmp_path / "cache")) as base, base:
        assert base.execute("UPDATE numbers SET n = 7 WHERE n = 700").rowcount == 1
    assert CountCache(tmp_path / "cache").find(["one", "other"]) == {"other": 3}


def test_what_cannot_be_kept_leaves_the_cache_as_it_was_and_free_for_others(tmp_path: Path) -> None:
    cache, other = CountCache(tmp_path / "cache"), CountCache(tmp_path / "cache")
    with pytest.raises(OverflowError):
        cache.keep({"small": 1, "too large": 1 << 70})
    other.keep({"theirs": 2})
    cache.keep({"ours": 3})
    assert other.find(["small", "theirs", "ours"]) == {"theirs": 2, "ours": 3}


def test_a_cache_that_another_holds_is_not_called_foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    CountCache(tmp_path / "cache").close()
    with closing(connect(tmp_path / "cache", isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", lambda path, timeout, **more: connect(path, timeout=0.1, **more))
        with pytest.raises(ValueError, match="database is locked; see that you may write"):
            CountCache(tmp_path / "cache")


@pytest.mark.slow  # where the client of the extra `search` is installed
def test_messages_quote_nothing_of_what_a_server_says() -> None:
    exceptions = pytest.importorskip("opensearchpy.exceptions")

    def refuse(status: int, said: object) -> str:
        def request() -> None:
            raise exceptions.TransportError(status, str(said), said)

        with pytest.raises(SearchError) as caught:
            send(request, 0)
        return str(caught.value)

    assert "HIV" not in refuse(403, "<html>blocked: HIV</html>")
    assert "HIV" not in refuse(400, {"error": "near HIV"})
    assert "status 400: parsing_exception" in refuse(400, {"error": {"type": "parsing_exception", "reason": "HIV"}})
    assert "name and a password" in refuse(401, "Unauthorized")
    assert "ask for less at once" in refuse(413, "")


@pytest.mark.slow  # where the client of the extra `search` is installed
def test_a_connection_that_is_not_safe_is_told_at_once() -> None:
    client = pytest.importorskip("opensearchpy").OpenSearch
    with socket.create_server(("127.0.0.1", 0)) as plain:

        def answer() -> None:
            while True:
                try:
                    taken, _ = plain.accept()
                except OSError:  # the test is over
                    return
                with taken:
                    taken.recv(1000)
                    taken.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        safe = client(f"https://127.0.0.1:{plain.getsockname()[1]}")
        with pytest.raises(SearchError, match="no safe connection"):
            SearchCounts(safe, "contexts", retries=3).count("HIV")


def test_what_cannot_be_installed_is_a_file_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As benchmarks expect it of what they lack: they skip then, and do not fail."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(servers, "_jars", list)
    with pytest.raises(FileNotFoundError) as caught:
        servers.install_lucene()
    assert caught.value.filename == "liblucene8-java"
    with pytest.raises(pytest.skip.Exception, match="SKIPPED FOR WANT OF A SERVER"), servers.or_skip():
        servers.install_lucene()


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
