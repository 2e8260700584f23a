from __future__ import annotations

import html
import re

import pytest
from lxml import html as lxml_html

from taciturn.formats import FormatError, LimitError, Options, read, write
from taciturn.plan import Plan, apply
from tests.formats import nasty
from tests.formats.plans import release


def _everything(data: bytes) -> str:
    """All that lxml, which does not read HTML for Taciturn, finds in a page; letters only: no markup hides any."""
    root = lxml_html.document_fromstring(data.decode())
    texts = []
    for element in root.iter():
        texts += [element.text or "", element.tail or "", *element.attrib.values()]
    joined = html.unescape(" ".join(texts)) + data.decode()
    return re.sub(r"[\W_]", "", joined).casefold()


@pytest.mark.parametrize("place", nasty.HTML_PLACES)
def test_no_place_of_a_page_keeps_the_name(place: str) -> None:
    _, data = release(nasty.page(place), "page.html", nasty.HIDE)
    assert "banderas" not in _everything(data)
    assert "antonio" not in _everything(data)


def test_all_places_at_once() -> None:
    file, data = release(nasty.page(*(p for p in nasty.HTML_PLACES)), "page.html", nasty.HIDE)
    assert "banderas" not in _everything(data)
    assert "scripts" in file.dropped
    assert "comments" in file.dropped
    assert b"data:image/svg" not in data


def test_structure_stays() -> None:
    source = (
        b'<!DOCTYPE html><html lang="en"><head><style>p { color: red }</style></head><body>\n'
        b'<p class="lead" style="color: red">A <b>bold</b> &amp; <i>x</i> &lt; 3&nbsp;m</p>\n'
        b'<pre>\n\n two\n  lines</pre><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>'
        b"<table><tbody><tr><td>1</td></tr></tbody></table><br><input disabled></body></html>"
    )
    file = read(source, "a.html")
    data = write(file, apply(Plan(file.document)))
    assert data.replace(b'<meta charset="utf-8">', b"") == source.replace(b"<pre>\n\n", b"<pre>\n\n")
    again = read(data, "a.html")
    assert again.document == file.document


def test_a_name_half_in_bold_is_one_term_and_the_replacement_stands_in_the_first_slot() -> None:
    _, data = release(b"<html><p>Mr An<b>ton</b>io\n <i>Banderas</i>!</p>", "a.html", nasty.HIDE)
    assert b"<p>Mr an actor<b></b><i></i>!</p>" in data


def test_other_encodings_are_read_as_declared_and_written_as_utf_8() -> None:
    source = '<html><head><meta charset="iso-8859-1"></head><p>caf\xe9 Antonio Banderas</p>'.encode("latin-1")
    _, data = release(source, "a.html", nasty.HIDE)
    assert "café an actor" in data.decode("utf-8")
    assert b"iso-8859" not in data


def test_deep_nesting_is_refused_in_time() -> None:
    with pytest.raises(LimitError, match="nested more than"):
        read(b"<html>" + b"<div>" * 100_000, "a.html")


def test_pictures_in_addresses_follow_the_option() -> None:
    source = b"<html><img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBACH+B0FudG9uaW8AOw=='>"
    for pictures, expected in (
        ("blank", b"R0lGODlhAQABAIAAAMzMzAAAACwAAAAAAQABAAACAkQBADs="),
        ("keep", b"R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="),
    ):
        file = read(source, "a.html", Options(pictures=pictures))  # type: ignore[arg-type]
        assert expected in write(file, apply(Plan(file.document)))


def test_markdown_hides_the_name_everywhere_and_keeps_its_marks() -> None:
    file, data = release(nasty.markdown(), "a.md", nasty.HIDE)
    text = data.decode()
    assert "banderas" not in re.sub(r"[\W_]", "", html.unescape(text)).casefold()
    assert "An actor named **an actor**" in text
    assert "| an actor | actor |" in text
    assert "1. an actor, an actor" in text
    assert "comments" in file.dropped


def test_markdown_without_edits_stays_byte_by_byte() -> None:
    source = b"# A *b*\r\n\r\n- x\r\n\r\n| a | b |\r\n|---|---|\r\n| \\| | `|` |\r\n\r\n[a](b)\r\n\ttext  \r\nmore\r\n"
    file = read(source, "a.md")
    assert write(file, apply(Plan(file.document))) == source


def test_a_mark_before_a_bracket_does_not_become_a_link() -> None:
    _, data = release(b"AIDS(acquired) and AIDS.", "a.md", {"AIDS": "[REDACTED]"})
    assert data == b"[REDACTED\\](acquired) and [REDACTED]."


def test_an_empty_page_is_refused() -> None:
    with pytest.raises(FormatError):
        read(b"", "a.html")


def test_code_gets_no_escapes_and_escaped_marks_are_no_other_spelling() -> None:
    source = b"""Antonio \\* Banderas and Antonio Banderas

```
a * b  # Antonio Banderas
```
and `a * b Antonio Banderas` here
"""
    _, data = release(source, "a.md", nasty.HIDE)
    assert (
        data
        == b"""Antonio \\* Banderas and an actor

```
a * b  # an actor
```
and `a * b an actor` here
"""
    )


def test_words_after_a_lost_quote_are_swept() -> None:
    source = b'<html><body><p>Antonio Banderas</p><p class="x" antonio banderas disabled>x</p></body></html>'
    _, data = release(source, "a.html", nasty.HIDE)
    assert b'<p class="x" disabled>' in data


def test_words_that_a_style_sheet_shows_go() -> None:
    """No model reads them."""
    source = (
        b"""<html><head><style>p::after { content: '\xc2\xbb' counter(x) "Ann Lee" } q { quotes: "aa" "bb" }</style>"""
    )
    made = release(source, "a.html", {})[1]
    assert b"Ann" not in made
    assert b"""content: '\xc2\xbb' counter(x) "" } q { quotes: "aa" "bb" }""" in made


def test_a_page_taken_in_by_its_style_sheet_is_dropped() -> None:
    """Nobody reads it there, and a reader may mend the page."""
    file, made = release(b"<html><head><style>p { color: 'red }<p>Ann Lee</p>\n<b>Ann Lee</b></body>", "a.html", {})
    assert b"Ann" not in made
    assert "style sheets that hold other things" in file.dropped
