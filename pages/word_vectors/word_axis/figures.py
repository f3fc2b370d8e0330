"""Pictures of words on a line: the story's, and the lab's data with its table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures import worked
from core.figures.word_vectors.axis import BINS, LEAST_REACH
from core.models.word_vectors.word_axis import Axis, AxisSpread, Placement
from core.models.word_vectors.word_vectors import WordVectors
from core.words.numbers import percent, signed
from pages.word_vectors.word_axis import LESSON

WORDS = LESSON.words
WITHIN = 0.95  # of all words are in the band
STEP = 0.1  # between two numbers of the scale that a reach is rounded to
TICK = 0.2


def draw_row(
    word: str, at: float | None, kind: str = "plain", before: float | None = None, numbered: bool = True
) -> dict:
    """Return a word at its place; a place of None is not shown yet, and its number is a question mark."""
    number = WORDS.label("row.open") if at is None else signed(at, 2, "+" if round(at, 2) else "")
    return {
        "key": word,
        "word": word,
        "at": at,
        "text": number if numbered else "",
        "kind": "open" if at is None else kind,
        "before": before,
        "mark": f"word.{word}",
    }


def draw_line(
    ends: tuple[str, str],
    rows: Sequence[dict],
    shape: str = "rows",
    positions: np.ndarray | None = None,
    mean: bool = False,
    band: bool = False,
    sides: bool = False,
    key: Sequence[str] = (),
) -> dict:
    """Return the data of the view "word_line". `positions`, of all words of a set, make the hill, the mean and the band.

    `ends` are the words of the left and of the right end; `key` are ids of what is explained below.
    """
    left, right = ends
    spots = [abs(row[at]) for row in rows for at in ("at", "before") if row[at] is not None]
    reach = 1.0 if shape == "arc" else max(0.5, math.ceil(max([0, *spots]) / STEP) * STEP)
    reach = 0.6 if positions is not None else reach
    ticks = np.round(
        np.arange(-math.floor(reach / TICK + 1e-9), math.floor(reach / TICK + 1e-9) + 1) * TICK, 1
    )
    lines = [{"at": 0, "text": WORDS.label("line.zero"), "kind": "zero", "mark": "zero"}]
    if mean:
        middle = float(positions.mean())
        text = WORDS.label("line.mean", at=middle)
        lines.append({"at": middle, "text": text, "kind": "mean", "mark": "mean"})
    return {
        "shape": shape,
        "left": WORDS.label("end.left", word=left),
        "right": WORDS.label("end.right", word=right),
        "unit": WORDS.label("unit", left=left, right=right),
        "least": -reach,
        "most": reach,
        "ticks": [{"at": float(at), "text": signed(at, 1, "+") if at else "0"} for at in ticks],
        "lines": [] if shape == "arc" else lines,
        "hill": None if positions is None else draw_hill(positions, reach),
        "band": draw_band(positions) if band else None,
        "sides": draw_sides(positions) if sides else [],
        "rows": list(rows),
        "chord": WORDS.label("chord", left=left, right=right) if shape == "arc" else "",
        "key": [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in key],
    }


def draw_hill(positions: np.ndarray, reach: float) -> dict:
    """Return how many of all words are where from -reach to reach."""
    counts, _ = np.histogram(positions, BINS, (-reach, reach))
    return {"counts": counts.tolist(), "text": WORDS.label("hill", n=len(positions))}


def draw_band(positions: np.ndarray) -> dict:
    """Return the range around the mean that holds 95% of all words."""
    far = float(np.quantile(np.abs(positions - positions.mean()), WITHIN))
    middle = float(positions.mean())
    return {"from": middle - far, "to": middle + far, "text": WORDS.label("band", share=WITHIN)}


def draw_sides(positions: np.ndarray) -> list[dict]:
    """Return the shares of all words to the left and to the right of 0."""
    shares = {"left": float((positions < 0).mean()), "right": float((positions >= 0).mean())}
    places = {"left": -0.36, "right": 0.36}
    return [
        {"at": places[side], "text": percent(share, 0), "mark": f"side.{side}"}
        for side, share in shares.items()
    ]


def axis_view(
    axis: Axis, spread: AxisSpread, placements: Sequence[Placement], ends: Sequence[Placement]
) -> dict:
    """Return the data of the view "axis": words at their places, and how many of all words lie where (`spread`).

    The picture's reach is a whole number of standard deviations, so that a new word rarely moves the others.
    """
    reach = max(LEAST_REACH, *(math.ceil(abs(each.standard) + 0.1) for each in (*placements, *ends)))
    counts, _ = np.histogram(spread.standard(spread.positions), BINS, (-reach, reach))
    left, right = ", ".join(axis.negative), ", ".join(axis.positive)
    return {
        "label": WORDS.label("alt.axis", n=len(placements), left=left, right=right),
        "words": [
            {"word": each.word, "standard": round(each.standard, 4), "share": percent(each.as_far)}
            for each in placements
        ],
        "ends": [{"word": each.word, "standard": round(each.standard, 4)} for each in ends],
        "left": left,
        "right": right,
        "halfway": round(float(spread.standard(0.0)), 4),
        "reach": reach,
        "hill": counts.tolist(),
        "total": len(spread.positions),
    }


def placement_table(vectors: WordVectors, line: Axis, placements: Sequence[Placement]) -> tuple:
    """Return the table of the words from the left end to the right one, and the formula of its cells."""
    table = pd.DataFrame([vars(placement) for placement in placements])
    table = table.sort_values("position", ignore_index=True)
    labels = {name: WORDS.label(f"column.{name}") for name in table}
    spread = line.spread(vectors)

    def formula(row: int, column: str) -> str | None:
        word = table.word[row]
        if column == labels["position"]:
            return worked.projection(vectors[word], line.midpoint, line.direction, word)
        if column == labels["standard"]:
            shown = [worked.number(float(x)) for x in (table.position[row], spread.mean, spread.deviation)]
            return rf"\frac{{{shown[0]} - ({shown[1]})}}{{{shown[2]}}} = {worked.number(float(table.standard[row]))}"
        return (
            worked.write_cosine(vectors[word], line.direction, word, "u")
            if column == labels["cosine"]
            else None
        )

    return table.rename(columns=labels), formula
