"""Word order's own pictures: the data of the view "two_orders", rows of vectors, and bars of bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.models.self_attention.word_order import STILL
from core.words.numbers import percent
from pages.self_attention.shared.attention_pictures import vector_row
from pages.self_attention.word_order import LESSON

WORDS = LESSON.words
STRIP = 12  # numbers of a vector that are drawn as a strip
ROW = 32  # numbers of a vector that are drawn as a row
LEAST_SCALE = 0.75  # shares up to this are on one scale, so that bars can be compared from picture to picture

# The view "two_orders".


def draw_orders(
    tokens: Sequence[str],
    order: Sequence[int],
    names: Sequence[str],
    hues: Mapping[int, str],
    places: bool = False,
    framed: Sequence[int] = (),
    above: dict | None = None,
    below: dict | None = None,
) -> dict:
    """Return the data of the view "two_orders": the lower line has token `order[t]` at place t.

    `above` and `below` are {"bars": ...} or {"cells": ...}; with `places`, each token has its position.
    """

    def line(name: str, ids: Sequence[int], section: dict | None) -> dict:
        made = [
            {
                "id": each,
                "text": tokens[each],
                "hue": hues.get(each),
                "note": WORDS.label("place", t=t) if places else "",
                "on": each in framed,
            }
            for t, each in enumerate(ids)
        ]
        return {"name": name, "tokens": made, "bars": None, "cells": None, **(section or {})}

    return {
        "lines": [
            line(names[0], range(len(tokens)), above),
            line(names[1], [int(each) for each in order], below),
        ]
    }


def share_bars(title: str, shares: Sequence[float]) -> dict:
    """Return bars of shares, each with its percentage."""
    values = [{"value": round(float(share), 4), "text": format_share(share)} for share in shares]
    return {"bars": {"title": title, "most": max([LEAST_SCALE, *map(float, shares)]), "values": values}}


def unknown_bars(title: str, n: int) -> dict:
    """Return n bars that are still to come: a question mark each, for a bar of any height would be an answer."""
    values = [{"value": None, "text": WORDS.label("unknown")} for _ in range(n)]
    return {"bars": {"title": title, "most": LEAST_SCALE, "values": values}}


def format_share(share: float) -> str:
    """Return how far an output moved, 0% where rounding alone moved it.

    >>> format_share(0.7093), format_share(6e-7)
    ('71%', '0%')
    """
    return percent(share, 0) if share >= STILL else percent(0.0, 0)


def weight_bars(title: str, weights: Sequence[float], most: float) -> dict:
    """Return bars of attention weights."""
    values = [{"value": round(float(each), 4), "text": f"{each:.2f}"} for each in weights]
    return {"bars": {"title": title, "most": most, "values": values}}


def output_strips(title: str, outputs: np.ndarray, most: float) -> dict:
    """Return the first numbers of each output (T, C) as a strip."""
    values = [[round(float(each), 3) for each in row[:STRIP]] for row in outputs]
    return {"cells": {"title": title, "most": round(most, 3), "values": values}}


# The view "vector_rows".


def sum_rows(name: str, embedding: np.ndarray, positions: Mapping[int, np.ndarray], hue: str) -> dict:
    """Return for each position the token's embedding, the position's, and their sum."""
    parts = [each[:ROW] for each in (embedding, *positions.values())]
    most = float(max(np.abs(each).max() for each in (*parts, *(parts[0] + each for each in parts[1:]))))
    rows = []
    for at, (t, position) in enumerate(positions.items()):
        rows += [
            vector_row(f"embedding.{at}", WORDS.label("row.embedding", name=name), parts[0], most, hue=hue),
            vector_row(f"position.{at}", WORDS.label("row.position", t=t), position[:ROW], most, hue="grey"),
            vector_row(
                f"input.{at}",
                WORDS.label("row.input", name=name, t=t),
                parts[0] + position[:ROW],
                most,
                kind="total",
                hue=hue,
            ),
        ]
    return {"rows": rows, "sum": ""}


# The view "layer_bars".


def cost_bars(title: str, costs: Mapping[str, float], best: str) -> dict:
    """Return a bar for each way to read, {id: bits per token}."""
    rows = [
        make_row(
            WORDS.label(f"way.{way}"),
            f"way.{way}",
            round(bits, 4),
            f"{bits:.1f}",
            kind="best" if way == best else "plain",
            hue="blue" if way == best else "vermillion" if way == "without" else "grey",
        )
        for way, bits in costs.items()
    ]
    return join_panels(make_panel(title, round(1.1 * max(costs.values()), 2), rows))
