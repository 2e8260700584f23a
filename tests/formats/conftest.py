"""Programs that other people read files with. A test names the one it needs and gets it installed (Debian)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import pytest

_PACKAGES = {
    "pdftotext": ["poppler-utils"],
    "soffice": ["libreoffice-writer-nogui", "libreoffice-calc-nogui", "libreoffice-impress-nogui", "fonts-liberation"],
    "chromium": ["chromium"],
    "tesseract": ["tesseract-ocr", "tesseract-ocr-eng"],
}


@pytest.fixture(scope="session")
def program() -> Callable[[str], str]:
    """The path of a program, installed by apt-get if it is absent; the test is skipped where that cannot be."""

    def find(name: str) -> str:
        if not shutil.which(name) and shutil.which("apt-get"):
            packages = _PACKAGES[name]
            for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *packages]):
                subprocess.run(command, capture_output=True, timeout=600, check=False)
        found = shutil.which(name)
        if not found:
            pytest.skip(f"{name} is absent and apt-get could not install {' '.join(_PACKAGES[name])}")
        return found

    return find
