from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdf
import pypdfium2
import pytest
from pdfminer.high_level import extract_text

from taciturn.formats import FormatError, LimitError, Limits, Options, read, write
from taciturn.plan import Plan, apply
from tests.formats import nasty, nasty_pdf
from tests.formats.plans import hide, release

HIDE = {**nasty.HIDE, "antonio.banderas@example.org": "E-MAIL"}


def everything(data: bytes) -> str:
    """What four programs and a raw scan find, letters only."""
    found = [extract_text(io.BytesIO(data)), data.decode("latin-1")]
    reader = pypdf.PdfReader(io.BytesIO(data))
    found += [page.extract_text() for page in reader.pages]
    found.append(str(reader.metadata) + str(reader.outline) + str(reader.attachments))
    document = pypdfium2.PdfDocument(data)
    found += [page.get_textpage().get_text_range() for page in document]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for item in pdf.objects:
            if isinstance(item, pikepdf.Stream):
                try:
                    plain = item.read_bytes()
                except pikepdf.PdfError:
                    plain = item.read_raw_bytes()
                found += [plain.decode("latin-1"), plain.decode("utf-16-be", errors="replace")]
                for coded in re.findall(rb"<([0-9A-Fa-f]+)>", plain):
                    found.append(
                        bytes.fromhex(coded.decode()[: len(coded) // 2 * 2]).decode("latin-1").replace("\0", "")
                    )
            found.append(repr(item))
        buffer = io.BytesIO()
        pdf.save(buffer, qdf=True)
    found.append(buffer.getvalue().decode("latin-1"))
    found.append(buffer.getvalue().decode("utf-16-be", errors="replace"))
    return re.sub(r"[\W_\d]", "", " ".join(found)).casefold()


@pytest.mark.parametrize("place", nasty_pdf.PLACES)
def test_no_place_of_a_pdf_keeps_the_name(place: str) -> None:
    _, data = release(nasty_pdf.PLACES[place](), "a.pdf", HIDE)
    found = everything(data)
    assert "banderas" not in found
    assert "harmlesswordsstayhere" in found
    assert data.count(b"%%EOF") == 1


@pytest.mark.parametrize(
    "place", ["text", "embedded font", "two lines", "letter by letter", "rotated", "spaced", "hyphen"]
)
def test_closing_the_gap_leaks_nothing_either(place: str) -> None:
    _, data = release(nasty_pdf.PLACES[place](), "a.pdf", HIDE, Options(keep_layout=False))
    assert "banderas" not in everything(data)


def _characters(data: bytes) -> dict[str, tuple[float, float]]:
    """Where each word of the first page begins and ends, by pdfium."""
    page = pypdfium2.PdfDocument(data)[0].get_textpage()
    text = page.get_text_range()
    found = {}
    for word in re.finditer(r"\w+", text):
        found[word.group()] = (page.get_charbox(word.start())[0], page.get_charbox(word.end() - 1)[2])
    return found


def test_the_rest_of_the_line_stays_or_closes_up() -> None:
    source = nasty_pdf.content(
        b"BT /F1 12 Tf 40 200 Td (Here Antonio Banderas acts) Tj ( well) Tj 280 0 Td (far) Tj ET"
    )
    before = _characters(source)
    stays = _characters(release(source, "a.pdf", HIDE)[1])
    assert stays["acts"] == pytest.approx(before["acts"], abs=0.05)
    assert stays["well"] == pytest.approx(before["well"], abs=0.05)
    closed = _characters(release(source, "a.pdf", HIDE, Options(keep_layout=False))[1])
    space = before["acts"][0] - before["Banderas"][1]
    assert closed["acts"][0] - closed["actor"][1] == pytest.approx(space, abs=0.6)
    assert closed["well"][0] - closed["acts"][1] == pytest.approx(before["well"][0] - before["acts"][1], abs=0.05)


def test_a_long_replacement_is_squeezed_into_its_gap() -> None:
    source = nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td (Here AIDS acts) Tj ET")
    long = "a condition that nobody wants to name in full"
    before = _characters(source)
    after = _characters(release(source, "a.pdf", {"AIDS": long}, Options(boxes=False))[1])
    assert after["acts"] == pytest.approx(before["acts"], abs=0.05)
    assert after["full"][1] <= after["acts"][0]


def test_the_replacement_takes_the_style_of_what_it_replaces() -> None:
    source = nasty_pdf.content(b"1 0 0 rg BT /F1 12 Tf 3 Tr 40 200 Td (Antonio Banderas) Tj ET")
    _, data = release(source, "a.pdf", HIDE)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        stream = pdf.pages[0].Contents.read_bytes()
    assert b"3 Tr" in stream
    assert b"an actor" in stream


def test_letters_that_are_gone_leave_the_embedded_font() -> None:
    _, data = release(
        nasty_pdf.paint(lambda p: (p.setFont("Vera", 12), p.drawString(40, 200, "quiz Zyx"), None)[2]),
        "a.pdf",
        {"Zyx": "u"},
    )
    with pikepdf.open(io.BytesIO(data)) as pdf:
        font = next(o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and "/ToUnicode" in o)
        said = font.ToUnicode.read_bytes().upper()
        program = font.FontDescriptor.FontFile2.read_bytes()
    assert b"<0071>" in said
    assert b"<005A>" not in said
    from fontTools.ttLib import TTFont

    outlines = TTFont(io.BytesIO(program))
    cmap = {code: glyph for table in outlines["cmap"].tables for code, glyph in table.cmap.items()}
    drawn = {g for g in outlines.getGlyphOrder() if outlines["glyf"][g].numberOfContours}
    assert len(drawn & set(cmap.values())) <= len(set("quiz ")) + 1
    page = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    assert "quiz u" in page


def test_pages_look_the_same_where_nothing_was_hidden() -> None:
    source = nasty_pdf.paint(
        lambda p: (p.setFillColorRGB(1, 0, 0), p.rect(50, 50, 80, 60, fill=1), nasty_pdf._text("Vera")(p))[2]
    )
    file = read(source, "a.pdf")
    released = write(file, apply(Plan(file.document)))
    before, after = (pypdfium2.PdfDocument(d)[0].render(scale=1).to_numpy() for d in (source, released))
    assert (before == after).all()
    hidden = pypdfium2.PdfDocument(release(source, "a.pdf", HIDE)[1])[0].render(scale=1).to_numpy()
    changed = (before != hidden).any(axis=(1, 2)).nonzero()[0]
    assert 185 <= changed.min() <= changed.max() <= 205  # only the line with the name


def test_columns_and_tables_are_read_apart() -> None:
    source = nasty_pdf.content(
        b"BT /F1 10 Tf 12 TL 40 300 Td (left one) Tj T* (left two) Tj T* (left three) Tj ET "
        b"BT /F1 10 Tf 12 TL 240 300 Td (right one) Tj T* (right two) Tj ET"
    )
    file = read(source, "a.pdf")
    texts = [file.document.text[s.start : s.end] for s in file.document.segments]
    assert texts == ["Harmless words stay here.", "left one left two left three", "right one right two"]


def test_narrow_gutters_and_wide_justified_lines_are_told_apart() -> None:
    source = nasty_pdf.content(
        b"BT /F1 10 Tf 12 TL 40 300 Td (left) Tj T* (column) Tj ET "
        b"BT /F1 10 Tf 12 TL 86 300 Td (right) Tj T* (one) Tj ET "
        b"BT /F1 10 Tf 40 200 Td 30 Tw (a wide line) Tj ET BT /F1 10 Tf 40 100 Td 4 Tc (spaced out) Tj ET"
    )
    file = read(source, "a.pdf")
    texts = [file.document.text[s.start : s.end] for s in file.document.segments]
    assert texts == ["Harmless words stay here.", "left column", "right one", "a wide line", "spaced out"]


def _passages(data: bytes) -> list[str]:
    file = read(data, "a.pdf")
    return [file.document.text[s.start : s.end] for s in file.document.segments]


def test_a_name_broken_over_pages_is_one_term() -> None:
    source = nasty_pdf.PLACES["two pages"]()
    file, data = release(source, "a.pdf", HIDE)
    texts = [file.document.text[s.start : s.end] for s in file.document.segments]
    assert sum("life of Antonio Banderas, who was born" in text for text in texts) == 1
    assert sum("the other Antonio Banderas, whose name" in text for text in texts) == 1
    assert file.edits_by_place(hide(file.document, HIDE)) == {"page": 2}
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data)]
    assert "life of an actor" in pages[0]
    assert pages[1].count("an actor") == 1
    assert "Ban" not in pages[1]
    assert "deras" not in pages[2]
    assert [page.count("Report on films") for page in pages] == [1, 1, 1]
    assert release(source, "a.pdf", HIDE, Options(keep_layout=False))[0].document == file.document


def test_a_name_broken_over_columns_is_one_term() -> None:
    texts = _passages(nasty_pdf.PLACES["two columns"]())
    assert any("on to Antonio Banderas, who stands" in text for text in texts)


def test_a_sentence_that_ends_with_its_page_goes_on_nowhere() -> None:
    def draw(page: Any) -> None:
        page.drawString(40, 30, "This sentence ends with its page.")
        page.showPage()
        page.drawString(40, 370, "Another one begins here")
        page.showPage()
        page.drawString(40, 370, "and goes on here")

    assert _passages(nasty_pdf.paint(draw)) == [
        "Harmless words stay here.",
        "This sentence ends with its page.",
        "Another one begins here and goes on here",
    ]


def test_text_that_never_ends_is_one_passage_and_still_edited_in_time() -> None:
    def draw(page: Any) -> None:
        for number in range(60):
            page.showPage()
            page.drawString(40, 370 - number, f"words {chr(97 + number % 26) * 5} without an end, Antonio")
            page.drawString(40, 350 - number, f"Banderas {chr(97 + number % 26) * 4} and more words of Antonio")

    source = nasty_pdf.paint(draw)
    file, data = release(source, "a.pdf", HIDE)
    assert len(file.document.segments) == 2
    assert file.edits_by_place(hide(file.document, HIDE)) == {"page": 60}
    assert "banderas" not in everything(data)


def test_what_is_dropped_is_listed() -> None:
    file = read(nasty_pdf.PLACES["metadata"](), "a.pdf")
    assert {"XMP metadata", "document properties", "page labels"} <= set(file.dropped)
    assert "scripts" in read(nasty_pdf.PLACES["scripts"](), "a.pdf").dropped


def test_bookmarks_layers_links_and_attachments_live_on() -> None:
    _, data = release(nasty_pdf.PLACES["bookmarks"](), "a.pdf", HIDE)
    outline = pypdf.PdfReader(io.BytesIO(data)).outline
    assert outline[0].title == "About an actor"  # type: ignore[union-attr]
    _, data = release(nasty_pdf.PLACES["attachments"](), "a.pdf", HIDE)
    assert pypdf.PdfReader(io.BytesIO(data)).attachments == {"an actor.txt": [b"by an actor"]}
    _, data = release(nasty_pdf.PLACES["layers"](), "a.pdf", HIDE)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert [str(g.Name) for g in pdf.Root.OCProperties.OCGs] == ["Layer an actor", "hidden"]
        assert [str(g.Name) for g in pdf.Root.OCProperties.D.OFF] == ["hidden"]
    _, data = release(nasty_pdf.PLACES["links"](), "a.pdf", HIDE)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert len(pdf.pages[0].Annots) == 2


def test_nothing_of_a_file_goes_to_a_log(caplog: pytest.LogCaptureFixture) -> None:
    release(nasty_pdf.PLACES["names"](), "a.pdf", HIDE)
    release(nasty_pdf.PLACES["embedded font"](), "a.pdf", HIDE)
    assert not caplog.records


def test_the_same_file_gives_the_same_bytes() -> None:
    source = nasty_pdf.PLACES["embedded font"]()
    assert release(source, "a.pdf", HIDE)[1] == release(source, "a.pdf", HIDE)[1]


def test_what_cannot_be_read_goes_or_the_file_is_refused() -> None:
    source = nasty_pdf.PLACES["blind fonts"]()
    file = read(source, "a.pdf")
    assert any("cannot be read" in what for what in file.dropped)
    with pytest.raises(FormatError, match="cannot be read"):
        read(source, "a.pdf", Options(unreadable="refuse"))
    with pytest.raises(FormatError, match="holds pictures"):
        read(nasty_pdf.PLACES["pictures"](), "a.pdf", Options(pictures="refuse"))
    with pytest.raises(FormatError, match="holds pictures"):
        read(nasty_pdf.PLACES["inline picture"](), "a.pdf", Options(pictures="refuse"))
    assert read(nasty_pdf.PLACES["inline picture"](), "a.pdf", Options(pictures="keep")).unread == ("pictures",)


@pytest.mark.parametrize(
    "page",
    [
        b"q 400 0 0 400 0 0 cm /Im0 Do Q BT 3 Tr /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ET",
        b"BT /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ET q 400 0 0 400 0 0 cm /Im0 Do Q",
    ],
)
def test_a_kept_scan_does_not_show_what_its_text_lost(page: bytes) -> None:
    source = nasty_pdf.content(page, None, nasty_pdf._picture)
    with pytest.raises(FormatError, match="unseen text of a picture"):
        release(source, "a.pdf", HIDE, Options(pictures="keep"))
    _, data = release(source, "a.pdf", HIDE)  # blanked
    assert "banderas" not in everything(data)
    beside = nasty_pdf.content(page.replace(b"400 0 0 400 0 0 cm", b"40 0 0 40 0 0 cm"), None, nasty_pdf._picture)
    if b"3 Tr" not in page:
        release(beside, "a.pdf", HIDE, Options(pictures="keep"))


def test_encrypted_damaged_and_hostile_files_are_refused() -> None:
    pdf = pikepdf.open(io.BytesIO(nasty_pdf.PLACES["text"]()))
    buffer = io.BytesIO()
    pdf.save(buffer, encryption=pikepdf.Encryption(owner="o", user="u"))
    with pytest.raises(FormatError, match="is encrypted"):
        read(buffer.getvalue(), "a.pdf")
    with pytest.raises(FormatError, match="damaged"):
        read(b"%PDF-1.7\nnothing", "a.pdf")
    bomb = nasty_pdf.content(b" " * 20_000_000)
    with pytest.raises(LimitError, match="expands"):
        read(bomb, "a.pdf", Options(limits=Limits(expanded=10_000_000)))
    with pytest.raises(LimitError, match="larger than"):
        read(
            nasty_pdf.content(
                b"", None, lambda pdf, page: page.__setattr__("MediaBox", pikepdf.Array([0, 0, 1e9, 1e9]))
            ),
            "a.pdf",
        )
    with pytest.raises(LimitError, match="operators"):
        read(nasty_pdf.content(b"q Q " * 6_000), "a.pdf", Options(limits=Limits(operators=10_000)))


def test_names_from_before_unicode_are_kept() -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        black = b"[/Separation /Gr#fcn /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>]"
        page.Resources.ColorSpace = pikepdf.Dictionary(CS0=pikepdf.Object.parse(black))

    source = nasty_pdf.content(b"/CS0 cs 1 scn BT /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ET", None, change)
    _, data = release(source, "a.pdf", HIDE)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert bytes(pdf.pages[0].Resources.ColorSpace.CS0[1]) == b"/Gr\xfcn"


def test_after_a_broken_change_of_font_nothing_is_read() -> None:
    source = nasty_pdf.content(
        b"BT /F1 12 Tf 40 200 Td (one) Tj /F#fc 12 Tf (two) Tj (x) Tf (three) Tj /F1 9 Tf (four) Tj ET"
    )
    file = read(source, "a.pdf")
    assert "one" in file.document.text
    assert "four" in file.document.text
    assert not {"two", "three"} & set(file.document.text.split())
    assert "8 characters that cannot be read" in file.dropped


def test_a_scan_is_refused_with_advice() -> None:
    with pytest.raises(FormatError, match="--pictures read recognizes it"):
        read(
            nasty_pdf.content(b"", None, lambda pdf, page: page.__setattr__("Contents", pdf.make_stream(b"q Q"))),
            "a.pdf",
        )


@pytest.mark.slow
@pytest.mark.parametrize("place", nasty_pdf.PLACES)
def test_pdftotext_finds_no_name(tmp_path: Path, place: str, program: Callable[[str], str]) -> None:
    _, data = release(nasty_pdf.PLACES[place](), "a.pdf", HIDE)
    (tmp_path / "a.pdf").write_bytes(data)
    for way in ([], ["-raw"], ["-layout"]):
        shown = subprocess.run(
            [program("pdftotext"), *way, str(tmp_path / "a.pdf"), "-"], capture_output=True, check=True, text=True
        )
        assert "banderas" not in re.sub(r"\W", "", shown.stdout).lower()
        assert not shown.stderr


@pytest.mark.slow
def test_pages_printed_by_chromium(tmp_path: Path, program: Callable[[str], str]) -> None:
    words = "<p>The office of <b>Antonio <i>Banderas</i></b>, affluent and fluffy: first, ﬁne. " * 8 + "</p>"
    html = (
        "<meta charset=utf-8><h1>Antonio Banderas</h1>"
        + words * 12
        + "<p style='writing-mode:vertical-rl'>Antonio Banderas</p>"
        "<p style='transform:rotate(20deg)'>Antonio Banderas</p><p style='letter-spacing:6px'>Antonio Banderas</p>"
        "<p style='columns:2;text-align:justify;hyphens:auto' lang=en>"
        + "extraordinarily Antonio Banderas "
        * 40
        + "</p>"
        "<svg><text x=5 y=20>Antonio Banderas</text></svg><ul><li>Łódź Antonio Banderas</ul>"
    )
    (tmp_path / "a.html").write_text(html)
    subprocess.run(
        [
            program("chromium"),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--print-to-pdf={tmp_path}/a.pdf",
            str(tmp_path / "a.html"),
        ],
        capture_output=True,
        timeout=100,
        check=True,
    )
    source = (tmp_path / "a.pdf").read_bytes()
    for options in (Options(), Options(keep_layout=False)):
        _, data = release(source, "a.pdf", HIDE, options)
        assert "antoniobanderas" not in everything(data)
        assert "extraordinarily" in everything(data)
