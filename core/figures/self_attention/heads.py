"""Pictures of attention heads: all of them as a grid, one query's row of weights; and how tokens are named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.packed import packed
from core.figures.palette import SEQUENTIAL
from core.figures.self_attention import WORDS
from core.figures.token_label import label_token
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.attention_edits import Effect

CELLS_AT_MOST = 64  # a side of one head in the grid; longer texts are averaged down to it
ROWS_AT_MOST = 8
LABEL_AT_MOST = 14


def names_of(tokens: Sequence[str]) -> list[str]:
    """Return tokens as pictures name them: spaces as marks, long ones cut.

    >>> names_of([" bank", "x" * 20])
    ['␣bank', 'xxxxxxxxxxxxx…']
    """
    marked = [label_token(token) for token in tokens]
    return [name if len(name) <= LABEL_AT_MOST else name[: LABEL_AT_MOST - 1] + "…" for name in marked]


def masked_weights(attention: AttentionTrace) -> np.ndarray:
    """Return the weights with nan where the mask hides a key, so that pictures leave those cells blank."""
    hidden = (attention.masked == -np.inf).numpy()
    return np.where(hidden, np.nan, attention.weights.numpy()).astype(np.float32)


def pool_weights(weights: np.ndarray, most: int = CELLS_AT_MOST) -> tuple[np.ndarray, int]:
    """Return (..., T, T) as means of k x k cells, at most `most` a side, and k; masked cells do not count.

    >>> small, k = pool_weights(np.array([[1.0, np.nan, np.nan], [0.5, 0.5, np.nan], [0.2, 0.2, 0.6]]), most=2)
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
    weights, cell = pool_weights(np.stack([masked_weights(layer) for layer in heads]))
    L, H, n, _ = weights.shape
    return {
        "layers": L,
        "heads": H,
        "side": n,
        "cell": cell,
        "chosen": list(chosen),
        "shades": packed(np.rint(255 * np.sqrt(np.nan_to_num(weights))), "u1"),
    }


def query_weights(found: Effect, layer: int, head: int, seen: int) -> tuple[np.ndarray, np.ndarray]:
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
    'Layer 1, head 2: what token 1, “a”, attends to'
    """
    return {
        "names": list(names),
        "own": _rounded(own),
        "weights": _rounded(edited),
        "last": None if last is None else {"key": last[0], "row": _rounded(last[1][: len(names)])},
        "place": {"layer": layer, "head": head, "query": query},
        "label": WORDS.label("heads.row", layer=layer + 1, head=head + 1, i=query + 1, name=names[query]),
    }


def _rounded(row: np.ndarray) -> list[float]:
    return [round(float(weight), 6) for weight in row]


def grid_figure(heads: Sequence[AttentionTrace], height: int = 300) -> Figure:
    """Return the same grid as one still heat map: a row a layer, a column a head."""
    weights, _ = pool_weights(np.stack([masked_weights(layer) for layer in heads]))
    L, H, n, _ = weights.shape
    spaced = np.pad(weights, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    mosaic = spaced.transpose(0, 2, 1, 3).reshape(L * (n + 1), H * (n + 1))
    figure = blank(height, WORDS.label("heads.head"), WORDS.label("heads.layer"))
    figure.add_trace(
        heatmap(z=np.sqrt(mosaic), colorscale=SEQUENTIAL, zmin=0, zmax=1, showscale=False, hoverinfo="skip")
    )
    figure.update_xaxes(showgrid=False, zeroline=False, showticklabels=False)
    figure.update_yaxes(showgrid=False, zeroline=False, showticklabels=False, autorange="reversed")
    return figure
