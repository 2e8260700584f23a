"""Half-sent requests on a real server: they are ended, and whoever sends a whole request is answered."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import httpx
import pytest
import uvicorn

from taciturn.review.connections import settings
from taciturn.review.security import Guard, Message, Receive, Rules, Scope, Send

WHOLE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def _reads_all(scope: Scope, receive: Receive, send: Send) -> None:
    more = True
    while more:
        message: Message = await receive()
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def _server(most: int, seconds: float) -> Iterator[int]:
    app = Guard(_reads_all, Rules(token="0123456789abcdef", open=frozenset({"/health"}), seconds=seconds))
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", **settings(most, seconds)))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(512)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)


def _connect(port: int, stack: ExitStack, start: bytes) -> socket.socket:
    made = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
    made.sendall(start)
    return made


def _is_ended(connection: socket.socket) -> bool:
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"GET / HT",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: ",
        b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
        WHOLE + b"GET / HT",
    ],
)
def test_half_sent_requests_starve_nobody(start: bytes) -> None:
    with _server(8, 60.0) as port, ExitStack() as stack:
        half = [_connect(port, stack, start) for _ in range(60)]
        before = time.monotonic()
        for _ in range(5):
            assert httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).text == "ok"
        assert time.monotonic() - before < 4
        if not start.startswith(WHOLE):
            assert all(_is_ended(c) for c in half[:50])


def test_a_header_and_a_body_must_come_in_time() -> None:
    with _server(100, 0.5) as port, ExitStack() as stack:
        header = _connect(port, stack, b"GET /health HTTP/1.1\r\nHo")
        body = _connect(port, stack, b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc")
        assert _is_ended(header)
        assert body.recv(1000).startswith(b"HTTP/1.1 408")


def test_a_header_has_a_usual_size() -> None:
    with _server(100, 60.0) as port, ExitStack() as stack:
        large = _connect(port, stack, b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * 40_000)
        answer = b""
        with suppress(ConnectionError):
            answer = large.recv(1000)
        assert not answer or answer.startswith(b"HTTP/1.1 4")


def test_who_is_refused_keeps_no_connection() -> None:
    with _server(100, 60.0) as port, ExitStack() as stack:
        refused = _connect(port, stack, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b"".join(iter(lambda: refused.recv(1000), b""))  # to its end, which comes
        assert answer.startswith(b"HTTP/1.1 401")
        kept = _connect(port, stack, WHOLE)
        for _ in range(2):
            answer = b""
            while not answer.endswith(b"ok"):
                answer += kept.recv(1000)
            assert b"200 OK" in answer
            kept.sendall(WHOLE)
