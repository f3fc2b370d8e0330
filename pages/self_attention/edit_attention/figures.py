"""Pictures of edited attention: one row of weights and the answers, scatters, heads; and the lab's figures and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, SEQUENTIAL, VERMILLION
from core.figures.worked import number
from core.models.self_attention.ablation import rank_correlation, rank_correlations
from core.models.self_attention.attention_edits import Effect
from pages.self_attention.edit_attention import LESSON

WORDS = LESSON.words
WIDTH, HEIGHT = 210, 270  # pixels between the axes on a phone
REST = "rest"  # the key of the bar that all other tokens share
UNKNOWN = "?"  # a probability that is still to come
HUES = {"Israel": "ochre", "Egypt": "blue", "land": "green"}  # of a token, in all beats
COLOURS = {"Israel": OCHRE, "Egypt": BLUE, "land": GREEN}
ANSWERS_MOST = 0.6  # how far the scale of the answers goes
NAMELESS = "<extra></extra>"  # no second box with the name of the trace

# The story.


def draw_edit(
    names: Sequence[str],
    weights: tuple[np.ndarray, np.ndarray],
    answers: Sequence[tuple[str, str, float, float]],
    head: str,
    edited: bool,
    known: bool = True,
) -> dict:
    """Return the data of the view "next_token": one query's weights (own, edited), and the answers.

    `answers` are (key, token, p before, p after); with `edited` outlines show what the model does by itself; an answer that
    is not `known` yet has a question mark.
    """
    own, now = weights
    keys = [draw_row(f"key.{s}", name, now[s], own[s] if edited else None) for s, name in enumerate(names)]
    likely = sorted(answers, key=lambda each: (each[0] == REST, -(each[3] if known else each[2])))
    tokens = [
        draw_row(key, token, after if known else 0.0, before if edited else None, "" if known else UNKNOWN)
        for key, token, before, after in likely
    ]
    said = [{"kind": "before", "text": WORDS.label("key.before")}] if edited else []
    return {
        "panels": [
            {
                "prompt": WORDS.label("panel.weights", head=head),
                "note": WORDS.label("panel.query", query=names[-1]),
                "rows": keys,
                "line": None,
                "most": 1,
            },
            {
                "prompt": WORDS.label("panel.answers"),
                "note": "",
                "rows": tokens,
                "line": None,
                "most": max(ANSWERS_MOST, *(max(each[2:]) for each in answers)),
            },
        ],
        "texts": [],
        "key": said,
        "stairs": False,
    }


def draw_row(key: str, token: str, p: float, before: float | None, text: str = "") -> dict:
    """Return a bar: what it is called, how long it is, and how long it was by itself."""
    return {
        "key": key,
        "token": token,
        "p": round(float(p), 4),
        "text": text or f"{p:.3f}",
        "before": None if before is None else round(float(before), 4),
        "cut": False,
        "hue": HUES.get(token, "" if key == REST else "grey"),
        "share": 100,
    }


def draw_grid(changes: np.ndarray, flips: np.ndarray, heads: Sequence[str], names: Sequence[str]) -> Figure:
    """Return the change of every single edit (heads, keys) as a heat map; a dot is where another token comes first."""
    figure = blank(460, WORDS.label("axis.set"), WORDS.label("axis.head"))
    bar_of_colours = {"title": {"text": WORDS.label("axis.scale")}, "thickness": 14, "tickfont": {"size": 15}}
    figure.add_trace(
        heatmap(
            z=changes,
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=float(changes.max()),  # without both ends plotly keeps neither
            xgap=1,
            ygap=1,
            colorbar=bar_of_colours,
            hovertemplate="%{z:.3f}" + NAMELESS,
        )
    )
    rows, columns = np.nonzero(flips)
    edge = {"color": "black", "width": 2}
    dot = {"color": "white", "size": 10, "line": edge}  # seen on every blue, in both themes
    figure.add_trace(
        scatter(x=columns, y=rows, mode="markers", marker=dot, hoverinfo="skip", showlegend=False)
    )
    figure.update_xaxes(tickvals=np.arange(len(names)), ticktext=list(names), tickangle=-50, showgrid=False)
    figure.update_xaxes(zeroline=False, range=[-0.5, len(names) - 0.5]).update_yaxes(zeroline=False)
    figure.update_yaxes(
        tickvals=np.arange(len(heads)),
        ticktext=list(heads),
        range=[len(heads) - 0.5, -0.5],
        showgrid=False,
        tickfont={"size": 14},
    )
    return figure


def draw_points(
    x: np.ndarray,
    y: np.ndarray,
    names: Mapping[int, tuple[str, str]],
    axes: tuple[str, str],
    ends: tuple[float, float],
    sentence: str,
) -> Figure:
    """Return points, those in `names` {index: (label, token)} written out and in the token's hue; the sentence is above."""
    figure = blank(430, *axes)
    colours = [COLOURS.get(names[i][1], GREY) if i in names else GREY for i in range(len(x))]
    sizes = [17 if i in names else 12 for i in range(len(x))]
    figure.add_trace(
        scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"size": sizes, "color": colours},
            showlegend=False,
            cliponaxis=False,
            hovertemplate="%{x:.3f}, %{y:.3f}" + NAMELESS,
        )
    )
    for i, (label, _) in names.items():
        left = x[i] > 0.6 * ends[0]
        figure.add_annotation(
            x=x[i],
            y=y[i],
            text=f"<b>{escape_label(label)}</b>",
            font={"size": 18},
            showarrow=False,
            xanchor="right" if left else "left",
            xshift=-13 if left else 13,
        )
    figure.add_annotation(
        text=sentence,
        x=0,
        y=1.02,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        align="left",
        showarrow=False,
        font={"size": 16},
    )
    figure.update_xaxes(range=[-0.02 * ends[0], ends[0]])
    figure.update_yaxes(range=[-0.02 * ends[1], ends[1]])
    figure.update_layout(margin={"t": 58, "r": 16})
    return figure


def draw_costs(costs: Mapping[str, float], named: Sequence[str]) -> Figure:
    """Return what switching each head off costs, the largest first; those `named` have a colour, their name and number."""
    ordered = sorted(costs, key=costs.get, reverse=True)
    figure = blank(430, WORDS.label("axis.head"), WORDS.label("axis.bits"))
    figure.add_trace(
        bar(
            x=ordered,
            y=[costs[name] for name in ordered],
            marker={"color": [BLUE if name in named else GREY for name in ordered]},
            hovertemplate="%{x}: %{y:.3f}" + NAMELESS,
        )
    )
    for name in named:
        at = ordered.index(
            name
        )  # the first bar's name must not cover the axis, nor the last one's leave the picture
        anchor, shift = ("left", -9) if at == 0 else ("right", 9) if at == len(ordered) - 1 else ("center", 0)
        look = {
            "showarrow": False,
            "xanchor": anchor,
            "xshift": shift,
            "yanchor": "bottom",
            "font": {"size": 17},
        }
        text = f"{WORDS.label('bar.head', head=name)}<br><b>{costs[name]:.3f}</b>"
        figure.add_annotation(x=at, y=costs[name], text=text, **look)
    figure.update_xaxes(type="category", tickangle=-90)
    figure.update_yaxes(range=[0, 1.2 * max(costs.values())])
    figure.update_layout(margin={"r": 18})
    return figure


# The lab.


def removal_figure(
    weights: np.ndarray, changes: np.ndarray, names: Sequence[str], x: str, height: int = 380
) -> Figure:
    """Return each token's attention weight against the change that deleting it makes, named where there is room.

    The others are named when they are pointed at.
    """
    figure = blank(height, x, WORDS.label("axis.change"))
    known = np.flatnonzero(~(np.isnan(weights) | np.isnan(changes)))
    named = with_room(weights, changes, names, sorted(known, key=lambda s: -max(weights[s], changes[s])))
    figure.add_trace(
        scatter(
            x=weights[known],
            y=changes[known],
            mode="markers+text",
            marker={"size": 10, "color": OCHRE},
            text=[escape_label(names[s]) if s in named else "" for s in known],
            textposition="top center",
            cliponaxis=False,
            customdata=[f"{s + 1}: {escape_label(names[s])}" for s in known],
            hovertemplate="%{customdata}<br>%{x:.4f}, %{y:.4f}" + NAMELESS,
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
    x = WIDTH * weights / max(np.max(weights[order]), 1e-12)  # in pixels, as the axes from 0 draw them
    y = HEIGHT * changes / max(np.max(changes[order]), 1e-12)
    boxes = {}
    for s in order:
        half = 4.5 * len(names[s])
        free = all(abs(x[s] - x[o]) > half + reach or abs(y[s] - y[o]) > 20 for o, reach in boxes.items())
        if free and all(abs(x[s] - x[o]) > half + 5 or not 2 < y[o] - y[s] < 30 for o in order if o != s):
            boxes[s] = half
    return set(boxes)


def ranking_figure(costs: Mapping[str, float], off: Sequence[str] = ()) -> Figure:
    """Return what switching off each head costs in bits per token, the most first; those switched off are hatched."""
    ordered = sorted(costs, key=costs.get, reverse=True)
    figure = blank(280, WORDS.label("axis.head"), WORDS.label("axis.bits"))
    figure.add_trace(
        bar(
            x=ordered,
            y=[costs[name] for name in ordered],
            marker={
                "color": [BLUE if costs[name] >= 0 else VERMILLION for name in ordered],
                "pattern": {"shape": ["/" if name in set(off) else "" for name in ordered]},
            },
            hovertemplate="%{x}: %{y:+.4f}" + NAMELESS,
        )
    )
    figure.update_xaxes(type="category", tickangle=0 if len(ordered) <= 16 else -60)
    return figure


def describe_move(found: Effect, names: Sequence[str]) -> dict:
    """Return what the words may say of a change: the case, the most probable tokens, and their probabilities."""
    before, after = int(found.before.argmax()), int(found.after.argmax())
    case = "none" if not found.changed else "same" if before == after else "other"
    return {
        "case": case,
        "change": found.change,
        "was": names[before],
        "first": names[after],
        "p_was": float(found.before[before]),
        "p_now": float(found.after[after]),
    }


def describe_largest(weights: np.ndarray, changes: np.ndarray, names: Sequence[str]) -> dict:
    """Return which token has the largest weight, and its place among the deletions."""
    known = np.flatnonzero(np.isfinite(changes))
    s = known[np.argmax(weights[known])]
    return {
        "name": names[s],
        "weight": float(weights[s]),
        "change": float(changes[s]),
        "rank": int((changes[known] > changes[s]).sum()) + 1,
        "n": len(known),
    }


def describe_agreement(shown: np.ndarray, changes: np.ndarray, weights: np.ndarray) -> dict:
    """Return how the order of the weights shown agrees with the order of the changes, and in what range the heads do."""
    rank = rank_correlation(shown, changes)
    each = rank_correlations(weights, changes)
    known = each[np.isfinite(each)]
    return {
        "same": ""
        if not np.isnan(rank)
        else "changes"
        if np.ptp(changes[np.isfinite(changes)]) == 0
        else "weights",
        "rank": 0.0 if np.isnan(rank) else rank,
        "heads": each.size,
        "least": float(known.min()) if len(known) else None,
        "most": float(known.max()) if len(known) else None,
    }


COLUMNS = ("token", "p", "edited", "difference")


def changed_table(
    found: Effect, names: Sequence[str]
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every token with its probability before and after, the likeliest first, and the formula of a cell."""
    order = np.argsort(-found.before)
    before, after = found.before[order], found.after[order]
    columns = ([names[i] for i in order], before, after, after - before)
    table = pd.DataFrame(
        {WORDS.label(f"column.{name}"): each for name, each in zip(COLUMNS, columns, strict=True)}
    )
    return table, lambda row, column: worked_change(found, int(order[row]), column)


def worked_change(found: Effect, token: int, column: str) -> str | None:
    """Return the formula of a token's probability, or of its difference, filled in; None for a label."""
    named = {WORDS.label(f"column.{name}"): name for name in COLUMNS}.get(column)
    before, after = found.before[token], found.after[token]
    if named == "difference":
        return rf"{number(after)} - {number(before)} = {number(after - before)}"
    if named not in ("p", "edited"):
        return None
    p, trace = (before, found.own) if named == "p" else (after, found.edited)
    logits = trace.logits[found.place].double()
    z, total = float(logits[token]), float(logits.exp().sum())
    terms = r"\frac{e^{z_i}}{\sum_j e^{z_j}}"
    return terms + rf" = \frac{{e^{{{number(z)}}}}}{{{number(total)}}} = {number(p)}"


def deleted_table(
    names: Sequence[str], weights: Mapping[str, np.ndarray], changes: np.ndarray
) -> pd.DataFrame:
    """Return the tokens that were deleted, each with its weights and with what deleting it changed."""
    table = pd.DataFrame(
        {
            WORDS.label("column.place"): range(1, len(names) + 1),
            WORDS.label("column.token"): names,
            **weights,
            WORDS.label("column.change"): changes,
        }
    )
    return table[np.isfinite(changes)].reset_index(drop=True)
