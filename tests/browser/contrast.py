"""How well the words of a page's pictures can be read: their ink against what lies behind them, as a browser shows it."""

import io
from pathlib import Path

import numpy as np
from PIL import Image

WORDS = (Path(__file__).parent / "words.js").read_text(encoding="utf-8")
LEAST, OF_LARGE = 4.5, 3.0  # WCAG 2.2: of text, and of large text and signs
TALL_LINE, TALL_BOLD_LINE = 28, 22  # pixels from which a line's text is large: 18 pt, and 14 pt bold
LONG = 2600  # pixels: so much of a page is looked at


def luminance(colour):
    """Return the relative luminance of colours (..., 3) from 0 to 255, as WCAG defines it."""
    c = np.asarray(colour) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def ratio(one, other):
    """Return the contrast of two colours, 1 to 21.

    >>> float(round(ratio([0, 0, 0], [255, 255, 255]), 1))
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def behind(pixels):
    """Return the colour that most pixels (n, 3) have: letters cover less of their box than what is behind them."""
    shades = pixels // 8 @ [1024, 32, 1]
    return pixels[(shades == np.bincount(shades).argmax()).argmax()]


def least(word):
    """Return the contrast that a word needs: less where it is large, or no more than a sign."""
    large = word["box"][3] >= (TALL_BOLD_LINE if word["bold"] else TALL_LINE)
    return OF_LARGE if large or not any(map(str.isalnum, word["text"])) else LEAST


def too_pale(words, shown):
    """Return those words whose contrast on a screen (height, width, 3) is too low, each once, with its contrast."""
    found = {}
    for word in words:
        x, y, w, h = word["box"]
        box = shown[max(0, int(y)) : max(0, int(y + h) + 1), max(0, int(x)) : max(0, int(x + w) + 1)]
        if box.size == 0:
            continue
        paper = behind(box.reshape(-1, 3))
        ink = word["opacity"] * np.array(word["ink"]) + (1 - word["opacity"]) * paper
        if (seen := ratio(ink, paper)) < least(word) - 0.05:
            said = f"{word['picture']}: “{word['text']}” {seen:.1f}:1"
            found[said] = f"{said}, {ink.round().astype(int).tolist()} on {paper.tolist()}"
    return list(found.values())


def hard_to_read(page):
    """Return the words of a long page's pictures that are too pale."""
    size = page.viewport_size
    page.set_viewport_size({"width": size["width"], "height": LONG})
    page.wait_for_timeout(300)
    words = page.evaluate(WORDS)
    shown = np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)
    page.set_viewport_size(size)
    return too_pale(words, shown)
