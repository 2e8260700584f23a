"""Whatever is altered in a release, its certificate, its opening or on the command line is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from taciturn.cli.check import command as check
from taciturn.cli.keys import command as keys
from taciturn.cli.sanitize import command as sanitize
from taciturn.signing import read_private_key, seal

NOTE = "The patient has AIDS and takes zidovudine. He smokes.\n"
Change = Callable[[dict[str, Any]], None]


def _run(command: Any, *arguments: object) -> int:
    done = CliRunner().invoke(command, [str(a) for a in arguments], standalone_mode=False)
    return 2 if done.exception is not None else int(done.return_value or 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert _run(keys, "new", folder / "office") == _run(keys, "new", folder / "thief") == 0
    (folder / "note.txt").write_text(NOTE)
    asked = ("--protect", "HIV", "--alpha", "1.5", "-o", folder / "out.txt", "--certificate", folder / "c.json")
    assert _run(sanitize, folder / "note.txt", *asked, "--sign", folder / "office.key", "--opening", folder / "o") == 0
    return folder


def _row(change: Change) -> Change:
    return lambda said: change(said["guarantees"][0])


def _set(name: str, value: Any) -> Change:
    return lambda said: said.__setitem__(name, value)


CERTIFICATE: dict[str, Change] = {
    "the digest of the text": _set("text_sha256", "0" * 64),
    "the digest of the file": _set("released_sha256", "0" * 64),
    "the digest of the knowledge": _set("knowledge_sha256", "0" * 64),
    "its own digest": _set("sha256", "0" * 64),
    "the limits": _set("limits", "None."),
    "the verdict": _set("holds", False),
    "the commitment": _set("commitment", "0" * 64),
    "no commitment": lambda said: said.pop("commitment"),
    "what the file had": _set("file", {}),
    "a further remark": _set("approved", "by the ministry"),
    "a statement": _row(_set("statement", "nothing at all is revealed")),
    "a model": _row(_set("model", "t-plausible")),
    "the verdict of a model": _row(_set("holds", False)),
    "alpha": _row(lambda row: row["parameters"].__setitem__("alpha", 2.0)),
    "no alpha": _row(lambda row: row["parameters"].pop("alpha")),
    "a further parameter": _row(lambda row: row["parameters"].__setitem__("t", 10)),
    "a further figure": _row(lambda row: row["figures"].__setitem__("terms checked", 99)),
    "a further name": _row(_set("protected", ["influenza"])),
    "a further guarantee": lambda said: said["guarantees"].append({**said["guarantees"][0], "model": "k-safe"}),
    "no guarantee": lambda said: said["guarantees"].clear(),
}


@pytest.mark.parametrize("what", CERTIFICATE)
@pytest.mark.parametrize("by", ["an eraser", "somebody with a key", "somebody without"])
def test_an_altered_certificate_is_noticed(what: str, by: str, made: Path, tmp_path: Path) -> None:
    """By its digest; where that was made anew, by the signature."""
    said = json.loads((made / "c.json").read_text())
    CERTIFICATE[what](said)
    if by != "an eraser":
        said = seal(said, read_private_key(made / "thief.key") if by == "somebody with a key" else None)
        if what == "its own digest":
            said["sha256"] = "0" * 64
    (tmp_path / "c.json").write_text(json.dumps(said))
    assert _run(check, made / "out.txt", "--certificate", tmp_path / "c.json", "--signed-by", made / "office.pub") != 0


DERIVED = ["the digest of the knowledge", "a statement", "a model", "alpha", "no alpha", "a further parameter"]
DERIVED += ["a further figure", "a further guarantee", "no guarantee", "the commitment", "no commitment"]


@pytest.mark.parametrize("what", DERIVED)
def test_without_any_signature_what_is_derived_again_tells(what: str, made: Path, tmp_path: Path) -> None:
    said = json.loads((made / "c.json").read_text())
    CERTIFICATE[what](said)
    (tmp_path / "c.json").write_text(json.dumps(seal(said)))
    assert _run(check, made / "out.txt", "--certificate", tmp_path / "c.json", "--opening", made / "o") != 0


@pytest.mark.parametrize("part", ["ed25519", "public_key"])
@pytest.mark.parametrize("place", [0, 31, -1])
def test_an_altered_signature_is_noticed(part: str, place: int, made: Path, tmp_path: Path) -> None:
    said = json.loads((made / "c.json").read_text())
    letters = list(said["signature"][part])
    letters[place] = "0" if letters[place] != "0" else "1"
    said["signature"][part] = "".join(letters)
    (tmp_path / "c.json").write_text(json.dumps(said))
    assert _run(check, made / "out.txt", "--certificate", tmp_path / "c.json") != 0


def test_no_signature_and_a_name_twice_are_noticed(made: Path, tmp_path: Path) -> None:
    said = json.loads((made / "c.json").read_text())
    del said["signature"]
    (tmp_path / "c.json").write_text(json.dumps(said))
    assert _run(check, made / "out.txt", "--certificate", tmp_path / "c.json", "--signed-by", made / "office.pub") == 1
    twice = (made / "c.json").read_text().replace('"holds": true', '"holds": false, "holds": true', 1)
    (tmp_path / "c.json").write_text(twice)
    assert _run(check, made / "out.txt", "--certificate", tmp_path / "c.json") == 2


def test_every_altered_byte_of_the_text_is_noticed(made: Path, tmp_path: Path) -> None:
    data = (made / "out.txt").read_bytes()
    altered = [data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :] for i in range(0, len(data), 7)]
    for other in (*altered, data + b" ", data[:-1], b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n")):
        (tmp_path / "out.txt").write_bytes(other)
        assert _run(check, tmp_path / "out.txt", "--certificate", made / "c.json") == 1


OPENING: dict[str, Change] = {
    "the salt": _set("salt", "0" * 64),
    "a short salt": _set("salt", "00"),
    "the spans": _set("replaced", []),
    "the name": lambda said: said["models"][0]["parameters"].__setitem__("protect", ["influenza"]),
    "alpha": lambda said: said["models"][0]["parameters"].__setitem__("alpha", 1.0),
    "a further model": lambda said: said["models"].append(said["models"][0]),
}


@pytest.mark.parametrize("what", OPENING)
def test_an_altered_opening_is_noticed(what: str, made: Path, tmp_path: Path) -> None:
    said = json.loads((made / "o").read_text())
    OPENING[what](said)
    (tmp_path / "o").write_text(json.dumps(said))
    assert _run(check, made / "out.txt", "--certificate", made / "c.json", "--opening", tmp_path / "o") != 0


@pytest.mark.parametrize(
    "given",
    [("--alpha", "2"), ("--groups", "3"), ("--reveal", "virus"), ("--model", "k-safe"), ("--unknown", "redact")],
)
def test_parameters_that_differ_are_an_error(given: tuple[str, str], made: Path) -> None:
    asked = (made / "out.txt", "--certificate", made / "c.json", *given)
    assert _run(check, *asked, "--protect", "HIV") == 2
    assert _run(check, *asked, "--opening", made / "o") == 2
    assert _run(check, made / "out.txt", "--certificate", made / "c.json", "--opening", made / "o", "-p", "flu") == 2


def test_what_is_genuine_passes_in_all_three_ways(made: Path) -> None:
    asked = (made / "out.txt", "--certificate", made / "c.json")
    assert _run(check, *asked) == _run(check, *asked, "--signed-by", made / "office.pub") == 0
    assert _run(check, *asked, "--opening", made / "o") == 0
    assert _run(check, *asked, "--protect", "HIV") == _run(check, *asked, "--protect", "HIV", "--alpha", "1.5") == 0


LISTED = "Paris\nParma\nPerth\nPorto\nTurin\nTunis\n"
RELEASES = [
    ("--model", "t-plausible", "--protect", "AIDS", "--t", "3"),
    ("--model", "t-plausible", "--protect", "malaria", "--t", "3"),
    ("--model", "k-safe", "--protect", "tuberculosis", "-k", "3"),
    ("--model", "informative", "--protect", "HIV"),
    ("--model", "related", "--protect", "HIV"),
    ("--model", "person-release", "--protect", "Mary Smith"),
    ("--model", "denied", "--protect", "AIDS"),
    ("--model", "kinds", "--hide", "person"),
    ("--policy", "hipaa-safe-harbor", "--protect", "HIV"),
    ("--policy", "foia", "--protect", "HIV"),
]


@pytest.mark.parametrize("asked", RELEASES, ids=lambda asked: " ".join(asked[1:4]))
def test_releases_of_all_models_pass_by_certificate_and_opening(asked: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("Mary Smith has AIDS and takes zidovudine. She smokes in Paris.\n")
    beside = ("--certificate", tmp_path / "c.json", "--opening", tmp_path / "o.json")
    assert _run(sanitize, tmp_path / "n.txt", *asked, "-o", tmp_path / "r.txt", *beside) == 0
    assert _run(check, tmp_path / "r.txt", *beside) == 0


def test_k_anonymous_strings_pass_with_their_list_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("She lives in Paris.\n")
    (tmp_path / "list.txt").write_text(LISTED)
    (tmp_path / "other.txt").write_text(LISTED + "Pisa\n")
    beside = ("--certificate", tmp_path / "c.json", "--opening", tmp_path / "o.json")
    asked = ("--model", "k-anonymous", "-k", "2", "--list", tmp_path / "list.txt")
    assert _run(sanitize, tmp_path / "n.txt", *asked, "-o", tmp_path / "r.txt", *beside) == 0
    assert _run(check, tmp_path / "r.txt", *beside, "--list", tmp_path / "list.txt") == 0
    assert _run(check, tmp_path / "r.txt", *beside, "--list", tmp_path / "other.txt") == 2
    assert _run(check, tmp_path / "r.txt", *beside) == 2
