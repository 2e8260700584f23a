"""``taciturn serve``: sanitize, check and explain as a REST service.

Texts are worked on in worker processes (:mod:`taciturn.service.workers`) under limits of size and time; large files are
jobs, kept in memory for a while and never on disc. Nothing of a document is logged.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import Annotated, Any

from fastapi import FastAPI, File, Form, HTTPException, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from jinja2 import Environment, PackageLoader
from pydantic import ValidationError
from starlette.formparsers import MultiPartParser

from taciturn.review.security import Guard, Rules
from taciturn.service.requests import Check, Explain, Protection, Sanitize, Terms
from taciturn.service.tasks import RefusedError
from taciturn.service.workers import BusyError, FaultError, OverrunError, Workers

__all__ = ["Limits", "create_service"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the service: characters of a text, bytes of a file, seconds of a request and of a job, bytes of memory
    of a worker.

    ``jobs`` and ``kept`` bound how many jobs are held and how many bytes of theirs; ``lifetime`` is in seconds.
    """

    text: int = 500_000
    file: int = 64 * 2**20
    seconds: float = 30.0
    job_seconds: float = 600.0
    memory: int = 3 * 2**30
    workers: int = 2
    waiting: int = 128
    jobs: int = 64
    kept: int = 512 * 2**20
    lifetime: float = 900.0


@dataclass
class _Job:
    state: str = "waiting"
    size: int = 0
    message: str = ""
    name: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    ended: float | None = None
    work: asyncio.Task[None] | None = None


class _Metrics:
    """Counters in the text format of Prometheus; labels are routes, methods and states, never anything of a text."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, float] = {}

    def tell(self, route: str, method: str, status: int, seconds: float) -> None:
        self.requests[route, method, status] += 1
        self.seconds[route] = self.seconds.get(route, 0.0) + seconds

    def text(self, workers: Workers, slow: Workers, jobs: dict[str, _Job]) -> str:
        lines = ["# TYPE taciturn_requests_total counter"]
        for (route, method, status), n in sorted(self.requests.items()):
            lines.append(f'taciturn_requests_total{{route="{route}",method="{method}",status="{status}"}} {n}')
        lines.append("# TYPE taciturn_request_seconds_total counter")
        lines += [f'taciturn_request_seconds_total{{route="{r}"}} {s:.6f}' for r, s in sorted(self.seconds.items())]
        for name, value in (
            ("workers", workers.count),
            ("workers_busy", workers.busy),
            ("requests_waiting", workers.in_line),
            ("worker_memory_bytes", workers.memory() + slow.memory()),
        ):
            lines += [f"# TYPE taciturn_{name} gauge", f"taciturn_{name} {value}"]
        lines += [
            "# TYPE taciturn_worker_restarts_total counter",
            f"taciturn_worker_restarts_total {workers.restarts + slow.restarts}",
        ]
        lines.append("# TYPE taciturn_jobs gauge")
        states = Counter(j.state for j in jobs.values())
        lines += [f'taciturn_jobs{{state="{s}"}} {states[s]}' for s in ("waiting", "running", "done", "failed")]
        return "\n".join(lines) + "\n"


class _Service:
    """The state of a running service: workers for requests, one lane of their own for jobs."""

    def __init__(self, limits: Limits, pack: str | None) -> None:
        self.limits = limits
        self.metrics = _Metrics()
        self.quick = Workers(limits.workers, limits.waiting, pack, limits.memory)
        self.slow = Workers(1, limits.jobs, pack, limits.memory)
        self.jobs: dict[str, _Job] = {}
        self.running: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def life(self, _: FastAPI) -> AsyncIterator[None]:
        await self.quick.start()  # the lane of jobs starts with the first job
        try:
            yield
        finally:
            for task in self.running:
                task.cancel()
            self.quick.stop()
            self.slow.stop()

    async def run(self, task: str, payload: dict[str, Any]) -> Any:
        text = payload.get("text") or ""
        if len(text) > self.limits.text:
            raise HTTPException(
                413, f"the text has {len(text):,} characters, the limit is {self.limits.text:,}; send it as a job"
            )
        try:
            return await self.quick.run(task, payload, self.limits.seconds)
        except RefusedError as error:
            raise HTTPException(422, str(error)) from None
        except BusyError as error:
            raise HTTPException(503, str(error), headers={"Retry-After": "2"}) from None
        except OverrunError as error:
            raise HTTPException(504, f"{error}; send it as a job") from None
        except FaultError as error:
            raise HTTPException(500, str(error)) from None

    def sweep(self) -> None:
        """Forget jobs that ended long ago."""
        old = [k for k, j in self.jobs.items() if j.ended and monotonic() - j.ended > self.limits.lifetime]
        for name in old:
            del self.jobs[name]

    def job(self, name: str) -> _Job:
        self.sweep()
        if name not in self.jobs:
            raise HTTPException(404, "there is no such job; results are kept for a limited time")
        return self.jobs[name]

    def begin(self, name: str, data: bytes, asked: dict[str, Any]) -> str:
        self.sweep()
        kept = sum(j.size for j in self.jobs.values())
        if len(self.jobs) >= self.limits.jobs or kept + len(data) > self.limits.kept:
            raise HTTPException(
                503, "too many jobs are held; fetch and delete finished ones", headers={"Retry-After": "30"}
            )
        number, job = token_urlsafe(16), _Job(size=len(data), name=name)
        self.jobs[number] = job
        job.work = asyncio.create_task(self._work(job, {"data": data, "name": name, "asked": asked}))
        self.running.add(job.work)
        job.work.add_done_callback(self.running.discard)
        return number

    def forget(self, name: str) -> None:
        """Take a job out of the line or end it, whatever it does, and let go of all it holds."""
        job = self.job(name)
        del self.jobs[name]
        if job.work is not None:
            job.work.cancel()

    async def _work(self, job: _Job, payload: dict[str, Any]) -> None:
        def begun() -> None:
            job.state = "running"

        try:
            job.result = await self.slow.run("file", payload, self.limits.job_seconds, begun, stops=True)
            job.size = len(job.result["data"]) + len(job.result["report"])
            job.state = "done"
        except (RefusedError, BusyError, OverrunError, FaultError) as error:
            job.state, job.message, job.size = "failed", str(error), 0
        finally:
            job.ended = monotonic()


def create_service(
    limits: Limits, token: str | None = None, hosts: frozenset[str] = frozenset(), pack: str | None = None
) -> Guard:
    """The service, behind its guard. ``pack`` is the knowledge that its workers open, the embedded one unless given."""
    service = _Service(limits, pack)
    # An upload stays in memory: parts beyond this size would go to a temporary file, and a document must not.
    MultiPartParser.spool_max_size = limits.file + 2**21
    app = FastAPI(
        title="Taciturn",
        description="Release text documents that say less, provably.",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=service.life,
        responses={code: {"description": text} for code, text in _ANSWERS.items()},
    )
    _routes(app, service)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        # Without the input: an answer that is logged by a proxy must not quote the document.
        rows = [{"where": ".".join(map(str, e["loc"])), "what": e["msg"]} for e in error.errors()]
        return JSONResponse({"detail": rows}, status_code=422)

    rules = Rules(
        token=token,
        hosts=hosts,
        largest=limits.file + 2**20,
        open=frozenset({"/health"}),
        tell=service.metrics.tell,
    )
    return Guard(app, rules)


_ANSWERS: dict[int | str, str] = {
    401: "The token is missing or wrong.",
    403: "The request comes from another site.",
    413: "The text or file is too large.",
    421: "The host name is unknown.",
    503: "Too many requests are waiting.",
    504: "It took too long.",
}


def _routes(app: FastAPI, service: _Service) -> None:
    @app.post("/v1/sanitize", summary="Release a text, with its certificate")
    async def sanitize(asked: Sanitize) -> dict[str, Any]:
        """The text with as little changed as the guarantee needs. 422 if there is no such text: nothing is released."""
        return dict(await service.run("sanitize", asked.model_dump()))

    @app.post("/v1/check", summary="Does the guarantee hold for this text?")
    async def check(asked: Check) -> dict[str, Any]:
        """The certificate, derived from the text alone. `violations` is private: it quotes the text."""
        return dict(await service.run("check", asked.model_dump()))

    @app.post("/v1/explain", summary="The figures behind a decision")
    async def explain(asked: Explain) -> dict[str, Any]:
        """What a term, or each of the most revealing terms of a text, says of what is protected."""
        return dict(await service.run("explain", asked.model_dump()))

    @app.post("/v1/terms", summary="What Taciturn sees in a text")
    async def terms(asked: Terms) -> dict[str, Any]:
        """Noun phrases, names and identifiers, in order."""
        return dict(await service.run("terms", asked.model_dump()))

    @app.post("/v1/jobs", status_code=202, summary="Release a file of any supported format")
    async def job(
        file: Annotated[UploadFile, File(description="The file; its name tells the format where content does not.")],
        asked: Annotated[str, Form(description="What to protect, as the JSON of a Protection.")],
    ) -> dict[str, str]:
        """Take a file in; ask for the job until its state is `done` or `failed`."""
        try:
            protection = Protection(**json.loads(asked))
        except (ValueError, TypeError, ValidationError) as error:
            message = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "it is no JSON object"
            raise HTTPException(422, f"`asked` cannot be used: {message}") from None
        data = await file.read(service.limits.file + 1)
        if len(data) > service.limits.file:
            raise HTTPException(413, f"the file is larger than {service.limits.file:,} bytes")
        name = (file.filename or "file.txt")[-200:]
        return {"job": service.begin(name, data, protection.model_dump()), "state": "waiting"}

    @app.get("/v1/jobs/{job}", summary="The state of a job")
    async def state(job: str) -> dict[str, Any]:
        """`waiting`, `running`, `done` or `failed`, with the certificate or the reason."""
        found = service.job(job)
        answer: dict[str, Any] = {"job": job, "state": found.state}
        if found.state == "failed":
            answer["message"] = found.message
        if found.state == "done":
            answer |= {k: found.result[k] for k in ("certificate", "dropped", "noticed", "edits")}
        return answer

    @app.get("/v1/jobs/{job}/release", summary="The released file", response_class=Response)
    async def released(job: str) -> Response:
        """The file in its own format; 409 until the job is done."""
        found = service.job(job)
        if found.state != "done":
            raise HTTPException(409, f"the job is {found.state}")
        name = re.sub(r"[^A-Za-z0-9._ -]", "_", found.name)
        headers = {"Content-Disposition": f'attachment; filename="released-{name}"'}
        return Response(found.result["data"], media_type="application/octet-stream", headers=headers)

    @app.get("/v1/jobs/{job}/report", summary="The private report", response_class=Response)
    async def report(job: str) -> Response:
        """A page that quotes the original; 409 until the job is done."""
        found = service.job(job)
        if found.state != "done":
            raise HTTPException(409, f"the job is {found.state}")
        headers = {"Content-Disposition": 'attachment; filename="report.html"'}
        return Response(found.result["report"], media_type="text/html; charset=utf-8", headers=headers)

    @app.delete("/v1/jobs/{job}", status_code=204, summary="Cancel or forget a job")
    async def forget(job: str) -> Response:
        """Its file, release and report are gone from memory; a job that waits or runs is ended, and the next begins."""
        service.forget(job)
        return Response(status_code=204)

    @app.get("/health", summary="Is the service up?")
    async def health() -> dict[str, Any]:
        """200 when workers are there to take requests."""
        return {"status": "ok", "workers": service.quick.count, "waiting": service.quick.in_line}

    @app.get("/metrics", summary="Counters for Prometheus", response_class=PlainTextResponse)
    async def metrics() -> str:
        """Requests, times, workers, jobs and memory; nothing of any document."""
        return service.metrics.text(service.quick, service.slow, service.jobs)

    templates = Environment(loader=PackageLoader("taciturn.service"), autoescape=True, trim_blocks=True)

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def index() -> str:
        return templates.get_template("service.html").render(schema=app.openapi())
