"""Packs: a sound one answers, a damaged, foreign or newer one gives one clear error and never a wrong count."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from taciturn.knowledge import Knowledge
from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.knowledge.storage.pack import PackError, open_pack, set_defaults, verify_pack
from tests.knowledge.packs import SUBJECTS, small_pack

GROUPS = [[a] for a in [*SUBJECTS, "drug", "animal", "thing"]] + [["drug", b] for b in SUBJECTS]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_pack(tmp_path_factory.mktemp("pack")).path


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "pack"))


def answers(path: Path) -> list[int]:
    return Knowledge.open(path).counts.count_many(GROUPS).tolist()


def test_counts_by_subsumption(made: Path) -> None:
    counts = Knowledge.open(made).counts
    both = counts.count("zidovudine") + counts.count("aspirin") - counts.count("zidovudine", "aspirin")
    assert counts.count("drug") == both > 0
    assert counts.count("azt") == counts.count("zidovudine")
    assert counts.count() == counts.total
    assert counts.count("no such key", "cat") == 0
    assert counts.pmi("cat", "no such key") == counts.pmi("no such key", "cat") == -float("inf")


def test_batches_agree_with_single_questions(made: Path) -> None:
    counts = Knowledge.open(made).counts
    entities = ["HIV", "drug", "no such key"]
    groups = [*GROUPS, [], ["no such key"], ["cat", "garden", "dog"], ["thing", "drug", "aspirin", "garden"]]
    batch = counts.pmi_many(entities, groups)
    plain = super(type(counts), counts).pmi_many(entities, groups)
    assert (batch == plain).all()


def test_the_manifest_says_what_the_pack_is(made: Path) -> None:
    manifest = json.loads((made / "manifest.json").read_text())
    assert manifest["sources"][0] == {"name": "texts", "version": "1", "licence": "none"}
    assert manifest["parameters"]["min_count"] == 1
    assert set(manifest["files"]) == {"counts.bin", "postings.bin", "things.taxonomy"}
    verify_pack(open_pack(made))


def test_every_file_cut_short_is_refused(made: Path, copy: Path) -> None:
    for name in sorted(p.name for p in made.iterdir()):
        whole = (made / name).read_bytes()
        for size in {0, 1, len(whole) // 2, len(whole) - 2}:
            (copy / name).write_bytes(whole[:size])
            with pytest.raises(DamagedFileError, match=r"damaged|manifest"):
                answers(copy)
        (copy / name).write_bytes(whole)


def test_a_flipped_bit_gives_an_error_or_the_right_answer(made: Path, copy: Path) -> None:
    right = answers(made)
    chance = random.Random(3)
    refused = 0
    for name in sorted(p.name for p in made.iterdir()):
        whole = bytearray((made / name).read_bytes())
        for _ in range(60):
            at, bit = chance.randrange(len(whole)), 1 << chance.randrange(8)
            whole[at] ^= bit
            (copy / name).write_bytes(whole)
            try:
                assert answers(copy) == right
            except DamagedFileError:
                refused += 1
            with pytest.raises(DamagedFileError):
                verify_pack(open_pack(copy))
            whole[at] ^= bit
        (copy / name).write_bytes(whole)
    assert refused > 60


def test_a_file_of_another_pack_is_found_by_verify(made: Path, copy: Path, tmp_path: Path) -> None:
    whole = bytearray((copy / "postings.bin").read_bytes())
    whole[0] ^= 255
    (copy / "postings.bin").write_bytes(whole)
    with pytest.raises(PackError, match="damaged at byte 0"):
        answers(copy)
    with pytest.raises(PackError, match=r"postings.bin is not as built"):
        verify_pack(open_pack(copy))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "format 99"),
        ({"kind": "cake"}, "not a pack of Taciturn"),
        ({"defaults": {"alpha": 9}}, "manifest was changed"),
    ],
)
def test_foreign_newer_and_edited_manifests_are_refused(copy: Path, change: dict[str, object], message: str) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, **change}))
    with pytest.raises(PackError, match=message):
        open_pack(copy)


def test_other_keys_are_refused_with_the_command_that_rebuilds(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taciturn.knowledge.storage.pack.KEY_VERSION", "another")
    with pytest.raises(PackError, match=r"taciturn knowledge build SOURCE... -o"):
        open_pack(made)


def test_a_folder_that_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="is not a pack"):
        Knowledge.open(tmp_path)
    with pytest.raises(PackError, match="is not a pack"):
        Knowledge.open(tmp_path / "nothing")


def test_defaults_are_kept_and_the_digest_stays(copy: Path) -> None:
    before = open_pack(copy)
    after = set_defaults(before, {"alpha": 1.5})
    assert after.defaults == {"alpha": 1.5}
    assert after.digest == before.digest


def test_two_processes_read_one_pack(made: Path) -> None:
    program = (
        "import sys; from taciturn.knowledge import Knowledge; "
        "print(Knowledge.open(sys.argv[1]).counts.count_many([['drug'], ['cat', 'thing']]).tolist())"
    )
    readers = [
        subprocess.Popen([sys.executable, "-c", program, str(made)], stdout=subprocess.PIPE, text=True, cwd="src")
        for _ in range(2)
    ]
    first, second = (reader.communicate()[0] for reader in readers)
    assert first == second
    assert json.loads(first) == Knowledge.open(made).counts.count_many([["drug"], ["cat", "thing"]]).tolist()


def test_resolve_strips_modifiers_and_keeps_the_head(made: Path) -> None:
    knowledge = Knowledge.open(made)
    assert knowledge.resolve("very large cat") == "cat"
    assert knowledge.resolve("cat of the house") == "cat"
    assert knowledge.resolve("xyzzy") is None
