"""The steps of a review as requests: decide, mark on a page, redact all matches, undo, redo, turn a dial."""

from __future__ import annotations

from typing import Annotated, get_args

from fastapi import Form, HTTPException
from fastapi.responses import Response

from taciturn.document import Span
from taciturn.models.excepting import Basis
from taciturn.review.cards import bases, card, next_rung
from taciturn.review.choices import Choice, whole_words
from taciturn.review.decisions import Action, Decision, Dial
from taciturn.review.messages import Effect
from taciturn.review.search import find
from taciturn.review.session import Session
from taciturn.review.store import now
from taciturn.review.views import Person, View, Views, person_of, span_of, stale

__all__ = ["Steps"]


class Steps:
    """What a reviewer does to a document; each step is written through before the page confirms it."""

    def __init__(self, views: Views) -> None:
        self.views = views

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
        x_person: Person = "",
    ) -> Response:
        with self.views.desk.lock:
            session = self.views.session(document)
            stale(session, revision)
            before, span = session.state, span_of(at)
            choice = before.standing.at(span)
            if choice and action != "mark":
                span = choice.core
            if action == "rung":
                action, label = self._next(session, choice)
            basis = _basis(session, code)
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
                    by=person_of(x_person),
                )
                done = self.views.desk.take(document, step)
            except ValueError as error:
                return self.views.answer(document, session, before, Effect("refused", str(error)), span, x_view)
            return self.views.answer(document, session, before, done, span, x_view)

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
        with self.views.desk.lock:
            session = self.views.session(document)
            stale(session, revision)
            before, steps = session.state, session.steps
            done = self.views.desk.move(document, by)
            step = (steps if by < 0 else session.steps)[-1] if done.tone != "none" else None
            span = step.span if isinstance(step, Decision) else span_of(at) if at else None
            return self.views.answer(document, session, before, done, span, view)

    def dial(
        self,
        document: int,
        model: Annotated[int, Form()],
        parameter: Annotated[str, Form()],
        value: Annotated[float, Form()],
        at: Annotated[str, Form()] = "",
        revision: Annotated[str, Form()] = "",
        x_view: View = "text",
        x_person: Person = "",
    ) -> Response:
        with self.views.desk.lock:
            session = self.views.session(document)
            stale(session, revision)
            before = session.state
            try:
                done = self.views.desk.take(document, Dial(model, parameter, value, now(), person_of(x_person)))
            except ValueError as error:
                done = Effect("refused", str(error))
            return self.views.answer(document, session, before, done, span_of(at) if at else None, x_view)

    def mark_area(
        self,
        document: int,
        page: Annotated[int, Form()],
        x: Annotated[float, Form()],
        y: Annotated[float, Form()],
        width: Annotated[float, Form()],
        height: Annotated[float, Form()],
        revision: Annotated[str, Form()] = "",
        code: Annotated[str, Form()] = "",
        x_view: View = "pages",
        x_person: Person = "",
    ) -> Response:
        """Redact the words in a rectangle that was drawn on a page."""
        with self.views.desk.lock:
            session = self.views.session(document)
            stale(session, revision)
            pages = self.views.desk.pages(document)
            if pages is None or not 0 <= page < len(pages):
                raise HTTPException(404, "there is no such page")
            from taciturn.review.pages import Box

            spans = pages.words_in(page, Box(x, y, width, height))
            before = session.state
            if not spans:
                said = Effect("refused", "there are no words in this area; draw the rectangle over them")
                return self.views.answer(document, session, before, said, None, x_view)
            done = self._mark_all(document, session, spans, code, person_of(x_person), everywhere=False)
            return self.views.answer(document, session, before, done, spans[0], x_view)

    def mark_matches(
        self,
        document: int,
        q: Annotated[str, Form()],
        queue: Annotated[bool, Form()] = False,
        revision: Annotated[str, Form()] = "",
        code: Annotated[str, Form()] = "",
        x_view: View = "text",
        x_person: Person = "",
    ) -> Response:
        """Redact all matches of a search, in this document or in every document of the queue."""
        with self.views.desk.lock:
            session = self.views.session(document)
            stale(session, revision)
            before = session.state
            person, others, places = person_of(x_person), 0, 0
            for entry in self.views.desk.store.entries() if queue else ():
                if entry.id != document:
                    other = self.views.session(entry.id)
                    if spans := find(other.document.text, q):
                        self._mark_all(entry.id, other, spans, code, person)
                        others, places = others + 1, places + len(spans)
            session = self.views.session(document)
            spans = find(session.document.text, q)
            done = Effect("refused", f"'{q.strip()}' is not in the document")
            if spans:
                done = self._mark_all(document, session, spans, code, person)
            if others:
                more = f"; {places} more in {others} other document{'s' * (others != 1)} of the queue"
                done = Effect(done.tone if spans else "same", done.sentence + more)
            return self.views.answer(document, session, before, done, spans[0] if spans else None, x_view)

    def _mark_all(
        self, document: int, session: Session, spans: list[Span], code: str, person: str, *, everywhere: bool = True
    ) -> Effect:
        """A mark for each different text among the spans, each with all its mentions, or for each span."""
        basis = _basis(session, code)
        seen: set[str] = set()
        done = Effect("none", "nothing was marked")
        for found in spans:
            span = whole_words(found, session.document.text)  # "Whitcomb2" is another word than "Whitcomb"
            text = session.document.text[slice(*span)]
            if everywhere and text.casefold() in seen:
                continue
            seen.add(text.casefold())
            step = Decision.on(
                session.document,
                "mark",
                span,
                everywhere=everywhere,
                code=basis.code,
                basis=basis.basis,
                at=now(),
                by=person,
            )
            done = self.views.desk.take(document, step)
        return Effect(done.tone, f"{len(spans)} place{'s' * (len(spans) != 1)} marked: {done.sentence}")

    def bulk(
        self,
        document: int,
        action: Annotated[str, Form()],
        spans: Annotated[str, Form()],
        revision: Annotated[str, Form()] = "",
        code: Annotated[str, Form()] = "",
        x_view: View = "text",
        x_person: Person = "",
    ) -> Response:
        """The same decision on many choices: those that a filter of the side list shows."""
        with self.views.desk.lock:
            session = self.views.session(document)
            stale(session, revision)
            before = session.state
            basis = _basis(session, code)
            done = Effect("refused", "nothing is chosen")
            places = [span_of(at) for at in spans.split()[:2000]]
            try:
                for span in places:
                    step = Decision.on(
                        session.document,
                        _action(action),
                        span,
                        code=basis.code,
                        basis=basis.basis,
                        at=now(),
                        by=person_of(x_person),
                    )
                    done = self.views.desk.take(document, step)
            except ValueError as error:
                done = Effect("refused", str(error))
            else:
                done = Effect(done.tone, f"{len(places)} decided: {done.sentence}" if places else done.sentence)
            return self.views.answer(document, session, before, done, None, x_view)


def _basis(session: Session, code: str) -> Basis:
    """The legal basis of the policy that has a code; an empty one for none."""
    return next((b for b in bases(session) if b.code == code and code), Basis())


def _action(name: str) -> Action:
    if name not in get_args(Action):
        raise ValueError(f"there is no decision {name!r}")
    return name  # type: ignore[return-value]
