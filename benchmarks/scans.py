"""Scanned pages: 50 pages of five letters, printed and spoilt in ten ways: errors of the recognition, leaks, seconds.

A letter's error is an edit between what was printed and what was read, over all pages that are shown. A leak is a page
that is shown and holds, in its pixels, a name that was to be hidden: the words of a name are looked for where they were
printed. A page that is not shown is one that a person must look at. CPU time of one core, reading alone.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from taciturn.formats import FormatError, Options, read, write
from taciturn.plan import Edit, Plan, apply

LIMIT = 1800

LETTERS = (
    """Northgate Clinic, Department of Medicine
Re: Mrs Leonora Whitcombe, born 14 March 1961
Dear Dr Okafor,
Thank you for referring Mrs Whitcombe, who was seen here on
3 June. She has had HIV since 2009 and takes Biktarvy daily.
Her viral load is below 20 copies, her weight is 61.5 kg.
She works as a teacher in Ashbourne and lives alone.
We have changed her blood pressure tablets to ramipril 5 mg.
Please check her potassium in two weeks.
Yours sincerely, Dr Tamsin Varga""",
    """MINUTES of the housing committee, 11 October 2024
Present: J. Abernathy, R. Castellanos, P. Lindqvist
1. Mr Castellanos reported that the tenant of flat 12,
Mr Desmond Fairweather, has not paid rent since April.
His employer, Harlow Freight, dismissed him in March.
2. The roof of Tanner Street 8 must be mended before winter;
three offers between 14,200 and 19,750 pounds were opened.
3. Mrs Lindqvist asked for the accounts of 2023.
Next meeting: 8 November, 18:30, in the town hall.
Signed: R. Castellanos""",
    """Case 2023/0417: statement of the witness
My name is Florian Petrescu. I was born in Constanta in 1987
and work as a driver for Bluebell Bakery in Leeds.
On the evening of 2 February I saw the defendant, Mr Marek
Sokolowski, leave the warehouse in Mill Lane at about 21:40.
He carried a grey bag and spoke on the telephone in Polish.
I did not see his sister Agnieszka that day.
I told Constable Hargreaves the same on 5 February.
This statement is true to the best of my knowledge.
Leeds, 19 February 2023""",
    """DISCHARGE SUMMARY            Ward 7B
Patient: Bartholomew Quigley     Record: 884-20-173
Admitted 1 May 2024, discharged 9 May 2024
Diagnosis: alcoholic hepatitis, type 2 diabetes mellitus
Course: Mr Quigley came with jaundice and a fever of 38.9.
Bilirubin fell from 210 to 96. He was seen by the liaison
nurse, Imogen Hartley, and accepted a place in Rowan House.
Medication: thiamine 100 mg, metformin 500 mg twice daily.
His daughter Beatrix will call the practice on Monday.
Follow-up in the liver clinic on 23 May at 10:15.""",
    """Dear Ms Nakamura,
we regret to inform you that your application for the post
of laboratory manager was not successful. Of 43 candidates
we have chosen Mr Siegfried Ellery, formerly of Corvid Labs.
The panel (Dr Pelham, Ms Oyelaran, Mr Strand) valued your
work on malaria in Kisumu. We know from your cover letter
that you are pregnant; this played no part in the decision.
Your travel expenses of 87.40 euros will be paid by the end
of the month to the account ending in 5519.
Kind regards, Human Resources, Harbour Institute""",
)
NAMES = (
    ("Leonora", "Whitcombe", "Whitcombe,", "Okafor,", "HIV", "Biktarvy", "Tamsin", "Varga"),
    ("Abernathy,", "Castellanos,", "Lindqvist", "Castellanos", "Desmond", "Fairweather,", "Harlow"),
    ("Florian", "Petrescu.", "Marek", "Sokolowski,", "Agnieszka", "Hargreaves", "Bluebell"),
    ("Bartholomew", "Quigley", "884-20-173", "hepatitis,", "Imogen", "Hartley,", "Beatrix"),
    ("Nakamura,", "Siegfried", "Ellery,", "Pelham,", "Oyelaran,", "Strand)", "malaria", "pregnant;"),
)
"""Of each letter the words that are to be hidden."""
_SERIF = Path("/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf")
_SANS = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
_INCHES = (6.4, 3.6)


@dataclass(frozen=True)
class Page:
    """A printed page: its lines, its picture, and where each word stands in it, in shares of width and height."""

    lines: tuple[str, ...]
    image: Image.Image
    words: tuple[tuple[str, tuple[float, float, float, float]], ...]


def printed(text: str, dpi: int, serif: bool) -> Page:
    """A letter as a printer prints it."""
    lines = tuple(text.splitlines())
    size = int(_INCHES[0] * dpi), int(_INCHES[1] * dpi)
    image = Image.new("L", size, 255)
    font = ImageFont.truetype(
        str(_SERIF if serif and _SERIF.exists() else _SANS), int((12 if serif else 10) * dpi / 72)
    )
    draw = ImageDraw.Draw(image)
    words = []
    for number, line in enumerate(lines):
        x, y = 0.3 * dpi, 0.3 * dpi + number * 22 * dpi / 72
        draw.text((x, y), line, font=font, fill=15)
        for found in re.finditer(r"\S+", line):
            left, right = (x + draw.textlength(line[:at], font=font) for at in found.span())
            box = (left / size[0], y / size[1], right / size[0], (y + 18 * dpi / 72) / size[1])
            words.append((found.group(), box))
    return Page(lines, image, tuple(words))


def _noisy(image: Image.Image, deviation: float) -> Image.Image:
    noise = np.random.default_rng(1).normal(0, deviation, (image.height, image.width))
    return Image.fromarray((np.asarray(image) + noise).clip(0, 255).astype(np.uint8))


def _speckled(image: Image.Image) -> Image.Image:
    pixels = np.asarray(image).copy()
    chance = np.random.default_rng(2).random(pixels.shape)
    pixels[chance < 0.01], pixels[chance > 0.99] = 0, 255
    return Image.fromarray(pixels)


def _packed(image: Image.Image, quality: int) -> Image.Image:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return Image.open(buffer).convert("L")


def _faded(image: Image.Image) -> Image.Image:
    """Grey print on paper that gets darker to one side."""
    shade = np.linspace(235, 170, image.width)
    return Image.fromarray((shade - (255 - np.asarray(image)) * 0.35).clip(0, 255).astype(np.uint8))


def _faxed(image: Image.Image) -> Image.Image:
    return _noisy(image.filter(ImageFilter.GaussianBlur(0.7)), 25).point(lambda v: 255 if v > 140 else 0)


def _turned(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(degrees, fillcolor=255, resample=Image.Resampling.BICUBIC)


WAYS: tuple[tuple[str, int, Callable[[Image.Image], Image.Image]], ...] = (
    ("clean, 300 dpi", 300, lambda i: i),
    ("clean, 150 dpi", 150, lambda i: i),
    ("copied and turned by 1.5 degrees, 150 dpi", 150, lambda i: _packed(_noisy(_turned(i, 1.5), 10), 60)),
    ("blurred, 150 dpi", 150, lambda i: i.filter(ImageFilter.GaussianBlur(1.6))),
    ("noise, 150 dpi", 150, lambda i: _noisy(i, 60)),
    ("packed hard (JPEG 12), 150 dpi", 150, lambda i: _packed(i, 12)),
    ("faded print on grey paper, 150 dpi", 150, _faded),
    ("speckled, 200 dpi", 200, _speckled),
    ("fax, 100 dpi, black and white", 100, _faxed),
    ("75 dpi, blurred", 75, lambda i: i.filter(ImageFilter.GaussianBlur(0.6))),
)


def pages() -> Iterator[tuple[str, int, int, Page]]:
    """Every letter in every way: the way, its dots an inch, the number of the letter, the page."""
    for way, dpi, spoil in WAYS:
        for number, text in enumerate(LETTERS):
            page = printed(text, dpi, serif=number % 2 == 0)
            yield way, dpi, number, Page(page.lines, spoil(page.image), page.words)


def errors(printed_text: str, read_text: str) -> int:
    """The fewest letters to change, add or leave out."""
    before = list(range(len(read_text) + 1))
    for i, a in enumerate(printed_text, 1):
        row = [i]
        for j, b in enumerate(read_text, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
        before = row
    return before[-1]


def _shown(data: bytes) -> Any:
    """The pixels of the picture in a released page."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        image = pdf.pages[0].obj.Resources.XObject.P
        return np.frombuffer(image.read_bytes(), np.uint8).reshape(int(image.Height), int(image.Width), -1)


def _leaks(page: Page, names: Sequence[str], pixels: Any) -> list[str]:
    """The names whose ink is still where they were printed."""
    height, width = pixels.shape[:2]
    found = []
    for word, (left, top, right, bottom) in page.words:
        inner = pixels[int(top * height) : int(bottom * height), int(left * width) + 2 : int(right * width) - 2]
        if word in names and inner.size and float((inner < 110).mean()) > 0.02:
            found.append(word)
    return found


def _released(page: Page, dpi: int, names: Sequence[str]) -> tuple[Any, bytes, float]:
    """A page read and released without its names, and the seconds of reading. What is refused is None."""
    packed = io.BytesIO()
    page.image.convert("L").save(packed, "PDF", resolution=dpi)
    start = time.process_time()
    try:
        file = read(packed.getvalue(), "page.pdf", Options(pictures="read"))
    except FormatError:
        return None, b"", time.process_time() - start
    seconds = time.process_time() - start
    text = file.document.text
    spans = [m.span() for name in names for m in re.finditer(rf"(?<!\w){re.escape(name.strip(',.;)'))}(?!\w)", text)]
    edits = tuple(Edit(a, b, text[a:b], "[hidden]", kind="person") for a, b in sorted(set(spans)))
    return file, write(file, apply(Plan(file.document, edits))), seconds


def main() -> list[dict[str, Any]]:
    """Print the table and return its rows."""
    rows: list[dict[str, Any]] = []
    print(f"{'way':44} {'shown':>6} {'letters wrong':>14} {'leaks':>6} {'s a page':>9}")
    for way, dpi, number, page in pages():
        if not number:
            rows.append({"pages": way, "shown": 0, "of": 0, "letters": 0, "wrong": 0, "leaks": 0, "seconds": 0.0})
        row = rows[-1]
        file, data, seconds = _released(page, dpi, NAMES[number])
        row["of"] += 1
        row["seconds"] += seconds
        if file is not None:
            said = "\n".join(re.sub(r"\s+", " ", line) for line in page.lines)
            row["shown"] += 1
            row["letters"] += len(said)
            row["wrong"] += errors(said, re.sub(r"\n+", "\n", file.document.text))
            row["leaks"] += len(_leaks(page, NAMES[number], _shown(data)))
        if number == len(LETTERS) - 1:
            row["letters wrong, of 100"] = 100 * row["wrong"] / max(row["letters"], 1)
            row["s a page"] = row.pop("seconds") / row["of"]
            told = f"{row['letters wrong, of 100']:14.2f} {row['leaks']:6} {row['s a page']:9.1f}"
            print(f"{way:44} {row['shown']:3}/{row['of']:2} {told}", flush=True)
    return rows


if __name__ == "__main__":
    main()
