"""The parts of a still picture as SVG writes them: lines and words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from html import escape, unescape

import numpy as np

from core.figures.figure import FigurePart
from core.figures.palette import HUES

WIDTH, HEIGHT = 320, 190  # of the picture, in its own pixels
LETTER = 0.62  # width of a letter, as a share of the size of its type
LARGEST = 14  # pixels of type: a card is small
INKS = {colour: f"var(--ink-{name})" for name, colour in HUES.items()}
DASHES = {"dash": "9 5", "dot": "2 4", "dashdot": "9 4 2 4"}
MARKUP = re.compile(r"<(/?(?:b|i|sub|sup))>")
BREAK = re.compile(r"<br ?/?>")
STYLES = {
    "b": 'font-weight="700"',
    "i": 'font-style="italic"',
    "sub": 'baseline-shift="sub"',
    "sup": 'baseline-shift="super"',
}


def short(number: float) -> str:
    """Return a number of pixels to a tenth.

    >>> short(2.04), short(-3.16)
    ('2', '-3.2')
    """
    return f"{number:.1f}".removesuffix(".0")


def each(values: object, index: int, otherwise: object = None) -> object:
    """Return the one of a field's values that belongs to a point: fields hold one for all, or a list."""
    if isinstance(values, list | tuple | np.ndarray):
        return values[index] if index < len(values) else otherwise
    return otherwise if values is None else values


def text_element(
    text: object, x: float, y: float, anchor: str = "middle", look: FigurePart | None = None, i: int = 0
) -> str:
    """Return words at a place, their line's middle at y; plotly's own markup in bold or lowered, any other as it is.

    >>> text_element("<b>a</b> < b", 50, 20)
    '<text x="50" text-anchor="middle" y="24.3"><tspan font-weight="700">a</tspan> &lt; b</text>'
    """
    look = look or FigurePart()
    lines, asked = BREAK.split(str(text)), each(look.size, i)
    size = asked and min(asked, LARGEST)
    pixels = size or 12
    wide = min(WIDTH, LETTER * pixels * max(len(unescape(MARKUP.sub("", words))) for words in lines))
    before = {"start": 0, "middle": wide / 2, "end": wide}[anchor]  # no word leaves the picture
    x = min(max(x, before), WIDTH - wide + before)
    y = min(max(y, 0.6 * pixels), HEIGHT - 0.6 * pixels)
    first = y + 0.36 * pixels - 0.6 * (len(lines) - 1) * pixels
    fields = {"x": short(x), "text-anchor": anchor, "font-size": size, "fill": INKS.get(each(look.color, i))}
    return "".join(
        f"{open_tag('text', {**fields, 'y': short(first + 1.2 * pixels * k)})}{marked_up(words)}</text>"
        for k, words in enumerate(lines)
    )


def marked_up(text: str) -> str:
    """Return a line of words in which plotly's tags are SVG's, and any other "<" is a character.

    >>> marked_up("h<sub>1</sub> <script>")
    'h<tspan baseline-shift="sub">1</tspan> &lt;script&gt;'
    """
    written, depth = [], 0
    for place, part in enumerate(MARKUP.split(text)):
        if place % 2 == 0:
            written.append(escape(unescape(part), quote=False))
        elif not part.startswith("/"):
            written.append(f"<tspan {STYLES[part]}>")
            depth += 1
        elif depth:
            written.append("</tspan>")
            depth -= 1
    return "".join(written) + "</tspan>" * depth


def open_tag(tag: str, fields: dict, end: str = ">") -> str:
    """Return an element's opening tag with the fields that are not None.

    >>> open_tag("rect", {"x": 1, "fill": None}, "/>")
    '<rect x="1"/>'
    """
    written = [f'{name}="{escape(str(value))}"' for name, value in fields.items() if value is not None]
    return f"<{' '.join((tag, *written))}{end}"


def line(points: Iterable[tuple[float, float]], **fields) -> str:
    """Return a line through points, broken where one has no number."""
    path, pen = [], "M"
    for x, y in points:
        if not (math.isfinite(x) and math.isfinite(y)):
            pen = "M"
            continue
        path.append(f"{pen}{short(x)} {short(y)}")
        pen = "L"
    return open_tag("path", {"d": "".join(path), **fields}, "/>") if path else ""


def stroke(look: FigurePart | None, colour: str | None = None) -> dict:
    """Return how a line is drawn, as SVG names it."""
    look = look or FigurePart()
    return {
        "stroke": look.color or colour,
        "stroke-width": short(look.get("width", 2)),
        "stroke-dasharray": DASHES.get(look.dash),
    }
