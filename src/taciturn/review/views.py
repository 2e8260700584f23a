"""The pages of the review and the fragments that a step changes, made from the desk's sessions."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import Header, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from jinja2 import Environment, PackageLoader

from taciturn.formats import FormatError
from taciturn.review.cards import bases, card
from taciturn.review.checklist import checklist
from taciturn.review.desk import Desk
from taciturn.review.dials import knobs
from taciturn.review.messages import Effect, greeting, infers
from taciturn.review.render import describe
from taciturn.review.search import find
from taciturn.review.security import Rules
from taciturn.review.session import LONG, Session, State
from taciturn.review.values import block_values, changed_spans, curve_points, page_values
from taciturn.review.walking import following

__all__ = ["Person", "View", "Views", "person_of", "revision", "span_of", "stale"]

View = Annotated[str, Header()]
"""What the page shows of a PDF: its text, or its pages."""
Person = Annotated[str, Header()]
"""Who decides, as the page was told; written in percents, for a header has no other letters."""


class Views:
    """The pages, and what they are made of."""

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
                **self.common(document, session, state),
                blocks=block_values(self.desk.drawn(document, state).blocks),
                view="pages" if pages is not None and view == "pages" else "text",
                sizes=[pages.size(n) for n in range(len(pages))] if pages is not None else [],
                effect=None,
            )

    def common(self, document: int, session: Session, state: State) -> dict[str, Any]:
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
            "revision": revision(session),
            "knobs": knobs(state.proposal.models, session.knowledge),
            "other_knowledge": entry.knowledge != session.knowledge.digest,
            "is_long": len(session.document.text) >= LONG,
            "guarantees": state.proposal.certificate.guarantees,
            "checklist": checklist(session, state),
            "second_person": bool(session.policy and session.policy.second_person),
            "greeting": greeting(state, len(tasks), sum(c.decided for c in tasks)),
        }

    # --- fragments

    def card(self, document: int, at: str) -> HTMLResponse:
        with self.desk.lock:
            session = self.session(document)
            return self.page("card.html", **self.card_values(document, session, span_of(at)))

    def card_values(self, document: int, session: Session, span: tuple[int, int]) -> dict[str, Any]:
        choice = session.state.standing.at(span)
        found = card(session, session.state, choice) if choice else None
        text = session.document.text[slice(*span)] if span != (0, 0) else ""
        return {"document": document, "card": found, "bases": bases(session), "span": span, "chosen": text}

    def find(self, document: int, q: str) -> JSONResponse:
        """Every place where some words stand, in terms or not, with the page of each."""
        with self.desk.lock:
            session = self.session(document)
            spans = find(session.document.text, q)
            pages = self.desk.pages(document)
            shown = [pages.numbers([s]) for s in spans] if pages is not None else [[] for _ in spans]
        found = [{"at": f"{s}-{e}", "page": n[0] if n else None} for (s, e), n in zip(spans, shown, strict=True)]
        return JSONResponse({"matches": found})

    def next(self, document: int, walk: str, at: int = -1, by: int = 1) -> JSONResponse:
        """Where the next choice stands on a way through the document."""
        with self.desk.lock:
            session = self.session(document)
            try:
                choice = following(session.state, at, by, walk)
            except ValueError as error:
                raise HTTPException(422, str(error)) from None
            pages = self.desk.pages(document)
            numbers = pages.numbers([choice.core]) if pages is not None and choice else []
        return JSONResponse({"at": choice.id if choice else None, "page": numbers[0] if numbers else None})

    def edits(self, document: int) -> HTMLResponse:
        """The side list of everything that is changed or decided, to filter and to decide in bulk."""
        with self.desk.lock:
            session = self.session(document)
            shown = [c for c in session.state.standing.choices if c.status != "open"]
            return self.page("edits.html", document=document, choices=shown)

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
            return self.answer(document, session, before, done, None, x_view)

    def curve(self, document: int, number: int) -> HTMLResponse:
        with self.desk.lock:
            session = self.session(document)
            knob = next((k for k in knobs(session.state.proposal.models, session.knowledge) if k.model == number), None)
        if knob is None:
            raise HTTPException(404, "this review has no such dial")
        rows = self.desk.curve(document, number)
        return self.page("curve.html", knob=knob, points=curve_points(rows, knob.value), document=document)

    def answer(
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
        values = self.common(document, session, state) | self.card_values(document, session, span or (0, 0))
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


def person_of(written: str) -> str:
    """The name of the person who decides, from the header in which a page sends it."""
    return unquote(written).strip()[:200]


def span_of(at: str) -> tuple[int, int]:
    """A span as a page writes it, ``start-end``."""
    if not re.fullmatch(r"\d{1,9}-\d{1,9}", at):
        raise HTTPException(422, "a span is two numbers, start-end")
    start, end = map(int, at.split("-"))
    return start, end


def revision(session: Session) -> str:
    """A short name of the steps in force: a page that shows other ones is out of date."""
    return sha256(repr(session.steps).encode()).hexdigest()[:16]


def stale(session: Session, shown: str) -> None:
    """Refuse a step from a page that shows an earlier state: the page says so and loads again."""
    if shown and shown != revision(session):
        raise HTTPException(409, "This page showed an earlier state, so nothing was decided. It is loaded again.")
