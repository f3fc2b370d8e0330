"""The causal mask: the browser view's payload, the table of every stage, and how far the future leaks."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import pandas as pd
from torch import Tensor

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.n_grams.ngram import plain
from core.figures.palette import SEQUENTIAL, VERMILLION
from core.figures.worked import number
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.peeking import TOO_LATE, ZERO
from core.models.self_attention.score_matrix import ScoreEdits, weight_behind

WAYS = {ZERO: "zero", TOO_LATE: "late"}
WRITTEN_AT_MOST = 10  # tokens


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


def stages_table(
    trace: AttentionTrace, tokens: Sequence[str], d_k: int, way: str | None = None
) -> pd.DataFrame:
    """Return every stage of every cell, a row a cell; what is masked is empty."""
    T = len(tokens)
    rows, columns = np.divmod(np.arange(T * T), T)
    flat = {
        "score": trace.scores,
        f"÷ √{d_k}": trace.scaled,
        "+ mask": trace.masked,
        "e^x": trace.exponentials,
        "row sum": trace.row_sums.expand(T, T),
        "weight": trace.weights,
    }
    numbered = [f"{i}: {token}" for i, token in enumerate(tokens, 1)]
    table = pd.DataFrame({"from": [numbered[t] for t in rows], "to": [numbered[s] for s in columns]})
    for name, matrix in flat.items():
        table[name] = matrix.flatten().double().numpy()
    if way is None:
        table.loc[trace.masked.flatten().numpy() == -np.inf, ["+ mask", "e^x", "weight"]] = None
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
        f"÷ √{d_k}": rf"\frac{{{number(score)}}}{{\sqrt{{{d_k}}}}} = {number(scaled)}",
        "+ mask": rf"{number(scaled)} \to {number(masked)}".replace("-inf", r"-\infty"),
        "e^x": rf"e^{{{exponent}}} = {number(exponential)}",
        "row sum": r"\sum = "
        + " + ".join(number(float(each)) for each in trace.exponentials[t] if each > 0)
        + f" = {number(total)}",
        "weight": rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(weight)}",
    }
    if column == "weight" and weight == 0 < exponential:
        return rf"\text{{cut after the softmax: }} {number(exponential / total)} \to 0"
    return filled.get(column)


def matrix_figure(matrix: np.ndarray, tokens: Sequence[str], height: int = 340) -> Figure:
    """Return a matrix (T, T) of numbers from nought on as a heat map; rows are queries, nan stays blank.

    Up to `WRITTEN_AT_MOST` tokens the numbers stand in the cells; more would overlap on a phone.
    """
    T = len(tokens)
    figure = blank(height)
    largest = np.nanmax(matrix) or 1
    figure.add_trace(
        heatmap(
            x=list(range(T)),
            y=list(range(T)),
            z=[[None if np.isnan(value) else value / largest for value in row] for row in matrix],
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=2.6 if T <= WRITTEN_AT_MOST else 1,  # a number must be legible on the largest
            showscale=False,
            text=[["" if np.isnan(value) else written(value) for value in row] for row in matrix],
            hovertemplate="row %{y}, column %{x}: %{text}<extra></extra>",
            xgap=1,
            ygap=1,
        )
    )
    ticks = {"tickvals": list(range(T)), "ticktext": [plain(token) for token in tokens], "showgrid": False}
    figure.update_xaxes(side="top", zeroline=False, tickfont={"size": FONT_SIZE}, **ticks)
    figure.update_yaxes(range=[T - 0.5, -0.5], zeroline=False, tickfont={"size": FONT_SIZE}, **ticks)
    if T <= WRITTEN_AT_MOST:
        write_in_cells(figure, min(FONT_SIZE, 110 / T))
    return figure


def written(value: float) -> str:
    """Return a number with two decimals; exactly nought is 0, and nothing else is.

    >>> written(0.0), written(0.001), written(0.5)
    ('0', '0.00', '0.5')
    """
    return "0" if value == 0 else f"{value:.2f}" if value < 0.005 else f"{float(f'{value:.2f}'):g}"


def leak_figure(depends: Tensor, hidden: Tensor, tokens: Sequence[str], height: int = 340) -> Figure:
    """Return how much each output depends on each token (T, T), framed where the mask should have hidden it."""
    figure = matrix_figure(depends.double().numpy(), tokens, height)
    frames = [
        {"type": "rect", "x0": s - 0.46, "x1": s + 0.46, "y0": t - 0.46, "y1": t + 0.46}
        for t, s in (hidden & (depends > 0)).nonzero().tolist()
    ]
    figure.update_layout(shapes=[{**frame, "line": {"color": VERMILLION, "width": 3}} for frame in frames])
    return figure


def said_of_weights(
    trace: AttentionTrace, tokens: Sequence[str], hidden: Tensor, way: str | None = None
) -> str:
    """Return the sentence about the weights: whom the last row looks at most, and what the mask keeps from view."""
    visible = trace.weights[-1].masked_fill(hidden[-1], -1.0)
    most = int(visible.argmax())
    whom = (
        f"The last row, “{tokens[-1]}”, looks most at “{tokens[most]}”, with a weight of {visible[most]:.2f}"
    )
    if visible[visible >= 0].min() > visible[most] - 1e-6:
        whom = f"The last row, “{tokens[-1]}”, gives each token that it may see the same weight, {visible[most]:.2f}"
    if not hidden.any():
        return f"{whom}. This mask hides nothing, so there is nothing to see behind it."
    if way == ZERO:
        return f"{whom}. Cells that the mask should hide get {weight_behind(trace.weights, hidden):.0%} of all weight."
    if way == TOO_LATE:
        return f"{whom}. Rows no longer sum to 1: the least sums to {trace.weights.sum(-1).min():.2f}."
    return f"{whom}. The mask hides {int(hidden.sum())} of {hidden.numel()} cells: they get no weight at all."
