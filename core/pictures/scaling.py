"""A picture as a model sees it: its middle square, in as many pixels as the model has patches for.

Each of the new pixels is the mean of the area that it covers. For digits, which are light ink on a dark ground from 0 to
1, it is grey (0.299 red + 0.587 green + 0.114 blue), turned over when its edge is light, and stretched over 0 to 1.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from core.pictures import WORDS
from core.pictures.reading import Picture

GREY = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601
FLAT = 0.02  # a picture whose numbers differ by less holds nothing to stretch


def middle_square(pixels: np.ndarray) -> np.ndarray:
    """Return the square in the middle of pixels (H, W, 3).

    >>> middle_square(np.arange(12).reshape(2, 6, 1))[..., 0].tolist()
    [[2, 3], [8, 9]]
    """
    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return pixels[top : top + side, left : left + side]


def scaled(picture: Picture, side: int) -> np.ndarray:
    """Return the picture's middle square as numbers from 0 to 1, (3, side, side)."""
    square = middle_square(picture.pixels).astype(
        np.float32
    )  # in floats, so that no mean is rounded on the way
    small = [
        np.asarray(Image.fromarray(channel).resize((side, side), Image.Resampling.BOX))
        for channel in np.ascontiguousarray(square.transpose(2, 0, 1))
    ]
    return np.stack(small) / 255


def as_ink(colours: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Return colours (3, S, S) as light ink on a dark ground, (1, S, S), and what was done.

    >>> paper = np.ones((3, 3, 3))
    >>> paper[:, 1, 1] = 0.5
    >>> as_ink(paper)[0][0].tolist()
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    grey = np.tensordot(GREY, colours, axes=1)  # (S, S)
    notes = [WORDS.label("scaling.grey")]
    edge = np.concatenate((grey[0], grey[-1], grey[1:-1, 0], grey[1:-1, -1]))
    if edge.mean() > 0.5:
        grey = 1 - grey
        notes.append(WORDS.label("scaling.inverted"))
    if np.ptp(grey) > FLAT:
        grey = (grey - grey.min()) / np.ptp(grey)
        notes.append(WORDS.label("scaling.stretched"))
    return grey[None].astype(np.float32), notes
