"""Compiles the inner loops of Taciturn when Taciturn is installed, if there is a compiler.

    python hatch_build.py        # where hatchling is installed

does it in place, for work on a checkout. Without a compiler the installation is the same but for these files, and
numpy does their work.
"""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SOURCES = sorted(path.relative_to(ROOT) for path in (ROOT / "src" / "taciturn").rglob("*.c"))


def compile_in_place() -> list[Path]:
    """The compiled modules beside their sources, those that this machine can make."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extensions = [Extension(".".join(path.with_suffix("").parts[1:]), [str(path)], optional=True) for path in SOURCES]
    command = build_ext(Distribution({"name": "taciturn", "ext_modules": extensions}))
    command.build_lib, command.build_temp = "src", "build"
    with chdir(ROOT):
        command.ensure_finalized()
        command.run()
    built = [Path("src", command.get_ext_filename(extension.name)) for extension in extensions]
    return [path for path in built if (ROOT / path).exists()]


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, which is then one for this platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if built := compile_in_place():
            build_data["artifacts"] += [path.as_posix() for path in built]
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


if __name__ == "__main__":
    sys.exit(None if compile_in_place() else "no compiler could make the inner loops; numpy will do their work")
