"""Several panels side by side under their titles, with the look of every other figure."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from core.figures.blank import FONT_SIZE, blank, write_axes
from core.figures.figure import Figure, subplots


def panels(titles: Sequence[str], height: int, spacing: float = 0.08) -> Figure:
    """Return an empty figure of a height in pixels with one panel for each title, left to right.

    A title longer than a phone has room for above its panel stands on several lines.

    >>> [title.text for title in panels(["one", "two"], 300).layout.annotations]
    ['one', 'two']
    """
    lines = ["<br>".join(wrap(title, max(6, 40 // len(titles)))) for title in titles]
    figure = subplots(1, len(titles), tuple(lines), horizontal_spacing=spacing)
    figure.update_layout(blank(height).layout, margin={"t": 64}, legend={"y": 1.12})
    figure.update_annotations(font_size=FONT_SIZE)
    return write_axes(figure)
