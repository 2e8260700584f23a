"""Text recognition: the words of a picture, how sure each is, and the area of its pixels.

RapidOCR does the reading (the extra ``ocr``); its models come with its package and nothing is downloaded. It says where
a line is and roughly where its letters are. Nearly all its errors on printed pages are spaces that it does not see
("HIV/AIDSsince"), and a word that is not seen as one is not found by anybody. So words end where the pixels say: at
gaps without ink that are about as wide as the other spaces of the page. Cut in the middle of such a gap, painting over
one word leaves nothing of it and takes nothing of its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from taciturn.errors import FormatError

__all__ = ["CERTAIN", "LEGIBLE", "Recognized", "Unit", "ink_of", "recognize"]

CERTAIN = 0.6
"""How sure the recognition of each letter of a word must be; what is less sure is not released."""
LEGIBLE = 0.98
"""How sure the letters of a page must be on average. Below it words are misread that seem certain: of 50 pages printed
and spoilt in ten ways, those below have 4 to 11 letters of a hundred wrong, those above 1 at most."""
_SLANT = 0.002  # of a line: less is left as it is (a tenth of a degree)
_INK = 48  # how much darker than the paper ink is, of 255
_FAINT = 0.4  # of the darkest ink of a line: where a line is faint, so much is ink
_BLOCK = 16  # pixels of a side of the areas whose paper is looked at
_CHANCE = 3.0  # deviations: fewer specks in a column than come by chance are no ink
_SPACE = 0.22  # of the height of a line: a space, where a page shows no others
_AS_WIDE = 0.7  # as the usual space: a gap that ends a word


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands between two spaces of a line: its text, how sure it is, its pixels (left, top, right, bottom), and
    the first and last columns of its ink."""

    text: str
    score: float
    area: tuple[int, int, int, int]
    ink: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Recognized:
    """A picture turned upright, and the units of its lines. ``paper`` is the colour of the background, ``certainty``
    how sure its letters are on average."""

    pixels: Any
    lines: tuple[tuple[Unit, ...], ...]
    paper: Any
    certainty: float


def recognize(pixels: Any) -> Recognized:
    """The words of a picture (rows of pixels of one or three colours, 0 to 255).

    A picture that is not quite upright is turned first: words of a line then stand on one base line.
    """
    from PIL import Image

    found = _read(pixels)
    slope = median([_slope(box) for _, _, box in found] or [0.0])
    if _SLANT < abs(slope) < 0.2:
        image = Image.fromarray(pixels.squeeze(axis=2) if pixels.shape[2] == 1 else pixels)
        paper = tuple(int(v) for v in np.atleast_1d(_paper(pixels)))
        upright = image.rotate(
            math.degrees(math.atan(slope)),
            resample=Image.Resampling.BICUBIC,
            fillcolor=paper if len(paper) > 1 else paper[0],
        )
        pixels = np.asarray(upright).reshape(pixels.shape)
        found = _read(pixels)
    depth = _depth(pixels)
    specks = _specks(depth, [box for _, _, box in found])
    strips = [strip for text, letters, box in found if (strip := _strip(text, letters, box, depth, specks))]
    spaces = [gap.width / strip.height for strip in strips for gap, is_space in strip.gaps() if is_space and gap.width]
    narrow = _AS_WIDE * median(spaces) if spaces else _SPACE
    scores = [letter[1] for _, letters, _ in found for letter in letters]
    certainty = float(np.mean(scores)) if scores else 0.0
    return Recognized(pixels, tuple(tuple(_units(strip, narrow)) for strip in strips), _paper(pixels), certainty)


def ink_of(pixels: Any) -> Any:
    """Which pixels are ink: those that differ much from the paper around them."""
    return _depth(pixels) > _INK


def _depth(pixels: Any) -> Any:
    """How much each pixel differs from the paper around it, single specks left out."""
    from PIL import Image, ImageFilter

    height, width, colours = pixels.shape
    rows, columns = -(-height // _BLOCK), -(-width // _BLOCK)
    padded = np.pad(pixels, ((0, rows * _BLOCK - height), (0, columns * _BLOCK - width), (0, 0)), mode="edge")
    # Less than half of a block is ink, so its median is paper; a few blocks around it, for pictures and bars.
    blocks = padded.reshape(rows, _BLOCK, columns, _BLOCK, colours).swapaxes(1, 2).reshape(rows, columns, -1, colours)
    papers = [
        np.asarray(Image.fromarray(ground).filter(ImageFilter.MedianFilter(5)))
        for ground in np.moveaxis(np.median(blocks, axis=2).astype(np.uint8), 2, 0)
    ]
    ground = np.stack(papers, axis=2).repeat(_BLOCK, axis=0).repeat(_BLOCK, axis=1)[:height, :width]
    depth = np.abs(pixels.astype(np.int16) - ground).max(axis=2).astype(np.uint8)
    return np.asarray(Image.fromarray(depth).filter(ImageFilter.MedianFilter(3)))


def _specks(depth: Any, boxes: Sequence[Any]) -> float:
    """The share of the pixels outside of lines that look like ink: the noise of a scanner."""
    outside = np.ones(depth.shape, dtype=bool)
    for box in boxes:
        left, top, right, bottom = _bounds(box, depth.shape, 4)
        outside[top:bottom, left:right] = False
    count = int(outside.sum())
    return float((depth[outside] > _INK).sum() / count) if count else 0.0


def _bounds(box: Any, shape: tuple[int, ...], margin: int) -> tuple[int, int, int, int]:
    """The pixels of a box and a margin around it: left, top, right, bottom."""
    xs, ys = [float(p[0]) for p in box], [float(p[1]) for p in box]
    left, right = max(int(min(xs)) - margin, 0), min(int(max(xs)) + margin + 1, shape[1])
    return left, max(int(min(ys)) - margin, 0), right, min(int(max(ys)) + margin + 1, shape[0])


_Letter = tuple[str, float, Any]
_Line = tuple[str, Sequence[_Letter], Any]


def _read(pixels: Any) -> list[_Line]:
    three = pixels if pixels.shape[2] == 3 else np.repeat(pixels, 3, axis=2)
    made = _engine()(np.ascontiguousarray(three), use_cls=True, return_word_box=True, return_single_char_box=True)
    if made.txts is None or made.boxes is None:
        return []
    return list(zip(made.txts, made.word_results, made.boxes, strict=True))


@cache
def _engine() -> Any:
    try:
        import rapidocr
    except ImportError:
        raise FormatError(
            "reading pictures needs text recognition, which is not installed: pip install 'taciturn[ocr]', or leave "
            "out --pictures read"
        ) from None
    models = Path(rapidocr.__file__).parent / "models"
    chosen = {}
    for part, pattern in (("Det", "*det*.onnx"), ("Cls", "*cls*.onnx"), ("Rec", "*rec*.onnx")):
        files = sorted(models.glob(pattern))
        if not files:  # it would be downloaded
            raise FormatError(
                f"RapidOCR came without its model {pattern!r}, and Taciturn downloads nothing; install it anew: "
                "pip install --force-reinstall rapidocr"
            )
        chosen[f"{part}.model_path"] = str(files[0])
    threads = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    return rapidocr.RapidOCR(params={**chosen, **threads, "Global.log_level": "error"})


def _slope(box: Any) -> float:
    """Of the upper edge of a line."""
    (x, y), (u, v) = box[0], box[1]
    return float((v - y) / (u - x)) if u - x > 3 * abs(v - y) else 0.0


def _paper(pixels: Any) -> Any:
    """The colour that most pixels have, about."""
    return np.median(pixels[::8, ::8].reshape(-1, *pixels.shape[2:]), axis=0).astype(np.uint8)


class _Gap(NamedTuple):
    """Columns without ink: the middle of them, and how many they are."""

    middle: int
    width: int


@dataclass(frozen=True, slots=True)
class _Strip:
    """A line: what stands between its spaces, letter by letter, its pixels, and which columns of it are empty."""

    groups: list[list[_Letter]]
    area: tuple[int, int, int, int]
    empty: Any

    @property
    def height(self) -> int:
        return self.area[3] - self.area[1]

    def gaps(self) -> Iterator[tuple[_Gap, bool]]:
        """The widest gap between each letter and the next, and whether a space was read there."""
        before: _Letter | None = None
        for group in self.groups:
            for number, letter in enumerate(group):
                if before is not None:
                    yield _widest_gap(self.empty, self._middle(before), self._middle(letter)), number == 0
                before = letter

    def _middle(self, letter: _Letter) -> int:
        return int(sum(point[0] for point in letter[2]) / len(letter[2])) - self.area[0]


def _strip(text: str, letters: Sequence[_Letter], box: Any, depth: Any, specks: float) -> _Strip | None:
    left, _, right, _ = _bounds(box, depth.shape, 2)
    _, top, _, bottom = _bounds(box, depth.shape, 0)
    if not text.strip() or right <= left or bottom <= top:
        return None
    shown, height = depth[top:bottom, left:right], bottom - top
    ink = shown > min(_INK, _FAINT * float(np.percentile(shown, 98)))
    by_chance = int(specks * height + _CHANCE * math.sqrt(specks * (1 - specks) * height)) if specks > 0.0005 else 0
    return _Strip(_groups(text, letters), (left, top, right, bottom), ink.sum(axis=0) <= by_chance)


def _groups(text: str, letters: Sequence[_Letter]) -> list[list[_Letter]]:
    """The letters of what stands between spaces. If they do not make up the text, it is one, of no certainty.

    >>> [[letter[0] for letter in group] for group in _groups("a bc", [("a", 1.0, 0), ("b", 1.0, 0), ("c", 1.0, 0)])]
    [['a'], ['b', 'c']]
    """
    rest = [letter for letter in letters if letter[0].strip()]
    groups: list[list[_Letter]] = []
    for part in text.split():
        group: list[_Letter] = []
        while rest and sum(len(letter[0]) for letter in group) < len(part):
            group.append(rest.pop(0))
        groups.append(group)
    if rest or text.split() != ["".join(letter[0] for letter in group) for group in groups]:
        return [[(text, 0.0, [(0.0, 0.0)])]]
    return groups


def _units(strip: _Strip, narrow: float) -> Iterator[Unit]:
    """The words of a line: a word ends where a space was read, and at a gap that is not ``narrow`` for the line."""
    left, top, right, bottom = strip.area
    letters = [letter for group in strip.groups for letter in group]
    begin, word = left, [letters[0]]

    def unit(end: int) -> Unit:
        inked = np.flatnonzero(~strip.empty[begin - left : end - left])
        ink = (begin + int(inked[0]), begin + int(inked[-1]) + 1) if len(inked) else (begin, end)
        return Unit("".join(c[0] for c in word), float(min(c[1] for c in word)), (begin, top, end, bottom), ink)

    for letter, (gap, is_space) in zip(letters[1:], strip.gaps(), strict=True):
        if is_space or gap.width > narrow * strip.height:
            end = max(left + gap.middle, begin + 1)
            yield unit(end)
            begin, word = end, []
        word.append(letter)
    yield unit(max(right, begin + 1))


def _widest_gap(empty: Any, begin: int, end: int) -> _Gap:
    """The longest run of empty columns between two; one of no width half way if there is none.

    >>> _widest_gap(np.array([False, True, False, True, True, True, False]), 0, 7)
    _Gap(middle=4, width=3)
    """
    begin, end = max(begin, 0), min(end, len(empty))
    best, run = _Gap((begin + end) // 2, 0), 0
    for at in range(begin, end):
        run = run + 1 if empty[at] else 0
        if run > best.width:
            best = _Gap(at - run // 2, run)
    return best
