from __future__ import annotations

from html.parser import HTMLParser

from taciturn.formats import Inventory
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized, Denied, Indistinct
from taciturn.release import sanitize
from taciturn.report.html import release_html, report_page
from tests.fixtures import tiny_knowledge

TEXT = "The patient suffers from AIDS & <b>zidovudine</b>. He reports fatigue and weight loss."


class Outline(HTMLParser):
    """Tags that are opened and closed in order, and everything that would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "line", "circle", "rect", "path", "polygon", "br"):
            self.open.append(tag)
        self.outside += [(tag, v) for k, v in attributes if k in ("src", "href") and v]
        assert tag != "script"

    def handle_endtag(self, tag: str) -> None:
        if self.open and tag in self.open:
            assert self.open.pop() == tag


def test_the_report_stands_alone_quotes_safely_and_warns() -> None:
    release = sanitize(TEXT, CSanitized(protect=["HIV"], alpha=1.5), tiny_knowledge())
    page = report_page(release.report, "note <1>.txt")
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert outline.outside == []
    assert "Do not publish" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "note &lt;1&gt;.txt" in page
    assert page.count('class="edit"') == len(release.edits)
    assert "What reveals what" in page
    assert release._repr_html_() == release_html(release)


def test_the_report_says_what_happened_to_the_file() -> None:
    release = sanitize(TEXT, CSanitized(protect=["HIV"], alpha=1.5), tiny_knowledge())
    file = Inventory("docx", {"body": 7, "comment": 2}, {"body": 3}, ("properties", "attachment <x>"), ("pictures",))
    page = report_page(release.report, "note.docx", file=file)
    assert "<tr><td>body</td><td>7</td><td>3</td></tr><tr><td>comment</td><td>2</td><td>0</td></tr>" in page
    assert "<li>attachment &lt;x&gt;</li>" in page
    assert "nobody read it:</p><ul><li>pictures</li>" in page


def test_json_reports_are_private_and_certificates_are_not() -> None:
    release = sanitize(TEXT, CSanitized(protect=["HIV"], alpha=1.5), tiny_knowledge())
    report, certificate = release.report.to_json(), release.certificate.to_json()
    assert "AIDS" in str(report)
    assert "private" in report
    for word in ("AIDS", "HIV", "zidovudine", "fatigue"):
        assert word not in str(certificate)
    assert "HIV" in str(release.certificate.to_json(name_protected=True))


def test_the_report_names_the_entity_and_draws_the_limit() -> None:
    release = sanitize(TEXT, CSanitized(protect=["HIV"], alpha=1.5), tiny_knowledge())
    page = report_page(release.report)
    assert "<th>less must be revealed of HIV</th><td>66.7%</td>" in page
    assert "entity 1" not in page
    assert "No term, and no group" in page
    assert 'class="limit"' in page
    redacted = sanitize(TEXT, CSanitized(protect=["HIV"], alpha=1.5, action="redact"), tiny_knowledge())
    assert report_page(redacted.report).count('class="edit mark"') == len(redacted.edits)


def test_the_report_shows_what_was_understood_of_concepts_and_not_of_persons_or_denied_strings() -> None:
    models = [CSanitized(protect=["aids", "Grace Hopper"]), Denied(protect=["zebra"])]
    report = sanitize("He has a dog.", models, Knowledge.default()).report
    assert [one.text for one in report.understood] == ["aids"]
    assert report.to_json()["understood"][0]["labels"][0] == "AIDS"
    page = report_page(report)
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    shown = page.split("What was understood")[1].split("Certificate")[0]
    for part in ("aids: AIDS", "MONDO", "<th>codes</th>", "the noun &#x27;aid&#x27;"):
        assert part in shown


def test_where_the_sum_is_bounded_the_page_tells_what_a_reader_would_guess() -> None:
    release = sanitize("He takes zidovudine.", Indistinct(protect=["HIV"]))
    page = report_page(release.report)
    assert "What a reader would guess" in page
    assert "HIV: place 1 of" in page
    plain = sanitize("He takes zidovudine.", CSanitized(protect=["HIV"]))
    assert "What a reader would guess" not in report_page(plain.report)
