"""What leaves a review: the release in the file's own format, certificate, private report, exemption log, decisions."""

from __future__ import annotations

import csv
import json
from hashlib import sha256
from io import StringIO
from pathlib import PurePath
from typing import Any

from taciturn.certificate import Certificate
from taciturn.errors import TaciturnError
from taciturn.formats import write
from taciturn.formats.sweep import Sweeper, removed, to_sweep
from taciturn.release import watch
from taciturn.report.html import report_page
from taciturn.review.choices import REVIEWER
from taciturn.review.decisions import Decision, to_json
from taciturn.review.messages import shown
from taciturn.review.session import Session, State

__all__ = ["BlockedError", "decisions_json", "exemption_log", "file_name", "release", "report_html"]

_SHORTEST_REASON = 10


class BlockedError(TaciturnError):
    """A release that is not made; the message says why and what to do."""


def release(session: Session, *, reason: str = "", person: str = "", at: str = "") -> tuple[bytes, dict[str, Any]]:
    """The released file and its certificate, after the whole check; it blocks while the guarantee fails.

    A written ``reason`` overrides that: the certificate then says that the guarantee does not hold and that a person
    decided so. Nothing overrides the search of the written bytes for what was removed.
    """
    state = session.state
    certificate: Certificate = session.certificate(state)
    stated: dict[str, Any] = {}
    if not certificate.holds:
        if len(reason.strip()) < _SHORTEST_REASON:
            count = len(certificate.violations)
            raise BlockedError(
                f"the guarantee fails in {count} way{'s' * (count != 1)}, so nothing is released; change what is "
                f"flagged, or write down why it may be released all the same (at least {_SHORTEST_REASON} characters)"
            )
        stated["override"] = {"by": person.strip() or "a reviewer", "at": at}
    decided = sum(isinstance(s, Decision) for s in session.steps)
    stated["review"] = {"decisions": decided}
    watched = watch(state.applied.document, session.models, session.knowledge)
    data = write(session.file, state.applied, watched)
    stated["released_sha256"] = sha256(data).hexdigest()
    return data, certificate.to_json(beside=stated)


def file_name(name: str, ending: str) -> str:
    """The name of an export of a file.

    >>> file_name("note.docx", "released"), file_name("note.docx", "certificate.json")
    ('note.released.docx', 'note.certificate.json')
    """
    path = PurePath(name)
    return f"{path.stem}.{ending}{path.suffix}" if "." not in ending else f"{path.stem}.{ending}"


def report_html(session: Session, state: State, name: str, override: str = "") -> str:
    """The private report with the record of decisions."""
    record = [(s.at, shown(s)) for s in session.steps]
    if override:
        record.append(("", f"released although the guarantee fails: {override}"))
    return report_page(session.report(state), name, record)


def exemption_log(session: Session, state: State) -> str:
    """A row for each edit of the release: where, shown as what, on which basis, decided by whom.

    It names no original, so it can go with the release: the names of columns and attachments are swept. Cells that a
    spreadsheet would run as formulas are quoted.
    """
    out = StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(["number", "place", "start", "end", "shown as", "kind", "exemption", "basis", "decided by", "model"])
    segments = state.applied.document.segments
    watched = watch(state.applied.document, session.models, session.knowledge)
    sweeper = Sweeper(to_sweep(state.applied, removed(state.applied)), watched)
    status = {c.edit.span: c for c in state.standing.choices if c.edit}
    at = 0
    for number, (edit, span) in enumerate(zip(state.applied.plan.edits, state.applied.spans, strict=True), 1):
        while at < len(segments) and segments[at].end < span[1]:
            at += 1
        choice = status.get(edit.span)
        by = "reviewer" if choice and choice.decided else "proposal"
        rows.writerow(
            _cell(value)
            for value in (
                number,
                sweeper.clean(segments[at].place) if at < len(segments) else "",
                span[0],
                span[1],
                edit.replacement,
                edit.kind,
                edit.figures.get("code", ""),
                edit.figures.get("basis", ""),
                by,
                "" if edit.model == REVIEWER else edit.model,
            )
        )
    return out.getvalue()


def decisions_json(session: Session) -> str:
    """The decisions in force, to be replayed on the next version. Private."""
    return json.dumps(to_json(session.steps, session.document), indent=2, ensure_ascii=False) + "\n"


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
