"""A real Lucene behind the Elasticsearch protocol, started for a test."""

from __future__ import annotations

import glob
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOENT
from pathlib import Path

import pytest


def _jars() -> list[str]:
    return [jar for name in ("core", "analyzers-common") for jar in glob.glob(f"/usr/share/java/lucene-{name}-8*.jar")]


def install(*packages: str) -> None:
    """Install packages of Debian where that can be done; a file is not found where it cannot."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    try:
        print(f"installing: {' '.join(command)}")
        if subprocess.run(command, capture_output=True, timeout=600).returncode:
            subprocess.run(["apt-get", "update"], capture_output=True, timeout=300)
            subprocess.run(command, check=True, capture_output=True, timeout=600)
    except (OSError, subprocess.SubprocessError) as error:
        raise FileNotFoundError(ENOENT, f"{' '.join(command)} failed", packages[0]) from error


@contextmanager
def or_skip() -> Iterator[None]:
    """Skip a test, loudly, where what it needs cannot be installed."""
    try:
        yield
    except FileNotFoundError as error:
        pytest.skip(f"SKIPPED FOR WANT OF A SERVER: {error}")


def install_lucene() -> None:
    """See that Lucene and a compiler are there."""
    if len(_jars()) < 2 or not shutil.which("javac"):
        install("liblucene8-java", "default-jdk-headless")


@contextmanager
def lucene_server(folder: Path) -> Iterator[str]:
    """The address of a server that is compiled, started, and stopped at the end."""
    install_lucene()
    jars = ":".join(_jars())
    source = Path(__file__).with_name("LuceneServer.java")
    subprocess.run(["javac", "-cp", jars, "-d", str(folder), str(source)], check=True, timeout=300)
    command = ["java", "-Xmx512m", "-Dsun.net.httpserver.nodelay=true", "-cp", f"{jars}:{folder}", "LuceneServer"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        word, _, port = server.stdout.readline().strip().partition(" ")
        assert word == "listening", "the server did not start"
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()
