from __future__ import annotations

import csv
import json
import logging
import re
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from taciturn import formats
from taciturn.formats import leaks
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized, Informative, KAnonymous, KSafe, Model, PersonRelease, Related, TPlausible
from taciturn.policy import Policy
from taciturn.release import check
from taciturn.review.app import create_app
from taciturn.review.decisions import from_json
from taciturn.review.desk import Desk
from taciturn.review.pages import Pages
from taciturn.review.security import Rules
from taciturn.review.store import Store
from tests.review.notes import NOTE

TOKEN = "for-this-test-only"
HOME = "http://127.0.0.1:8123"


MODELS: dict[str, Model] = {
    "c-sanitized": CSanitized(protect=["HIV"]),
    "informative": Informative(protect="AIDS"),
    "related": Related(beta="AIDS"),
    "k-safe": KSafe(protect=["AIDS"], k=2, action="generalize"),
    "k-anonymous": KAnonymous(["Tellman", "Hellman", "Wellman", "Bellman"], k=2),
    "t-plausible": TPlausible(protect=["zidovudine", "dog"], t=20),
    "person-release": PersonRelease(protect=["Tellman"]),
}


def build(spec: dict[str, object]) -> Model | Policy:
    return (
        Policy.load(str(spec["policy"]), ["HIV"]) if "policy" in spec else MODELS[str(spec.get("model", "c-sanitized"))]
    )


class Browser:
    """A signed-in browser on one store, and the app behind it."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path)
        self.rules = Rules(token=TOKEN, cookies=True)
        self.desk = Desk(self.store, build, Knowledge.default())  # type: ignore[arg-type]
        self.client = TestClient(create_app(self.desk, self.rules), base_url=HOME, follow_redirects=False)
        signed = self.client.get(f"/?token={TOKEN}")
        assert signed.headers["refresh"] == "0; url=/"
        self.headers = {"X-CSRF-Token": self.rules.csrf}

    def add(self, data: bytes = NOTE.encode(), name: str = "note.txt", **spec: object) -> int:
        return self.store.add(name, data, spec, Knowledge.default().digest)

    def get(self, path: str) -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, path: str, **values: object) -> str:
        answer = self.client.post(path, data=values, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return answer.text


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    made = Browser(tmp_path / "r.sqlite")
    yield made
    made.store.close()


def span(page: str, text: str) -> str:
    """The span of the first term of a page with these words."""
    found = re.search(rf'data-at="(\d+-\d+)"[^>]*>{re.escape(text)}<', page)
    assert found, text
    return found.group(1)


def test_the_page_shows_both_texts_and_the_guarantee(browser: Browser) -> None:
    one = browser.add()
    assert "note.txt" in browser.get("/")
    page = browser.get(f"/d/{one}")
    assert "Guarantee holds" in page
    assert 'class="t proposed"' in page
    assert "zidovudine" in page.split('id="released"')[0]
    assert "zidovudine" not in page.split('id="released"')[1].split('id="card"')[0]


def test_the_page_shows_what_was_understood(browser: Browser) -> None:
    page = browser.get(f"/d/{browser.add()}")
    shown = page.split('class="understood"')[1].split("</details>")[0]
    assert "<b>HIV</b> is understood as HIV" in shown
    assert "related expressions" in shown


def test_a_decision_sends_what_changed_and_says_what_it_did(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    said = browser.post(f"/d/{one}/decide", action="keep", at=span(page, "Kaposi&#x27;s sarcoma"))
    assert re.search(r"lets a reader infer HIV: PMI \d\.\d\d &gt;= \d\.\d\d", said)
    assert "Guarantee fails" in said
    assert re.findall(r'id="o(\d+)"', said) == ["1"]  # only the second paragraph changed
    said = browser.post(f"/d/{one}/undo")
    assert "the guarantee holds again" in said
    said = browser.post(f"/d/{one}/redo")
    assert "Guarantee fails" in said


def test_rungs_words_marks_and_dials(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    drug = span(page, "zidovudine")
    card = browser.get(f"/d/{one}/card?at={drug}")
    labels = re.findall(r'data-label="([^"]+)"', card)
    assert "antimicrobial drug" in labels
    said = browser.post(f"/d/{one}/decide", action="rung", at=drug)
    assert "showing &#39;zidovudine&#39; as" in said
    said = browser.post(f"/d/{one}/decide", action="replace", at=drug, label="tablet")
    assert "takes <ins" in said.replace("\n", "")
    assert "a tablet" in said
    at = NOTE.index("bread")
    said = browser.post(f"/d/{one}/decide", action="mark", at=f"{at}-{at + 5}")
    assert "marking &#39;bread&#39;" in said
    said = browser.post(f"/d/{one}/dial", model=0, parameter="alpha", value=1)
    assert "alpha at 1" in said
    said = browser.post(f"/d/{one}/dial", model=0, parameter="alpha", value=0.2)
    assert "must be 1 or more" in said
    assert browser.store.entry(one).done == 4


def test_the_curve_falls_as_alpha_grows(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}/curve/0")
    kept = [float(x) for x in re.findall(r"keeps ([\d.]+)%", page)]
    assert len(kept) >= 8
    assert kept[0] > kept[-1]
    assert browser.client.get(f"/d/{one}/curve/7").status_code == 404


@pytest.mark.parametrize("name", list(MODELS))
def test_every_model_can_be_reviewed(browser: Browser, name: str) -> None:
    one = browser.add(model=name)
    page = browser.get(f"/d/{one}")
    assert "Guarantee holds" in page
    at = re.search(r'class="t proposed"[^>]*data-at="(\d+-\d+)"', page)
    assert at
    assert "Decide" in browser.get(f"/d/{one}/card?at={at.group(1)}")
    kept = browser.post(f"/d/{one}/decide", action="keep", at=at.group(1))
    assert "Guarantee fails" in kept or name == "t-plausible"
    redacted = browser.post(f"/d/{one}/decide", action="redact", at=at.group(1))
    assert "Guarantee holds" in redacted or name == "t-plausible"
    browser.post(f"/d/{one}/undo")
    browser.post(f"/d/{one}/undo")
    if name != "informative":
        assert len(re.findall('class="point', browser.get(f"/d/{one}/curve/0"))) >= 4
    assert "Released." in browser.post(f"/d/{one}/release")


def test_what_cannot_be_decided_is_refused_and_not_written(browser: Browser) -> None:
    one = browser.add()
    for values in (
        {"action": "burn", "at": "0-4"},
        {"action": "replace", "at": "0-4", "label": ""},
        {"action": "replace", "at": "0-4", "label": "x" * 300},
        {"action": "mark", "at": "4-99999"},
        {"action": "mark", "at": "9-4"},
    ):
        assert 'class="effect refused"' in browser.post(f"/d/{one}/decide", **values)
    assert (
        browser.client.post(f"/d/{one}/decide", data={"action": "keep", "at": "x"}, headers=browser.headers).status_code
        == 422
    )
    lost = browser.client.get("/d/99")
    assert (lost.status_code, "not in the queue" in lost.text, "<h1>" in lost.text) == (404, True, True)
    assert browser.store.entry(one).done == 0


def test_a_page_that_is_out_of_date_is_loaded_again(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    revision = re.search(r'data-revision="(\w+)"', page)
    assert revision
    browser.post(f"/d/{one}/decide", action="keep", at=span(page, "zidovudine"), revision=revision.group(1))
    late = browser.client.post(
        f"/d/{one}/decide",
        data={"action": "keep", "at": span(page, "AIDS"), "revision": revision.group(1)},
        headers=browser.headers,
    )
    assert late.headers["hx-refresh"] == "true"
    assert browser.store.entry(one).done == 1


def test_release_is_blocked_until_the_guarantee_holds_or_a_reason_is_written(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    browser.post(f"/d/{one}/decide", action="keep", at=span(page, "zidovudine"))
    assert "nothing is released" in browser.post(f"/d/{one}/release")
    assert "nothing is released" in browser.post(f"/d/{one}/release", reason="because")
    assert browser.client.get(f"/d/{one}/export/release").status_code == 409
    said = browser.post(f"/d/{one}/release", reason="The court has ordered it, case 12.", person="Ann Reviewer")
    assert "Released by override" in said
    stated = json.loads(browser.get(f"/d/{one}/export/certificate"))
    assert stated["holds"] is False
    assert stated["override"]["by"] == "Ann Reviewer"
    assert "case 12" not in json.dumps(stated)
    assert "case 12" in browser.get(f"/d/{one}/export/report")
    assert "released by override" in browser.get("/")
    browser.post(f"/d/{one}/undo")
    assert "Released." in browser.post(f"/d/{one}/release")
    stated = json.loads(browser.get(f"/d/{one}/export/certificate"))
    assert stated["holds"] is True
    assert "override" not in stated


def test_exports_hold_what_they_say(browser: Browser) -> None:
    one = browser.add(policy="foia")
    page = browser.get(f"/d/{one}")
    at = NOTE.index("bread")
    browser.post(f"/d/{one}/decide", action="mark", at=f"{at}-{at + 5}", code="(b)(6)")
    browser.post(f"/d/{one}/decide", action="accept", at=span(page, "zidovudine"))
    browser.post(f"/d/{one}/release")
    answer = browser.client.get(f"/d/{one}/export/release")
    assert answer.headers["content-disposition"] == 'attachment; filename="note.released.txt"'
    text = answer.text
    assert "bread" not in text
    certificate = json.loads(browser.get(f"/d/{one}/export/certificate"))
    assert check(text, build({"policy": "foia"}), Knowledge.default()).text_digest == certificate["text_sha256"]
    rows = list(csv.DictReader(StringIO(browser.get(f"/d/{one}/export/log"))))
    assert len(rows) > 5
    for row in rows:
        assert text[int(row["start"]) : int(row["end"])] == row["shown as"]
    assert [r["exemption"] for r in rows if r["decided by"] == "reviewer" and not r["model"]] == ["(b)(6)"]
    log = browser.get(f"/d/{one}/export/log")
    assert "zidovudine" not in log
    assert "bread" not in log
    steps = from_json(json.loads(browser.get(f"/d/{one}/export/decisions")))
    assert [s.action for s in steps] == ["mark", "accept"]  # type: ignore[union-attr]
    report = browser.get(f"/d/{one}/export/report")
    assert "Decisions of the review" in report
    assert "<script" not in report


def test_the_log_of_exemptions_quotes_no_name_of_a_column_that_is_hidden(browser: Browser) -> None:
    one = browser.add(b"id,hiv_status\n1,He takes zidovudine.\n", "a.csv")
    browser.get(f"/d/{one}")
    log = browser.get(f"/d/{one}/export/log")
    assert "[REDACTED]_status" in log
    assert "hiv" not in log.lower()


def test_a_restart_finds_everything(browser: Browser, tmp_path: Path) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    browser.post(f"/d/{one}/decide", action="redact", at=span(page, "zidovudine"))
    shown = browser.get(f"/d/{one}")
    browser.store.close()
    again = Browser(tmp_path / "r.sqlite")
    strip = re.compile(r"checked in \d+ ms|X-CSRF-Token.*?}")
    assert strip.sub("", again.get(f"/d/{one}")) == strip.sub("", shown)
    again.store.close()


def test_documents_are_shown_as_text_never_as_markup(browser: Browser) -> None:
    nasty = '<script>alert(1)</script> <img src=x onerror="a()"> {{ 7*7 }} AIDS "quoted" \'s <b>AIDS</b> clinic'
    one = browser.add(nasty.encode(), '"><script>x.txt')
    page = browser.get(f"/d/{one}") + browser.get("/")
    page += browser.post(f"/d/{one}/decide", action="replace", at=span(page, "AIDS"), label="<script>x</script>")
    assert "<script>alert" not in page
    assert "<script>x" not in page
    assert "<img" not in page
    assert "{{ 7*7 }}" in page


def test_pdf_pages_are_pictures_with_boxes(browser: Browser) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    out = BytesIO()
    sheet = canvas.Canvas(out, pagesize=(400, 300))
    sheet.drawString(50, 250, "The patient has AIDS and takes zidovudine daily.")
    sheet.showPage()
    sheet.drawString(50, 250, "Nothing of note on this page.")
    sheet.save()
    one = browser.add(out.getvalue(), "a.pdf")
    page = browser.get(f"/d/{one}?view=pages")
    assert page.count('class="sheet"') == 2
    boxes = browser.get(f"/d/{one}/sheet/0")
    rows = re.findall(r'aria-label="(\w+):[^"]*" x="([\d.]+)" y="([\d.]+)"', boxes)
    found = {word: (float(x), float(y)) for word, x, y in rows}
    width = canvas.Canvas(BytesIO()).stringWidth("The patient has ", "Helvetica", 12)
    assert abs(found["AIDS"][0] - (50 + width - 1)) < 2
    assert 25 < found["AIDS"][1] < 50
    assert found["zidovudine"][0] > found["AIDS"][0]
    picture = browser.client.get(f"/d/{one}/page/0.png")
    assert picture.content.startswith(b"\x89PNG")
    assert browser.client.get(f"/d/{one}/page/2.png").status_code == 404
    drug = span(browser.get(f"/d/{one}"), "zidovudine")
    said = browser.client.post(
        f"/d/{one}/decide", data={"action": "keep", "at": drug}, headers={**browser.headers, "X-View": "pages"}
    ).text
    assert 'id="sheet0"' in said
    assert 'id="o0"' not in said
    browser.post(f"/d/{one}/undo")
    browser.post(f"/d/{one}/release")
    released = browser.client.get(f"/d/{one}/export/release").content
    assert released.startswith(b"%PDF")
    assert not leaks(released, ["zidovudine", "AIDS"], "a.pdf")


def test_words_of_a_hyphenated_paragraph_have_boxes_too() -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    out = BytesIO()
    sheet = canvas.Canvas(out, pagesize=(400, 300))
    lines = (
        "The doctor spoke of zidovudine and of the im-",
        "munodeficiency of the man, of sarcoma,",
        "of efficient care.",
    )
    for number, line in enumerate(lines):
        sheet.drawString(50, 250 - 14 * number, line)
    sheet.save()
    document = formats.read(out.getvalue(), "a.pdf").document
    pages = Pages(out.getvalue(), document)
    for word, line in (("zidovudine", 0), ("sarcoma", 1), ("care", 2)):
        at = document.text.index(word)
        box = pages.boxes(0, [(at, at + len(word))])[at, at + len(word)]
        width = sheet.stringWidth(lines[line][: lines[line].index(word)], "Helvetica", 12)
        assert len(box) == 1
        assert abs(box[0].x - 50 - width) < 2
        assert abs(box[0].y + box[0].height - (50 + 14 * line)) < 5
    at = document.text.index("immuno") if "immuno" in document.text else document.text.index("munodef")
    assert pages.numbers([(at, at + 4)]) == [0]


# --- who may ask


def test_nobody_gets_in_without_the_token(browser: Browser) -> None:
    browser.add()
    stranger = TestClient(browser.client.app, base_url=HOME, follow_redirects=False)
    assert stranger.get("/").status_code == 401
    assert stranger.get("/d/1").status_code == 401
    assert stranger.get("/?token=wrong").status_code == 401
    assert stranger.get("/static/review.js").status_code == 401
    answer = stranger.get(f"/?token={TOKEN}")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8123", "", "[::1", "localhost.evil.example"])
def test_another_name_for_this_machine_is_refused(browser: Browser, host: str) -> None:
    assert browser.client.get("/", headers={"Host": host}).status_code == 421
    assert browser.client.get(f"/?token={TOKEN}", headers={"Host": host}).status_code == 421


def test_another_site_cannot_post(browser: Browser) -> None:
    one = browser.add()
    good = {**browser.headers, "Origin": HOME}
    for headers in (
        {**good, "Origin": "https://evil.example"},
        {**good, "Origin": "null"},
        {**good, "Origin": "http://127.0.0.1:9999"},
        {**good, "Sec-Fetch-Site": "cross-site"},
        {**good, "Sec-Fetch-Site": "same-site"},
        {},
        {"X-CSRF-Token": "wrong"},
    ):
        answer = browser.client.post(f"/d/{one}/decide", data={"action": "mark", "at": "0-2"}, headers=headers)
        assert answer.status_code == 403
    assert browser.store.entry(one).done == 0
    assert (
        browser.client.post(f"/d/{one}/decide", data={"action": "mark", "at": "0-2"}, headers=good).status_code == 200
    )


def test_headers_allow_nothing_from_elsewhere(browser: Browser) -> None:
    answer = browser.client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-frame-options"] == "DENY"
    one = browser.add()
    page = browser.get(f"/d/{one}")
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert " style=" not in page
    assert not re.search(r" on[a-z]+=", page)


def test_faults_and_logs_quote_nothing(
    browser: Browser, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = browser.add()

    def fault(*_: object) -> None:
        raise RuntimeError("Tellman has AIDS")

    monkeypatch.setattr(browser.desk, "session", fault)
    with caplog.at_level(logging.DEBUG):
        answer = browser.client.get(f"/d/{one}")
    assert answer.status_code == 500
    assert "Tellman" not in answer.text + caplog.text
    assert "RuntimeError" in caplog.text


def test_forgetting_a_document(browser: Browser) -> None:
    one = browser.add()
    browser.get(f"/d/{one}")
    answer = browser.client.post(f"/d/{one}/forget", headers=browser.headers)
    assert answer.headers["hx-redirect"] == "/"
    assert browser.client.get(f"/d/{one}").status_code == 404
