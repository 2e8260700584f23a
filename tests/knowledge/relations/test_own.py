"""A user's own relations: files, shares, and what C-sanitized makes of them."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn import CSanitized, InputError, Knowledge, check, sanitize
from taciturn.cli.sanitize import command
from taciturn.knowledge import ContextCounts, OwnRelation, OwnRelations, load_relations
from taciturn.knowledge.relations.own import Stated
from taciturn.knowledge.storage.files import KnowledgeFileError
from taciturn.language import key

CSV = """expression,relation,matter,share,source
Ward 7B,clinic for,HIV,0.75,our hospital
Ward 7B,clinic for,hepatitis B,,
blue folders,kept for,HIV,,
"""
JSONL = """{"expression": "Ward 7B", "relation": "clinic for", "matter": "HIV", "share": 0.75, "source": "our hospital"}

{"expression": "Ward 7B", "relation": "clinic for", "matter": "hepatitis B"}
{"expression": "blue folders", "relation": "kept for", "matter": "HIV", "share": null}
"""


@pytest.mark.parametrize(("name", "text"), [("own.csv", CSV), ("own.jsonl", JSONL)])
def test_files_give_the_same(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    own = load_relations(tmp_path / name)
    assert (own.name, len(own)) == (name, 3)
    said = own.speaking(key("HIV"))
    assert said == {
        "ward 7b": Stated(0.75, "clinic for", ("our hospital",)),
        "ward 7B": Stated(0.75, "clinic for", ("our hospital",)),
        "blue folder": Stated(1.0, "kept for", (name,)),
    }
    assert own.speaking(key("hepatitis B"))[key("Ward 7B")].share == 0.5


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("own.csv", "expression,matter\n", "line 1: no column 'relation'"),
        ("own.csv", "expression,relation,matter\nspray,treats,\n", "line 2: the relation has '' for its matter"),
        ("own.csv", "expression,relation,matter,share\nspray,treats,gout,much\n", "line 2: .* has the share 'much'"),
        ("own.csv", "expression,relation,matter,share\nspray,treats,gout,0\n", "line 2: .* has the share 0.0"),
        ("own.jsonl", '{"expression": "a", "relation": "b", "matter": ["c"]}', "line 1: .* has .'c'. for its matter"),
        ("own.jsonl", "{\n", "line 1: not JSON"),
        ("own.jsonl", "[]\n", "line 1: '..' is no object"),
        ("own.txt", "", "use .csv, .jsonl"),
    ],
)
def test_a_faulty_file_is_refused_with_its_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(KnowledgeFileError, match=message):
        load_relations(tmp_path / name)


def test_a_faulty_relation_is_refused() -> None:
    with pytest.raises(InputError, match="a relation of 'pins' has the share 2"):
        OwnRelations("pins", [OwnRelation("gold pin", "worn by", "sales club", 2)])


def test_kinds_of_a_matter_speak_for_it_together() -> None:
    lexicon = Knowledge.default().lexicon
    assert lexicon is not None
    rows = [OwnRelation("kit", "used for", m) for m in ("hemophilia A", "hemophilia B", "gout", "asthma")]
    knowledge = Knowledge(ContextCounts([{"hemophilia"}, *({"note"} for _ in range(15))]), lexicon=lexicon)
    with_own = Knowledge(knowledge.counts, lexicon=lexicon, own_relations=(OwnRelations("own", rows),))
    said = with_own.witnesses.speaking(key("hemophilia"))[key("kit")]
    assert (said.witness, said.says, said.sources) == ("relation", "used for", ("own",))
    assert said.bits == pytest.approx(4 + log2(2 / 4))
    assert key("kit") not in knowledge.witnesses.speaking(key("hemophilia"))


def test_without_a_lexicon_the_words_of_the_matter_decide() -> None:
    own = OwnRelations("own", [OwnRelation("gold pin", "worn by", "sales clubs", 0.5)])
    knowledge = Knowledge(ContextCounts([{"sales club"}, *({"note"} for _ in range(15))]), own_relations=(own,))
    model = CSanitized(protect=["sales club"], alpha=1.5)
    assert knowledge.witnesses.speaking(key("sales club"))[key("gold pin")].bits == 3
    assert not check("He has a gold pin.", model, knowledge).holds
    assert sanitize("He has a gold pin.", model, knowledge).text == "He has a [REDACTED]."
    assert key("gold pin") not in knowledge.of_counts.witnesses.speaking(key("sales club"))


@pytest.mark.parametrize(
    "written",
    ["Ward 7B", "ward 7b", "WARD 7B", "Ward-7B", "blue folder", "Blue Folders", "BLUE FOLDER", "gold pin", "ZYXOR"],
)
def test_it_is_found_however_a_text_writes_it(written: str) -> None:
    expressions = ("Ward 7B", "blue folders", "GOLD-PIN", "Zyxor")
    own = OwnRelations("own", [OwnRelation(expression, "sign of", "HIV") for expression in expressions])
    knowledge = replace(Knowledge.default(), own_relations=(own,))
    text, model = f"She saw the {written} on Monday.", CSanitized(protect=["HIV"])
    assert check(text, model).holds
    assert not check(text, model, knowledge).holds
    assert written not in sanitize(text, model, knowledge).text


def test_the_digest_tells_own_relations_apart() -> None:
    counts = ContextCounts([{"note"}])
    made = [
        OwnRelations("own", [OwnRelation("pin", "worn by", "club", share), OwnRelation("hat", "worn by", "club")])
        for share in (None, 0.5)
    ]
    digests = {Knowledge(counts, own_relations=own).digest for own in ((), (made[0],), (made[1],))}
    assert len(digests) == 3
    again = OwnRelations("own", [OwnRelation("hat", "worn by", "club"), OwnRelation("pin", "worn by", "club")])
    assert again.digest == made[0].digest, "whatever the order of the rows"


def test_a_file_is_knowledge_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "wards.csv").write_text(CSV, "utf-8")
    note = tmp_path / "note.txt"
    note.write_text("She came to Ward 7B on Monday.")
    asked = [str(note), "--protect", "HIV"]
    assert CliRunner().invoke(command, asked).stdout == note.read_text()
    done = CliRunner().invoke(command, [*asked, "--knowledge", str(tmp_path / "wards.csv")])
    assert done.exit_code == 0, done.output
    assert "7B" not in done.stdout
    assert "Monday" in done.stdout
