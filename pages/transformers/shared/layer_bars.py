"""Bars for layers, pieces or tokens, in one panel or several (view "layer_bars")."""

from __future__ import annotations

from collections.abc import Sequence


def bars_panel(title: str, least: float, most: float, rows: Sequence[dict], sum_: str = "") -> dict:
    """Return the data of the view "layer_bars" with one panel."""
    return {"panels": [{"title": title, "least": least, "most": most, "rows": list(rows)}], "sum": sum_}


def row(
    name: str, mark: str, start: float, end: float, text: str, hue: str, kind: str = "plain", note: str = ""
) -> dict:
    """Return a row of the view "layer_bars"."""
    return {
        "name": name,
        "mark": f"row.{mark}",
        "from": start,
        "to": end,
        "text": text,
        "note": note,
        "kind": kind,
        "hue": hue,
    }


def short(p: float) -> str:
    """Return a probability as it stands at a bar.

    >>> short(0.9999), short(0.64), short(0.001), short(0.0001)
    ('>99%', '64%', '0.1%', '<0.1%')
    """
    return ">99%" if p > 0.99 else "<0.1%" if p < 0.0005 else f"{p:.1%}" if p < 0.005 else f"{p:.0%}"
