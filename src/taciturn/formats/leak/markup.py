"""HTML read twice more: by Python's own parser, and as text between angle brackets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from taciturn.formats.css import strings_and_names
from taciturn.formats.leak.found import BREAK, Found
from taciturn.formats.vocabulary import HTML_ELEMENTS, is_html_attribute, is_html_value

__all__ = ["texts"]

_BLOCK = re.compile(
    r"</?(?:p|div|h[1-6]|li|td|th|tr|br|hr|title|section|article|pre|table|ul|ol|option|dd|dt)\b[^>]*>", re.I
)


class _Collector(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Found] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if _BLOCK.match(f"<{tag}>"):
            self.text.append(BREAK)
        if tag not in HTML_ELEMENTS:
            self.found.append(Found("name of an element", "html.parser", tag))
        for name, value in attrs:
            if not is_html_attribute(name):
                self.found.append(Found("name of an attribute", "html.parser", name))
            if value and name == "style":
                self.found += _style(value)
            elif value and not is_html_value(name, value):
                self.found.append(Found(f"attribute {name}", "html.parser", value))

    def handle_endtag(self, tag: str) -> None:
        if _BLOCK.match(f"<{tag}>"):
            self.text.append(BREAK)

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.found.append(Found("comment", "html.parser", data))

    def handle_decl(self, decl: str) -> None:
        self.found.append(Found("declaration", "html.parser", decl, structure=True))

    def handle_pi(self, data: str) -> None:
        self.found.append(Found("instruction", "html.parser", data))


def _style(css: str) -> list[Found]:
    shown, names = strings_and_names(css)
    return [
        Found("style sheet", "cut out", css, structure=True),
        Found("texts of a style sheet", "cut out", BREAK.join(shown)),
        Found("names in a style sheet", "cut out", BREAK.join(names)),
    ]


def texts(data: bytes, name: str) -> Iterator[Found]:
    """Text, attributes, comments; then whatever is left when all tags are cut."""
    source = data.decode("utf-8", errors="replace")
    styles = re.findall(r"<style[^>]*>(.*?)(?:</style|\Z)", source, re.I | re.S)
    bare = re.sub(r"(<style[^>]*>).*?(</style|\Z)", r"\1\2", source, flags=re.I | re.S)
    for style in styles:
        yield from _style(style)
    collector = _Collector()
    collector.feed(bare)
    collector.close()
    yield from collector.found
    yield Found("text", "html.parser", "".join(collector.text))
    between = re.sub(r"<[^<>]*>", "", _BLOCK.sub(BREAK, bare))
    yield Found("text", "tags cut", html.unescape(between))
    # Names of elements and attributes belong to the format: without them, "title" is no leak of "title". So do fixed
    # words: a page that hides "center" may still be centred.
    wordless = re.sub(r'\s([a-zA-Z-]+)="([^"<>]*)"', lambda m: " " if is_html_value(m[1], m[2]) else m[0], source)
    nameless = re.sub(r"</?[a-zA-Z][^\s<>]*|\s[a-zA-Z_:][\w:.-]*(?==)", " ", wordless)
    yield Found("source", "entities undone", html.unescape(nameless), structure=True)
