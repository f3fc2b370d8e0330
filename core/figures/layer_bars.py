"""Bars in rows, in one panel or in several side by side (view "layer_bars")."""

from __future__ import annotations

from collections.abc import Sequence


def make_row(
    name: str,
    mark: str,
    to: float,
    text: str,
    start: float = 0,
    note: str = "",
    kind: str = "plain",
    hue: str = "blue",
    whole: str = "",
) -> dict:
    """Return a row: a bar from `start` to `to` with a text at its end. Words are tied to it by its `mark`.

    Kinds: plain, best (in full colour), faint, open (not told yet), total. `whole` is what a short name stands for.

    >>> make_row("spam", "row.spam", 522, "522")["from"]
    0
    """
    bar = {"name": name, "mark": mark, "from": start, "to": to, "text": text}
    return {**bar, "note": note, "kind": kind, "hue": hue} | ({"whole": whole} if whole else {})


def make_panel(title: str, most: float, rows: Sequence[dict], least: float = 0) -> dict:
    """Return a panel: rows on one scale from `least` to `most`."""
    return {"title": title, "least": least, "most": most, "rows": list(rows)}


def join_panels(*panels: dict, sum_: str = "") -> dict:
    """Return the view's data: panels from left to right, and a line below them."""
    return {"panels": list(panels), "sum": sum_}
