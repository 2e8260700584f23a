"""Connections of the review and of the service: who has not sent a whole request yet takes nobody's place.

A connection *waits* while its request has not arrived in full. The header of a request must arrive within seconds and
be of a usual size, and only so many connections may wait: one more ends the one that has waited longest. So a thousand
half-sent requests are ended one after another, and a request that is sent at once is always answered.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["MOST_WAITING", "SECONDS", "settings"]

MOST_WAITING = 256
"""How many connections may wait for their request to be complete."""
SECONDS = 10.0
"""How long the header of a request may take."""
_LARGEST_HEADER = 2**14
_MOST = 1000  # connections in all, those that work included


def _protocol(most: int, seconds: float) -> type[H11Protocol]:
    """The protocol of a server, with connections of its own."""
    waiting: dict[_Waiting, asyncio.TimerHandle | None] = {}  # in the order in which they began to wait

    class _Waiting(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._mind()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._mind()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._mind()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _mind(self) -> None:
            """Begin or cease to wait, by how much of the request is here."""
            state = self.conn.their_state
            if self.transport.is_closing() or state not in (h11.IDLE, h11.SEND_BODY):
                self._forget()
                return
            if self not in waiting:
                waiting[self] = self.loop.call_later(seconds, self.transport.abort)
                if len(waiting) > most:
                    oldest = next(iter(waiting))
                    oldest._forget()
                    oldest.transport.abort()
            timer = waiting.get(self)
            if state is h11.SEND_BODY and timer is not None:  # the guard minds how long a body takes
                timer.cancel()
                waiting[self] = None

        def _forget(self) -> None:
            timer = waiting.pop(self, None)
            if timer is not None:
                timer.cancel()

    return _Waiting


def settings(most: int = MOST_WAITING, seconds: float = SECONDS) -> dict[str, Any]:
    """What uvicorn is started with: limits of connections, and no line of a log that a request could write.

    >>> settings()["access_log"]
    False
    """
    return {
        "http": _protocol(most, seconds),
        "h11_max_incomplete_event_size": _LARGEST_HEADER,
        "limit_concurrency": _MOST,
        "timeout_keep_alive": int(seconds),
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "ws": "none",
    }
