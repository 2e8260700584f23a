"""Scans made by hand: lines of text as pixels, with what scanners do to them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"


def picture(lines: Sequence[str], dpi: int = 150, size: tuple[float, float] = (6.0, 3.7)) -> Image.Image:
    """A page, in inches, with lines of 11 points."""
    made = Image.new("L", (int(size[0] * dpi), int(size[1] * dpi)), 255)
    font = ImageFont.truetype(str(FONT), int(11 * dpi / 72))
    for number, line in enumerate(lines):
        ImageDraw.Draw(made).text((0.3 * dpi, 0.3 * dpi + number * 18 * dpi / 72), line, font=font, fill=20)
    return made


def degraded(image: Image.Image, turn: float, seed: int = 1) -> Image.Image:
    """Turned by some degrees, blurred, with noise, and packed as JPEG."""
    turned = image.rotate(turn, fillcolor=255, resample=Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(0.8))
    noise = np.random.default_rng(seed).normal(0, 12, (image.height, image.width))
    packed = io.BytesIO()
    Image.fromarray((np.asarray(turned) + noise).clip(0, 255).astype(np.uint8)).save(packed, "JPEG", quality=60)
    return Image.open(packed)


def as_pdf(*images: Image.Image, dpi: int = 150) -> bytes:
    made = io.BytesIO()
    images[0].save(made, "PDF", resolution=dpi, save_all=True, append_images=images[1:])
    return made.getvalue()
