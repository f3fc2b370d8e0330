"""Pictures that two lessons share: arrows from queries to keys with bars above them, and vectors in rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
LEAST_SCALE = 0.6  # weights up to this are drawn on one scale, so that a bar can grow from picture to picture
LEAST_NAMED = 0.02  # a weight from which its number stands at its bar
ROWS_AT_MOST = 8

# The view "attention_arrows".


def draw_arrows(
    tokens: Sequence[str],
    hues: Mapping[int, str],
    queries: Iterable[int] = (),
    links: Iterable[tuple[int, int, float]] = (),
    rows: Sequence[dict] = (),
    unknown: bool = False,
    **more: object,
) -> dict:
    """Return the data of the view "attention_arrows".

    `hues` {place: hue} are the tokens in colour, `links` (query, key, weight) the arrows, `rows` bars above the keys;
    `unknown` arrows are dashed. `more` may be `sum` and `pick`.
    """
    values = [bar["value"] for row in rows for bar in row["bars"]]
    return {
        "most": max([LEAST_SCALE, *values]),
        "tokens": [{"text": token, "hue": hues.get(s)} for s, token in enumerate(tokens)],
        "axes": {"key": WORDS.label("arrows.key"), "query": WORDS.label("arrows.query")},
        "rows": list(rows),
        "queries": sorted(queries),
        "links": [
            {"from": t, "to": s, "weight": round(weight, 4), "hue": hues.get(s), "open": unknown}
            for t, s, weight in links
        ],
        "sum": "",
        "pick": False,
        **more,
    }


def weight_row(weights: Sequence[float], hues: Mapping[int, str], title: str = "") -> dict:
    """Return a row of bars: one query's weights, with the number of each that is not near 0; it may have a title."""
    return {
        "title": title or WORDS.label("arrows.weight"),
        "bars": [
            {
                "value": round(float(weight), 4),
                "text": format_weight(weight) if weight >= LEAST_NAMED else "",
                "hue": hues.get(s),
            }
            for s, weight in enumerate(weights)
        ],
    }


def format_weight(weight: float) -> str:
    """Return a weight as a bar shows it.

    >>> format_weight(0.4562), format_weight(0.9999)
    ('0.46', '1.00')
    """
    return f"{weight:.2f}"


# The view "vector_rows".


def vector_row(
    mark: str,
    name: str,
    cells: np.ndarray,
    most: float,
    text: str = "",
    note: str = "",
    kind: str = "plain",
    hue: str | None = None,
) -> dict:
    """Return one row of the view "vector_rows": a vector (d,); `most` is the number with the deepest colour."""
    shown = [round(float(each), 4) for each in cells]
    return {
        "mark": mark,
        "name": name,
        "note": note,
        "hue": hue,
        "kind": kind,
        "cells": shown,
        "most": round(most, 4),
        "text": text,
        "parts": 1,
    }


def value_rows(
    weights: np.ndarray, values: np.ndarray, names: Sequence[str], hues: Mapping[int, str]
) -> dict:
    """Return the values (S, d), each times its weight, and their sum: the head's output."""
    seen = np.flatnonzero(weights > 0)
    heaviest = sorted(seen[np.argsort(-weights[seen], kind="stable")[:ROWS_AT_MOST]].tolist())
    return weighed(weights, values, heaviest, names, hues)


def weighed(
    weights: np.ndarray,
    values: np.ndarray,
    kept: Sequence[int],
    names: Sequence[str],
    hues: Mapping[int, str],
) -> dict:
    """Return a row w_s v_s for each key that is kept, one of all others together, and their sum."""
    rest = np.setdiff1d(np.flatnonzero(weights > 0), kept)
    others = weights[rest] @ values[rest] if len(rest) else None
    output = weights @ values
    shown = [weights[s] * values[s] for s in kept]
    most = float(np.abs(np.stack([*shown, output])).max()) or 1.0
    rows = [
        vector_row(
            f"value.{s}",
            WORDS.label("rows.value", name=names[s]),
            part,
            most,
            note=WORDS.label("rows.times", weight=f"{weights[s]:.3f}", place=s + 1),
            hue=hues.get(s),
        )
        for s, part in zip(kept, shown, strict=True)
    ]
    if others is not None:
        note = WORDS.label("rows.times_all", weight=f"{weights[rest].sum():.3f}")
        name = WORDS.label("rows.others", n=len(rest))
        rows.append(vector_row("others", name, others, most, note=note))
    rows.append(vector_row("output", WORDS.label("rows.output"), output, most, kind="total"))
    return {"rows": rows, "sum": ""}
