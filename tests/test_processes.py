"""Worker processes: what overruns its time or memory ends alone, what is refused comes back as it is."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from taciturn.formats import FormatError, Leak, LeakError
from taciturn.processes import FaultError, LostError, OverrunError, Worker, tell

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")


def _ready(greeting: str) -> Callable[[tuple[str, Any]], Any]:
    def do(task: tuple[str, Any]) -> Any:
        what, value = task
        if what == "sleep":
            time.sleep(value)
        elif what == "grow":
            return len(bytes(value))
        elif what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif what == "raise":
            raise value
        elif what == "count":
            for number in range(value):
                tell(number)
                time.sleep(0.25)
        return f"{greeting} {what}"

    return do


def _refuse() -> Callable[[Any], Any]:
    raise FormatError("no such pack")


@pytest.fixture(params=["forked", "spawned"])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    if request.param == "spawned":
        other.start()  # beside another thread a process is not forked
    made = Worker(_ready, ("hello",), 600 * 2**20)
    made.start()
    yield made
    made.close()
    stop.set()


def test_what_is_too_much_ends_alone(worker: Worker) -> None:
    assert worker.call(("one", None), 20) == "hello one"
    with pytest.raises(LostError, match="more memory than the limit of 600 MB"):
        worker.call(("grow", 2**30), 20)
    with pytest.raises(LostError, match="ended"):
        worker.call(("die", None), 20)
    worker.kill()
    worker.start()
    begin = time.monotonic()
    with pytest.raises(OverrunError, match=r"longer than the limit of 0\.2 seconds"):
        worker.call(("sleep", 60), 0.2)
    worker.kill()
    assert time.monotonic() - begin < 10
    worker.start()
    assert worker.call(("two", None), 20) == "hello two"


def test_what_is_refused_is_raised_and_what_nobody_foresaw_quotes_nothing(worker: Worker) -> None:
    with pytest.raises(LeakError) as leak:
        worker.call(("raise", LeakError("a.pdf", [Leak("HIV", "page 1", "pdfium")])), 20)
    assert leak.value.leaks == (Leak("HIV", "page 1", "pdfium"),)
    with pytest.raises(FaultError) as fault:
        worker.call(("raise", KeyError("Tellman has AIDS")), 20)
    assert str(fault.value) == "internal error (KeyError)"
    assert worker.call(("one", None), 20) == "hello one"
    with pytest.raises(FormatError, match="no such pack"):
        Worker(_refuse, (), 2**30).start()


def test_a_task_tells_how_far_it_is_and_its_limit_stays(worker: Worker) -> None:
    told: list[int] = []
    assert worker.call(("count", 3), 20, told.append) == "hello count"
    assert told == [0, 1, 2]
    tell("nobody listens here")
    with pytest.raises(OverrunError):
        worker.call(("count", 40), 0.6, told.append)


def test_a_worker_that_was_closed_is_not_started_again(worker: Worker) -> None:
    waiting: list[BaseException] = []

    def wait() -> None:
        try:
            worker.call(("sleep", 60), 60)
        except LostError as error:
            waiting.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.1)
    worker.close()
    thread.join(20)
    assert len(waiting) == 1
    with pytest.raises(LostError, match="was ended"):
        worker.start()
