"""The review in Debian's Chromium, driven by keyboard. Screenshots are kept in build/screenshots."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from taciturn.cli.review import _shown
from taciturn.formats import leaks

sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "build" / "screenshots"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
UNDER_WAY = ".htmx-request, .htmx-settling, .htmx-swapping"
LETTER = (
    "<html><body><h1>To the clinic</h1><p>Mr Tellman has AIDS & takes zidovudine.</p>"
    "<p>🙂 He keeps a Quokkabear in his garden. His dog is well.</p></body></html>"
)


@pytest.fixture(scope="module")
def chromium() -> str:
    found = shutil.which("chromium")
    if found is None and shutil.which("apt-get"):
        print("installing Debian's chromium with apt-get")
        subprocess.run(["apt-get", "update", "-q"], check=False, capture_output=True)
        subprocess.run(["apt-get", "install", "-y", "-q", "chromium"], check=False, capture_output=True)
        found = shutil.which("chromium")
    if found is None:
        pytest.skip("SKIPPED FOR WANT OF A BROWSER: no chromium, and apt-get cannot install it")
    return found


@pytest.fixture(scope="module")
def engine(chromium: str) -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


class Review:
    """A running ``taciturn review`` and a page on it that notes what goes wrong."""

    def __init__(self, engine: Any, folder: Path, arguments: list[str], **context: Any) -> None:
        self.folder = folder
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "taciturn", "review", *arguments, "--no-browser"],
            cwd=folder,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.address = ""
        said = []
        while not self.address:
            line = self.process.stderr.readline()
            assert line, said
            said.append(line)
            if match := re.search(r"http://\S+", line):
                self.address = match.group()
        self.context = engine.new_context(viewport={"width": 1366, "height": 768}, accept_downloads=True, **context)
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda m: self.problems.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: self.problems.append(str(e)))
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.goto(self.address)
        self.settle()

    def open(self, name: str) -> None:
        self.page.get_by_role("link", name=name).first.click()
        self.opened()

    def opened(self) -> None:
        self.page.wait_for_selector("#desk")
        self.settle()

    def until(self, true: Callable[[], bool]) -> None:
        """Wait; Playwright's own way evaluates strings in the page, which our policy forbids."""
        for _ in range(2400):  # a minute; a busy machine needs ten seconds for a curve
            if true():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError("it does not come about")

    def key(self, *keys: str) -> None:
        """Press keys, each after the answer to the one before."""
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()

    def click(self, target: Any) -> None:
        target.click()
        self.settle()

    def settle(self) -> None:
        """Until the page hears keys, and shows the answers to all it has asked."""
        self.page.wait_for_selector("body[data-ready=yes]")
        self.until(lambda: not self.page.locator(f"body[data-ready=no], {UNDER_WAY}").count())

    def to(self, words: str, key: str = "j") -> None:
        """Walk to a term."""
        for _ in range(40):
            self.key(key)
            if words in self.page.inner_text("#card h2"):
                return
        raise AssertionError(f"no way to {words!r}")

    def effect(self) -> str:
        return str(self.page.inner_text("#effect"))

    def holds(self) -> bool:
        return bool(self.page.get_attribute("#status", "data-holds") == "yes")

    def shot(self, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")

    def download(self, name: str) -> bytes:
        with self.page.expect_download() as waiting:
            self.page.get_by_role("link", name=name).first.click()
        return Path(waiting.value.path()).read_bytes()

    def sound(self) -> None:
        """Nothing went wrong, and nothing was asked of anybody else."""
        assert self.problems == []
        host = self.address.split("/?")[0]
        assert all(url.startswith((host, "data:")) for url in self.asked), self.asked

    def find(self, words: str) -> str:
        """Search, and what the counter says."""
        self.key("Escape", "/")
        self.page.fill("#find", words)
        self.key("Enter")
        return str(self.page.inner_text("#match-count"))

    def release(self, person: str = "Ann Reviewer") -> None:
        """Release by the dialog, with what is open seen."""
        self.page.fill("#person", person)
        self.page.keyboard.press("Tab")
        self.page.click("[data-open=release]")
        seen = self.page.locator("#release input[name=seen][type=checkbox]")
        if seen.count():
            seen.check()
        self.page.get_by_role("button", name="Release", exact=True).click()
        self.page.get_by_text("Released.", exact=True).wait_for()
        self.settle()

    def kill(self, how: int = signal.SIGKILL) -> None:
        self.context.close()
        self.process.send_signal(how)
        self.process.wait(20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "src" / "taciturn" / "samples" / "discharge-note.txt", tmp_path)
    (tmp_path / "letter.html").write_text(LETTER, "utf-8")
    return tmp_path


def test_decide_by_keyboard_break_heal_restart_release(engine: Any, folder: Path) -> None:
    review = Review(engine, folder, ["discharge-note.txt", "letter.html", "--protect", "HIV"])
    assert review.page.locator("[data-queue]").count() == 2
    review.shot("queue")
    review.key("j", "j")
    review.page.keyboard.press("Enter")
    review.opened()
    assert "letter.html" in review.page.inner_text("header")
    review.page.go_back()
    review.settle()
    review.open("discharge-note.txt")
    assert review.holds()
    review.to("Kaposi")
    review.page.wait_for_selector(".curve .point")
    review.shot("card")
    review.key("o")
    assert re.match(
        r"keeping \"Kaposi's sarcoma\" lets a reader infer HIV: it tells (\d\.\d times|too much)", review.effect()
    )
    assert not review.holds()
    review.shot("broken")
    review.page.click("[data-open=release]")
    assert "Blocked" in review.page.inner_text("#release")
    review.shot("blocked")
    review.key("Escape")
    review.key("g")
    assert "the guarantee holds again" in review.effect()
    review.key("u")
    assert not review.holds()
    review.key("y")
    assert review.holds()
    review.to("HIV", "k")
    review.key("Shift+R")
    assert "everywhere" in review.effect()
    assert len(re.findall(r"\[[a-z ]+\]", review.page.inner_text("#released"))) >= 2
    assert "HIV" not in review.page.inner_text("#released")
    review.to("AIDS clinic")
    review.key("a")
    steps = review.page.inner_text("#status")
    shown = review.page.inner_text("#released")
    review.sound()
    review.kill()

    again = Review(engine, folder, [])
    again.open("discharge-note.txt")
    assert again.page.inner_text("#released") == shown
    assert re.search(r"\d+ of \d+ decided", again.page.inner_text("#status"))[0] in steps  # type: ignore[index]
    again.release()
    again.shot("released")
    assert "released" in again.page.inner_text("#status .chip")
    text = again.download("The release").decode()
    assert text.split() == shown.split("\n", 1)[1].split()
    certificate = json.loads(again.download("Certificate"))
    assert certificate["holds"]
    assert b"Kaposi" in again.download("Report")
    assert b"Kaposi" not in again.download("Exemption log")
    assert b"Kaposi" in again.download("Decisions")
    (folder / "released.txt").write_text(text, "utf-8")
    again.sound()
    again.kill(signal.SIGINT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    checked = subprocess.run(
        [sys.executable, "-m", "taciturn", "check", "released.txt", "--protect", "HIV"],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert checked.returncode == 0


def test_mark_search_rungs_and_the_dial(engine: Any, folder: Path) -> None:
    review = Review(engine, folder, ["letter.html", "--protect", "HIV"], color_scheme="dark")
    review.open("letter.html")
    review.find("Quokkabear")
    review.key("Escape", "m")
    assert "'Quokkabear'" in review.effect()
    assert "Quokkabear" not in review.page.inner_text("#released")
    # What no term covers is selected and marked; the emoji before it is one character, not two.
    review.page.evaluate(
        """() => { const blocks = [...document.querySelectorAll("#original .block")];
        const block = blocks.find((b) => b.textContent.includes("keeps"));
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT); let node = walker.nextNode();
        while (!node.data.includes("keeps")) node = walker.nextNode();
        const range = document.createRange(); range.setStart(node, node.data.indexOf("keeps"));
        range.setEnd(node, node.data.indexOf("keeps") + 5);
        getSelection().removeAllRanges(); getSelection().addRange(range); }"""
    )
    review.key("m")
    assert "marking 'keeps'" in review.effect()
    assert "He [REDACTED]" in review.page.inner_text("#released")
    review.to("zidovudine")
    review.click(review.page.locator(".rung.safe").last)
    assert "showing" in review.effect()
    review.page.wait_for_selector(".curve .point")
    edits = review.page.inner_text("#status")
    review.click(review.page.locator(".curve .point").first)
    assert review.effect().startswith("alpha at 1")
    assert review.page.inner_text("#status") != edits
    review.shot("dark")
    review.page.get_by_label("Other words").fill("tablets")
    review.click(review.page.get_by_role("button", name="Show", exact=True))
    assert "tablets" in review.effect()
    review.key("Escape", "?")
    assert review.page.locator("#help").is_visible()
    review.sound()
    review.kill()


def test_a_page_of_the_disc_leads_in(engine: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the browser is started: cookies of a site are not sent when a page of another leads there."""
    review = Review(engine, folder, ["discharge-note.txt", "--protect", "HIV"])
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    with _shown(review.address, folder / "store"):
        context = engine.new_context()
        page = context.new_page()
        page.goto(opened[0])
        page.get_by_role("link", name="discharge-note.txt").first.wait_for(timeout=20_000)
        context.close()
    review.kill(signal.SIGINT)


def test_an_override_is_written_and_recorded(engine: Any, folder: Path) -> None:
    review = Review(engine, folder, ["letter.html", "--policy", "foia", "--protect", "HIV"])
    review.open("letter.html")
    review.to("zidovudine")
    review.key("o")
    review.page.click("[data-open=release]")
    review.page.get_by_label("Why may it be released").fill("The patient has asked for it in writing.")
    review.page.locator("#release form[hx-post$=release] input[name=person]").fill("Ann Reviewer")
    review.page.get_by_role("button", name="Override and release").click()
    review.page.get_by_text("Released by override at").wait_for()
    assert json.loads(review.download("Certificate"))["override"]["by"] == "Ann Reviewer"
    review.page.goto(review.address)
    assert "The patient has asked for it" in review.page.inner_text("main")
    review.sound()
    review.kill()


def test_pdf_pages_with_boxes(engine: Any, folder: Path) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    out = BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595, 420))
    sheet.setFont("Helvetica-Bold", 16)
    sheet.drawString(60, 360, "Letter to the family doctor")
    sheet.setFont("Helvetica", 12)
    lines = (
        "Mr Tellman, a teacher, has had AIDS since 2009 and takes zidovudine.",
        "Kaposi's sarcoma was seen on his leg.",
    )
    for number, line in enumerate(lines):
        sheet.drawString(60, 320 - 22 * number, line)
    sheet.save()
    (folder / "letter.pdf").write_bytes(out.getvalue())
    review = Review(engine, folder, ["letter.pdf", "--protect", "HIV"])
    review.open("letter.pdf")
    review.page.get_by_role("link", name="as pages").click()
    review.page.wait_for_selector("rect.t")
    review.settle()
    review.to("Kaposi")
    review.key("r")
    assert review.page.locator("rect.t.redacted").count() == 1
    review.click(review.page.locator("rect.t.proposed").first)
    review.shot("pages")
    review.release()
    assert not leaks(review.download("The release"), ["Kaposi", "zidovudine"], "letter.pdf")
    review.sound()
    review.kill()


def _pages(folder: Path, lines: list[str]) -> None:
    """A PDF of one line a page."""
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    out = BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595, 420))
    for line in lines:
        sheet.setFont("Helvetica", 12)
        sheet.drawString(60, 320, line)
        sheet.showPage()
    sheet.save()
    (folder / "long.pdf").write_bytes(out.getvalue())


def test_search_reaches_what_is_no_term_and_counts(engine: Any, folder: Path) -> None:
    text = "Mrs Whitcomb has AIDS.\n\nRefer whitcomb to the clinic.\n\nWHITCOMB: seen. File Whitcomb2 and Whitcomb.\n"
    (folder / "refer.txt").write_text(text, "utf-8")
    review = Review(engine, folder, ["refer.txt", "--protect", "HIV"])
    review.open("refer.txt")
    assert review.find("whitcomb") == "1 of 5"
    for number in (2, 3, 4, 5, 1):
        review.key("Enter")
        assert review.page.inner_text("#match-count") == f"{number} of 5"
    review.key("Shift+Enter")
    assert review.page.inner_text("#match-count") == "5 of 5"
    assert review.find("nobody") == "0 of 0"
    assert "'nobody' is not in the document" in review.effect()
    review.find("whitcomb")
    review.click(review.page.get_by_role("button", name="Redact all matches"))
    assert "5 places marked" in review.effect()
    assert "whitcomb" not in review.page.inner_text("#released").lower()
    review.sound()
    review.kill()


def test_a_long_pdf_is_walked_page_by_page_and_marked_by_drawing(engine: Any, folder: Path) -> None:
    plain = "Nothing of note stands on this page."
    _pages(
        folder,
        ["He has AIDS.", plain, plain, plain, "He takes zidovudine.", plain, "Kaposi's sarcoma; his dog is Pepper."],
    )
    review = Review(engine, folder, ["long.pdf", "--protect", "HIV"])
    review.open("long.pdf")
    review.page.get_by_role("link", name="as pages").click()
    review.settle()
    seen = []
    review.key("j")
    for _ in range(3):
        seen.append(review.page.inner_text("#card h2"))
        review.key("a")
    assert [word in shown for word, shown in zip(("AIDS", "zidovudine", "Kaposi"), seen, strict=True)] == [True] * 3
    assert "Everything is decided" in review.effect()
    assert review.find("Pepper") == "1 of 1"
    review.key("Escape", "m")
    assert "Pepper" not in review.page.inner_text("#released")
    review.key("u")
    sheet = review.page.locator("#sheet6")
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    assert box is not None
    across, down = box["width"] / 595, box["height"] / 420
    review.page.mouse.move(box["x"] + 50 * across, box["y"] + 85 * down)
    review.page.mouse.down()
    review.page.mouse.move(box["x"] + 400 * across, box["y"] + 110 * down, steps=4)
    review.shot("drawing")
    review.page.mouse.up()
    review.settle()
    assert "marked" in review.effect()
    assert "Pepper" not in review.page.inner_text("#released")
    assert "his dog" not in review.page.inner_text("#released")
    review.sound()
    review.kill()


def test_letters_can_be_switched_off_and_an_old_tab_is_told(engine: Any, folder: Path) -> None:
    review = Review(engine, folder, ["letter.html", "--protect", "HIV"])
    review.open("letter.html")
    other = review.context.new_page()
    other.goto(review.page.url)
    other.wait_for_selector("body[data-ready=yes]")
    review.key("j", "r")
    other.keyboard.press("j")
    other.wait_for_selector("#card [data-decide=redact]")
    other.keyboard.press("r")
    other.get_by_text("This page showed an earlier state").wait_for()
    other.close()
    review.key("?")
    review.page.get_by_label("Keys of one letter are heard").uncheck()
    review.key("Escape", "u")
    assert "redacting" in review.effect()
    review.page.reload()
    review.opened()
    review.key("u")
    assert review.page.locator(".t.redacted").count() >= 1
    review.kill()


def test_the_side_list_filters_and_decides_in_bulk(engine: Any, folder: Path) -> None:
    review = Review(engine, folder, ["discharge-note.txt", "--protect", "HIV"])
    review.open("discharge-note.txt")
    review.click(review.page.locator("#status [data-open=edits]"))
    rows = review.page.locator("#edit-rows tr:visible")
    every = rows.count()
    assert every > 5
    review.page.get_by_label("Words").fill("zidovudine")
    assert rows.count() == 1
    review.shot("edits")
    review.click(review.page.get_by_role("button", name="Redact these"))
    assert "1 decided" in review.effect()
    review.page.get_by_label("Words").fill("")
    review.page.locator("select[data-filter=state]").select_option("proposed")
    assert rows.count() == every - 1
    review.click(review.page.get_by_role("button", name="Accept these"))
    assert f"{every} of {every} decided" in review.page.inner_text("#status")
    review.sound()
    review.kill()


@pytest.mark.parametrize(("name", "width", "height"), [("720", 1280, 720), ("narrow", 900, 700), ("zoomed", 683, 384)])
def test_what_decides_is_in_sight_in_small_windows(
    engine: Any, folder: Path, name: str, width: int, height: int
) -> None:
    """683 x 384 is what 1366 x 768 shows at 200 % zoom."""
    review = Review(engine, folder, ["discharge-note.txt", "--protect", "HIV"])
    review.page.set_viewport_size({"width": width, "height": height})
    review.open("discharge-note.txt")
    review.page.wait_for_selector(".curve .point")
    review.key("j", "j")
    review.shot(f"window-{name}")
    for action in ("accept", "keep", "redact", "rung"):
        box = review.page.locator(f"#card [data-decide={action}]").bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        assert box["x"] + box["width"] <= width
    curve = review.page.locator(".curve svg").first.bounding_box()
    assert curve is not None
    assert curve["width"] <= 400
    assert review.page.evaluate("document.documentElement.scrollWidth") <= width
    review.kill()


def test_accessible_by_the_rules_of_axe_in_light_and_dark(engine: Any, folder: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
    review = Review(engine, folder, ["discharge-note.txt", "--protect", "HIV"])
    found = {}

    def look(place: str) -> None:
        for scheme in ("dark", "light"):
            review.page.emulate_media(color_scheme=scheme)
            found[place, scheme] = axe.run(review.page, options=rules)

    look("queue")
    review.open("discharge-note.txt")
    review.page.wait_for_selector(".curve .point")
    look("start")
    review.to("Kaposi")
    review.key("o")
    look("broken")
    review.page.click("[data-open=release]")
    look("release")
    for place, result in found.items():
        assert result.violations_count == 0, f"{place}: {result.generate_report()}"
    review.kill()
