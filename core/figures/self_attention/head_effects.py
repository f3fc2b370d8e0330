"""What changes when attention is changed: one row's weights, an output vector, a prediction, a loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.worked import number, signed
from core.models.self_attention.ablation import correlations, rank_correlation
from core.models.self_attention.attention_edits import Effect

WIDTH, HEIGHT = 210, 270  # pixels between the axes on a phone
BEFORE, AFTER = GREY, BLUE


def before_after(
    before: np.ndarray,
    after: np.ndarray,
    names: Sequence[str],
    y: str,
    height: int = 260,
    labels: tuple[str, str] = ("the model's own", "edited"),
) -> Figure:
    """Return two rows of numbers as pairs of bars: as the model has them, and as edited."""
    figure = blank(height, y=y)
    places = np.arange(len(names))
    shown = [plain(name) for name in names]
    for label, numbers, colour in zip(labels, (before, after), (BEFORE, AFTER), strict=True):
        figure.add_trace(
            bar(
                x=places,
                y=numbers,
                name=label,
                marker_color=colour,
                customdata=shown,
                hovertemplate="%{customdata}: %{y:.4f}<extra>" + label + "</extra>",
            )
        )
    tilted = sum(map(len, names)) > 3 * len(names)
    room = 20 if tilted else 34 * len(names) / (sum(map(len, names)) + len(names))  # names, on a phone
    every = ceil(len(names) / room)
    figure.update_xaxes(tickvals=places[::every], ticktext=shown[::every], tickangle=-60 if tilted else 0)
    figure.update_layout(barmode="group", bargap=0.25)
    return figure


def likeliest(before: np.ndarray, after: np.ndarray, most: int = 10) -> np.ndarray:
    """Return the ids of the tokens that are likeliest before or after, the likeliest before first.

    >>> likeliest(np.array([0.1, 0.6, 0.3]), np.array([0.8, 0.1, 0.1]), most=2)
    array([1, 0])
    """
    top = np.argsort(-np.maximum(before, after), kind="stable")[:most]
    return top[np.argsort(-before[top], kind="stable")]


def removal_figure(
    weights: np.ndarray, changes: np.ndarray, names: Sequence[str], x: str, height: int = 380
) -> Figure:
    """Return each token's attention weight against the change that deleting it makes, named where there is room.

    The others are named when they are pointed at.
    """
    figure = blank(height, x, "change of the prediction")
    known = np.flatnonzero(~(np.isnan(weights) | np.isnan(changes)))
    named = with_room(weights, changes, names, sorted(known, key=lambda s: -max(weights[s], changes[s])))
    figure.add_trace(
        scatter(
            x=weights[known],
            y=changes[known],
            mode="markers+text",
            marker={"size": 10, "color": OCHRE},
            text=[plain(names[s]) if s in named else "" for s in known],
            textposition="top center",
            cliponaxis=False,
            customdata=[f"{s + 1}: {plain(names[s])}" for s in known],
            hovertemplate="token %{customdata}<br>weight %{x:.4f}, change %{y:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(margin={"t": 30, "r": 40})
    return figure


def with_room(
    weights: np.ndarray, changes: np.ndarray, names: Sequence[str], order: Sequence[int]
) -> set[int]:
    """Return the points whose names cover neither one another nor another point on a phone, taken in this order.

    >>> sorted(with_room(np.array([0.0, 0.01, 1.0]), np.array([0.0, 0.0, 1.0]), ["it", "is", "so"], [2, 1, 0]))
    [1, 2]
    """
    if not len(order):
        return set()
    x = WIDTH * weights / max(np.max(weights[order]), 1e-12)  # in pixels, as the axes from nought draw them
    y = HEIGHT * changes / max(np.max(changes[order]), 1e-12)
    boxes = {}
    for s in order:
        half = 4.5 * len(names[s])
        free = all(abs(x[s] - x[o]) > half + reach or abs(y[s] - y[o]) > 20 for o, reach in boxes.items())
        if free and all(abs(x[s] - x[o]) > half + 5 or not 2 < y[o] - y[s] < 30 for o in order if o != s):
            boxes[s] = half
    return set(boxes)


def ranking_figure(costs: Mapping[str, float], off: Sequence[str] = ()) -> Figure:
    """Return what each head is worth in bits a token, the dearest first; those switched off are hatched."""
    ordered = sorted(costs, key=costs.get, reverse=True)
    figure = blank(280, "head (layer.head)", "bits a token")
    figure.add_trace(
        bar(
            x=ordered,
            y=[costs[name] for name in ordered],
            marker={
                "color": [BLUE if costs[name] >= 0 else VERMILLION for name in ordered],
                "pattern": {"shape": ["/" if name in set(off) else "" for name in ordered]},
            },
            hovertemplate="without head %{x}: %{y:+.4f} bits a token<extra></extra>",
        )
    )
    figure.update_xaxes(type="category", tickangle=0 if len(ordered) <= 16 else -60)
    return figure


def worked_change(found: Effect, token: int, column: str) -> str | None:
    """Return the formula of a token's probability, or of its difference, filled in; None for a label."""
    before, after = found.before[token], found.after[token]
    if column == "p edited − p":
        return rf"{number(after)} - {number(before)} = {number(after - before)}"
    if column not in ("p", "p edited"):
        return None
    p, trace = (before, found.own) if column == "p" else (after, found.edited)
    logits = trace.logits[found.place].double()
    z, total = float(logits[token]), float(logits.exp().sum())
    return rf"\frac{{e^{{z_i}}}}{{\sum_j e^{{z_j}}}} = \frac{{e^{{{number(z)}}}}}{{{number(total)}}} = {number(p)}"


def what_moved(found: Effect, names: Sequence[str]) -> str:
    """Say how much of the probability the edits moved, and whether another token is now the likeliest."""
    before, after = int(found.before.argmax()), int(found.after.argmax())
    likeliest_now = f"the likeliest is “{names[before]}” ({found.before[before]:.1%})"
    if not found.changed:
        return f"{likeliest_now}. Move a slider to change it."
    moved = f"{found.change:.1%} of the probability moved; "
    if before == after:
        return (
            moved
            + f"“{names[after]}” stays the likeliest ({found.before[after]:.1%} → {found.after[after]:.1%})."
        )
    return (
        moved
        + f"{likeliest_now.replace('is', 'was', 1)}, now it is “{names[after]}” ({found.after[after]:.1%})."
    )


def heaviest_by_deletion(weights: np.ndarray, changes: np.ndarray, names: Sequence[str]) -> str:
    """Say at which place the heaviest token stands among the deletions."""
    known = np.flatnonzero(np.isfinite(changes))
    s = known[np.argmax(weights[known])]
    rank = int((changes[known] > changes[s]).sum()) + 1
    return (
        f"The heaviest of them, “{plain(names[s])}” (weight {weights[s]:.3f}), is number **{rank} of {len(known)}** by "
        f"what deleting it changes ({changes[s]:.3f})."
    )


def agreement(shown: np.ndarray, changes: np.ndarray, weights: np.ndarray) -> str:
    """Say how the order of the weights shown agrees with that of the changes, and in what range the heads do."""
    rank = rank_correlation(shown, changes)
    alike = "changes" if np.ptp(changes[np.isfinite(changes)]) == 0 else "weights"
    said = f"cannot be computed: all {alike} are alike" if np.isnan(rank) else f"is **{signed(rank)}**"
    each = correlations(weights, changes)
    known = each[np.isfinite(each)]
    spread = (
        f" Over the {each.size} heads it goes from {signed(known.min())} to {signed(known.max())}."
        if len(known)
        else ""
    )
    return (
        f"Spearman's rank correlation of weight and change {said}; 1 would mean the same order, 0 no relation.{spread} "
        "A weight says where a head took from. It does not say what that was good for: other heads, other layers and "
        "the token's own stream carry the text as well."
    )


def what_it_cost(more: float, tokens: int, without: str) -> str:
    """Say in words what taking something out of the model did to its bits a token.

    >>> what_it_cost(0.25, 12, "this head")
    'On these 12 tokens the model needs 0.250 bits a token more without this head.'
    """
    here = "this token" if tokens == 1 else f"these {tokens:,} tokens"
    if abs(more) < 0.0005:
        return f"On {here} the model does as well without {without}."
    if more > 0:
        return f"On {here} the model needs {more:.3f} bits a token more without {without}."
    return (
        f"The loss **falls** by {-more:.3f} bits a token: on {here} the model does better without "
        f"{without}. That a piece is of use on the text a model was trained on does not make it so on every text."
    )


def worth_most(costs: Mapping[str, float]) -> str:
    """Say which head is worth most, and without how many the model does better.

    >>> worth_most({"1.1": 0.25, "1.2": -0.5})
    'Here head 1.1 is worth most, 0.250 bits a token; without 1 of the 2 the model does better.'
    """
    dearest, harmful = max(costs, key=costs.get), sum(cost < 0 for cost in costs.values())
    without = (
        f"without {harmful} of the {len(costs)} the model does better"
        if harmful
        else f"without any one of the {len(costs)} the model does worse or as well"
    )
    return f"Here head {dearest} is worth most, {signed(costs[dearest], 3)} bits a token; {without}."


def changed_table(
    found: Effect, names: Sequence[str]
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every token with its probability before and after, the likeliest first, and the formula of a cell."""
    order = np.argsort(-found.before)
    before, after = found.before[order], found.after[order]
    named = [names[i] for i in order]
    table = pd.DataFrame({"token": named, "p": before, "p edited": after, "p edited − p": after - before})
    return table, lambda row, column: worked_change(found, int(order[row]), column)


def deleted_table(
    names: Sequence[str], weights: Mapping[str, np.ndarray], changes: np.ndarray
) -> pd.DataFrame:
    """Return the tokens that were deleted, each with its weights and with what deleting it changed."""
    table = pd.DataFrame({"place": range(1, len(names) + 1), "token": names, **weights, "change": changes})
    return table[np.isfinite(changes)].reset_index(drop=True)
