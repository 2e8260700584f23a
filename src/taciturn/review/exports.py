"""What leaves a review: the release in the file's own format, certificate, private report, exemption log, decisions."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from taciturn.certificate import Certificate
from taciturn.errors import TaciturnError
from taciturn.formats import write
from taciturn.formats.sweep import Sweeper, removed, to_sweep
from taciturn.release import watch
from taciturn.report.exemptions import as_csv, exemptions
from taciturn.report.html import report_page
from taciturn.review.decisions import Decision, to_json
from taciturn.review.messages import shown
from taciturn.review.session import Session, State
from taciturn.review.store import Released

__all__ = ["BlockedError", "decisions_json", "exemption_log", "file_name", "release", "report_html"]

_SHORTEST_REASON = 10


class BlockedError(TaciturnError):
    """A release that is not made; the message says why and what to do."""


def release(session: Session, *, reason: str = "", person: str = "", at: str = "") -> tuple[bytes, dict[str, Any]]:
    """The released file and its certificate, after the whole check; it blocks while the guarantee fails.

    A written ``reason`` overrides that: the certificate then says that the guarantee does not hold and that a person
    decided so. Nothing overrides the search of the written bytes for what was removed.
    """
    if not person.strip():
        raise BlockedError("a release needs a name: write who releases it")
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
        stated["override"] = {"by": person.strip(), "at": at}
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


def report_html(session: Session, state: State, name: str, released: Released | None = None) -> str:
    """The private report with the record of decisions, and of the release that was made of this state."""
    record = [(s.at, f"{shown(s)}{f', by {s.by}' * bool(s.by)}") for s in session.steps]
    if released is not None:
        by = released.person or "a reviewer"
        said = f"released by {by}"
        if not released.holds:
            failing = "; ".join(v.message for v in state.verdict.violations[:20])
            said = f"released by {by} although the guarantee fails: {released.reason}. What fails: {failing}"
        record.append((released.at, said))
    return report_page(session.report(state), name, record)


def exemption_log(session: Session, state: State, name: str) -> str:
    """The exemption log of a state as CSV: it quotes no original, so it can go with the release."""
    watched = watch(state.applied.document, session.models, session.knowledge)
    sweeper = Sweeper(to_sweep(state.applied, removed(state.applied)), watched)
    people = {s.at: s.by for s in session.steps if isinstance(s, Decision)}
    decided = {
        c.edit.span: (people.get(c.at) or "reviewer", c.at) for c in state.standing.choices if c.edit and c.decided
    }
    return as_csv(exemptions(state.applied, name, sweeper.clean, decided))


def decisions_json(session: Session) -> str:
    """The decisions in force, to be replayed on the next version. Private."""
    return json.dumps(to_json(session.steps, session.document), indent=2, ensure_ascii=False) + "\n"
