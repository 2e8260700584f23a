"""Surrogates that are the same throughout a dossier, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

from tests.batch import collections as c

POLICY = """
title = "Surrogates"
[replace]
mark = "surrogate"

[[protect]]
kinds = ["person"]

[[model]]
name = "kinds"
scope = "dossier"
secret = "a secret of ours"
"""
NOTES = {
    "one/a.txt": "Ms. Adaeze Okafor came with Dr. Balogun.",
    "one/b.txt": "Dr. Eze saw Ms. Okafor again.",
    "two/a.txt": "Ms. Okafor came.",
}


def test_files_of_a_folder_share_their_surrogates(tmp_path: Path) -> None:
    for name, text in NOTES.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    (tmp_path / "policy.toml").write_text(POLICY)
    asked = [str(tmp_path / "in"), "--policy", str(tmp_path / "policy.toml"), "--dossier", "folder", "--workers", "1"]
    code, told = c.run(*asked, "-o", str(tmp_path / "out"))
    assert code == 0, told
    released = {name: (tmp_path / "out" / "released" / name).read_text() for name in NOTES}
    surnames = {name: re.findall(r"Ms\.(?: [A-Z]\w+)? ([A-Z]\w+)", text) for name, text in released.items()}
    assert surnames["one/a.txt"] == surnames["one/b.txt"] != surnames["two/a.txt"]
    here = released["one/a.txt"] + released["one/b.txt"]
    assert not re.search("Okafor|Balogun|Eze|Adaeze", here)
    assert not (tmp_path / "out" / "dossiers.jsonl").exists()  # no model judges these releases together


def test_rows_of_a_dossier_share_their_surrogates(tmp_path: Path) -> None:
    rows = ["patient,note", "7,Ms. Okafor came.", "8,Ms. Okafor came.", "7,Dr. Lee saw Ms. Okafor."]
    (tmp_path / "notes.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "policy.toml").write_text(POLICY)
    asked = [str(tmp_path / "notes.csv"), "--policy", str(tmp_path / "policy.toml"), "--text", "note"]
    code, told = c.run(*asked, "--dossier", "patient", "--workers", "1", "-o", str(tmp_path / "out"))
    assert code == 0, told
    text = (tmp_path / "out" / "released" / "notes.csv").read_text()
    names = dict(zip("abc", re.findall(r"Ms\. (\w+)", text), strict=True))
    assert names["a"] == names["c"] != names["b"]
