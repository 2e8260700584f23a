"""The service under 32 clients at once, on loopback: what a request costs, how long it takes, what memory is held.

    python -m benchmarks.service

Each client sends ``REQUESTS`` requests one after another, each with a text of its own of about 330 words. CPU time is
of the server and its workers; the times by the clock depend on what else the machine does. ``memory`` is that of the
workers at the end.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from typing import Any

SRC = Path(__file__).resolve().parents[1] / "src"
CLIENTS, REQUESTS = 32, 6
LIMIT = 600
_WORDS = (
    "The patient, Mr {name}, came to the clinic with a dry cough and night sweats. He has had AIDS for years and takes "
    "zidovudine every morning. A lesion of Kaposi's sarcoma was seen on his left leg and photographed. He lives in a "
    "house by the river, keeps bees, and walks to the market on Mondays. The weather was fine. "
)


def main() -> list[dict[str, Any]]:
    """Print a row for each kind of request, and return the rows."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder)) as (address, pid):
        asyncio.run(_storm(address, "sanitize", 2))  # what every worker decodes once is decoded
        print(f"{'request':<12}{'requests':>9}{'CPU ms':>9}{'requests/s':>12}{'median s':>10}{'95 % s':>9}{'MB':>7}")
        for kind in ("sanitize", "check", "explain", "terms"):
            before, start = _cpu(pid), time.perf_counter()
            times = asyncio.run(_storm(address, kind, REQUESTS))
            elapsed, spent = time.perf_counter() - start, _cpu(pid) - before
            row = {
                "request": kind,
                "clients": CLIENTS,
                "requests": len(times),
                "CPU ms a request": 1000 * spent / len(times),
                "requests/s": len(times) / elapsed,
                "median s": median(times),
                "95 % s": quantiles(times, n=20)[-1],
                "workers MB": _memory(address) / 1e6,
            }
            rows.append(row)
            print(
                f"{kind:<12}{len(times):>9}{row['CPU ms a request']:>9.1f}{row['requests/s']:>12.1f}"
                f"{row['median s']:>10.2f}{row['95 % s']:>9.2f}{row['workers MB']:>7.0f}",
                flush=True,
            )
    return rows


@contextmanager
def _served(folder: Path) -> Iterator[tuple[str, int]]:
    """A running service: its address and the number of its process."""
    import httpx

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(SRC), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "taciturn", "serve", "--port", str(port), "--timeout", "300"]
    process = subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(900):
            with suppress(httpx.HTTPError):
                httpx.get(f"{address}/health")
                break
            time.sleep(0.1)
        else:
            raise TimeoutError("the service does not start")
        yield address, process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


async def _storm(address: str, kind: str, requests: int) -> list[float]:
    import httpx

    times: list[float] = []
    async with httpx.AsyncClient(base_url=address, timeout=600, limits=httpx.Limits(max_connections=CLIENTS)) as client:

        async def one(name: str) -> None:
            for number in range(requests):
                body: dict[str, Any] = {"text": (_WORDS * 5).format(name=f"Tell{name}{number}man")}
                if kind != "terms":
                    body["protect"] = ["HIV"]
                start = time.perf_counter()
                answer = await client.post(f"/v1/{kind}", json=body)
                answer.raise_for_status()
                times.append(time.perf_counter() - start)

        await asyncio.gather(*(one(chr(97 + i % 26) * (1 + i // 26)) for i in range(CLIENTS)))
    return times


def _memory(address: str) -> int:
    import httpx

    found = re.search(r"taciturn_worker_memory_bytes (\d+)", httpx.get(f"{address}/metrics").text)
    return int(found.group(1)) if found else 0


def _cpu(pid: int) -> float:
    """CPU seconds of a process and its children that run."""
    spent = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == pid or int(fields[1]) == pid:
            spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


if __name__ == "__main__":
    main()
