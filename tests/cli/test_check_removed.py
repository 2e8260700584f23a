from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from taciturn.cli.check import command


def test_the_bytes_of_a_file_are_searched_for_a_list(tmp_path: Path) -> None:
    names, kept, clean = tmp_path / "names.txt", tmp_path / "kept.html", tmp_path / "clean.html"
    names.write_text("Antonio Banderas\n\nMelanie Griffith\n")
    kept.write_text("<html><p>words</p><!-- by Antonio Banderas --><a href='/antonio_banderas'>x</a></html>")
    clean.write_text("<html><p>words</p></html>")

    def run(file: Path, *options: str) -> tuple[object, str]:
        done = CliRunner().invoke(command, [str(file), "--removed", str(names), *options], standalone_mode=False)
        return done.return_value, done.stdout

    code, shown = run(kept, "--json")
    assert code == 1
    assert {(leak["text"], leak["where"]) for leak in json.loads(shown)} >= {
        ("Antonio Banderas", "comment"),
        ("Antonio Banderas", "attribute href"),
    }
    assert run(clean)[0] == 0
