"""Texts that plotly lays out line by line, a cell of a heat map for each token, coloured by a number of it."""

from __future__ import annotations

from collections.abc import Mapping
from html import unescape

from core.descriptions.description import (
    Description,
    cut_text,
    describe_table,
    number_cell,
    say,
    tell_apart,
    without_markup,
)
from core.descriptions.plots import HEATMAP, values_of


def is_laid_text(figure: Mapping) -> bool:
    """Return whether a figure is one heat map with a name and the texts of its cells, whose rows are but lines."""
    hidden = all(figure["layout"].get(f"{name}axis", {}).get("visible") is False for name in "xy")
    maps = [each for each in figure["data"] if each.get("type") == HEATMAP]
    return hidden and len(maps) == 1 and bool(maps[0].get("name")) and "text" in maps[0]


def describe_laid_text(figure: Mapping) -> Description:
    """Return the description of a text laid out in lines: a row for each token, with its number."""
    heat = next(each for each in figure["data"] if each.get("type") == HEATMAP)
    lines = zip(values_of(heat["text"]), values_of(heat["z"]), strict=True)
    cells = [cell for texts, numbers in lines for cell in zip(texts, numbers, strict=True) if cell[0]]
    tokens = [unescape(without_markup(text)) for text, _ in cells]
    told = zip(tell_apart(tokens), cells, strict=True)
    rows = [(name, number_cell(None if value is None else float(value))) for name, (_, value) in told]
    text = cut_text("".join(tokens).replace("␣", " ").replace("↵", " "))
    columns = (say("column.token"), without_markup(heat["name"]))
    return describe_table(say("laid_text.sentence", tokens=len(rows), text=text), "", columns, rows)
