"""The end of a review as requests: notes, approvals, the release, exports, and forgetting a document."""

from __future__ import annotations

import json
import re
from typing import Annotated

from fastapi import Form, HTTPException
from fastapi.responses import HTMLResponse, Response

from taciturn.formats import FormatError
from taciturn.review import exports
from taciturn.review.checklist import checklist
from taciturn.review.session import Session
from taciturn.review.store import now
from taciturn.review.views import Views

__all__ = ["Leaving"]

_ENDINGS = {
    "certificate": ("certificate.json", "application/json"),
    "report": ("report.html", "text/html; charset=utf-8"),
    "log": ("exemptions.csv", "text/csv; charset=utf-8"),
    "decisions": ("decisions.json", "application/json"),
}
_KINDS = {"pdf": "application/pdf", "html": "text/html", "json": "application/json"}


class Leaving:
    """What is done about a document as a whole."""

    def __init__(self, views: Views) -> None:
        self.views = views

    def note(self, document: int, text: Annotated[str, Form()], person: Annotated[str, Form()] = "") -> HTMLResponse:
        """A word to a colleague."""
        with self.views.desk.lock:
            session = self.views.session(document)
            if text.strip():
                self.views.desk.store.note(document, person.strip()[:200] or "a reviewer", text.strip()[:2000])
            return self.views.page("colleagues.html", **self.views.common(document, session, session.state))

    def approve(self, document: int, person: Annotated[str, Form()] = "") -> HTMLResponse:
        """A person approves the document as it stands."""
        with self.views.desk.lock:
            session = self.views.session(document)
            if not person.strip():
                raise HTTPException(422, "an approval needs a name")
            self.views.desk.store.approve(document, person.strip()[:200])
            return self.views.page("colleagues.html", **self.views.common(document, session, session.state), swap=True)

    def release(
        self,
        document: int,
        reason: Annotated[str, Form()] = "",
        person: Annotated[str, Form()] = "",
        seen: Annotated[bool, Form()] = False,
    ) -> HTMLResponse:
        """Release; what the checklist finds open must have been seen, and a second person where the policy asks."""
        with self.views.desk.lock:
            session = self.views.session(document)
            problem = ""
            try:
                self._ready(document, session, person.strip(), seen)
                data, certificate = exports.release(session, reason=reason, person=person[:200], at=now())
                stated = "" if certificate["holds"] else reason.strip()[:5000]
                steps = len(session.steps)
                self.views.desk.store.release(
                    document, data, certificate, steps=steps, reason=stated, person=person.strip()[:200]
                )
            except (exports.BlockedError, FormatError) as error:
                problem = str(error)
            return self.views.page(
                "released.html", **self.views.common(document, session, session.state), problem=problem
            )

    def export(self, document: int, what: str) -> Response:
        with self.views.desk.lock:
            session, entry = self.views.session(document), self.views.desk.store.entry(document)
            if what in ("release", "certificate") and entry.released is None:
                raise HTTPException(409, "nothing is released yet")
            if what == "release" and entry.released:
                data = self.views.desk.store.released_data(entry.released.id)
                kind = _KINDS.get(session.file.format, "application/octet-stream")
                return _download(data, exports.file_name(entry.name, "released"), kind)
            if what not in _ENDINGS:
                raise HTTPException(404, "there is no such export")
            ending, kind = _ENDINGS[what]
            if what == "certificate" and entry.released:
                text = json.dumps(entry.released.certificate, indent=2) + "\n"
            elif what == "report":
                current = entry.released if entry.released and entry.released.steps == entry.done else None
                text = exports.report_html(session, session.state, entry.name, current)
            elif what == "log":
                text = exports.exemption_log(session, session.state, entry.name)
            else:
                text = exports.decisions_json(session)
            return _download(text.encode(), exports.file_name(entry.name, ending), kind)

    def forget(self, document: int) -> Response:
        with self.views.desk.lock:
            self.views.desk.forget(document)
            return Response(status_code=204, headers={"HX-Redirect": "/"})

    def _ready(self, document: int, session: Session, person: str, seen: bool) -> None:
        """``BlockedError`` if something is open that nobody has seen, or a second person must approve first."""
        left = [item for item in checklist(session, session.state) if not item.done and item.name != "guarantee"]
        if left and not seen:
            raise exports.BlockedError(
                f"{' '.join(item.sentence for item in left)} Mend it, or say that you have seen it"
            )
        approved = self.views.desk.store.entry(document).approved_by
        if session.policy and session.policy.second_person and not any(name != person for name in approved):
            raise exports.BlockedError(
                "the policy asks for a second person: somebody else approves the document as it stands first"
            )


def _download(data: bytes, name: str, kind: str) -> Response:
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", name)
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    return Response(data, media_type=kind, headers=headers)
