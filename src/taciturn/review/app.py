"""The review as a local web app: pages that work without a network, for one person on this machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Form, Header, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader

from taciturn.formats import FormatError
from taciturn.models.excepting import Basis
from taciturn.review import exports
from taciturn.review.cards import bases, card, next_rung
from taciturn.review.choices import Choice
from taciturn.review.decisions import Action, Decision, Dial
from taciturn.review.desk import Desk
from taciturn.review.dials import knobs
from taciturn.review.messages import Effect, infers
from taciturn.review.render import describe
from taciturn.review.security import Guard, Rules
from taciturn.review.session import LONG, Session, State
from taciturn.review.store import now
from taciturn.review.values import block_values, changed_spans, curve_points, page_values

__all__ = ["create_app"]

View = Annotated[str, Header()]  # what the page shows of a PDF: its text, or its pages
_FOLDER = Path(__file__).parent
_ENDINGS = {
    "certificate": ("certificate.json", "application/json"),
    "report": ("report.html", "text/html; charset=utf-8"),
    "log": ("exemptions.csv", "text/csv; charset=utf-8"),
    "decisions": ("decisions.json", "application/json"),
}
_KINDS = {"pdf": "application/pdf", "html": "text/html", "json": "application/json"}


def create_app(desk: Desk, rules: Rules) -> Guard:
    """The app, behind its guard."""
    app = FastAPI(title="Taciturn review", docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static", StaticFiles(directory=_FOLDER / "static"), name="static")
    views = _Views(desk, rules)
    app.exception_handler(HTTPException)(views.problem)
    app.get("/", response_class=HTMLResponse)(views.queue)
    app.get("/d/{document}", response_class=HTMLResponse)(views.review)
    app.get("/d/{document}/card", response_class=HTMLResponse)(views.card)
    app.get("/d/{document}/whole", response_class=HTMLResponse)(views.whole)
    app.get("/d/{document}/curve/{number}", response_class=HTMLResponse)(views.curve)
    app.get("/d/{document}/page/{page}.png")(views.picture)
    app.get("/d/{document}/sheet/{page}", response_class=HTMLResponse)(views.sheet)
    app.get("/d/{document}/export/{what}")(views.export)
    app.post("/d/{document}/decide", response_class=HTMLResponse)(views.decide)
    app.post("/d/{document}/undo", response_class=HTMLResponse)(views.undo)
    app.post("/d/{document}/redo", response_class=HTMLResponse)(views.redo)
    app.post("/d/{document}/dial", response_class=HTMLResponse)(views.dial)
    app.post("/d/{document}/release", response_class=HTMLResponse)(views.release)
    app.post("/d/{document}/forget")(views.forget)
    return Guard(app, rules)


class _Views:
    """The pages and fragments."""

    def __init__(self, desk: Desk, rules: Rules) -> None:
        self.desk = desk
        self.rules = rules
        self.templates = Environment(loader=PackageLoader("taciturn.review"), autoescape=True, trim_blocks=True)
        self.templates.globals.update(describe=describe, infers=infers, csrf=rules.csrf)
        self.templates.filters.update(
            time=lambda t: t[:16].replace("T", " ") + " UTC", percent=lambda x: f"{x:.1%}", bits=lambda x: f"{x:.2f}"
        )

    def page(self, name: str, status: int = 200, **values: Any) -> HTMLResponse:
        return HTMLResponse(self.templates.get_template(name).render(values), status_code=status)

    async def problem(self, request: Request, error: Exception) -> Response:
        """A refusal: a page for people, data for the script of a page."""
        assert isinstance(error, HTTPException)
        if request.headers.get("hx-request"):
            return JSONResponse({"detail": error.detail}, status_code=error.status_code)
        return self.page("problem.html", error.status_code, message=error.detail)

    def session(self, document: int) -> Session:
        try:
            return self.desk.session(document)
        except KeyError:
            raise HTTPException(404, "this document is not in the queue") from None
        except (FormatError, ValueError) as error:
            raise HTTPException(422, str(error)) from None

    # --- pages

    def queue(self) -> HTMLResponse:
        with self.desk.lock:
            return self.page("queue.html", entries=self.desk.store.entries())

    def review(self, document: int, view: str = "text") -> HTMLResponse:
        with self.desk.lock:
            session = self.session(document)
            try:
                state = session.state
            except ValueError as error:  # a model that this document cannot satisfy, such as a t beyond its words
                raise HTTPException(422, str(error)) from None
            pages = self.desk.pages(document)
            return self.page(
                "review.html",
                **self._common(document, session, state),
                blocks=block_values(self.desk.drawn(document, state).blocks),
                view="pages" if pages is not None and view == "pages" else "text",
                sizes=[pages.size(n) for n in range(len(pages))] if pages is not None else [],
                effect=None,
            )

    def _common(self, document: int, session: Session, state: State) -> dict[str, Any]:
        entries = self.desk.store.entries()
        entry = next(e for e in entries if e.id == document)
        following = next((e for e in entries if e.id > document), None)
        tasks = [c for c in state.standing.choices if c.status != "open"]
        return {
            "document": document,
            "entry": entry,
            "following": following,
            "session": session,
            "state": state,
            "verdict": state.verdict,
            "utility": session.utility(state),
            "edits": len(state.applied.plan.edits),
            "tasks": len(tasks),
            "decided": sum(c.decided for c in tasks),
            "undoable": entry.done > 0,
            "redoable": entry.steps > entry.done,
            "revision": _revision(session),
            "knobs": knobs(state.proposal.models, session.knowledge),
            "other_knowledge": entry.knowledge != session.knowledge.digest,
            "is_long": len(session.document.text) >= LONG,
            "guarantees": state.proposal.certificate.guarantees,
        }

    # --- fragments

    def card(self, document: int, at: str) -> HTMLResponse:
        with self.desk.lock:
            session = self.session(document)
            return self._card(document, session, _span(at))

    def _card(self, document: int, session: Session, span: tuple[int, int]) -> HTMLResponse:
        return self.page("card.html", **self._card_values(document, session, span))

    def _card_values(self, document: int, session: Session, span: tuple[int, int]) -> dict[str, Any]:
        choice = session.state.standing.at(span)
        found = card(session, session.state, choice) if choice else None
        return {"document": document, "card": found, "bases": bases(session), "span": span}

    def whole(self, document: int, x_view: View = "text") -> HTMLResponse:
        """The whole check of a long document, asked for when the reviewer pauses."""
        with self.desk.lock:
            session = self.session(document)
            before = session.state
            state = session.confirm()
            done = None
            if state.verdict.holds != before.verdict.holds:
                found = infers(state.verdict.violations[0]) if state.verdict.violations else "finds that it holds"
                done = Effect("healed" if state.verdict.holds else "broke", f"the check of the whole document {found}")
            return self._answer(document, session, before, done, None, x_view)

    def curve(self, document: int, number: int) -> HTMLResponse:
        with self.desk.lock:
            session = self.session(document)
            knob = next((k for k in knobs(session.state.proposal.models, session.knowledge) if k.model == number), None)
        if knob is None:
            raise HTTPException(404, "this review has no such dial")
        rows = self.desk.curve(document, number)
        return self.page("curve.html", knob=knob, points=curve_points(rows, knob.value), document=document)

    def decide(
        self,
        document: int,
        action: Annotated[str, Form()],
        at: Annotated[str, Form()],
        revision: Annotated[str, Form()] = "",
        x_view: View = "text",
        everywhere: Annotated[bool, Form()] = False,
        label: Annotated[str, Form()] = "",
        code: Annotated[str, Form()] = "",
    ) -> Response:
        with self.desk.lock:
            session = self.session(document)
            if stale := _stale(session, revision):
                return stale
            before, span = session.state, _span(at)
            choice = before.standing.at(span)
            if choice and action != "mark":
                span = choice.core
            if action == "rung":
                action, label = self._next(session, choice)
            basis = next((b for b in bases(session) if b.code == code and code), Basis())
            try:
                step = Decision.on(
                    session.document,
                    _action(action),
                    span,
                    everywhere=everywhere,
                    label=label.strip() if action == "replace" else "",
                    code=basis.code,
                    basis=basis.basis,
                    at=now(),
                )
                done = self.desk.take(document, step)
            except ValueError as error:
                return self._answer(document, session, before, Effect("refused", str(error)), span, x_view)
            return self._answer(document, session, before, done, span, x_view)

    def _next(self, session: Session, choice: Choice | None) -> tuple[str, str]:
        """The next rung of a choice's ladder, or a redaction where it ends."""
        label = next_rung(card(session, session.state, choice)) if choice else None
        return ("replace", label) if label else ("redact", "")

    def undo(
        self,
        document: int,
        at: Annotated[str, Form()] = "",
        revision: Annotated[str, Form()] = "",
        x_view: View = "text",
    ) -> Response:
        return self._move(document, -1, at, revision, x_view)

    def redo(
        self,
        document: int,
        at: Annotated[str, Form()] = "",
        revision: Annotated[str, Form()] = "",
        x_view: View = "text",
    ) -> Response:
        return self._move(document, 1, at, revision, x_view)

    def _move(self, document: int, by: int, at: str, revision: str, view: str) -> Response:
        with self.desk.lock:
            session = self.session(document)
            if stale := _stale(session, revision):
                return stale
            before, steps = session.state, session.steps
            done = self.desk.move(document, by)
            step = (steps if by < 0 else session.steps)[-1] if done.tone != "none" else None
            span = step.span if isinstance(step, Decision) else _span(at) if at else None
            return self._answer(document, session, before, done, span, view)

    def dial(
        self,
        document: int,
        model: Annotated[int, Form()],
        parameter: Annotated[str, Form()],
        value: Annotated[float, Form()],
        at: Annotated[str, Form()] = "",
        revision: Annotated[str, Form()] = "",
        x_view: View = "text",
    ) -> Response:
        with self.desk.lock:
            session = self.session(document)
            if stale := _stale(session, revision):
                return stale
            before = session.state
            try:
                done = self.desk.take(document, Dial(model, parameter, value, now()))
            except ValueError as error:
                done = Effect("refused", str(error))
            return self._answer(document, session, before, done, _span(at) if at else None, x_view)

    def _answer(
        self,
        document: int,
        session: Session,
        before: State,
        done: Effect | None,
        span: tuple[int, int] | None,
        view: str,
    ) -> HTMLResponse:
        """Everything that a step changed on the page, and nothing else."""
        state = session.state
        made = self.desk.redrawn(document, before, state)
        values = self._common(document, session, state) | self._card_values(document, session, span or (0, 0))
        if span is None:
            values["card"] = None
        pages = self.desk.pages(document) if made and view == "pages" else None
        numbers = pages.numbers(changed_spans(before, state)) if pages is not None else []
        sheets = [page_values(pages, n, state) for n in numbers]
        return self.page(
            "step.html",
            **values,
            changed=block_values(made),
            effect=done,
            has_card=span is not None,
            sheets=sheets,
            view=view,
            turned=state.dials != before.dials,
        )

    def picture(self, document: int, page: int) -> Response:
        with self.desk.lock:
            self.session(document)
            pages = self.desk.pages(document)
            try:
                if pages is None:
                    raise IndexError
                return Response(pages.png(page), media_type="image/png")
            except IndexError:
                raise HTTPException(404, "there is no such page") from None

    def sheet(self, document: int, page: int) -> HTMLResponse:
        """The boxes over a page."""
        with self.desk.lock:
            session = self.session(document)
            pages = self.desk.pages(document)
            if pages is None or not 0 <= page < len(pages):
                raise HTTPException(404, "there is no such page")
            return self.page("sheet.html", document=document, sheet=page_values(pages, page, session.state), swap=False)

    # --- the end

    def release(
        self, document: int, reason: Annotated[str, Form()] = "", person: Annotated[str, Form()] = ""
    ) -> HTMLResponse:
        with self.desk.lock:
            session = self.session(document)
            problem = ""
            try:
                data, certificate = exports.release(session, reason=reason, person=person[:200], at=now())
                stated = "" if certificate["holds"] else reason.strip()[:5000]
                steps = len(session.steps)
                self.desk.store.release(
                    document, data, certificate, steps=steps, reason=stated, person=person.strip()[:200]
                )
            except (exports.BlockedError, FormatError) as error:
                problem = str(error)
            return self.page("released.html", **self._common(document, session, session.state), problem=problem)

    def export(self, document: int, what: str) -> Response:
        with self.desk.lock:
            session, entry = self.session(document), self.desk.store.entry(document)
            if what in ("release", "certificate") and entry.released is None:
                raise HTTPException(409, "nothing is released yet")
            if what == "release" and entry.released:
                data = self.desk.store.released_data(entry.released.id)
                kind = _KINDS.get(session.file.format, "application/octet-stream")
                return _download(data, exports.file_name(entry.name, "released"), kind)
            if what not in _ENDINGS:
                raise HTTPException(404, "there is no such export")
            ending, kind = _ENDINGS[what]
            if what == "certificate" and entry.released:
                text = json.dumps(entry.released.certificate, indent=2) + "\n"
            elif what == "report":
                override = entry.released.reason if entry.released and entry.released.steps == entry.done else ""
                text = exports.report_html(session, session.state, entry.name, override)
            elif what == "log":
                text = exports.exemption_log(session, session.state)
            else:
                text = exports.decisions_json(session)
            return _download(text.encode(), exports.file_name(entry.name, ending), kind)

    def forget(self, document: int) -> Response:
        with self.desk.lock:
            self.desk.forget(document)
            return Response(status_code=204, headers={"HX-Redirect": "/"})


def _span(at: str) -> tuple[int, int]:
    if not re.fullmatch(r"\d{1,9}-\d{1,9}", at):
        raise HTTPException(422, "a span is two numbers, start-end")
    start, end = map(int, at.split("-"))
    return start, end


def _action(name: str) -> Action:
    if name not in ("accept", "keep", "redact", "replace", "mark"):
        raise ValueError(f"there is no decision {name!r}")
    return name  # type: ignore[return-value]


def _revision(session: Session) -> str:
    """A short name of the steps in force: a page that shows other ones is out of date."""
    from hashlib import sha256

    return sha256(repr(session.steps).encode()).hexdigest()[:16]


def _stale(session: Session, revision: str) -> Response | None:
    if revision and revision != _revision(session):
        return Response(status_code=204, headers={"HX-Refresh": "true"})
    return None


def _download(data: bytes, name: str, kind: str) -> Response:
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", name)
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return Response(data, media_type=kind, headers=headers)
