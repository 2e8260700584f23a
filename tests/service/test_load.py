"""The service under load: 32 clients at once, bounded counts, on loopback."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.slow

SRC = Path(__file__).resolve().parents[2] / "src"
CLIENTS, REQUESTS = 32, 6


@pytest.fixture
def service(tmp_path: Path) -> Iterator[tuple[str, Path, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path / "log"
    process = subprocess.Popen(
        [sys.executable, "-m", "taciturn", "serve", "--port", str(port), "--timeout", "120"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SRC), "OMP_NUM_THREADS": "1"},
        stdout=log.open("wb"),
        stderr=subprocess.STDOUT,
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            httpx.get(f"{address}/health")
            break
        except httpx.HTTPError:
            time.sleep(0.1)
    yield address, log, process
    process.send_signal(signal.SIGINT)
    process.wait(20)


def memory(address: str) -> int:
    text = httpx.get(f"{address}/metrics").text
    found = re.search(r"taciturn_worker_memory_bytes (\d+)", text)
    assert found
    return int(found.group(1))


async def ask(client: httpx.AsyncClient, name: str, number: int) -> None:
    """One client's requests: every answer speaks of its own document and of no other."""
    own = f"Zz{name}q{number}"
    text = (
        f"Mr {own} has AIDS and takes zidovudine. {own} lives in a house by the river. He keeps bees and walks to the "
        f"market. Kaposi's sarcoma was seen on the leg of {own}. The weather was fine."
    )
    kind = ("sanitize", "check", "terms", "explain")[number % 4]
    body: dict[str, object] = {"text": text} if kind == "terms" else {"text": text, "protect": ["HIV"]}
    for _ in range(20):
        answer = await client.post(f"/v1/{kind}", json=body)
        if answer.status_code != 503:
            break
        await asyncio.sleep(0.5)
    assert answer.status_code == 200, answer.text
    names = set(re.findall(r"Zz\w+?q\d+", answer.text, re.IGNORECASE))
    assert {n.lower() for n in names} <= {own.lower()}
    if kind == "sanitize":
        released = answer.json()["text"]
        assert own in released
        assert "zidovudine" not in released
        assert answer.json()["certificate"]["holds"]
    if kind == "terms":
        assert any(own in t["text"] for t in answer.json()["terms"])


async def storm(address: str, round_: int) -> None:
    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(base_url=address, timeout=180, limits=limits) as client:

        async def one(name: str) -> None:
            for number in range(REQUESTS):
                await ask(client, name, number)

        letters = [f"{chr(97 + i // 26)}{chr(97 + i % 26)}{'abc'[round_]}" for i in range(CLIENTS)]
        await asyncio.gather(*(one(name) for name in letters))


def test_thirty_two_clients_get_their_own_answers_in_bounded_memory(
    service: tuple[str, Path, subprocess.Popen[bytes]],
) -> None:
    address, log, _ = service
    asyncio.run(storm(address, 0))
    warm = memory(address)
    asyncio.run(storm(address, 1))
    after = memory(address)
    # Sets that were decoded stay; texts do not.
    assert after < warm * 1.2 + 30 * 2**20, (warm, after)
    metrics = httpx.get(f"{address}/metrics").text
    served = sum(int(n) for n in re.findall(r'route="/v1/\w+",method="POST",status="200"} (\d+)', metrics))
    assert served == 2 * CLIENTS * REQUESTS
    assert "taciturn_worker_restarts_total 0" in metrics
    assert not re.search("zidovudine|Zz", log.read_text() + metrics)


def test_a_client_that_goes_away_leaves_its_worker_behind_for_others(
    service: tuple[str, Path, subprocess.Popen[bytes]],
) -> None:
    address, _, _ = service
    body = {"text": "He has AIDS and takes zidovudine. " * 800, "protect": ["HIV"]}
    for _ in range(6):
        with pytest.raises(httpx.TimeoutException):
            httpx.post(f"{address}/v1/sanitize", json=body, timeout=0.05)
    answer = httpx.post(f"{address}/v1/terms", json={"text": "Two viruses."}, timeout=180)
    assert answer.json()["terms"][0]["key"] == "virus"
    for _ in range(400):
        if "taciturn_workers_busy 0" in httpx.get(f"{address}/metrics").text:
            return
        time.sleep(0.1)
    raise AssertionError("a worker was lost")
