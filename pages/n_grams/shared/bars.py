"""Rows of bars as the view "layer_bars" draws them."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.layer_bars import make_panel, make_row


def draw_row(
    name: str,
    value: float,
    text: str,
    mark: str = "",
    kind: str = "plain",
    hue: str = "blue",
    note: str = "",
) -> dict:
    """Return a bar from 0 to `value`, with a text at its end."""
    return make_row(name, mark or name, float(value), text, note=note, kind=kind, hue=hue)


def draw_panel(title: str, rows: Sequence[dict], most: float | None = None) -> dict:
    """Return rows on one scale from 0 to `most`, the longest bar's end without it."""
    longest = max(row["to"] for row in rows)
    return make_panel(title, most or longest or 1, rows)
