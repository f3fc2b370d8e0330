"""A frame: one step as the view "steps" draws it, with its sentence, its formulas and the code that computed it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.packed import packed

WRITTEN_AT_MOST = 10  # columns: in more the numbers would overlap


def frame(
    name: str,
    picture: dict | None,
    alt: str,
    said: str,
    notes: Sequence[str] = (),
    formulas: Sequence[str] = (),
    code: tuple[str, str] | None = None,
    below: dict | None = None,
    parts: Sequence[tuple[str, Sequence[str]]] = (),
) -> dict:
    """Return a step: its name, its picture or none, what that shows, the sentence below it, remarks, formulas in LaTeX.

    `code` is the file and the source of the function that computed the step; `below` a second picture, after the remarks;
    `parts` are further remarks, each with its formulas.

    >>> frame("first", {}, "nothing", "Nothing yet.")["name"]
    'first'
    """
    return {
        "name": name,
        "picture": picture,
        "alt": alt,
        "said": said,
        "notes": list(notes),
        "formulas": list(formulas),
        "code": None if code is None else list(code),
    } | {name: part for name, part in (("below", below), ("parts", list(parts))) if part}


def panel(title: str, matrix: np.ndarray, signed: bool = False, bounds: Sequence[float] = ()) -> dict:
    """Return one heat map of `matrices`: lines stand before the columns `bounds`; `signed` colours what is below 0.

    >>> panel("", np.eye(2))["width"]
    2
    """
    return {
        "title": title,
        "values": packed(matrix),
        "width": np.shape(matrix)[1],
        "signed": signed,
        "bounds": list(bounds),
    }


def matrices(panels: Sequence[dict], rows: Sequence[str], columns: Sequence[str] | None) -> dict:
    """Return heat maps with the same names of rows and columns, side by side; a single small one with its numbers.

    >>> matrices([panel("", np.eye(2))], "ab", "ab")["write"]
    True
    """
    return {
        "kind": "matrices",
        "rows": list(rows),
        "columns": None if columns is None else list(columns),
        "panels": list(panels),
        "write": len(panels) == 1 and panels[0]["width"] <= WRITTEN_AT_MOST,
    }


def bars(
    rows: Sequence[str], columns: Sequence[tuple[str, Sequence[float], Sequence[str]]], marked: int | None
) -> dict:
    """Return rows of bars, one row `marked` or none; a column has a title, its values and how each is written.

    >>> bars(["a"], [("p", [0.5], ["0.50"])], 0)["columns"]
    [{'title': 'p', 'values': [0.5], 'texts': ['0.50']}]
    """
    return {
        "kind": "bars",
        "rows": list(rows),
        "marked": marked,
        "columns": [
            {"title": name, "values": [float(f"{value:.6g}") for value in values], "texts": list(texts)}
            for name, values, texts in columns
        ],
    }
