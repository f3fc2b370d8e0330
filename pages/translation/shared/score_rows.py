"""One query's keys in rows: each key's score and the weight that the softmax makes of it, for the view score_weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.words.numbers import signed

UNKNOWN, LEAST = "?", 0.02  # the least weight whose outline can be seen


def draw_rows(
    names: Sequence[str],
    scores: np.ndarray,
    weights: np.ndarray,
    ends: tuple[float, float],
    labels: Sequence[str],
    digits: int = 2,
    hidden: bool = False,
    before: np.ndarray | None = None,
) -> dict:
    """Return keys with their scores, on a scale between two `ends`, and their weights; `hidden` ones are still to come.

    `labels` are the title and the headings of both columns; `before` are weights that are outlined.
    """
    rows = [
        {
            "name": name,
            "mark": f"key.{i}",
            "hue": "blue",
            "kind": "strong" if i == weights.argmax() and not hidden else "plain",
            "score": round(float(scores[i]), 4),
            "scoreText": signed(float(scores[i]), digits),
            "weight": None if hidden else round(float(weights[i]), 6),
            "weightText": UNKNOWN if hidden else f"{weights[i]:.0%}",
            "scoreBefore": None,
            "before": None if before is None or before[i] < LEAST else round(float(before[i]), 6),
        }
        for i, name in enumerate(names)
    ]
    title, score, weight = labels
    panel = {"title": title, "score": score, "weight": weight, "rows": rows}
    return {"least": ends[0], "most": ends[1], "panels": [panel]}
