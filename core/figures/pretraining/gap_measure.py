"""How often a masked and a causal model guess hidden tokens of a text, and whether one needs fewer bits."""

from __future__ import annotations

import pandas as pd

from core.figures.figure import Figure
from core.figures.pretraining.gaps import COLOURS, MODELS, several
from core.figures.share_bars import share_bars
from core.models.documents.held_out import wilson
from core.models.pretraining.gap_measure import GapMeasure
from core.words.numbers import signed

WITHIN = (1, 5, 20, 100)


def hits_figure(measure: GapMeasure) -> Figure:
    """Return how many hidden tokens are among each model's k likeliest, as shares with Wilson's intervals."""
    series = [
        (name, {f"k = {k}": int(measure.right(k)[row]) for k in WITHIN}, measure.n, colour)
        for row, (name, colour) in enumerate(zip(MODELS, COLOURS, strict=True))
    ]
    return share_bars(series, "share of hidden tokens", "hidden token among the k likeliest", 320)


def hits_table(measure: GapMeasure) -> pd.DataFrame:
    """Return the counts behind `hits_figure`, with Wilson's intervals, and the mean bits of a hidden token."""
    rows = []
    for row, name in enumerate(MODELS):
        for k in WITHIN:
            right = int(measure.right(k)[row])
            low, high = wilson(right, measure.n)
            bits = float(measure.bits[row].mean())
            rows.append((name, k, right, measure.n, right / measure.n, low, high, bits))
    columns = ["model", "k", "right", "of", "share", "from", "to", "bits a hidden token"]
    return pd.DataFrame(rows, columns=columns)


def which_is_better(measure: GapMeasure) -> str:
    """Say how many hidden tokens both models guess, and whether one of them needs fewer bits."""
    right = measure.right()
    said = f"Of {several(measure.n, 'hidden token')} the masked model guesses {right[0]} and the causal model {right[1]}."
    if measure.interval is None:
        return f"{said} That is too few to say which of them is better."
    low, high = measure.interval
    ends = f"masked less causal, 95% interval {signed(low)} to {signed(high)}"
    by = f"{abs(measure.difference):.2f} bits a token"
    if high < 0:
        rarer = ", though it is right less often" if right[0] < right[1] else ""
        return f"{said} The masked model needs {by} fewer ({ends}){rarer}."
    if low > 0:
        return f"{said} The masked model needs {by} more ({ends}), though it sees both sides."
    return f"{said} Their bits a token differ by {signed(measure.difference)} ({ends}): which is better cannot be told."
