"""Worker processes: each does one task at a time, for a limited time, in limited memory.

A process and not a thread, because only a process can be stopped, and because what a hostile file does to the libraries
that read it (an abort, a hang, all memory gone) ends with it. A task that overruns is killed with its process; the next
task gets a new one.
"""

from __future__ import annotations

import contextlib
import copyreg
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import MappingProxyType
from typing import Any

from taciturn.errors import TaciturnError

__all__ = ["FaultError", "LostError", "OverrunError", "Worker", "interrupts", "resident", "tell"]

Perform = Callable[[Any], Any]


def _view(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


# Models are frozen values and hold their tables as views, which Python cannot send to another process by itself.
copyreg.pickle(MappingProxyType, lambda view: (_view, (dict(view),)))


class OverrunError(TaciturnError):
    """A task took longer than it may."""


class LostError(TaciturnError):
    """A worker ended before its task did, or needed more memory than it may have."""


class FaultError(TaciturnError):
    """A task failed by an error that nobody foresaw. The message has its kind and no text of a document."""


@contextmanager
def interrupts(*, blocked: bool) -> Iterator[None]:
    """Have Ctrl-C wait, or let it come, in the meantime; a process that is started now inherits it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        # Where a signal has waited, this raises already.
        signal.pthread_sigmask(signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _limit_memory(size: int) -> None:
    """Have the system refuse this process more than ``size`` bytes of data beside what it has, where it can (Linux)."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        with open("/proc/self/status", encoding="ascii") as file:
            own = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmData:"))
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = own + size
        resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def resident(pid: int) -> int:
    """The memory of a process, in bytes; 0 where the system does not say."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


class Worker:
    """A process that calls ``setup(*arguments)`` once, and what that returns for each task, in ``memory`` bytes
    beside what it has by then.

    ``setup`` and ``arguments`` must be things that can be sent to another process. The process is forked if this one
    has no other thread, which is quick; else it is started afresh, for a fork would copy the threads' locks in whatever
    state they are.
    """

    def __init__(self, setup: Callable[..., Perform], arguments: tuple[Any, ...], memory: int) -> None:
        self.setup, self.arguments, self.memory = setup, arguments, memory
        self.process: multiprocessing.process.BaseProcess | None = None
        self.pipe: Connection | None = None
        self.resident = 0
        self.closed = False

    @property
    def pid(self) -> int:
        """The number of the process; 0 if there is none."""
        return (self.process.pid if self.process is not None else None) or 0

    def start(self) -> None:
        """Start the process; it is ready when this returns. What ``setup`` refuses is raised here."""
        if self.closed:
            raise LostError("the work was ended")
        forked = _can_fork()
        context: Any = multiprocessing.get_context("fork" if forked else "spawn")
        self.pipe, theirs = context.Pipe()
        mine = self.pipe if forked else None
        arguments = (theirs, mine, self.setup, self.arguments, self.memory)
        process = context.Process(target=_serve, args=arguments, daemon=True, name="taciturn-worker")
        if not forked:
            resource_tracker.ensure_running()  # which lets interrupts come when it starts
        with interrupts(blocked=True):  # or each worker would answer Ctrl-C with a traceback
            process.start()
        self.process = process
        theirs.close()
        self._answer()

    def call(self, task: Any, seconds: float, heard: Callable[[Any], None] = lambda value: None) -> Any:
        """What the task returns. What it refuses is raised here as well. After any other error start the worker anew:
        :class:`OverrunError`, :class:`LostError`. ``heard`` is given what the task tells on its way (:func:`tell`)."""
        assert self.pipe is not None
        end = time.monotonic() + seconds
        try:
            self.pipe.send(task)
            while True:
                if not self.pipe.poll(max(end - time.monotonic(), 0.0)):
                    raise OverrunError(f"it took longer than the limit of {seconds:g} seconds")
                kind, value, resident = self.pipe.recv()
                if kind != "told":
                    break
                heard(value)
        except (EOFError, OSError):
            raise self._lost() from None
        return self._said(kind, value, resident)

    def _answer(self) -> Any:
        assert self.pipe is not None
        try:
            return self._said(*self.pipe.recv())
        except (EOFError, OSError):
            raise self._lost() from None

    def _said(self, kind: str, value: Any, resident: int) -> Any:
        self.resident = resident
        if kind == "raised":
            raise value
        if kind == "memory":
            raise LostError(f"it needed more memory than the limit of {self.memory / 2**20:,.0f} MB")
        if kind == "fault":
            raise FaultError(f"internal error ({value})")
        return value

    def _lost(self) -> LostError:
        if self.process is not None:
            self.process.join(5)
        limit = f"{self.memory / 2**20:,.0f} MB"
        return LostError(f"the process that worked on it ended, perhaps for want of memory; the limit is {limit}")

    def stop(self) -> None:
        """End the process whatever it does; who waits for its answer gets :class:`LostError`. From any thread."""
        if self.process is not None:
            self.process.kill()

    def kill(self) -> None:
        """End the process; the worker may be started anew. Only for who calls it."""
        if self.process is not None:
            self.process.kill()
            self.process.join(5)
        if self.pipe is not None:
            self.pipe.close()

    def close(self) -> None:
        """End the process for good, whatever it does and whoever waits for it. From any thread."""
        self.closed = True
        self.stop()
        if self.process is not None:
            self.process.join(5)  # a fork holds the locks that this process holds


_listener: Connection | None = None
"""Where a worker's process tells what it does; None in any other process."""
_OFTEN = 0.2  # seconds between two things that are told
_last_told = 0.0


def tell(value: Any) -> None:
    """Tell who waits for the task of this process how far it is. Nothing happens outside of a worker's process, nor if
    something was told just now."""
    global _last_told
    if _listener is not None and (now := time.monotonic()) - _last_told >= _OFTEN:
        _last_told = now
        with contextlib.suppress(OSError):
            _listener.send(("told", value, 0))


def _can_fork() -> bool:
    return sys.platform.startswith("linux") and threading.active_count() == 1


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    """A worker whose parent was killed would work on for nobody."""
    wait([parent.sentinel])
    os._exit(1)


def _serve(
    pipe: Connection, theirs: Connection | None, setup: Callable[..., Perform], arguments: tuple[Any, ...], memory: int
) -> None:
    """The loop of a worker process."""
    global _listener
    _listener = pipe
    if theirs is not None:
        theirs.close()  # the parent's end, which a fork copies: with it open the pipe would never end
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    perform: Perform | None = None
    while True:
        try:
            task = None if perform is None else pipe.recv()
        except (EOFError, OSError):
            return
        except MemoryError:  # the task itself is too large to be received
            pipe.send(("memory", None, 0))
            return
        kind, value = "done", None
        try:
            if perform is None:
                perform = setup(*arguments)
                _limit_memory(memory)
            else:
                value = perform(task)
        except MemoryError:
            kind = "memory"
        except TaciturnError as error:
            kind, value = "raised", error.with_traceback(None)
        except Exception as error:
            kind, value = "fault", type(error).__name__  # the message may quote the document
        try:
            pipe.send((kind, value, resident(os.getpid())))
        except OSError:
            return
        except Exception as error:  # what cannot be sent
            pipe.send(("fault", type(error).__name__, 0))
        if perform is None:
            return
