"""A picture's file into pixels: what a learner brings, checked, or a sentence that says what is wrong.

Only the pixels are kept: no name, place, date, camera or other metadata of the file leaves this module. The size is looked
at before anything is unpacked, so that a small file which unfolds into a huge picture is refused unread.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from core.pictures import WORDS

BYTES_AT_MOST = 10 << 20
PIXELS_AT_MOST = 20_000_000
ASPECT_AT_MOST = 50  # the longer side by the shorter one: beyond it, what is kept would be a line
KEPT_AT_MOST = 512  # pixels along the longer side; models see 32 at most
SIDE_AT_LEAST = 8
SMALL_AT_ONCE = ("L", "RGB")  # modes whose mean of pixels is a pixel: made small before anything else is done
FORMATS = ("PNG", "JPEG", "WEBP")
ENDINGS = ("png", "jpg", "jpeg", "webp")
# What Pillow raises on damaged files of these formats, as its decoders and its fuzzers' reports have it.
DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    struct.error,
    zlib.error,
)


class PictureError(Exception):
    """A sentence for the learner: why this cannot be read as a picture, and what to do."""


@dataclass(frozen=True, eq=False)
class Picture:
    """Pixels (H, W, 3) from 0 to 255, and sentences on what was done to the file's own picture."""

    pixels: np.ndarray
    notes: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the pixels, by which caches know the picture."""
        return sha256(repr(self.pixels.shape).encode() + self.pixels.tobytes()).hexdigest()


def read_picture(data: bytes) -> Picture:
    """Return the picture in a file's bytes; what they are decides, not the file's name.

    Raises PictureError, with a sentence for the learner, for anything that cannot be read.

    >>> file = BytesIO()
    >>> Image.new("L", (9, 8), 255).save(file, "PNG")
    >>> read_picture(file.getvalue()).pixels.shape
    (8, 9, 3)
    """
    if not data:
        raise PictureError(and_choose("empty"))
    if len(data) > BYTES_AT_MOST:
        raise PictureError(WORDS.label("reading.heavy", size=len(data) / 2**20))
    image = opened(data)
    check_size(image)
    notes = []
    try:
        if getattr(image, "n_frames", 1) > 1:
            notes.append(WORDS.label("reading.animated", frames=image.n_frames))
            image.seek(0)
        image.draft("RGB", (KEPT_AT_MOST, KEPT_AT_MOST))  # a large JPEG is unpacked at half or a quarter
        image.load()
        if image.mode in SMALL_AT_ONCE and not image.has_transparency_data:
            image.thumbnail((KEPT_AT_MOST, KEPT_AT_MOST), Image.Resampling.BOX)
        image, more = upright_colours(image)
    except (Image.DecompressionBombError, MemoryError):
        raise PictureError(too_large()) from None
    except DAMAGE:
        raise PictureError(and_choose("packed")) from None
    image.thumbnail((KEPT_AT_MOST, KEPT_AT_MOST), Image.Resampling.BOX)
    return Picture(np.asarray(image), (*notes, *more))


def opened(data: bytes) -> Image.Image:
    """Return the picture with its size known and nothing unpacked. Raises PictureError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # check_size says it
            return Image.open(BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise PictureError(too_large()) from None
    except UnidentifiedImageError:
        raise PictureError(and_choose("unknown")) from None
    except DAMAGE:
        raise PictureError(and_choose("begins")) from None


def check_size(image: Image.Image) -> None:
    """Raise PictureError for a picture too large to unpack, too long, or too small to be cut into patches."""
    width, height = image.size
    if width * height > PIXELS_AT_MOST:
        raise PictureError(too_large(width, height))
    if min(width, height) < SIDE_AT_LEAST:
        raise PictureError(WORDS.label("reading.small", width=width, height=height))
    if max(width, height) > ASPECT_AT_MOST * min(width, height):
        raise PictureError(WORDS.label("reading.long", width=width, height=height, most=ASPECT_AT_MOST))


def and_choose(fault: str) -> str:
    """Return the sentence on a fault, and what to choose instead."""
    return f"{WORDS.label(f'reading.{fault}')} {WORDS.label('reading.choose')}"


def too_large(width: int = 0, height: int = 0) -> str:
    """Return the sentence for a picture that would not fit; of a size that is not known, 0 by 0."""
    return WORDS.label("reading.large", width=width, height=height, millions=PIXELS_AT_MOST // 10**6)


def upright_colours(image: Image.Image) -> tuple[Image.Image, list[str]]:
    """Return the picture turned as its camera meant it, in red, green and blue, and what was done to it."""
    notes = []
    turned = ImageOps.exif_transpose(image)
    if image.getexif().get(0x0112, 1) in range(2, 9):
        notes.append(WORDS.label("reading.turned"))
    if turned.mode.startswith("I") or turned.mode == "F":  # 16 bits and more a pixel
        values = np.asarray(turned, dtype=np.float64)
        turned = Image.fromarray(np.clip(values / 257, 0, 255).round().astype(np.uint8))
    if turned.has_transparency_data:
        notes.append(WORDS.label("reading.white"))
        layers = turned.convert("RGBA")
        turned = Image.alpha_composite(Image.new("RGBA", layers.size, "white"), layers)
    if turned.mode == "CMYK":
        notes.append(WORDS.label("reading.print"))
    return turned.convert("RGB"), notes
