"""The reviewer's desk: the store, and the sessions that are open on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any

from taciturn import formats
from taciturn.knowledge import Knowledge
from taciturn.models.base import Model
from taciturn.policy import Policy
from taciturn.release import propose
from taciturn.review.decisions import Dial, Step
from taciturn.review.dials import knobs, turned
from taciturn.review.messages import Effect, effect
from taciturn.review.render import Block, Drawn, changed, draw
from taciturn.review.session import Session, State
from taciturn.review.store import Store

__all__ = ["Build", "Desk"]

Build = Callable[[Mapping[str, Any]], Model | Policy]
"""How the specification of a document's models, as the store keeps it, becomes models."""

_OPEN_SESSIONS = 8  # documents held in memory; the others are opened again when asked for


class Desk:
    """The store and the sessions that are open on it. Everything runs under one lock: there is one reviewer."""

    def __init__(self, store: Store, build: Build, knowledge: Knowledge) -> None:
        self.store = store
        self.build = build
        self.knowledge = knowledge
        self.lock = RLock()
        self._sessions: dict[int, Session] = {}
        self._pages: dict[int, Any] = {}
        self._drawn: dict[int, tuple[State, Drawn]] = {}
        self._curves: dict[tuple[int, tuple[Any, ...], int], list[tuple[float, float, int, bool]]] = {}

    def session(self, document: int) -> Session:
        """The session of a document, opened from the store if it is not."""
        if document in self._sessions:
            self._sessions[document] = self._sessions.pop(document)
            return self._sessions[document]
        entry = self.store.entry(document)
        models = self.build(entry.spec)
        options = models.options() if isinstance(models, Policy) else None
        file = formats.read(self.store.data(document), entry.name, options)
        session = Session(file, models, self.knowledge, self.store.steps(document)[0])
        while len(self._sessions) >= _OPEN_SESSIONS:
            oldest = next(iter(self._sessions))
            self._close(oldest)
        self._sessions[document] = session
        return session

    def take(self, document: int, step: Step) -> Effect:
        """Write a step through, then show what it did."""
        session = self.session(document)
        before = session.state
        after = session.view((*session.steps, session.verify(step)))  # what cannot be shown is not written
        self.store.append(document, step)
        session.steps = (*session.steps, step)
        return effect(session, before, after, step)

    def move(self, document: int, by: int) -> Effect:
        """Undo or redo a step."""
        session = self.session(document)
        before, steps = session.state, session.steps
        if not self.store.move(document, by):
            return Effect("none", "there is nothing to undo" if by < 0 else "there is nothing to redo")
        session.steps = self.store.steps(document)[0]
        step = steps[-1] if by < 0 else session.steps[-1]
        return effect(session, before, session.state, step, undone=by < 0)

    def drawn(self, document: int, state: State) -> Drawn:
        """The blocks of a state, drawn from the last ones that were."""
        last = self._drawn.get(document)
        if last is None or last[0] is not state:
            known = last[1] if last and last[0].proposal.original is state.proposal.original else None
            last = self._drawn[document] = (state, draw(state, known))
        return last[1]

    def redrawn(self, document: int, before: State, after: State) -> list[Block]:
        """The blocks that look different after a step."""
        return changed(self.drawn(document, before), self.drawn(document, after)) if after is not before else []

    def forget(self, document: int) -> None:
        """Take a document out of the queue, with all that was decided."""
        self._close(document)
        self.store.remove(document)

    def _close(self, document: int) -> None:
        for held in (self._sessions, self._pages, self._drawn):
            held.pop(document, None)

    def pages(self, document: int) -> Any:
        """The pages of a PDF; None for other files."""
        session = self.session(document)
        if session.file.format != "pdf":
            return None
        if document not in self._pages:
            from taciturn.review.pages import Pages

            self._pages[document] = Pages(self.store.data(document), session.document)
        return self._pages[document]

    def curve(self, document: int, number: int) -> list[tuple[float, float, int, bool]]:
        """For each position of a dial: the utility of the proposal, its edits, and whether the guarantee holds.

        The lock is let go between positions, so that a decision need not wait for all of them.
        """
        with self.lock:
            session = self.session(document)
            dials = session.state.dials
            knob = next(k for k in knobs(session.state.proposal.models, self.knowledge) if k.model == number)
            others = tuple(d for d in dials if d[0] != number)
            name = (document, others, number)
        if name not in self._curves:
            rows = []
            for position in knob.positions:
                with self.lock:
                    models = turned(session.models, [Dial(*o) for o in others], self.knowledge)
                    models = turned(models, [Dial(number, knob.parameter, position)], self.knowledge)
                    try:
                        found = propose(session.document, models, self.knowledge)
                    except ValueError:
                        continue  # a position that this document cannot reach, such as a t beyond its words
                    kept = session.kept(found.released)
                    rows.append((position, kept, len(found.applied.plan.edits), found.certificate.holds))
            self._curves[name] = rows
        return self._curves[name]
