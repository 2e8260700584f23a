"""Which content streams draw which forms, and how often.

A word may begin on a page and end in a form that the page draws beside it. So a form that is drawn once in the whole
file is read together with the stream that draws it, at its place there; a form that is drawn more often is read on its
own, once. How much a page draws, forms within forms, is known before anything is drawn: a few kilobytes of forms that
each draw ten others would keep any reader busy for hours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from pikepdf import Array, Dictionary, Stream

from taciturn.formats.base import LimitError
from taciturn.formats.pdf.source import Key, Scope, Source

__all__ = ["drawn_once", "form_of"]

_DRAW = re.compile(rb"/([^\s<>\[\](){}/%]+)\s+Do(?![^\s<>\[\](){}/%])")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_MOST_DRAWN = 100_000
"""How many forms a page may draw, those within forms counted each time."""


def form_of(scope: Scope, name: str) -> Stream | None:
    """The form that a content stream knows by a name."""
    objects = scope.resources.get("/XObject")
    item = objects.get(name) if isinstance(objects, Dictionary) else None
    return item if isinstance(item, Stream) and str(item.get("/Subtype", "")) == "/Form" else None


def drawn_once(source: Source) -> set[Key]:
    """The forms that are drawn exactly once in the whole file.

    Names are looked for in the bytes, which is fast and may count a form too many inside a string: then it is read on
    its own. :class:`LimitError` if a page draws more than any reader can read.
    """
    draws: dict[Key, Counter[Key]] = {}
    sizes: dict[Key, int] = {}
    for scope in source.scopes:
        names = _form_names(scope)
        if scope.key in draws or not (names or isinstance(scope.stream, Stream)):
            continue  # most pages draw no form
        draws[scope.key] = Counter()
        content = _content(scope, source)
        sizes[scope.key] = len(content)
        for name in _DRAW.findall(content) if names else ():
            plain = _ESCAPE.sub(lambda m: bytes([int(m[1], 16)]), name).decode("utf-8", "surrogateescape")
            if f"/{plain}" in names:
                draws[scope.key][names[f"/{plain}"]] += 1
    _refuse_endless(draws, sizes, source)
    uses: Counter[Key] = Counter()
    for drawn in draws.values():
        uses.update(drawn)
    return {key for key, count in uses.items() if count == 1 and key not in source.masks}


def _form_names(scope: Scope) -> dict[str, Key]:
    objects = scope.resources.get("/XObject")
    names = sorted(objects.keys()) if isinstance(objects, Dictionary) else []
    return {name: form.objgen for name in names if (form := form_of(scope, name)) is not None}


def _content(scope: Scope, source: Source) -> bytes:
    source.measure_content(scope)
    if isinstance(scope.stream, Stream):
        return scope.stream.read_bytes()
    contents = scope.stream.get("/Contents")
    parts = list(contents) if isinstance(contents, Array) else [contents]
    return b"\n".join(part.read_bytes() for part in parts if isinstance(part, Stream))


def _refuse_endless(draws: Mapping[Key, Mapping[Key, int]], sizes: Mapping[Key, int], source: Source) -> None:
    """What each stream draws in all: how many forms, and how many bytes of content. Sums go from the leaves up."""
    total: dict[Key, tuple[int, int]] = {}
    for root in draws:
        stack: list[tuple[Key, bool]] = [(root, False)]
        begun: set[Key] = set()
        while stack:
            key, finished = stack.pop()
            if key in total:
                continue
            inner = draws.get(key, {})
            if finished:
                # A form that draws itself is not drawn again by any reader; it counts as nothing.
                forms = sum(count * (1 + total.get(other, (0, 0))[0]) for other, count in inner.items())
                content = sizes.get(key, 0) + sum(n * total.get(other, (0, 0))[1] for other, n in inner.items())
                total[key] = (forms, content)
                _check(forms, content, source)
            elif key not in begun:
                begun.add(key)
                stack.append((key, True))
                stack += ((other, False) for other in inner if other not in total)


def _check(forms: int, content: int, source: Source) -> None:
    limit = source.context.options.limits.expanded
    if forms > _MOST_DRAWN or content > limit:
        raise LimitError(
            f"{source.name!r} has a page that draws {forms:,} forms with {content:,} bytes of content, forms within "
            f"forms; the limits are {_MOST_DRAWN:,} and {limit:,} (Limits.expanded); print it anew as PDF"
        )
