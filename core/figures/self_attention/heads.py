"""Pictures of attention heads: all of them as a grid, one pair's score dimension by dimension, values weighed."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank, write_axes
from core.figures.figure import Figure, bar, heatmap, subplots
from core.figures.generation.sampling import shown
from core.figures.n_grams.ngram import plain
from core.figures.packed import packed
from core.figures.palette import BLUE, DIVERGING, SEQUENTIAL, VERMILLION
from core.figures.worked import dot_product, number
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.attention_edits import Effect
from core.models.self_attention.head_habits import BEFORE, FIRST, ITSELF

CELLS_AT_MOST = 64  # a side of one head in the grid; longer texts are averaged down to it
ROWS_AT_MOST = 8
LABEL_AT_MOST = 14


def names_of(tokens: Sequence[str]) -> list[str]:
    """Return tokens as pictures name them: spaces as marks, long ones cut.

    >>> names_of([" bank", "x" * 20])
    ['␣bank', 'xxxxxxxxxxxxx…']
    """
    marked = [shown(token) for token in tokens]
    return [name if len(name) <= LABEL_AT_MOST else name[: LABEL_AT_MOST - 1] + "…" for name in marked]


def masked_weights(attention: AttentionTrace) -> np.ndarray:
    """Return the weights with nan where the mask hides a key, so that pictures leave those cells blank."""
    hidden = (attention.masked == -np.inf).numpy()
    return np.where(hidden, np.nan, attention.weights.numpy()).astype(np.float32)


def pooled(weights: np.ndarray, most: int = CELLS_AT_MOST) -> tuple[np.ndarray, int]:
    """Return (..., T, T) as means of k x k cells, at most `most` a side, and k; masked cells do not count.

    >>> small, k = pooled(np.array([[1.0, np.nan, np.nan], [0.5, 0.5, np.nan], [0.2, 0.2, 0.6]]), most=2)
    >>> small.round(2).tolist(), k
    ([[0.67, nan], [0.2, 0.6]], 2)
    """
    T = weights.shape[-1]
    k = max(1, -(-T // most))
    if k == 1:
        return weights, k
    starts = np.arange(0, T, k)
    known = ~np.isnan(weights)

    def sums(cells: np.ndarray) -> np.ndarray:
        return np.add.reduceat(np.add.reduceat(cells, starts, axis=-1), starts, axis=-2)

    total, count = sums(np.where(known, weights, 0)), sums(known.astype(weights.dtype))
    return np.where(count > 0, total / np.maximum(count, 1), np.nan), k


def head_grid(heads: Sequence[AttentionTrace], chosen: tuple[int, int]) -> dict:
    """Return what the view `head_grid` needs: the weights of L layers of H heads, each as the byte it is painted with.

    A shade is 255 times the square root of a weight, 0 where it is masked. `chosen` is the (layer, head) that stands
    open.
    """
    weights, cell = pooled(np.stack([masked_weights(layer) for layer in heads]))
    L, H, n, _ = weights.shape
    return {
        "layers": L,
        "heads": H,
        "side": n,
        "cell": cell,
        "chosen": list(chosen),
        "shades": packed(np.rint(255 * np.sqrt(np.nan_to_num(weights))), "u1"),
    }


def rows(found: Effect, layer: int, head: int, seen: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of the query that predicts over the first `seen` keys: the head's own, and edited."""
    own, edited = (trace.layers[layer].attention.weights[head] for trace in (found.own, found.edited))
    return own[found.place, :seen].numpy(), edited[found.place, :seen].numpy()


def weight_row(
    own: np.ndarray,
    edited: np.ndarray,
    names: Sequence[str],
    layer: int,
    head: int,
    query: int,
    last: tuple[int, np.ndarray] | None = None,
) -> dict:
    """Return what the view `weight_row` needs: one query's weights (n,) over the keys that it may see.

    `last` is the key that was edited last and the row before that: editing the key again starts from there.

    >>> weight_row(np.array([1.0]), np.array([1.0]), ["a"], 0, 1, 0)["label"]
    'Layer 1, head 2: where token 1, “a”, looks'
    """
    return {
        "names": list(names),
        "own": _rounded(own),
        "weights": _rounded(edited),
        "last": None if last is None else {"key": last[0], "row": _rounded(last[1][: len(names)])},
        "place": {"layer": layer, "head": head, "query": query},
        "label": f"Layer {layer + 1}, head {head + 1}: where token {query + 1}, “{names[query]}”, looks",
    }


def _rounded(row: np.ndarray) -> list[float]:
    return [round(float(weight), 6) for weight in row]


def grid_figure(heads: Sequence[AttentionTrace], height: int = 300) -> Figure:
    """Return the same grid as one still heat map: a row a layer, a column a head."""
    weights, _ = pooled(np.stack([masked_weights(layer) for layer in heads]))
    L, H, n, _ = weights.shape
    spaced = np.pad(weights, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    mosaic = spaced.transpose(0, 2, 1, 3).reshape(L * (n + 1), H * (n + 1))
    figure = blank(height, "head", "layer")
    figure.add_trace(
        heatmap(z=np.sqrt(mosaic), colorscale=SEQUENTIAL, zmin=0, zmax=1, showscale=False, hoverinfo="skip")
    )
    figure.update_xaxes(showgrid=False, zeroline=False, showticklabels=False)
    figure.update_yaxes(showgrid=False, zeroline=False, showticklabels=False, autorange="reversed")
    return figure


def pair_figure(q: np.ndarray, k: np.ndarray, query: str, key: str) -> Figure:
    """Return the numbers of one query and one key as strips, and their products as bars that add up to the score."""
    d = len(q)
    figure = subplots(3, 1, shared_xaxes=True, row_heights=[0.14, 0.14, 0.72], vertical_spacing=0.03)
    figure.update_layout(blank(300).layout)
    places, widest = np.arange(1, d + 1), float(max(np.abs(q).max(), np.abs(k).max())) or 1.0
    for row, (vector, letter) in enumerate(((q, "q"), (k, "k")), start=1):
        strip = heatmap(
            z=[vector],
            x=places,
            y=[letter],
            colorscale=DIVERGING,
            zmin=-widest,
            zmax=widest,
            showscale=False,
            hovertemplate=f"{letter}<sub>%{{x}}</sub> = %{{z:.4f}}<extra></extra>",
        )
        figure.add_trace(strip, row=row, col=1)
    products = q * k
    bars = bar(
        x=places,
        y=products,
        marker_color=[BLUE if product >= 0 else VERMILLION for product in products],
        customdata=np.stack([q, k], axis=1),
        hovertemplate="q<sub>%{x}</sub> k<sub>%{x}</sub> = %{customdata[0]:.4f} · %{customdata[1]:.4f}"
        " = %{y:.4f}<extra></extra>",
    )
    figure.add_trace(bars, row=3, col=1)
    figure.update_xaxes(showgrid=False, zeroline=False)
    figure.update_xaxes(title=f"dimension: {plain(query)} (query) times {plain(key)} (key)", row=3, col=1)
    figure.update_yaxes(title="q · k", row=3, col=1)
    return write_axes(figure.update_layout(showlegend=False))


def weighed_rows(
    weights: np.ndarray, values: np.ndarray, names: Sequence[str]
) -> tuple[list[str], np.ndarray]:
    """Return names and rows w_s v_s of the heaviest keys, of all the others together, and of their sum.

    >>> weighed_rows(np.array([0.75, 0.25]), np.array([[4.0], [8.0]]), ["a", "b"])
    (['0.750 · a', '0.250 · b', 'output'], array([[3.], [2.], [5.]]))
    """
    seen = np.flatnonzero(weights > 0)
    heaviest = sorted(seen[np.argsort(-weights[seen], kind="stable")[:ROWS_AT_MOST]].tolist())
    rest = np.setdiff1d(seen, heaviest)
    labels = [f"{weights[s]:.3f} · {names[s]}" for s in heaviest]
    rows = [weights[s] * values[s] for s in heaviest]
    if len(rest):
        labels.append(f"{weights[rest].sum():.3f} · {len(rest)} other{'s' * (len(rest) > 1)}")
        rows.append(weights[rest] @ values[rest])
    return [*labels, "output"], np.stack([*rows, weights @ values])


def values_figure(weights: np.ndarray, values: np.ndarray, names: Sequence[str]) -> Figure:
    """Return the value vectors (S, d), each times its weight, as strips one below the other; the last is their sum."""
    labels, rows = weighed_rows(weights, values, names)
    figure = blank(70 + 28 * len(labels), "dimension of the value vectors")
    widest = float(np.abs(rows).max()) or 1.0
    figure.add_trace(
        heatmap(
            z=rows,
            x=np.arange(1, rows.shape[1] + 1),
            y=np.arange(len(labels)),
            customdata=np.repeat(
                np.array([plain(label) for label in labels])[:, None], rows.shape[1], axis=1
            ),
            colorscale=DIVERGING,
            zmin=-widest,
            zmax=widest,
            ygap=2,
            colorbar={"title": "w · v", "thickness": 12},
            hovertemplate="%{customdata}, dimension %{x}: %{z:.4f}<extra></extra>",
        )
    )
    figure.update_yaxes(
        tickvals=np.arange(len(labels)),
        ticktext=[plain(label) for label in labels],
        range=[len(labels) - 0.5, -0.5],
        tickfont={"size": FONT_SIZE - 1},
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(showgrid=False, zeroline=False)
    figure.add_hline(y=len(labels) - 1.5, line={"width": 1.5})
    return figure


def worked_weight(head: AttentionTrace, t: int, s: int, column: str) -> str | None:
    """Return the formula of one number of query t and key s of a head, filled in; None for a label."""
    q, k = head.query[t].numpy(), head.key[s].numpy()
    d, score, scaled = len(q), float(head.scores[t, s]), float(head.scaled[t, s])
    if column != "q·k" and float(head.masked[t, s]) == -np.inf:
        return r"\text{the mask adds } -\infty:\quad e^{-\infty} = 0"
    shift = float(head.shift[t, 0])
    less = rf" - ({number(shift)})" if shift else ""
    exponential, total = float(head.exponentials[t, s]), float(head.row_sums[t, 0])
    formulas = {
        "q·k": f"q_t \\cdot k_s = {dot_product(q, k)}",
        "scaled": rf"\frac{{{number(score)}}}{{\sqrt{{{d}}}}} = \frac{{{number(score)}}}{{{number(sqrt(d))}}} "
        rf"= {number(score / sqrt(d))}",
        "e^": rf"e^{{{number(scaled)}{less}}} = {number(exponential)}",
        "weight": rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(exponential / total)},\qquad "
        rf"{number(total)} = \sum_j e^{{s_j}}",
    }
    return formulas.get(column)


def pair_formulas(head: AttentionTrace, t: int, s: int) -> list[str]:
    """Return one pair's way from the dot product over the root to the weight, a formula a step, as LaTeX."""
    d = head.query.shape[-1]
    score, scaled = float(head.scores[t, s]), float(head.scaled[t, s])
    first = rf"q_{{{t + 1}}} \cdot k_{{{s + 1}}} = \sum_i q_i k_i = {number(score)}"
    if float(head.masked[t, s]) == -np.inf:
        return [first, r"\text{masked: the weight is 0}"]
    exponential, total, shift = (
        float(part) for part in (head.exponentials[t, s], head.row_sums[t, 0], head.shift[t, 0])
    )
    less = rf" - ({number(shift)})" if shift else ""
    return [
        first,
        rf"\frac{{{number(score)}}}{{\sqrt{{{d}}}}} = {number(score / sqrt(d))}",
        rf"w = \frac{{e^{{{number(scaled)}{less}}}}}{{\sum_j e^{{s_j{less}}}}} = "
        rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(exponential / total)}",
    ]


def all_alike(weights: np.ndarray) -> bool:
    """Return whether a row gives each of several keys the same."""
    seen = weights[weights > 0]
    return len(seen) > 1 and float(np.ptp(seen)) < 1e-6


def where_it_looks(weights: np.ndarray, names: Sequence[str], t: int) -> str:
    """Say from which token query t takes most."""
    if all_alike(weights):
        return f"“{names[t]}” takes {weights.max():.1%} from each of {np.sum(weights > 0)} tokens."
    s = int(np.argmax(weights))
    at = "itself" if s == t else f"“{names[s]}”, token {s + 1}"
    return f"“{names[t]}”, token {t + 1}, takes {weights[s]:.1%} of what this head hands it from {at}."


def habits_said(habits: pd.DataFrame) -> str:
    """Say how many of all heads put most of their weight on one place, from the means over a text's tokens.

    >>> habits_said(pd.DataFrame({BEFORE: [0.9, 0.1], FIRST: [0.05, 0.6], ITSELF: [0.0, 0.2]}))[:92]
    'Of 2 heads here, 1 puts over half of its weight on the token before, 1 on the first token, n'
    """
    most = [int((habits[place] > 0.5).sum()) for place in (BEFORE, FIRST, ITSELF)]
    before, first, itself = (n or "none" for n in most)
    puts = "put over half of their weight" if most[0] > 1 else "puts over half of its weight"
    return (
        f"Of {len(habits)} heads here, {before} {puts} on the token before, {first} on the first token, {itself} on the "
        "token itself." + (" Nobody told them to: it made the training loss small." if any(most) else "")
    )


def row_table(head: AttentionTrace, t: int, names: Sequence[str]) -> pd.DataFrame:
    """Return query t's whole row, one line a key, from the dot product to the weight."""
    return pd.DataFrame(
        {
            "place": range(1, len(names) + 1),
            "key": names,
            "q·k": head.scores[t].numpy(),
            "scaled": head.scaled[t].numpy(),
            "masked": np.where(np.isneginf(head.masked[t].numpy()), "−∞", ""),
            "e^": head.exponentials[t].numpy(),
            "weight": head.weights[t].numpy(),
            "length of w·v": (head.weights[t][:, None] * head.value).norm(dim=1).numpy(),
        }
    )
