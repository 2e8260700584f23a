import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.entities.base import EntityBase, PackedEntityBase, open_bases, packed_base, write_base
from taciturn.knowledge.entities.files import load_base
from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.knowledge.storage.files import KnowledgeFileError
from taciturn.language import key

groups = st.frozensets(st.sampled_from([f"t{i}" for i in range(8)]), min_size=1, max_size=3)
bases = st.dictionaries(st.text("ABCé ", min_size=1, max_size=4), st.lists(groups, min_size=1, max_size=5), max_size=12)


@given(bases, st.sets(st.sampled_from([f"t{i}" for i in range(10)]), max_size=4))
def test_packed_and_plain_bases_agree(contexts: dict[str, list[frozenset[str]]], keys: set[str]) -> None:
    packed = PackedEntityBase("b", packed_base(contexts))
    plain = EntityBase("b", {e: frozenset().union(*found) for e, found in contexts.items()})
    assert dict(packed.contexts) == plain.contexts
    assert packed.fitting(keys) == plain.fitting(keys)
    assert packed.touching(keys) == plain.touching(keys)
    assert packed.vocabulary == plain.vocabulary
    assert packed.digest == plain.digest


def test_file_round_trip_and_damage(tmp_path: Path) -> None:
    path = tmp_path / "d.entities"
    contexts = {"flu": [frozenset({"fever", "pyrexia"}), frozenset({"flu"})], "cold": [frozenset({"cough"})]}
    digest = write_base(path, "d", contexts, {"note": "hand-made"})
    base = open_bases(tmp_path)["d"]
    assert isinstance(base, PackedEntityBase)
    assert (base.digest, base.source, len(base.contexts)) == (digest, {"note": "hand-made"}, 2)
    assert base.contexts["flu"] == {"fever", "pyrexia", "flu"}
    assert "measles" not in base.contexts
    assert base.fitting(()) == ("cold", "flu")
    data = bytearray(path.read_bytes())
    data[data.rindex(b"pyrexia")] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedFileError):
        PackedEntityBase.open(path).verify()


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


EXPECTED = {
    "HIV": {"HIV", "human immunodeficiency virus", "fatigue", "weight loss"},
    "flu": {"flu", "fatigue"},
}


def test_every_format_gives_the_same_base(tmp_path: Path) -> None:
    rows = "entity,term,names\nHIV,Fatigue,human immunodeficiency virus\nflu,fatigue,\nHIV,weight loss,\n"
    whole = "entity,context,names\nHIV,fatigue|Weight loss,human immunodeficiency virus\nflu,fatigue,\n"
    lines = (
        '{"entity": "HIV", "context": ["fatigue", "weight loss"], "names": ["human immunodeficiency virus"]}\n\n'
        '{"entity": "flu", "context": ["fatigue"]}\n'
    )
    for name, content in {"a.csv": rows, "b.csv": "\ufeff" + whole, "c.jsonl": lines}.items():
        base = load_base(write(tmp_path / name, content), key)
        assert (base.name, base.contexts) == (name[0], EXPECTED)


def test_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "base.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE other (x)")
        database.execute('CREATE TABLE "my ""table" (entity TEXT, term TEXT, note TEXT)')
        rows = [("HIV", "fatigue"), ("flu", "fatigue"), ("HIV", "weight loss")]
        database.executemany('INSERT INTO "my ""table" VALUES (?, ?, NULL)', rows)
    assert load_base(path, key).contexts == {"HIV": {"HIV", "fatigue", "weight loss"}, "flu": {"flu", "fatigue"}}
    with pytest.raises(KnowledgeFileError, match="no table 'nothing'; there are 'other', 'my \"table'"):
        load_base(path, key, table="nothing")
    with pytest.raises(KnowledgeFileError, match="column 'entity'"):
        load_base(path, key, table="other")
    with pytest.raises(KnowledgeFileError, match="not a SQLite database"):
        load_base(write(tmp_path / "x.sqlite", "no database, but long enough to be looked at" * 40), key)
    with pytest.raises(FileNotFoundError):
        load_base(tmp_path / "absent.db", key)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "name,term\n", "line 1: no column 'entity'"),
        ("a.csv", "entity,term,context\n", "line 1: one of the columns 'term' and 'context'"),
        ("a.csv", "entity,term,colour\n", "line 1: unknown column 'colour'"),
        ("a.csv", "entity,context\nHIV,fatigue\nHIV,fever\n", "line 3: 'HIV' was given before, at line 2"),
        ("a.csv", "entity,context\nHIV,\n", "line 2: the context of 'HIV' is empty"),
        ("a.csv", "entity,context\n ,fever\n", "line 2: the entity is empty"),
        ("a.csv", "entity,context\nHIV\n", "line 2: 1 cells, the first line has 2"),
        ("a.csv", "entity,term\n", "there is no entity in it"),
        ("a.csv", b"entity,term\nHIV,fi\xe8vre\n", "line 2: byte 0xe8 is not UTF-8"),
        ("a.csv", 'entity,term\nHIV,"fever\n', "line 2: "),
        ("a.jsonl", '{"entity": "HIV"\n', "line 1: not JSON"),
        ("a.jsonl", "[1]\n", "line 1: not an object"),
        ("a.jsonl", '{"entity": "HIV", "context": "fever"}\n', "line 1: 'context' and 'names' must be lists"),
        ("a.jsonl", '{"entity": "HIV", "context": ["fever"], "colour": 1}\n', "line 1: unknown 'colour'"),
        ("a.txt", "", "'.txt' is no entity file"),
    ],
)
def test_bad_files_say_where_and_why(tmp_path: Path, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(KnowledgeFileError) as error:
        load_base(write(tmp_path / name, content), key)
    assert message in str(error.value)
