"""Files are read by the module of their format, ours or a plug-in's."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

from taciturn.formats.base import Content, Context, FormatError, LimitError, Rewrite
from taciturn.formats.detect import detect
from taciturn.formats.readable import readable, translated
from taciturn.registry import formats

__all__ = ["import_format", "open_content", "wrapped"]

_MODULES = {
    "text": "text",
    "markdown": "markdown",
    "html": "html",
    "csv": "table",
    "json": "json",
    "jsonl": "json",
    "mail": "mail",
    "msg": "msg",
    "docx": "docx",
    "pptx": "pptx",
    "xlsx": "xlsx",
    "odt": "odt",
    "pdf": "pdf",
    "parquet": "parquet",
    "rtf": "rtf",
    "zip": "zip",
}


def open_content(data: bytes, name: str, context: Context) -> Content:
    """Read a file, or a file inside a file."""
    limit = context.options.limits.size
    if len(data) > limit:
        raise LimitError(f"{name!r} has {len(data):,} bytes, the limit is {limit:,}; raise Limits.size if you trust it")
    if not data:
        raise FormatError(f"{name!r} is empty; there is nothing to release")
    form = detect(data, name)
    module = import_format(form, name)
    read = module.read
    errors = _errors(module, form)
    try:
        content: Content = read(data, name, context)
    except FormatError:
        raise
    except errors as error:
        # What a parser trips over in a damaged or hostile file is a refusal. Its message may quote the file.
        raise FormatError(
            f"{name!r} is damaged: it could not be read as {form} ({type(error).__name__}); save it anew first"
        ) from None

    return wrapped(content, name, form)


def import_format(form: str, name: str) -> Any:
    """The module of a format, or what a plug-in brought for it."""
    try:
        return importlib.import_module(f"taciturn.formats.{_MODULES[form]}") if form in _MODULES else formats[form]
    except ImportError as error:
        extra = "batch" if form == "parquet" else "files"
        raise FormatError(
            f"{name!r} is {form}, which needs the package {error.name!r}: pip install 'taciturn[{extra}]'"
        ) from error


def _errors(module: Any, form: str) -> tuple[type[Exception], ...]:
    found: tuple[type[Exception], ...] = getattr(module, "ERRORS", ()) if form in _MODULES else module.errors
    return found


def wrapped(content: Content, name: str, form: str) -> Content:
    """A content with passages as people read them, which refuses what its writer trips over."""
    errors = _errors(import_format(form, name), form)
    views = tuple(readable(passage) for passage in content.passages)
    passages = tuple(old if view is None else view.passage for old, view in zip(content.passages, views, strict=True))

    def rewrite(changes: Rewrite) -> bytes:
        try:
            return content.rewrite(replace(changes, changes=translated(changes.changes, views)))
        except FormatError:
            raise
        except errors as error:
            raise FormatError(
                f"{name!r} is damaged: it could not be written as {form} ({type(error).__name__}); save it anew first"
            ) from None

    return replace(content, passages=passages, rewrite=rewrite)
