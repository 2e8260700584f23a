"""What is shipped: a wheel that installs into an empty environment and works there without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _run(*command: str | Path, cwd: Path, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=clean | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _without_network() -> list[str]:
    """The words before a command that take its network away; none where this machine does not allow it."""
    alone = ["unshare", "--map-root-user", "--net"]
    can = shutil.which("unshare") and subprocess.run([*alone, "true"], capture_output=True, check=False).returncode == 0
    return alone if can else []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of what git knows: nothing that lies around in the checkout gets into it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    known = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, known.decode().split("\0")):
        if name.startswith("src/") or "/" not in name:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", out, ".", cwd=source)
    (built,) = out.glob("taciturn-*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        packed = sum(entry.compress_size for entry in archive.infolist())
    assert not [name for name in names if not name.startswith(("taciturn/", "taciturn-"))]
    assert not [
        name
        for name in names
        if "test" in Path(name).parts or (name.endswith((".jsonl", ".xz")) and "/samples/" not in name)
    ]
    assert {"taciturn/py.typed", "taciturn/packs/en/manifest.json"} <= set(names)
    assert packed < 80_000_000


@pytest.mark.slow
def test_the_wheel_runs_the_demo_in_an_empty_environment_without_a_network(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    binaries = tmp_path / "env" / "bin"
    _run(binaries / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    shown = _run(*_without_network(), binaries / "taciturn", "demo", cwd=tmp_path, HOME=str(tmp_path))
    assert "the guarantee holds" in shown.replace("\n", " ")
    (tmp_path / "note.txt").write_text("The patient has HIV.")
    released = _run(
        *_without_network(), binaries / "taciturn", "sanitize", "note.txt", "--protect", "HIV", cwd=tmp_path
    )
    assert "HIV" not in released


def test_the_same_version_everywhere() -> None:
    import taciturn

    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {taciturn.__version__}\n" in citation


def test_wheels_are_made_for_every_version_that_is_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["requires-python"] == ">=3.11"
    assert project["tool"]["cibuildwheel"]["build"].startswith("cp311-* ")
