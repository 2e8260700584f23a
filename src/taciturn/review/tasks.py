"""What a worker of the service does: plain data in, plain data out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit import formats
from tacit.document import Document
from tacit.knowledge import Knowledge
from tacit.models import CSanitized
from tacit.policy import Policy
from tacit.release import NotReleasedError, Release, check, sanitize, terms
from tacit.review.asked import Check, Explain, Protection, Sanitize, build

__all__ = ["RefusedError", "perform", "warm"]


class RefusedError(ValueError):
    """What was asked cannot be done; the message is for the client."""


def warm() -> None:
    """Open what every task needs."""
    knowledge = Knowledge.default()
    sanitize("He has AIDS.", CSanitized(protect=["HIV"]), knowledge)


def perform(task: str, payload: dict[str, Any]) -> Any:
    """Do a task by name.

    >>> perform("terms", {"text": "Two viruses."})["terms"][0]["key"]
    'virus'
    """
    try:
        return _TASKS[task](payload)
    except NotReleasedError as error:
        raise RefusedError(str(error)) from None
    except ValueError as error:  # formats, policies and models say so what is wrong with what they are given
        raise RefusedError(str(error)) from None


def _sanitize(payload: dict[str, Any]) -> dict[str, Any]:
    asked = Sanitize(**payload)
    release = sanitize(asked.text, build(asked), Knowledge.default())
    answer: dict[str, Any] = {
        "text": release.text,
        "certificate": release.certificate.to_json(),
        "edits": len(release.edits),
        "utility": round(release.report.utility, 6),
    }
    if asked.report:
        answer["report"] = release.report.to_json()
    return answer


def _check(payload: dict[str, Any]) -> dict[str, Any]:
    asked = Check(**payload)
    found = check(asked.text, build(asked), Knowledge.default())
    rows = [{"message": v.message, "spans": [list(s) for s in v.spans]} for v in found.violations[:1000]]
    return {"holds": found.holds, "margin": _finite(found.margin), "certificate": found.to_json(), "violations": rows}


def _explain(payload: dict[str, Any]) -> dict[str, Any]:
    from tacit.explain import explain_document, explain_term

    asked = Explain(**payload)
    model = build(asked)
    if not isinstance(model, CSanitized):
        raise RefusedError("explain speaks of the model c-sanitized")
    if (asked.term is None) == (asked.text is None):
        raise RefusedError("name a `term`, or give a `text`, and not both")
    knowledge = Knowledge.default()
    if asked.term is not None:
        return {"terms": [explain_term(asked.term, model, knowledge).to_json()]}
    found = explain_document(Document.of(asked.text or ""), model, knowledge, asked.most)
    return {"terms": [e.to_json() for e in found]}


def _terms(payload: dict[str, Any]) -> dict[str, Any]:
    rows = [
        {"start": t.start, "end": t.end, "text": t.text, "key": t.key, "kind": t.kind, "mention": t.mention}
        for t in terms(payload["text"])
    ]
    return {"terms": rows}


def _file(payload: dict[str, Any]) -> dict[str, Any]:
    from tacit.report.html import report_page

    model = build(Protection(**payload["asked"]))
    options = model.options() if isinstance(model, Policy) else None
    file = formats.read(payload["data"], payload["name"], options)
    release: Release = sanitize(file.document, model, Knowledge.default())
    return {
        "data": formats.write(file, release.applied),
        "certificate": release.certificate.to_json(),
        "report": report_page(release.report, file.name, file=file.inventory(release.applied)),
        "dropped": list(file.dropped),
        "noticed": list(file.noticed),
        "edits": len(release.edits),
    }


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


_TASKS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "sanitize": _sanitize,
    "check": _check,
    "explain": _explain,
    "terms": _terms,
    "file": _file,
}
