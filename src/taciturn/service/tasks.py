"""The tasks of the service's workers. Arguments and results are plain data, since they cross a pipe."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from taciturn import formats
from taciturn.document import Document
from taciturn.errors import InputError, NotReleasedError, TaciturnError
from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.models import CSanitized, Model
from taciturn.models.names import understood_by
from taciturn.policy import Policy
from taciturn.processes import FaultError
from taciturn.release import Release, check, sanitize, several_models, terms, watch
from taciturn.service.requests import Check, Explain, Protection, Sanitize, build
from taciturn.tables import RowEdit, release_table

__all__ = ["RefusedError", "perform", "ready", "warm"]


class RefusedError(InputError):
    """What was asked cannot be done; the message is for the client."""


def warm(pack: str | None = None) -> Knowledge:
    """Open what every task needs, and give the knowledge: a pack's, or the embedded one."""
    knowledge = Knowledge.open(pack) if pack else Knowledge.default()
    with suppress(UnknownTermError):  # a pack of one's own need not know it
        sanitize("He has AIDS.", CSanitized(protect=["HIV"]), knowledge)
    return knowledge


def ready(pack: str | None) -> Callable[[tuple[str, dict[str, Any]]], Any]:
    """What a worker process does with each task, by name and payload, once the knowledge is open."""
    knowledge = warm(pack)

    def do(asked: tuple[str, dict[str, Any]]) -> Any:
        try:
            return perform(*asked, knowledge)
        except RefusedError:
            raise
        except TaciturnError as error:
            # Nobody foresaw it here, and it may quote the document: its kind goes to the client, not its message.
            raise FaultError(f"internal error ({type(error).__name__})") from None

    return do


def perform(task: str, payload: dict[str, Any], knowledge: Knowledge | None = None) -> Any:
    """Do a task by name, with the embedded knowledge unless another is given.

    >>> perform("terms", {"text": "Two viruses."})["terms"][0]["key"]
    'virus'
    """
    try:
        return _TASKS[task](payload, knowledge if knowledge is not None else Knowledge.default())
    except NotReleasedError as error:
        raise RefusedError(str(error)) from None
    except ValueError as error:  # formats, policies and models say so what is wrong with what they are given
        raise RefusedError(str(error)) from None


def _sanitize(payload: dict[str, Any], knowledge: Knowledge) -> dict[str, Any]:
    asked = Sanitize(**payload)
    release = sanitize(asked.text, build(asked), knowledge)
    answer: dict[str, Any] = {
        "text": release.text,
        "certificate": release.certificate.to_json(),
        "edits": len(release.edits),
        "utility": round(release.report.utility, 6),
    }
    if asked.report:
        answer["report"] = release.report.to_json()
    return answer


def _check(payload: dict[str, Any], knowledge: Knowledge) -> dict[str, Any]:
    asked = Check(**payload)
    found = check(asked.text, build(asked), knowledge)
    rows = [{"message": v.message, "spans": [list(s) for s in v.spans]} for v in found.violations[:1000]]
    return {"holds": found.holds, "margin": _finite(found.margin), "certificate": found.to_json(), "violations": rows}


def _explain(payload: dict[str, Any], knowledge: Knowledge) -> dict[str, Any]:
    from taciturn.report.explain import explain_document, explain_term

    asked = Explain(**payload)
    model = build(asked)
    if not isinstance(model, CSanitized):
        raise RefusedError("explain speaks of the model c-sanitized")
    if (asked.term is None) == (asked.text is None):
        raise RefusedError("name a `term`, or give a `text`, and not both")
    if asked.term is not None:
        return {"terms": [explain_term(asked.term, model, knowledge).to_json()]}
    found = explain_document(Document.of(asked.text or ""), model, knowledge, asked.most)
    return {"terms": [e.to_json() for e in found]}


def _terms(payload: dict[str, Any], knowledge: Knowledge) -> dict[str, Any]:
    rows = [
        {"start": t.start, "end": t.end, "text": t.text, "key": t.key, "kind": t.kind, "mention": t.mention}
        for t in terms(payload["text"])
    ]
    return {"terms": rows}


def _file(payload: dict[str, Any], knowledge: Knowledge) -> dict[str, Any]:
    from taciturn.report.html import report_page

    model = build(Protection(**payload["asked"]))
    options = model.options() if isinstance(model, Policy) else None
    table = formats.read_rows(payload["data"], payload["name"], options)
    if table is not None:
        return _table(table, model, knowledge)
    file = formats.read(payload["data"], payload["name"], options)
    release: Release = sanitize(file.document, model, knowledge)
    return {
        "data": formats.write(file, release.applied, watch(release.document, model, knowledge)),
        "certificate": release.certificate.to_json(),
        "report": report_page(release.report, file.name, file=file.inventory(release.applied)),
        "dropped": list(file.dropped),
        "noticed": list(file.noticed),
        "edits": len(release.edits),
    }


def _table(table: formats.Rows, model: Model | Policy, knowledge: Knowledge) -> dict[str, Any]:
    """A table is released row by row."""
    from taciturn.report.html import table_page

    edits: list[RowEdit] = []
    release = release_table(table, model, knowledge, edits.append)
    understood = understood_by(several_models(model), knowledge)
    return {
        "data": release.data,
        "certificate": release.certificate.to_json(),
        "report": "".join(table_page(table.name, release.certificate, edits, release.inventory, understood)),
        "dropped": list(release.inventory.dropped),
        "noticed": list(release.inventory.noticed),
        "edits": release.edits,
    }


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


_TASKS: dict[str, Callable[[dict[str, Any], Knowledge], Any]] = {
    "sanitize": _sanitize,
    "check": _check,
    "explain": _explain,
    "terms": _terms,
    "file": _file,
}
