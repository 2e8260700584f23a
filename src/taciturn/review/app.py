"""The review as a local web app: pages that work without a network, for one person on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from taciturn.review.desk import Desk
from taciturn.review.leaving import Leaving
from taciturn.review.security import Guard, Rules
from taciturn.review.steps import Steps
from taciturn.review.views import Views

__all__ = ["create_app"]


def create_app(desk: Desk, rules: Rules) -> Guard:
    """The app, behind its guard."""
    app = FastAPI(title="Taciturn review", docs_url=None, redoc_url=None, openapi_url=None)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    views = Views(desk, rules)
    steps, leaving = Steps(views), Leaving(views)
    app.exception_handler(HTTPException)(views.problem)
    app.get("/", response_class=HTMLResponse)(views.queue)
    app.get("/d/{document}", response_class=HTMLResponse)(views.review)
    gets: dict[str, Callable[..., Any]] = {
        "card": views.card,
        "whole": views.whole,
        "find": views.find,
        "next": views.next,
        "edits": views.edits,
        "curve/{number}": views.curve,
        "page/{page}.png": views.picture,
        "sheet/{page}": views.sheet,
        "export/{what}": leaving.export,
    }
    posts: dict[str, Callable[..., Any]] = {
        "decide": steps.decide,
        "undo": steps.undo,
        "redo": steps.redo,
        "dial": steps.dial,
        "mark-area": steps.mark_area,
        "mark-matches": steps.mark_matches,
        "bulk": steps.bulk,
        "note": leaving.note,
        "approve": leaving.approve,
        "release": leaving.release,
        "forget": leaving.forget,
    }
    for path, view in gets.items():
        app.get(f"/d/{{document}}/{path}", response_model=None)(view)
    for path, view in posts.items():
        app.post(f"/d/{{document}}/{path}", response_model=None)(view)
    return Guard(app, rules)
