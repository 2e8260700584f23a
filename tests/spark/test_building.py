"""Packs built on Spark: the bytes of the local builder, whatever the partitions; failures as rows."""

from __future__ import annotations

import json
import lzma
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from taciturn.knowledge import Knowledge
from taciturn.knowledge import building as local
from taciturn.knowledge.building import Parameters, Source, embedded_taxonomies
from taciturn.knowledge.building.shards import index_shard, open_shard
from taciturn.knowledge.building.sources import Article
from taciturn.spark import Corpus, build_pack, building
from tests.knowledge.packs import SMALL
from tests.shared_data import SHARED, needs_shared


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def rows_of(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.slow
@needs_shared
def test_real_texts_give_the_bytes_of_the_local_builder(spark: Any, tmp_path: Path) -> None:
    sizes = {"wikipedia-leads": 250, "medquad": 40}
    corpora, sources = [], []
    for name, size in sizes.items():
        path = tmp_path / f"{name}.jsonl"
        with lzma.open(SHARED / "data" / "corpus" / f"{name}.jsonl.xz", "rt") as file:
            path.write_text("".join(islice(file, size)), "utf-8")
        least = 50 if "leads" in name else 0
        sources.append(Source(path, name, "1", "CC BY", least))
        # The order is (book, line): a string and a number, so that neither alone has it.
        rows = [("a" if i < 40 else "b", i, r["text"], r.get("title")) for i, r in enumerate(rows_of(path))]
        rows.append(("a", -1, None, "without text"))
        random.Random(7).shuffle(rows)
        frame = spark.createDataFrame(rows, "book string, line int, body string, head string").repartition(5)
        corpora.append(Corpus(frame, ["book", "line"], "body", "head", False, name, "1", "CC BY", least))
    parameters = Parameters(shard=40_000)
    taxonomies = [min(embedded_taxonomies(), key=lambda p: p.stat().st_size)]
    (tmp_path / "local").mkdir()
    pack = local.build_pack(sources, tmp_path / "local" / "p", taxonomies=taxonomies, parameters=parameters, workers=1)
    built = build_pack(corpora, tmp_path / "cluster" / "p", taxonomies=taxonomies, parameters=parameters)
    assert contents(built.pack.path) == contents(pack.path)
    assert built.failed == ()
    stubs = sum(r["text"].count(" ") + 1 < 50 for r in rows_of(sources[0].path))
    assert stubs > 10
    assert (built.documents, built.left_out) == (sum(sizes.values()) - stubs, stubs + 2)
    assert [p.name for p in (tmp_path / "cluster").iterdir()] == ["p"]
    assert Knowledge.open(built.pack.path).counts.count("disease") > 10


@pytest.mark.slow
def test_letters_beyond_the_first_plane_and_orders_that_repeat(spark: Any, tmp_path: Path) -> None:
    texts = [f"A cat 🐈 sees the dog 𝒟{i} near the nurse." for i in range(30)]
    (tmp_path / "local").mkdir()
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"text": t}) + "\n" for t in texts), "utf-8")
    pack = local.build_pack([Source(path, "t")], tmp_path / "local" / "p", parameters=SMALL, workers=1)
    frame = spark.createDataFrame(list(enumerate(texts)), "n int, text string")
    built = build_pack(Corpus(frame, "n", title=None, name="t"), tmp_path / "p", parameters=SMALL)
    assert contents(built.pack.path) == contents(pack.path)
    dotted = Corpus(frame.toDF("a.n", "a.text"), "a.n", text="a.text", title=None, name="t")
    assert contents(build_pack(dotted, tmp_path / "dotted" / "p", parameters=SMALL).pack.path) == contents(pack.path)
    with pytest.raises(ValueError, match="exists already"):
        build_pack(Corpus(frame, "n", title=None), tmp_path / "p", parameters=SMALL)
    twice = Corpus(frame.union(frame), "n", title=None)
    with pytest.raises(ValueError, match=r"the place of another article.*\(0,\)"):
        build_pack(twice, tmp_path / "q", parameters=SMALL)
    with pytest.raises(ValueError, match="no column 'title'"):
        build_pack(Corpus(frame, "n"), tmp_path / "q", parameters=SMALL)
    with pytest.raises(ValueError, match="holds int, not text"):
        build_pack(Corpus(frame, "text", text="n", title=None), tmp_path / "q", parameters=SMALL)
    with pytest.raises(ValueError, match="order by whole numbers or strings"):
        build_pack(Corpus(frame.selectExpr("n / 2 AS n", "text"), "n", title=None), tmp_path / "q", parameters=SMALL)
    with pytest.raises(ValueError, match="hold no text"):
        build_pack(Corpus(frame.where("n < 0"), "n", title=None), tmp_path / "q", parameters=SMALL)
    assert not (tmp_path / "q").exists()


@pytest.mark.slow
def test_wikitext_gives_the_bytes_of_a_dump(spark: Any, tmp_path: Path) -> None:
    pages = [(f"Cat {i}", f"'''Cat {i}''' sees the [[dog|dogs]] near {{{{box|n={i}}}}} a nurse.") for i in range(6)]
    one = "<page><title>{}</title><ns>0</ns><revision><text>{}</text></revision></page>"
    path = tmp_path / "dump.xml"
    path.write_text(f"<mediawiki>{''.join(one.format(*page) for page in pages)}</mediawiki>", "utf-8")
    (tmp_path / "local").mkdir()
    pack = local.build_pack([Source(path, "d")], tmp_path / "local" / "p", parameters=SMALL, workers=1)
    frame = spark.createDataFrame([(i, *page) for i, page in enumerate(pages)], "n int, title string, text string")
    built = build_pack(Corpus(frame, "n", markup=True, name="d"), tmp_path / "p", parameters=SMALL)
    assert contents(built.pack.path) == contents(pack.path)
    assert Knowledge.open(built.pack.path).counts.count("box") == 0


def test_shards_are_where_the_last_start_before_a_place_says() -> None:
    pa = pytest.importorskip("pyarrow")
    batch = pa.RecordBatch.from_pydict({"a": ["x", "x", "y", "z"], "b": [1, 5, 0, 9]})
    [assigned] = building.assign_shards([batch], ["a", "b"], [("x", 1), ("x", 5), ("z", 0)])
    assert assigned.column(2).to_pylist() == [0, 1, 1, 2]


def test_an_article_that_fails_is_a_row_and_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    articles = [(f"[{i}]", Article("", text)) for i, text in enumerate(["A cat.", "Boom.", "A dog.", "Two cats."])]

    def index(some: list[Article], path: Path, shortest: int, longest: int) -> int:
        if any(a.text == "Boom." for a in some) or sum(a.text.startswith("Clash") for a in some) > 1:
            raise RecursionError("Boom.")
        return index_shard(some, path, shortest, longest)

    monkeypatch.setattr(building, "index_shard", index)
    contexts, [(place, why)] = building.index_articles(articles, tmp_path / "left", 1, 8)
    assert (contexts, place) == (3, "[1]")
    assert "RecursionError" in why
    assert "Boom" not in why
    sound = [article for _, article in articles if article.text != "Boom."]
    index_shard(sound, tmp_path / "expected", 1, 8)
    assert (tmp_path / "left").read_bytes() == (tmp_path / "expected").read_bytes()
    clash = [("[0]", Article("", "Clash one.")), ("[1]", Article("", "Clash two."))]
    contexts, failed = building.index_articles(clash, tmp_path / "none", 1, 8)
    assert (contexts, [place for place, _ in failed]) == (0, ["[0]", "[1]"])
    assert open_shard(tmp_path / "none").meta["contexts"] == 0
