"""The worker processes of the service and the line before them.

Each does one task at a time (:mod:`taciturn.processes`); one that overruns its time, that dies or that is cancelled is
replaced. Tasks share nothing, so no document can show up in another's answer. How many tasks wait is bounded; the next
one is told to come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from taciturn.errors import TaciturnError
from taciturn.processes import FaultError, LostError, OverrunError, Worker, resident
from taciturn.service.tasks import ready

__all__ = ["BusyError", "FaultError", "OverrunError", "Workers"]

_RECYCLE = 700 * 2**20  # bytes of memory after which a worker is replaced once its task is done


class BusyError(TaciturnError):
    """Too many tasks are waiting."""


class Workers:
    """``count`` processes of at most ``memory`` bytes, at most ``waiting`` tasks in line for them. ``pack`` is the
    knowledge that they open."""

    def __init__(self, count: int, waiting: int, pack: str | None = None, memory: int = 3 * 2**30) -> None:
        self._pack, self._memory = pack, memory
        self.count, self.waiting = count, waiting
        self.in_line = self.busy = self.restarts = 0
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="taciturn-worker")
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._all: list[Worker] = []
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the processes if they are not; they are ready when this returns."""
        async with self._starting:
            if self._all:
                return
            loop = asyncio.get_running_loop()
            self._all = [Worker(ready, (self._pack,), self._memory) for _ in range(self.count)]
            await asyncio.gather(*(loop.run_in_executor(self._threads, worker.start) for worker in self._all))
            for worker in self._all:
                self._free.put_nowait(worker)

    def stop(self) -> None:
        """End the processes, whatever they do."""
        for worker in self._all:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(
        self,
        task: str,
        payload: dict[str, Any],
        seconds: float,
        begun: Callable[[], None] = lambda: None,
        *,
        stops: bool = False,
    ) -> Any:
        """What the task returns; what it refuses is raised. ``begun`` is called at its turn.

        If the caller is cancelled the worker goes on and is free when its task ends; a task that ``stops`` is ended
        with its worker, so that the next one need not wait for it.
        """
        if self.in_line >= self.waiting:
            raise BusyError("too many requests are waiting; try again in a few seconds")
        self.in_line += 1
        try:
            await self.start()
            worker = await self._free.get()
        finally:
            self.in_line -= 1
        begun()
        work = asyncio.ensure_future(self._finished(worker, task, payload, seconds))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody waits for it any more
            if stops:
                worker.stop()
            raise

    async def _finished(self, worker: Worker, task: str, payload: dict[str, Any], seconds: float) -> Any:
        loop = asyncio.get_running_loop()
        self.busy += 1
        try:
            value = await loop.run_in_executor(self._threads, worker.call, (task, payload), seconds)
            if worker.resident > _RECYCLE:
                await self._again(worker, loop)
            return value
        except OverrunError:
            await self._again(worker, loop)
            raise
        except LostError as error:
            await self._again(worker, loop)
            raise FaultError(f"the worker ended before its task did: {error}") from None
        finally:
            self.busy -= 1
            self._free.put_nowait(worker)

    async def _again(self, worker: Worker, loop: asyncio.AbstractEventLoop) -> None:
        self.restarts += 1
        worker.kill()
        await loop.run_in_executor(self._threads, worker.start)

    def memory(self) -> int:
        """The memory of all workers, in bytes."""
        return sum(resident(worker.pid) for worker in self._all if worker.pid)
