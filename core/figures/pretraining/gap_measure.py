"""How often a masked and a causal model guess hidden tokens of a text, and whether one needs fewer bits."""

from __future__ import annotations

import pandas as pd

from core.figures.figure import Figure
from core.figures.pretraining import WORDS, heads, name
from core.figures.pretraining.gaps import COLOURS, MODELS
from core.figures.share_bars import share_bars
from core.models.documents.held_out import wilson
from core.models.pretraining.gap_measure import GapMeasure

WITHIN = (1, 5, 20, 100)


def hits_figure(measure: GapMeasure) -> Figure:
    """Return how many hidden tokens are among each model's k likeliest, as shares with Wilson's intervals."""
    series = [
        (name(model), {f"k = {k}": int(measure.right(k)[row]) for k in WITHIN}, measure.n, colour)
        for row, (model, colour) in enumerate(zip(MODELS, COLOURS, strict=True))
    ]
    y, x = (WORDS.label(f"gap_measure.{key}") for key in ("share", "within"))
    return share_bars(series, y, x, 320)


def hits_table(measure: GapMeasure) -> pd.DataFrame:
    """Return the counts behind `hits_figure`, with Wilson's intervals, and the mean bits of a hidden token."""
    rows = []
    for row, model in enumerate(MODELS):
        for k in WITHIN:
            right = int(measure.right(k)[row])
            low, high = wilson(right, measure.n)
            bits = float(measure.bits[row].mean())
            rows.append((name(model), k, right, measure.n, right / measure.n, low, high, bits))
    model, bits = (WORDS.label(f"gap_measure.{key}") for key in ("model", "bits"))
    return pd.DataFrame(rows, columns=[model, "k", *heads("right", "of", "share", "from", "to"), bits])


def which_is_better(measure: GapMeasure) -> str:
    """Say how many hidden tokens both models guess, and whether one of them needs fewer bits."""
    low, high = measure.interval or (0.0, 0.0)
    verdict = "fewer" if high < 0 else "more" if low > 0 else "close" if measure.interval else "few"
    return WORDS.label(
        "gap_measure.better",
        n=measure.n,
        right=[int(each) for each in measure.right()],
        verdict=verdict,
        difference=measure.difference,
        low=low,
        high=high,
    )
