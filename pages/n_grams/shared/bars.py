"""Rows of bars as the view "layer_bars" draws them."""

from __future__ import annotations

from collections.abc import Sequence


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
    row = {"name": name, "mark": mark or name, "from": 0, "to": float(value), "text": text, "note": note}
    return {**row, "kind": kind, "hue": hue}


def draw_panel(title: str, rows: Sequence[dict], most: float | None = None) -> dict:
    """Return rows on one scale from 0 to `most`, the longest bar's end without it."""
    longest = max(row["to"] for row in rows)
    return {"title": title, "least": 0, "most": most or longest or 1, "rows": list(rows)}


def draw_bars(*panels: dict, line: str = "") -> dict:
    """Return the data of the view: panels from left to right, and a line below them."""
    return {"panels": list(panels), "sum": line}
