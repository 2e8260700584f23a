"""The tutorial's commands and what they print, so that its page can be written anew and tested.

    python -m tests.tutorial        run every command of docs/tutorial.md and put what it printed under it

A ``console`` block holds commands (``$ ...``) with their output; a ``python`` block's output is the ``text`` block
that follows it. All run in one folder, in order, with the examples at hand.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "tutorial.md"
_BLOCK = re.compile(r"```console\n(.*?)```|```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def run_page(page: str, taciturn: Sequence[str] = (sys.executable, "-m", "taciturn")) -> str:
    """The page with the output of its commands as they print it now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "src" / "taciturn" / "samples", folder, dirs_exist_ok=True)
        shims = folder / ".bin"
        shims.mkdir()
        (shims / "taciturn").write_text(f'#!/bin/sh\nexec {" ".join(taciturn)} "$@"\n', "utf-8")
        (shims / "taciturn").chmod(0o755)
        environment = os.environ | {
            "PATH": f"{shims}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "110",
            "NO_COLOR": "1",
        }

        def output(command: Sequence[str]) -> str:
            done = subprocess.run(command, cwd=folder, env=environment, stdout=-1, stderr=subprocess.STDOUT)
            return "\n".join(line.rstrip() for line in done.stdout.decode("utf-8").splitlines())

        def again(block: re.Match[str]) -> str:
            if block[2]:
                return f"```python\n{block[2]}```\n\n```text\n{output([sys.executable, '-c', block[2]])}\n```"
            commands = [line for line in block[1].splitlines() if line.startswith("$ ")]
            parts = [f"{line}\n{output(['sh', '-c', line[2:]])}".rstrip() for line in commands]
            return "```console\n" + "\n".join(parts) + "\n```"

        return _BLOCK.sub(again, page)


if __name__ == "__main__":
    PAGE.write_text(run_page(PAGE.read_text("utf-8")), "utf-8")
