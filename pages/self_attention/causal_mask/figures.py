"""Pictures of causal masking: a matrix of scores or weights, and the lab's tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

import numpy as np
import pandas as pd
from torch import Tensor

from core.figures.figure import Figure
from core.figures.palette import VERMILLION
from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.worked import number
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.peeking import TOO_LATE, ZERO
from core.models.self_attention.score_matrix import ScoreEdits
from core.words.numbers import signed
from pages.self_attention.causal_mask import LESSON

WORDS = LESSON.words
MINUS_INFINITY = "−∞"
WAYS = {ZERO: "zero", TOO_LATE: "late"}

# The story's matrix.


def draw_matrix(
    tokens: Sequence[str],
    cell: Callable[[int, int], tuple[str, str, float]],
    row: int | None = None,
    answers: bool = False,
    side: tuple[str, Sequence[str]] | None = None,
    low: Sequence[bool] = (),
    **more: object,
) -> dict:
    """Return the data of the view "masked_scores".

    `cell(t, s)` gives a cell's text, kind and shade (0 to 1). `row` is framed; with `answers`, so is the token that each row
    must predict. `side` is the title and the texts right of the rows, of which those that are `low` are marked. `more` may
    be `chosen`, `sum` and `pick`.
    """
    T = len(tokens)
    cells = [[cell(t, s) for s in range(T)] for t in range(T)]
    return {
        "tokens": list(tokens),
        "axes": {"query": WORDS.label("axis.query"), "key": WORDS.label("axis.key")},
        "cells": [
            [
                {"text": text, "kind": kind, "shade": round(shade, 3), "framed": answers and s == t + 1}
                for s, (text, kind, shade) in enumerate(line)
            ]
            for t, line in enumerate(cells)
        ],
        "row": row,
        "chosen": None,
        "side": side and {"title": side[0], "texts": list(side[1]), "low": list(low) or [False] * T},
        "sum": "",
        "pick": False,
        **more,
    }


def score_cells(
    scores: Tensor, hidden: Tensor, text: str = "", kind: str = "masked"
) -> Callable[[int, int], tuple[str, str, float]]:
    """Return what stands in each cell of a matrix of scores (T, T); a hidden one has `text` and is of a `kind`.

    A shade is the score's place between the least and the greatest.
    """
    least, most = float(scores.min()), float(scores.max())
    span = (most - least) or 1.0

    def cell(t: int, s: int) -> tuple[str, str, float]:
        if hidden[t, s]:
            return text, kind, 0.2
        return format_score(float(scores[t, s])), "seen", (float(scores[t, s]) - least) / span

    return cell


def weight_cells(
    weights: Tensor, hidden: Tensor, kind: str = "masked"
) -> Callable[[int, int], tuple[str, str, float]]:
    """Return what stands in each cell of a matrix of weights (T, T); a hidden one is of a `kind`."""

    def cell(t: int, s: int) -> tuple[str, str, float]:
        weight = float(weights[t, s])
        return format_weight(weight), kind if hidden[t, s] else "seen", weight

    return cell


def format_score(score: float, digits: int = 1) -> str:
    """Return a score as a cell shows it.

    >>> format_score(-2.34), format_score(0.0), format_score(float("-inf"))
    ('−2.3', '0.0', '−∞')
    """
    return MINUS_INFINITY if score == -np.inf else signed(score, digits)


def format_weight(weight: float) -> str:
    """Return a weight, or a sum of weights, as a cell shows it; only what is exactly 0 or 1 has no digits.

    >>> format_weight(0.0), format_weight(0.001), format_weight(0.256), format_weight(1.0)
    ('0', '0.00', '0.26', '1')
    """
    return f"{weight:.0f}" if weight == 0 or abs(weight - 1) < 1e-6 else f"{weight:.2f}"


# The lab's pictures and tables.


def causal_mask_payload(
    tokens: Sequence[str],
    scores: Tensor,
    edits: ScoreEdits,
    d_k: int,
    mask: Tensor,
    way: str | None = None,
    learned: bool = False,
) -> dict:
    """Return the data of the view "causal_mask": scores (T, T) before edits, which cells the mask hides.

    >>> import torch
    >>> from core.models.self_attention.attention import causal_mask
    >>> data = causal_mask_payload(["c", "a"], torch.zeros(2, 2), {(1, 0): 2.0}, 4, causal_mask(2))
    >>> data["hidden"], data["edits"], data["way"]
    ([[False, True], [False, False]], [[1, 0, 2.0]], None)
    """
    seen = repr((list(tokens), scores.tolist()))
    return {
        "id": sha256(seen.encode()).hexdigest()[:16],
        "tokens": list(tokens),
        "scores": scores.tolist(),
        "edits": [[t, s, score] for (t, s), score in sorted(edits.items()) if max(t, s) < len(tokens)],
        "d_k": d_k,
        "hidden": (mask < 0).tolist(),
        "way": WAYS.get(way),
        "learned": learned,
        "file": "causal_mask",
    }


def column_names(d_k: int) -> dict[str, str]:
    """Return the names of the columns of `stages_table`, by what they hold."""
    names = ("from", "to", "score", "masked", "exponential", "sum", "weight")
    return {name: WORDS.label(f"column.{name}") for name in names} | {"scaled": f"÷ √{d_k}"}


def stages_table(
    trace: AttentionTrace, tokens: Sequence[str], d_k: int, way: str | None = None
) -> pd.DataFrame:
    """Return every stage of every cell, a row a cell; what is masked has the score −∞, and the weight 0."""
    T, names = len(tokens), column_names(d_k)
    rows, columns = np.divmod(np.arange(T * T), T)
    flat = {
        "score": trace.scores,
        "scaled": trace.scaled,
        "masked": trace.masked,
        "exponential": trace.exponentials,
        "sum": trace.row_sums.expand(T, T),
        "weight": trace.weights,
    }
    numbered = [f"{i}: {token}" for i, token in enumerate(tokens, 1)]
    table = pd.DataFrame(
        {names["from"]: [numbered[t] for t in rows], names["to"]: [numbered[s] for s in columns]}
    )
    for name, matrix in flat.items():
        values = matrix.flatten().double().numpy()
        table[names[name]] = [format_score(x, 4) for x in values] if name == "masked" else values
    return table


def worked_weight(trace: AttentionTrace, d_k: int, t: int, s: int, column: str) -> str | None:
    """Return LaTeX of one cell of `stages_table`, with its operands; None for a column of labels."""
    score, scaled, masked, exponential, weight = (
        float(each[t, s])
        for each in (trace.scores, trace.scaled, trace.masked, trace.exponentials, trace.weights)
    )
    total, shift = float(trace.row_sums[t]), float(trace.shift[t])
    exponent = number(masked) if shift == 0 else rf"{number(masked)} - ({number(shift)})"
    exponent = exponent.replace("-inf", r"-\infty")
    filled = {
        "score": rf"q_{{{t + 1}}} \cdot k_{{{s + 1}}} = {number(score)}",
        "scaled": rf"\frac{{{number(score)}}}{{\sqrt{{{d_k}}}}} = {number(scaled)}",
        "masked": rf"{number(scaled)} \to {number(masked)}".replace("-inf", r"-\infty"),
        "exponential": rf"e^{{{exponent}}} = {number(exponential)}",
        "sum": r"\sum = "
        + " + ".join(number(float(each)) for each in trace.exponentials[t] if each > 0)
        + f" = {number(total)}",
        "weight": rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(weight)}",
    }
    if weight == 0 < exponential:
        cut = WORDS.label("formula.cut")
        filled["weight"] = rf"\text{{{cut}: }} {number(exponential / total)} \to 0"
    named = {label: name for name, label in column_names(d_k).items()}
    return filled.get(named[column])


def leak_figure(depends: Tensor, hidden: Tensor, tokens: Sequence[str], height: int = 340) -> Figure:
    """Return how much each output depends on each token (T, T), framed where the mask should have hidden it."""
    figure = matrix_figure(depends.double().numpy(), tokens, height)
    frames = [
        {"type": "rect", "x0": s - 0.46, "x1": s + 0.46, "y0": t - 0.46, "y1": t + 0.46}
        for t, s in (hidden & (depends > 0)).nonzero().tolist()
    ]
    figure.update_layout(shapes=[{**frame, "line": {"color": VERMILLION, "width": 3}} for frame in frames])
    return figure
