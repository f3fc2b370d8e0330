"""Texts that plotly lays out: line by line in a heat map, a number for each token, or in one line, a role for each word."""

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
    """Return whether a figure without axes is a text: a heat map with a name and texts, or a named line of words."""
    hidden = all(figure["layout"].get(f"{name}axis", {}).get("visible") is False for name in "xy")
    return hidden and (bool(heat_of(figure)) or is_line(figure))


def heat_of(figure: Mapping) -> Mapping | None:
    """Return the one heat map of a figure that has a name and the texts of its cells; None where there is none."""
    maps = [each for each in figure["data"] if each.get("type") == HEATMAP]
    return maps[0] if len(maps) == 1 and maps[0].get("name") and "text" in maps[0] else None


def is_line(figure: Mapping) -> bool:
    """Return whether a figure is one line of words with a name, each with its role."""
    (first, *others) = figure["data"] or [{}]
    return not others and first.get("mode") == "text" and bool(first.get("name") and first.get("customdata"))


def describe_line(figure: Mapping) -> Description:
    """Return the description of a line of words: a word a row, with its role. The line's name is its sentence."""
    (trace,) = figure["data"]
    words = [unescape(without_markup(each)) for each in values_of(trace["text"])]
    rows = list(zip(tell_apart(words), values_of(trace["customdata"]), strict=True))
    return describe_table(trace["name"], "", (say("column.word"), say("column.role")), rows)


def describe_laid_text(figure: Mapping) -> Description:
    """Return the description of a text laid out in lines: a row for each token, with its number."""
    heat = heat_of(figure)
    if heat is None:
        return describe_line(figure)
    lines = zip(values_of(heat["text"]), values_of(heat["z"]), strict=True)
    cells = [cell for texts, numbers in lines for cell in zip(texts, numbers, strict=True) if cell[0]]
    tokens = [unescape(without_markup(text)) for text, _ in cells]
    told = zip(tell_apart(tokens), cells, strict=True)
    rows = [(name, number_cell(None if value is None else float(value))) for name, (_, value) in told]
    text = cut_text("".join(tokens).replace("␣", " ").replace("↵", " "))
    columns = (say("column.token"), without_markup(heat["name"]))
    return describe_table(say("laid_text.sentence", tokens=len(rows), text=text), "", columns, rows)
