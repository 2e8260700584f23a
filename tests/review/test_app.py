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


SEEN = {"person": "Ann Reviewer", "seen": "true"}
"""What a release needs: a name, and that what is open was seen."""


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
    assert re.search(r"lets a reader infer HIV: it tells (\d\.\d times what is allowed|too much)", said)
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
    assert "antiviral medication" in labels
    said = browser.post(f"/d/{one}/decide", action="replace", at=drug, label="antiviral medication")
    assert "Guarantee fails" in said
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
    assert browser.store.entry(one).done == 5


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
    assert "Released." in browser.post(f"/d/{one}/release", **SEEN)


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
    assert late.status_code == 409
    assert "showed an earlier state" in late.text
    assert browser.store.entry(one).done == 1


def test_release_is_blocked_until_the_guarantee_holds_or_a_reason_is_written(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    browser.post(f"/d/{one}/decide", action="keep", at=span(page, "zidovudine"))
    assert "nothing is released" in browser.post(f"/d/{one}/release", **SEEN)
    assert "nothing is released" in browser.post(f"/d/{one}/release", reason="because", **SEEN)
    assert browser.client.get(f"/d/{one}/export/release").status_code == 409
    said = browser.post(f"/d/{one}/release", reason="The court has ordered it, case 12.", **SEEN)
    assert "Released by override" in said
    stated = json.loads(browser.get(f"/d/{one}/export/certificate"))
    assert stated["holds"] is False
    assert stated["override"]["by"] == "Ann Reviewer"
    assert "case 12" not in json.dumps(stated)
    assert "case 12" in browser.get(f"/d/{one}/export/report")
    assert "released by override" in browser.get("/")
    browser.post(f"/d/{one}/undo")
    assert "Released." in browser.post(f"/d/{one}/release", **SEEN)
    stated = json.loads(browser.get(f"/d/{one}/export/certificate"))
    assert stated["holds"] is True
    assert "override" not in stated


def test_exports_hold_what_they_say(browser: Browser) -> None:
    one = browser.add(policy="foia")
    page = browser.get(f"/d/{one}")
    at = NOTE.index("bread")
    browser.post(f"/d/{one}/decide", action="mark", at=f"{at}-{at + 5}", code="(b)(6)")
    browser.post(f"/d/{one}/decide", action="accept", at=span(page, "zidovudine"))
    browser.post(f"/d/{one}/release", **SEEN)
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
    assert [r["code"] for r in rows if r["model"] == "reviewer"] == ["(b)(6)"]
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
    browser.post(f"/d/{one}/release", **SEEN)
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


def test_search_finds_what_is_no_term_and_says_where(browser: Browser) -> None:
    one = browser.add(b"Mr Whitcomb came. WHITCOMB\xe2\x80\x99s son. To:\nwhitcomb, the tall one.")
    found = json.loads(browser.get(f"/d/{one}/find?q=whitcomb"))["matches"]
    assert [m["at"] for m in found] == ["3-11", "18-26", "38-46"]
    assert json.loads(browser.get(f"/d/{one}/find?q=nobody"))["matches"] == []
    card = browser.get(f"/d/{one}/card?at=48-51")
    assert 'data-span="48-51"' in card
    assert "the" in card
    assert "Redact" in card


def test_all_matches_go_here_and_in_the_whole_queue(browser: Browser) -> None:
    one = browser.add(b"Mr Quigg takes AIDS drugs. Quigg again; QUIGG.")
    two = browser.add(b"A letter to Quigg on AIDS.", "b.txt")
    said = browser.post(f"/d/{one}/mark-matches", q="quigg")
    assert "3 places marked" in said
    assert "quigg" not in browser.get(f"/d/{one}").split('id="released"')[1].split('id="card"')[0].lower()
    assert "Quigg" in browser.get(f"/d/{two}").split('id="released"')[1].split('id="card"')[0]
    said = browser.post(f"/d/{one}/mark-matches", q="quigg", queue="true")
    assert "1 more in 1 other document of the queue" in said
    assert "Quigg" not in browser.get(f"/d/{two}").split('id="released"')[1].split('id="card"')[0]
    assert "is not in the document" in browser.post(f"/d/{one}/mark-matches", q="Nobody")


def _at(browser: Browser, one: int, walk: str, at: int = -1, by: int = 1) -> str | None:
    found = json.loads(browser.get(f"/d/{one}/next?walk={walk}&at={at}&by={by}"))["at"]
    assert found is None or isinstance(found, str)
    return found


def test_the_next_decision_is_one_to_make(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    first = _at(browser, one, "undecided")
    assert first
    assert _at(browser, one, "changed") == first
    browser.post(f"/d/{one}/decide", action="accept", at=first)
    second = _at(browser, one, "undecided")
    assert second
    assert second != first
    assert _at(browser, one, "changed") == first
    assert _at(browser, one, "changed", at=int(second.split("-")[0]), by=-1) == first
    seen = set()
    while at := _at(browser, one, "undecided"):
        assert at not in seen
        seen.add(at)
        browser.post(f"/d/{one}/decide", action="accept", at=at)
    assert _at(browser, one, "failing") is None
    assert "Everything is decided" in browser.get(f"/d/{one}")
    browser.post(f"/d/{one}/decide", action="keep", at=span(page, "zidovudine"))
    assert _at(browser, one, "failing") == span(page, "zidovudine")
    assert browser.client.get(f"/d/{one}/next?walk=backwards").status_code == 422


def test_accepting_what_was_kept_hides_it_again_and_a_code_stays(browser: Browser) -> None:
    one = browser.add(policy="foia")
    page = browser.get(f"/d/{one}")
    drug = span(page, "zidovudine")
    browser.post(f"/d/{one}/decide", action="keep", at=drug)
    assert "zidovudine" in browser.get(f"/d/{one}").split('id="released"')[1].split('id="card"')[0]
    card = browser.post(f"/d/{one}/decide", action="accept", at=drug, code="(b)(5)")
    assert 'value="(b)(5)" selected' in card
    assert "zidovudine" not in browser.get(f"/d/{one}").split('id="released"')[1].split('id="card"')[0]
    rows = list(csv.DictReader(StringIO(browser.get(f"/d/{one}/export/log"))))
    assert "(b)(5)" in [r["code"] for r in rows]
    redacted = browser.post(f"/d/{one}/decide", action="redact", at=drug)
    assert "redacted" in redacted
    assert "redacted, shown as" in browser.post(f"/d/{one}/decide", action="accept", at=drug)


def test_who_decided_and_when_is_in_the_log_and_the_report(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    values = {"action": "redact", "at": span(page, "zidovudine")}
    named = {**browser.headers, "X-Person": "J%C3%B8rgen%20Lund"}
    assert browser.client.post(f"/d/{one}/decide", data=values, headers=named).status_code == 200
    rows = list(csv.DictReader(StringIO(browser.get(f"/d/{one}/export/log"))))
    (mine,) = [r for r in rows if r["model"] == "reviewer"]
    assert mine["decided by"] == "Jørgen Lund"
    assert mine["time"].startswith("20")
    assert mine["length"] == "one word"
    browser.post(f"/d/{one}/decide", action="keep", at=span(page, "Kaposi&#x27;s sarcoma"))
    browser.post(f"/d/{one}/release", reason="The court has ordered it.", person="Ann Reviewer", seen="true")
    report = browser.get(f"/d/{one}/export/report")
    assert "released by Ann Reviewer although the guarantee fails: The court has ordered it." in report
    assert re.search(r"What fails: .*kaposi", report, re.IGNORECASE)


def test_a_release_needs_a_name_and_a_look_at_what_is_open(browser: Browser) -> None:
    one = browser.add(policy="foia")
    browser.get(f"/d/{one}")
    assert "a release needs a name" in browser.post(f"/d/{one}/release", seen="true")
    said = browser.post(f"/d/{one}/release", person="Ann")
    assert "undecided." in said
    assert "say that you have seen it" in said
    done = browser.post(f"/d/{one}/release", person="Ann", seen="true")
    assert "Released." in done
    assert '<span class="chip released">released</span>' in done


def test_notes_and_a_second_person(browser: Browser, tmp_path: Path) -> None:
    rule = tmp_path / "two.toml"
    rule.write_text(
        'title = "Two"\n[[model]]\nname = "c-sanitized"\n[[protect]]\nterms = ["HIV"]\n[review]\nsecond-person = true\n'
    )
    one = browser.add(policy=str(rule))
    browser.get(f"/d/{one}")
    assert "<b>Ann</b>" in browser.post(f"/d/{one}/note", text="Is the ward a secret?", person="Ann")
    assert "asks for a second person" in browser.post(f"/d/{one}/release", person="Ann", seen="true")
    browser.post(f"/d/{one}/approve", person="Ann")
    assert browser.store.entry(one).state == "approved"
    assert "asks for a second person" in browser.post(f"/d/{one}/release", person="Ann", seen="true")
    page = browser.get(f"/d/{one}")
    browser.post(f"/d/{one}/approve", person="Bo")
    browser.post(f"/d/{one}/decide", action="redact", at=span(page, "zidovudine"))
    assert browser.store.entry(one).approved_by == ()
    browser.post(f"/d/{one}/approve", person="Bo")
    assert "Released." in browser.post(f"/d/{one}/release", person="Ann", seen="true")


def test_one_decision_for_all_that_a_filter_shows(browser: Browser) -> None:
    one = browser.add()
    page = browser.get(f"/d/{one}")
    rows = browser.get(f"/d/{one}/edits")
    spans = re.findall(r'<tr data-at="(\d+-\d+)" data-state="proposed"', rows)
    assert span(page, "zidovudine") in spans
    assert f"{len(spans)} decided" in browser.post(f"/d/{one}/bulk", action="accept", spans=" ".join(spans))
    assert 'data-state="proposed"' not in browser.get(f"/d/{one}/edits")
    assert "there is no decision" in browser.post(f"/d/{one}/bulk", action="burn", spans=spans[0])


def test_a_rectangle_on_a_page_marks_the_words_in_it(browser: Browser) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    out = BytesIO()
    sheet = canvas.Canvas(out, pagesize=(400, 300))
    sheet.drawString(50, 250, "The patient has AIDS.")
    sheet.drawString(50, 200, "Her dog is Pepper.")
    sheet.save()
    one = browser.add(out.getvalue(), "a.pdf")
    browser.get(f"/d/{one}?view=pages")
    left = 50 + canvas.Canvas(BytesIO()).stringWidth("Her dog is ", "Helvetica", 12)
    said = browser.post(f"/d/{one}/mark-area", page=0, x=left - 2, y=85, width=60, height=20)
    assert "1 place marked" in said
    assert "Pepper" not in browser.get(f"/d/{one}").split('id="released"')[1].split('id="card"')[0]
    assert "no words in this area" in browser.post(f"/d/{one}/mark-area", page=0, x=5, y=250, width=9, height=9)
    at = json.loads(browser.get(f"/d/{one}/next?walk=undecided"))
    assert at["page"] == 0


def test_an_old_tab_gets_a_page_and_no_data(browser: Browser) -> None:
    browser.client.cookies.clear()
    answer = browser.client.get("/", headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert answer.headers["content-type"].startswith("text/html")
    assert "This needs the token" in answer.text


def test_greetings_say_what_is_so(browser: Browser) -> None:
    quiet = browser.add(b"The weather was fine.", "quiet.txt")
    assert "Nothing needs a decision" in browser.get(f"/d/{quiet}")
    one = browser.add()
    page = browser.get(f"/d/{one}")
    assert "to decide. Press j to begin" in page
    browser.post(f"/d/{one}/decide", action="keep", at=span(page, "zidovudine"))
    again = browser.get(f"/d/{one}")
    assert "As decided so far the guarantee fails" in again
    assert "found no release" not in again
