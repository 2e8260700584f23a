"""PDF read three times more: by pdfminer, by pdfium, and object by object with every stream expanded."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import Any

from taciturn.formats.leak.found import BREAK, Found, Inside, raw
from taciturn.formats.vocabulary import PDF_NAMES

__all__ = ["texts"]


def texts(data: bytes, name: str) -> Iterator[Found | Inside]:
    """The text of each page by two programs; then all strings, names, streams and attachments."""
    yield from _by_pdfium(data)
    yield from _by_pdfminer(data)
    yield from _objects(data)


def _by_pdfium(data: bytes) -> Iterator[Found]:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        for number in range(len(document)):
            page = document[number]
            text = page.get_textpage()
            shown = text.get_text_range()
            yield Found(f"page {number + 1}", "pdfium", shown.replace("\ufffe", ""))
            text.close()
            page.close()
    finally:
        document.close()


def _by_pdfminer(data: bytes) -> Iterator[Found]:
    from pdfminer.pdfdevice import PDFTextDevice
    from pdfminer.pdffont import PDFUnicodeNotDefined
    from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
    from pdfminer.pdfpage import PDFPage

    class Device(PDFTextDevice):
        """Collects characters in the order of the stream; a gap becomes a space, a jump a break."""

        def __init__(self, manager: PDFResourceManager) -> None:
            super().__init__(manager)
            self.pieces: list[str] = []
            self.joined: list[str] = []  # the same, but a gap within an operator joins what is around it
            self.x = self.y = 0.0
            self.known: dict[Any, dict[int, tuple[str, float]]] = {}  # by font and character: its text and width

        def character(self, font: Any, cid: int) -> tuple[str, float]:
            known = self.known.setdefault(font, {})
            if cid not in known:
                try:
                    text = font.to_unichr(cid)
                except PDFUnicodeNotDefined:
                    text = "\ufffd"
                known[cid] = (text, float(font.char_width(cid)))
            return known[cid]

        def begin(self, x: float, y: float, size: float, inside: bool = False) -> None:
            """A string begins here, maybe inside an operator: what lies between it and the one before?"""
            jump = math.hypot(x - self.x, y - self.y) / size
            if jump > 0.2:
                gap = " " if jump < 3.0 else "\n"
                self.pieces.append(gap)
                if not inside:
                    self.joined.append(gap)

        def render_string_horizontal(
            self, seq: Any, matrix: Any, pos: Any, font: Any, fontsize: Any, scaling: Any, charspace: Any,
            wordspace: Any, rise: Any, dxscale: Any, ncs: Any, graphicstate: Any,
        ) -> tuple[float, float]:  # fmt: skip
            # A whole string at a time: a call for each character would take half the time of the check.
            x, y = pos
            a, b, c, d, e, f = matrix
            size = abs(fontsize) * math.hypot(a, b) or 1.0
            known = self.known.setdefault(font, {})
            apart = " " if abs(charspace) * math.hypot(a, b) / size > 0.2 else ""
            factor = fontsize * scaling
            needs_space = False
            for item in seq:
                if isinstance(item, int | float):
                    x -= item * dxscale
                    needs_space = True
                elif isinstance(item, bytes):
                    if needs_space:
                        x += charspace
                    cids = list(font.decode(item))
                    if not cids:
                        continue
                    shown = [known.get(cid) or self.character(font, cid) for cid in cids]
                    self.begin(x * a + y * c + e, x * b + y * d + f, size, needs_space)
                    self.pieces.append(apart.join([text for text, _ in shown]))
                    self.joined.append("".join([text for text, _ in shown]))
                    x += sum([width for _, width in shown]) * factor + (len(cids) - 1) * charspace
                    x += cids.count(32) * wordspace
                    self.x, self.y = x * a + y * c + e, x * b + y * d + f
                    needs_space = True
            return x, y

        def render_char(
            self, matrix: Any, font: Any, fontsize: Any, scaling: Any, rise: Any, cid: int, *_: Any
        ) -> float:
            """A character of a vertical string."""
            text, _width = self.character(font, cid)
            advance = float(font.char_width(cid) * fontsize * scaling)
            _, _, c, d, e, f = matrix
            self.begin(e, f, abs(fontsize) * math.hypot(c, d) or 1.0)
            self.pieces.append(text)
            self.joined.append(text)
            self.x, self.y = e + advance * c, f + advance * d
            return advance

    manager = PDFResourceManager()
    device = Device(manager)
    interpreter = PDFPageInterpreter(manager, device)
    for number, page in enumerate(PDFPage.get_pages(io.BytesIO(data))):
        device.pieces, device.joined = [], []
        interpreter.process_page(page)
        shown, joined = "".join(device.pieces), "".join(device.joined)
        yield Found(f"page {number + 1}", "pdfminer", shown)
        if joined != shown:
            # A name set with wide gaps in it; where gaps are the spaces of a text, this has no words to find.
            yield Found(f"page {number + 1}", "pdfminer, gaps closed", joined)


def _objects(data: bytes) -> Iterator[Found | Inside]:
    import pikepdf

    if data.count(b"%%EOF") > 1:
        yield Found("file", "raw", data.decode("latin-1"), structure=True)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        strings: list[str] = []
        names: set[str] = set()
        for item in [*pdf.objects, pdf.trailer]:
            _walk(item, strings, names)
            if isinstance(item, pikepdf.Stream):
                yield from _stream(item)
        yield Found("strings", "objects", BREAK.join(strings))
        words = sorted(n for n in names if n not in PDF_NAMES)
        yield Found("names", "objects", BREAK.join(words), structure=True)
        for key in pdf.attachments:
            content = pdf.attachments[key].get_file().read_bytes()
            yield Inside("attachment", content, key, tuple(raw(content, "attachment")))


def _walk(item: Any, strings: list[str], names: set[str]) -> None:
    """All strings and names of an object, direct objects inside it included."""
    import pikepdf

    stack = [item]
    while stack:
        one = stack.pop()
        if isinstance(one, pikepdf.String):
            strings.append(str(one))
            plain = bytes(one)
            strings.append(plain.decode("latin-1"))
        elif isinstance(one, pikepdf.Name):
            try:
                names.add(str(one)[1:])
            except UnicodeDecodeError:
                names.add(bytes(one).decode("latin-1")[1:])
        elif isinstance(one, pikepdf.Array):
            stack.extend(inner for inner in one if _is_inside(inner))
        elif isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
            for key in list(one.keys()):
                names.add(key[1:])
                inner = one[key]
                if _is_inside(inner):
                    stack.append(inner)


def _is_inside(item: Any) -> bool:
    import pikepdf

    return isinstance(item, pikepdf.Object) and not getattr(item, "is_indirect", False)


def _stream(item: Any) -> Iterator[Found]:
    """A stream expanded: as it is, and what its strings say in ASCII, UTF-16 and hexadecimal."""
    import pikepdf

    if str(item.get("/Subtype", "")) == "/Image":
        yield from raw(item.read_raw_bytes(), "picture")
        return
    try:
        plain = item.read_bytes()
    except pikepdf.PdfError:
        plain = item.read_raw_bytes()
    if "/Length1" in item or str(item.get("/Subtype", "")) in ("/Type1C", "/CIDFontType0C", "/OpenType"):
        yield from raw(plain, "font")
        return
    words = {n.decode("latin-1") for n in re.findall(rb"/([^\s<>\[\](){}/%]+)", plain)} - PDF_NAMES
    yield Found("names in a stream", "raw", BREAK.join(sorted(words)), structure=True)
    shown = re.sub(rb"/[^\s<>\[\](){}/%]+", b" ", plain)
    if b"\0" in shown:
        yield from raw(shown, "stream")
    else:
        yield Found("stream", "raw", shown.decode("latin-1"), structure=True)
    hexadecimal = re.findall(rb"<([0-9A-Fa-f\s]{6,})>", shown)
    if hexadecimal:
        joined = [
            bytes.fromhex(re.sub(rb"\s", b"", h).decode("ascii").ljust(2, "0")[: len(h) // 2 * 2]) for h in hexadecimal
        ]
        yield Found("stream", "hexadecimal", BREAK.join(j.decode("latin-1") for j in joined), structure=True)
        utf16 = (j.decode("utf-16-be", errors="replace") for j in joined)
        yield Found("stream", "hexadecimal UTF-16", BREAK.join(utf16), structure=True)
