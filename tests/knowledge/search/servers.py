"""A real Lucene behind the Elasticsearch protocol, started for a test."""

from __future__ import annotations

import glob
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _jars() -> list[str]:
    return [jar for name in ("core", "analyzers-common") for jar in glob.glob(f"/usr/share/java/lucene-{name}-8*.jar")]


def install(*packages: str) -> None:
    """Install packages of Debian for a test, where that can be done; skip, loudly, where it cannot."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    try:
        print(f"installing for this test: {' '.join(command)}")
        if subprocess.run(command, capture_output=True, timeout=600).returncode:
            subprocess.run(["apt-get", "update"], capture_output=True, timeout=300)
            subprocess.run(command, check=True, capture_output=True, timeout=600)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"SKIPPED FOR WANT OF A SERVER: {' '.join(command)} failed: {error}")


@contextmanager
def lucene_server(folder: Path) -> Iterator[str]:
    """The address of a server that is compiled, started, and stopped at the end."""
    if len(_jars()) < 2 or not shutil.which("javac"):
        install("liblucene8-java", "default-jdk-headless")
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
