"""Worker processes for the service: each does one task at a time, for a limited time, in limited memory.

A process and not a thread, because only a process can be stopped: a task that overruns its time is killed with its
worker, and a new worker takes its place. Tasks share nothing, so no document can show up in another's answer. How many
tasks wait is bounded; the next one is told to come again.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any

from tacit.review.tasks import RefusedError

__all__ = ["BusyError", "FaultError", "OverrunError", "Workers"]

_RECYCLE = 700 * 2**20  # bytes of memory after which a worker is replaced once its task is done
_LIMIT = 3 * 2**30  # bytes of data that a worker may ask the system for


class BusyError(RuntimeError):
    """Too many tasks are waiting."""


class OverrunError(RuntimeError):
    """A task took longer than it may."""


class FaultError(RuntimeError):
    """A task failed through no fault of its input, or its worker died. The message has no text of a document."""


class Workers:
    """``count`` processes, at most ``waiting`` tasks in line for them."""

    def __init__(self, count: int, waiting: int) -> None:
        self.count, self.waiting = count, waiting
        self.in_line = self.busy = self.restarts = 0
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="tacit-worker")
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: list[_Worker] = []
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the processes if they are not; they are ready when this returns."""
        async with self._starting:
            if self._all:
                return
            loop = asyncio.get_running_loop()
            self._all = [_Worker() for _ in range(self.count)]
            await asyncio.gather(*(loop.run_in_executor(self._threads, worker.start) for worker in self._all))
            for worker in self._all:
                self._free.put_nowait(worker)

    def stop(self) -> None:
        """End the processes, whatever they do."""
        for worker in self._all:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(
        self, task: str, payload: dict[str, Any], seconds: float, begun: Callable[[], None] = lambda: None
    ) -> Any:
        """What the task returns; :class:`RefusedError` if its input is at fault. ``begun`` is called at its turn."""
        if self.in_line >= self.waiting:
            raise BusyError("too many requests are waiting; try again in a few seconds")
        self.in_line += 1
        try:
            await self.start()
            worker = await self._free.get()
        finally:
            self.in_line -= 1
        begun()
        # Shielded: a worker is given back when its task ends, also when the client has gone away meanwhile.
        return await asyncio.shield(self._finished(worker, task, payload, seconds))

    async def _finished(self, worker: _Worker, task: str, payload: dict[str, Any], seconds: float) -> Any:
        loop = asyncio.get_running_loop()
        self.busy += 1
        try:
            kind, value, memory = await loop.run_in_executor(self._threads, worker.call, task, payload, seconds)
            if memory > _RECYCLE:
                await self._again(worker, loop)
        except (OverrunError, EOFError, OSError) as error:
            await self._again(worker, loop)
            if isinstance(error, OverrunError):
                raise
            raise FaultError(
                "the worker ended before its task did; the text may need more memory than it has"
            ) from None
        finally:
            self.busy -= 1
            self._free.put_nowait(worker)
        if kind == "refused":
            raise RefusedError(value)
        if kind == "fault":
            raise FaultError(value)
        return value

    async def _again(self, worker: _Worker, loop: asyncio.AbstractEventLoop) -> None:
        self.restarts += 1
        worker.kill()
        await loop.run_in_executor(self._threads, worker.start)

    def memory(self) -> int:
        """The memory of all workers, in bytes."""
        return sum(_resident(w.process.pid) for w in self._all if w.process is not None and w.process.pid)


class _Worker:
    def __init__(self) -> None:
        self.process: multiprocessing.process.BaseProcess | None = None
        self.pipe: Connection | None = None

    def start(self) -> None:
        # Spawned, not forked: a fork would copy the threads' locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True, name="tacit-worker")
        self.process.start()
        theirs.close()
        self.pipe.recv()  # it says that it is ready

    def call(self, task: str, payload: dict[str, Any], seconds: float) -> tuple[str, Any, int]:
        assert self.pipe is not None
        self.pipe.send((task, payload))
        if not self.pipe.poll(seconds):
            raise OverrunError(f"the task took longer than {seconds:g} seconds")
        answer: tuple[str, Any, int] = self.pipe.recv()
        return answer

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join(5)
        if self.pipe is not None:
            self.pipe.close()


def _serve(pipe: Connection) -> None:
    """The loop of a worker process; it ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_LIMIT, _LIMIT))
    from tacit.review.tasks import perform, warm

    warm()
    pipe.send("ready")
    while True:
        try:
            task, payload = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = ("done", perform(task, payload), _resident(os.getpid()))
        except RefusedError as error:
            answer = ("refused", str(error), _resident(os.getpid()))
        except MemoryError:
            answer = ("fault", "the text needs more memory than a worker has", _RECYCLE + 1)
        except Exception as error:
            # The message may quote the document; its type does not.
            answer = ("fault", f"internal error ({type(error).__name__})", _resident(os.getpid()))
        try:
            pipe.send(answer)
        except (BrokenPipeError, OSError):
            return


def _resident(pid: int) -> int:
    """The memory of a process, in bytes; 0 where the system does not say."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0
