"""Counts from a search cluster, against real Lucene behind the Elasticsearch protocol, and any cluster one names."""

from __future__ import annotations

import json
import lzma
import os
import random
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from taciturn import CSanitized, sanitize
from taciturn.cli.knowledge import command
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
from taciturn.knowledge.building import Parameters, Source, build_pack, embedded_taxonomies
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.counts.search import SearchCounts, SearchError, contexts_with_keys, index_in_search
from taciturn.language.inflection import plural
from tests.knowledge.counts.search.servers import install_lucene, lucene_server, or_skip
from tests.knowledge.packs import small_pack
from tests.shared_data import SHARED, needs_shared

pytestmark = pytest.mark.slow
DRUGS = EdgeTaxonomy("drugs", [("zidovudine", "drug"), ("aspirin", "drug")])
MODEL = CSanitized(protect=["HIV"], alpha=1.5)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with or_skip():
        install_lucene()
    with lucene_server(tmp_path_factory.mktemp("lucene")) as found:
        yield found


@pytest.fixture(scope="module")
def client(address: str) -> Any:
    return pytest.importorskip("opensearchpy").OpenSearch(address)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> PackCounts:
    return PackCounts(small_pack(tmp_path_factory.mktemp("pack")))


def ask(address: str, path: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address + path, data=data), timeout=30) as answer:
        told: dict[str, Any] = json.load(answer)
        return told


def put(client: Any, index: str, number: int, source: dict[str, Any]) -> None:
    client.bulk(body=[{"index": {"_id": str(number)}}, source], index=index)


def groups_of(keys: list[str], size: int = 300) -> list[list[str]]:
    """Every key alone, and groups of two to four drawn from them."""
    draw = random.Random(5)
    return [[k] for k in keys] + [draw.sample(keys, 2 + i % 3) for i in range(size)] + [[], ["never heard of"]]


def same_figures(counts: SearchCounts, pack: PackCounts) -> None:
    keys = sorted(pack.keys())
    groups = groups_of(keys)
    assert counts.total == pack.total
    assert counts.count_many(groups).tolist() == pack.count_many(groups).tolist()


def test_a_small_pack_in_a_cluster_has_its_figures(client: Any, small: PackCounts) -> None:
    assert index_in_search(client, "small", small) == small.total
    same_figures(SearchCounts(client, "small", together=7), small)
    with pytest.raises(SearchError, match="400"):
        index_in_search(client, "small", small)
    assert [dict(contexts_with_keys(small, n)) for n in (10, 100)] == [dict(contexts_with_keys(small))] * 2


@needs_shared
def test_real_texts_have_the_figures_of_the_embedded_engine_and_the_same_releases(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "medquad.jsonl"
    with lzma.open(SHARED / "data" / "corpus" / "medquad.jsonl.xz", "rt") as file:
        lines = [line for line in file if "HIV" in line or "AIDS" in line]
    path.write_text("".join(islice(lines, 25)), "utf-8")
    pack = build_pack(
        [Source(path)], tmp_path / "pack", taxonomies=embedded_taxonomies(), parameters=Parameters(), workers=1
    )
    knowledge = Knowledge.open(tmp_path / "pack")
    counts = PackCounts(pack)
    index_in_search(client, "medquad", counts)
    asked = SearchCounts(client, "medquad")
    same_figures(asked, counts)
    # Capitals count, and so do all that a concept subsumes.
    assert counts.count("HIV") > counts.count("hiv") == asked.count("hiv") == 0
    assert asked.count("disease") == counts.count("disease") > counts.count("HIV") == asked.count("HIV") > 0
    text = "The patient has HIV and takes zidovudine. She had pneumonia and a fever, and her blood was tested."
    one, other = (sanitize(text, MODEL, Knowledge(c, knowledge.taxonomies)) for c in (asked, counts))
    assert one.text == other.text != text


def test_the_cache_on_disk_answers_until_the_index_changes(
    client: Any, address: str, small: PackCounts, tmp_path: Path
) -> None:
    index_in_search(client, "cached", small)
    path = tmp_path / "counts.cache"
    groups = groups_of(sorted(small.keys()), 50)
    first = SearchCounts(client, "cached", cache=path).count_many(groups).tolist()
    before = ask(address, "/_seen")["searches"]
    again = SearchCounts(client, "cached", cache=path)
    assert again.count_many(groups).tolist() == first
    assert ask(address, "/_seen")["searches"] == before
    assert path.stat().st_mode & 0o777 == 0o600
    stored = b"".join(p.read_bytes() for p in tmp_path.glob("counts.cache*"))
    assert not [k for k in small.keys() if len(k) > 3 and k.encode() in stored]  # noqa: SIM118 - not a mapping
    put(client, "cached", 999, {"keys": ["HIV"]})
    client.indices.refresh(index="cached")
    changed = SearchCounts(client, "cached", cache=path)
    assert changed.count("HIV") == small.count("HIV") + 1
    assert changed.digest != again.digest
    named = [SearchCounts(client, "cached", version=v).digest for v in ("1", "1", "2")]
    assert named[0] == named[1] != named[2]


def test_a_count_made_before_writes_are_shown_is_not_kept_for_after(
    client: Any, small: PackCounts, tmp_path: Path
) -> None:
    index_in_search(client, "unshown", small)
    put(client, "unshown", 0, {"keys": ["brand-new"]})
    cache = tmp_path / "counts.cache"
    begun = SearchCounts(client, "unshown", cache=cache)
    assert begun.count("brand-new") == 0
    client.indices.refresh(index="unshown")
    with pytest.raises(SearchError, match="showed more of its writes"):
        begun.count("HIV")
    assert SearchCounts(client, "unshown", cache=cache).count("brand-new") == 1


def test_the_cache_is_asked_by_what_a_key_means(client: Any, small: PackCounts, tmp_path: Path) -> None:
    index_in_search(client, "meant", small)
    put(client, "meant", 0, {"keys": ["a\x1fb"]})
    client.indices.refresh(index="meant")
    asked = [SearchCounts(client, "meant", version="1", cache=tmp_path / "cache") for _ in range(2)]
    assert asked[0].count("a\x1fb") == 1
    assert asked[1].count_many([["a", "b"], ["cat", "garden"]]).tolist() == [0, small.count("cat", "garden")]
    with pytest.MonkeyPatch.context() as patch:
        before = SearchCounts(client, "meant", version="1", cache=tmp_path / "cache").count("cat")
        patch.setattr("taciturn.knowledge.counts.search.opensearch.names_of", lambda key, _: [key, "dog"])
        assert SearchCounts(client, "meant", version="1", cache=tmp_path / "cache").count("cat") > before


def test_counts_of_two_states_do_not_go_together(client: Any, small: PackCounts) -> None:
    index_in_search(client, "living", small)
    living, named = SearchCounts(client, "living"), SearchCounts(client, "living", version="today")
    assert living.count("HIV") == named.count("HIV") == small.count("HIV")
    put(client, "living", 999, {"keys": ["HIV", "cat"]})
    client.indices.refresh(index="living")
    with pytest.raises(SearchError, match="was written to, or showed more of its writes, while it was counted"):
        living.count("HIV", "cat")
    assert named.count("HIV", "cat") == small.count("HIV", "cat") + 1
    assert SearchCounts(client, "living").count("HIV", "cat") == small.count("HIV", "cat") + 1


def test_a_shard_without_a_place_makes_no_count(client: Any, address: str, small: PackCounts) -> None:
    index_in_search(client, "red", small)
    ask(address, "/_fail", {"times": 2, "missing": 1})
    assert SearchCounts(client, "red", version="1").count("garden") == small.count("garden")
    ask(address, "/_fail", {"times": 100, "missing": 1})
    for group in ([], ["garden"]):
        with pytest.raises(SearchError, match="no whole count"):
            SearchCounts(client, "red", version="1", retries=1).count(*group)
    ask(address, "/_fail", {"times": 0})


def test_a_field_that_cannot_answer_is_an_error_not_a_zero(client: Any, small: PackCounts) -> None:
    index_in_search(client, "fields", small)
    client.indices.create(index="texts", body={"mappings": {"properties": {"note": {"type": "text"}}}})
    put(client, "texts", 0, {"note": "HIV"})
    client.indices.refresh(index="texts")
    for counts in (
        SearchCounts(client, "fields", field="kyes"),
        SearchCounts(client, "fields", phrases=True),
        SearchCounts(client, "texts", field="note"),
    ):
        with pytest.raises(SearchError, match="name another field") as caught:
            counts.count("HIV")
        assert "HIV" not in str(caught.value)
    assert SearchCounts(client, "texts", field="note", phrases=True).count("HIV") == 1


def test_an_index_that_was_not_filled_to_its_end_answers_nothing(client: Any, small: PackCounts) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index_in_search(client, "half", small, progress=stop)
    client.indices.refresh(index="half")
    with pytest.raises(SearchError, match=r"403: cluster_block_exception; .*filled to its end"):
        SearchCounts(client, "half").count("HIV")


def test_contexts_that_a_busy_cluster_turned_down_are_put_again(client: Any, address: str, small: PackCounts) -> None:
    ask(address, "/_fail", {"times": 20, "status": 429, "searches": 3})
    index_in_search(client, "busy", small)
    ask(address, "/_fail", {"times": 0})
    same_figures(SearchCounts(client, "busy"), small)
    ask(address, "/_fail", {"times": 1000, "status": 429, "searches": 1})
    with pytest.raises(SearchError, match=f"turned down {small.total} contexts, put 2 times"):
        index_in_search(client, "busier", small, retries=1)
    ask(address, "/_fail", {"times": 1, "status": 400, "searches": 1})
    with pytest.raises(SearchError, match="refused 1 contexts with status 400"):
        index_in_search(client, "refused", small)
    ask(address, "/_fail", {"times": 0})


def test_who_may_not_see_the_state_can_name_it(client: Any, address: str, small: PackCounts) -> None:
    index_in_search(client, "guarded", small)
    ask(address, "/_fail", {"times": 1, "status": 403, "kind": "_stats"})
    with pytest.raises(SearchError, match=r"403.*name it yourself: version="):
        SearchCounts(client, "guarded").count("HIV")
    ask(address, "/_fail", {"times": 100, "status": 403, "kind": "_stats"})
    counts = SearchCounts(client, "guarded", version="1")
    assert counts.count("HIV") == small.count("HIV")
    assert counts.digest
    ask(address, "/_fail", {"times": 0})


def test_a_cluster_that_is_away_or_overloaded_is_asked_again(client: Any, address: str, small: PackCounts) -> None:
    index_in_search(client, "away", small)
    expected = small.count("garden")
    for fault in ({"times": 3, "status": 503}, {"times": 2, "status": 429}, {"times": 5, "status": 429, "searches": 1}):
        ask(address, "/_fail", fault)
        assert SearchCounts(client, "away", version="1").count("garden") == expected
    ask(address, "/_fail", {"times": 1, "delay": 1500})
    assert SearchCounts(client, "away", version="1", timeout=0.5).count("garden") == expected
    ask(address, "/_fail", {"times": 100, "status": 503})
    with pytest.raises(SearchError, match="asked 3 times") as caught:
        SearchCounts(client, "away", version="1", retries=2).count("garden")
    ask(address, "/_fail", {"times": 100, "status": 429, "searches": 1})
    with pytest.raises(SearchError, match="no whole count for 1 of 1") as also:
        SearchCounts(client, "away", version="1", retries=1).count("garden")
    ask(address, "/_fail", {"times": 0})
    with pytest.raises(SearchError, match="404") as absent:
        SearchCounts(client, "no such index", version="1").count("garden")
    assert not [e for e in (caught, also, absent) if "garden" in str(e.value)]


@needs_shared
def test_phrases_in_a_text_field_are_those_of_a_plain_scan(client: Any) -> None:
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [json.loads(line)["text"] for line in islice(file, 60)]
    contexts = [" ".join(re.findall(r"[a-z]+", s.lower())) for n in notes for s in re.split(r"(?<=[.\n])\s+", n)]
    client.indices.create(index="notes", body={"mappings": {"properties": {"note": {"type": "text"}}}})
    for start in range(0, len(contexts), 500):
        body: list[dict[str, Any]] = []
        for number, text in enumerate(contexts[start : start + 500], start):
            body += [{"index": {"_id": str(number)}}, {"note": text}]
        client.bulk(body=body, index="notes")
    client.indices.refresh(index="notes")
    keys = ["patient", "blood pressure", "HIV", "hepatitis", "drug", "history", "infection", "left knee", "day", "pain"]
    names = {k: {k, plural(k)} for k in keys}
    names["drug"] |= {"zidovudine", "aspirin", plural("zidovudine"), plural("aspirin")}
    sets = [{k for k in keys if any(f" {n.lower()} " in f" {text} " for n in names[k])} for text in contexts]
    groups = [list(g) for size in (1, 2, 3) for g in combinations(keys, size)]
    asked = SearchCounts(client, "notes", field="note", phrases=True, taxonomies=[DRUGS])
    assert asked.count_many(groups).tolist() == ContextCounts(sets).count_many(groups).tolist()
    assert asked.count("drug") > SearchCounts(client, "notes", field="note", phrases=True).count("drug") > 0
    many = EdgeTaxonomy("many", [(f"name {i}", "thing") for i in range(1100)])
    with pytest.raises(ValueError, match="a cluster takes 1,024"):
        SearchCounts(client, "notes", field="note", phrases=True, taxonomies=[many]).count("thing")


def test_the_command_puts_a_pack_into_a_cluster(client: Any, address: str, tmp_path: Path) -> None:
    pack = small_pack(tmp_path)
    arguments = ["index", address, "--name", "commanded", "--knowledge", str(pack.path)]
    run = CliRunner(env={"OPENSEARCH_USER": "me", "OPENSEARCH_PASSWORD": "secret"}).invoke(command, arguments)
    assert run.exit_code == 0, run.output
    assert ask(address, "/_seen")["authorization"] == f"Basic {b64encode(b'me:secret').decode()}"
    same_figures(SearchCounts(client, "commanded"), PackCounts(pack))
    again = CliRunner().invoke(command, arguments)
    assert (again.exit_code, "resource_already_exists_exception" in again.output) == (1, True)


def test_by_subsumption_when_the_cluster_has_plain_keys(client: Any) -> None:
    client.indices.create(index="plain", body={"mappings": {"properties": {"keys": {"type": "keyword"}}}})
    contexts = [["zidovudine", "HIV"], ["aspirin"], ["drug", "cat"], ['a "quoted" \\ key', "é𝒟"]]
    body: list[dict[str, Any]] = []
    for number, keys in enumerate(contexts):
        body += [{"index": {"_id": str(number)}}, {"keys": keys}]
    client.bulk(body=body, index="plain")
    client.indices.refresh(index="plain")
    asked = SearchCounts(client, "plain", taxonomies=[DRUGS])
    expected = ContextCounts(contexts, [DRUGS])
    groups = [["drug"], ["drug", "HIV"], ["drug", "cat"], ["cat", "HIV"], ["aspirin"], ['a "quoted" \\ key', "é𝒟"]]
    assert asked.count_many(groups).tolist() == expected.count_many(groups).tolist() == [3, 1, 1, 0, 1, 1]


@pytest.mark.skipif(not os.environ.get("OPENSEARCH_URL"), reason="OPT-IN: set OPENSEARCH_URL to a cluster to test with")
def test_the_cluster_that_one_names(small: PackCounts) -> None:
    client = pytest.importorskip("opensearchpy").OpenSearch(os.environ["OPENSEARCH_URL"])
    index = f"taciturn-test-{os.getpid()}-{random.SystemRandom().randrange(1 << 32):08x}"
    try:
        index_in_search(client, index, small)
        same_figures(SearchCounts(client, index), small)
    finally:
        client.indices.delete(index=index)
