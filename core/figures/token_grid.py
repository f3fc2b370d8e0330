"""A grid with a column for each token (view "token_grid")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cell(kind: str, text: str = "", share: float = 0.0) -> dict:
    """Return a cell of the view "token_grid"."""
    return {"kind": kind, "text": text, "share": float(min(1.0, max(0.0, share)))}


def token_grid(
    columns: Sequence[str],
    rows: Sequence[tuple[str, str, Sequence[dict]]],
    key: Sequence[tuple[str, str]] = (),
    gap: int = 0,
    corner: str = "",
    end: str = "",
    hues: Mapping[int, str] | None = None,
    sum_: str = "",
    names: Sequence[str] = (),
    axes: tuple[str, str] | None = None,
) -> dict:
    """Return the data of the view; a row is its name, its total and its cells, an entry of the key a kind and its text.

    For the description alone: `names` of columns that their texts do not name, and what rows and columns are (`axes`).
    """
    hues = hues or {}
    heads = [{"text": text, "hue": hues.get(c)} for c, text in enumerate(columns)]
    told = {"axes": dict(zip(("row", "column"), axes, strict=True))} if axes else {}
    return told | {
        "columns": [head | {"name": name} for head, name in zip(heads, names, strict=True)]
        if names
        else heads,
        "gap": gap,
        "corner": corner,
        "end": end,
        "rows": [{"name": name, "total": total, "cells": list(cells)} for name, total, cells in rows],
        "key": [{"kind": kind, "text": text} for kind, text in key],
        "sum": sum_,
    }
