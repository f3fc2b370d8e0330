"""Pictures of scaled scores: rows of keys, running sums, gradients per query; and the lab's histograms and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
from torch import Tensor

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREY, HUES, VERMILLION, faded
from core.figures.self_attention.panels import panels
from core.figures.self_attention.softness_formula import softness_formula
from core.figures.worked import number
from core.models.self_attention.attention_scaling import Softness, heaviest_first
from core.words.numbers import signed
from pages.self_attention.attention_scaling import LESSON

WORDS = LESSON.words
UNSCALED, SCALED = (WORDS.label(f"scale.{name}") for name in ("products", "scaled"))
BINS = 30  # on each side of 0
COLOURS = {UNSCALED: VERMILLION, SCALED: BLUE}
KEY_HUES = ("sky", "pink", "green", "vermillion", "ochre", "blue")  # of each key, in all beats
UNKNOWN = "?"
LABEL = {"showarrow": False, "font": {"size": 18}}

# The story.


def format_weight(weight: float) -> str:
    """Return a weight in per cent, with a digit more where it is near 0 or 100%.

    >>> format_weight(0.331), format_weight(0.9988), format_weight(1e-9), format_weight(1.0)
    ('33%', '99.9%', '0.0%', '100%')
    """
    digits = 1 if weight < 0.095 or 0.99 <= weight < 0.9995 else 0
    return f"{weight:.{digits}%}"


def outline(value: float, least: float) -> float | None:
    """Return a value to draw as an outline, None where there would be nothing to see."""
    return round(value, 6) if abs(value) >= least else None


def draw_panel(
    scores: np.ndarray,
    weights: np.ndarray | None,
    title: str,
    divisor: str,
    before: Mapping[int, tuple[float, float]] | None = None,
) -> dict:
    """Return a panel of the view "score_weights": each key's score and weight.

    `weights` None are still to come. `before` {key: (score, weight)} are outlines of what was there; a score that is
    still the same has none.
    """
    best = int(np.argmax(scores)) if weights is not None else None
    before = before or {}
    moved = {i for i, (score, _) in before.items() if score != scores[i]}
    rows = [
        {
            "name": WORDS.label("row.key", n=i + 1),
            "mark": f"key.{i}",
            "hue": KEY_HUES[i],
            "kind": "strong" if i == best or i in moved else "plain",
            "score": round(float(score), 4),
            "scoreText": signed(float(score), 1, "+"),
            "weight": round(float(weights[i]), 6) if weights is not None else None,
            "weightText": format_weight(float(weights[i])) if weights is not None else UNKNOWN,
            "scoreBefore": outline(before[i][0], 0.9) if i in moved else None,
            "before": outline(before[i][1], 0.02) if i in before else None,
        }
        for i, score in enumerate(scores)
    ]
    heading = WORDS.label("heading.divided", divisor=divisor) if divisor else WORDS.label("heading.score")
    return {"title": title, "score": heading, "weight": WORDS.label("heading.weight"), "rows": rows}


def draw_scores(panels: Sequence[dict], most: float) -> dict:
    """Return the data of the view "score_weights", its scores on a scale from -`most` to `most`."""
    return {"least": -most, "most": most, "panels": list(panels)}


def draw_walks(ours: np.ndarray, others: np.ndarray) -> Figure:
    """Return running sums of products (S, d) against the number of products, and the curves ±√d.

    `ours` have the keys' hues and names, `others` are grey.
    """
    d = ours.shape[1]
    root = d**0.5
    figure = blank(420, WORDS.label("axis.products"), WORDS.label("axis.sum"))

    def add(y: np.ndarray, line: dict, name: str = "") -> None:
        figure.add_trace(
            scatter(
                y=np.round(y, 1).tolist(),  # x is its place, from 0
                mode="lines",
                line=line,
                name=name,
                showlegend=bool(name),
                hoverinfo="skip",
            )
        )

    for i, walk in enumerate(others):
        name = WORDS.label("line.others") if i == 0 else ""
        add(np.array([0.0, *walk]), {"color": faded(GREY, 0.34), "width": 1.2}, name)
    for i, walk in enumerate(ours):
        add(np.array([0.0, *walk]), {"color": HUES[KEY_HUES[i]], "width": 3})
    for sign in (1, -1):
        name = WORDS.label("line.root", root=round(root), d=d) if sign > 0 else ""
        add(sign * np.sqrt(np.arange(d + 1)), {"color": GREY, "width": 5, "dash": "dash"}, name)
    most = 1.04 * float(np.abs(np.concatenate([ours, others])).max())
    for i, y in enumerate(spread_out(ours[:, -1], 0.155 * most)):
        text = WORDS.label("row.key", n=i + 1)
        colour = HUES[KEY_HUES[i]]
        name = {
            "text": text,
            "ax": 1.06 * d,
            "ay": y,
            "xanchor": "left",
            "font": {"size": 17, "color": colour},
        }
        to_end = {"arrowhead": 0, "arrowwidth": 2, "arrowcolor": colour, "axref": "x", "ayref": "y"}
        figure.add_annotation(x=d, y=float(ours[i, -1]), **name, **to_end)
    figure.update_xaxes(range=[0, 1.3 * d], tickvals=[0, d // 4, d // 2, 3 * d // 4, d])
    ticks = [root * times for times in range(-3, 4)]
    return figure.update_yaxes(range=[-most, most], tickvals=ticks)


def spread_out(places: np.ndarray, gap: float) -> list[float]:
    """Return places moved apart so that any two are `gap` from each other, in their order.

    >>> spread_out(np.array([0.0, 0.0, 5.0]), 2.0)
    [-1.0, 1.0, 5.0]
    """
    order = np.argsort(places, kind="stable")
    moved = places[order].astype(float)
    for _ in range(100):
        near = np.maximum(gap - np.diff(moved), 0) / 2
        moved[:-1] -= near
        moved[1:] += near
    return [float(place) for place in moved[np.argsort(order)]]


def draw_gradients(found: Mapping[str, np.ndarray], least: float) -> Figure:
    """Return each query's gradient, the smallest first, without the division and with it, on a scale of powers of ten."""
    figure = blank(420, WORDS.label("axis.queries"), WORDS.label("axis.gradient"))
    for label, gradients in found.items():
        y = np.maximum(np.sort(gradients), least)
        x = 100 * (np.arange(len(y)) + 0.5) / len(y)
        figure.add_trace(
            scatter(
                x=x.round(2).tolist(),
                y=y.tolist(),
                mode="markers",
                marker={"color": COLOURS[label], "size": 8},
                showlegend=False,
                hovertemplate="%{y:.2g}<extra></extra>",
            )
        )
        middle = float(np.median(gradients))
        figure.add_trace(
            scatter(
                x=[50],
                y=[middle],
                mode="markers",
                marker={"color": COLOURS[label], "size": 20, "line": {"width": 3, "color": "white"}},
                showlegend=False,
                hoverinfo="skip",
            )
        )
        above = label == SCALED
        figure.add_annotation(
            x=50,
            y=np.log10(middle),
            text=f"<b>{WORDS.label('curve.scaled' if above else 'curve.products')}</b><br>"
            + WORDS.label("curve.median", median=f"{middle:.4f}"),
            yanchor="bottom" if above else "top",
            xanchor="center" if above else "left",
            xshift=0 if above else 16,
            yshift=14 if above else -8,
            **LABEL,
        )
    ticks = range(round(np.log10(least)), 1)
    shares = [0, 25, 50, 75, 100]
    figure.update_xaxes(range=[-2, 106], tickvals=shares, ticktext=[f"{share}%" for share in shares])
    return figure.update_yaxes(
        type="log",
        range=[np.log10(least) - 0.15, 0.3],
        tickvals=[10.0**power for power in ticks],
        ticktext=[("≤ " if power == ticks[0] else "") + f"{10.0**power:.{-power}f}" for power in ticks],
    )


def draw_largest(dimensions: Sequence[int], largest: Mapping[str, Sequence[float]], equal: float) -> Figure:
    """Return the mean largest weight against d, without the division and with it, and the weight of equal shares."""
    figure = blank(420, WORDS.label("axis.d"), WORDS.label("axis.largest"))
    for label, values in largest.items():
        figure.add_trace(
            scatter(
                x=list(dimensions),
                y=list(values),
                mode="lines+markers",
                line={"color": COLOURS[label], "width": 5},
                marker={"size": 11},
                showlegend=False,
                hovertemplate="d = %{x}: %{y:.0%}<extra></extra>",
            )
        )
        key = "scaled" if label == SCALED else "products"
        figure.add_annotation(
            x=np.log10(dimensions[-1]),
            y=values[-1],
            text=f"<b>{WORDS.label(f'curve.{key}')}: {values[-1]:.0%}</b>",
            xanchor="right",
            yanchor="bottom",
            yshift=12,
            **LABEL,
        )
    figure.add_hline(y=equal, line={"color": GREY, "dash": "dot", "width": 3})
    figure.add_annotation(
        x=0.05,
        y=equal,
        text=WORDS.label("curve.equal", equal=f"{equal:.0%}"),
        xanchor="left",
        yanchor="top",
        yshift=-4,
        **LABEL,
    )
    figure.update_xaxes(type="log", tickvals=list(dimensions), ticktext=[f"{d:,}" for d in dimensions])
    return figure.update_yaxes(range=[0, 1.14], tickformat=".0%", tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])


def draw_model(panels: Sequence[tuple[str, float, Mapping[str, tuple[float, str]]]]) -> dict:
    """Return the data of the view "layer_bars": panels (title, most, {id: (value, text)}), scaled and unscaled rows."""
    hues = {"products": "vermillion", "scaled": "blue"}
    return join_panels(
        *(
            make_panel(
                title,
                most,
                [
                    make_row(
                        WORDS.label(f"model.{name}"),
                        f"row.{name}",
                        round(value, 4),
                        text,
                        kind="best" if name == "products" else "plain",
                        hue=hues[name],
                    )
                    for name, (value, text) in rows.items()
                ],
            )
            for title, most, rows in panels
        )
    )


# The lab.


def scores_and_weights(read: Mapping[str, Tensor], height: int = 380) -> Figure:
    """Return what the softmax reads (Q, S) as histograms, and the weights, heaviest first, as means over the queries.

    `read` has the scores without the root and with it, by UNSCALED and SCALED.
    """
    figure = panels([WORDS.label("panel.scores"), WORDS.label("panel.weights")], height)
    widest = max(float(scores.abs().max()) for scores in read.values()) or 1.0
    edges = np.linspace(-widest, widest, 2 * BINS + 1)
    for label, scores in read.items():
        look = {"marker_color": COLOURS[label], "name": label, "legendgroup": label}
        figure.add_trace(
            bar(
                x=(edges[:-1] + edges[1:]) / 2,
                y=np.histogram(scores, edges)[0] / scores.numel(),
                width=edges[1] - edges[0],
                hovertemplate="%{x:.3f}: %{y:.4f}<extra>" + label + "</extra>",
                **look,
            ),
            1,
            1,
        )
        weights = heaviest_first(scores).numpy()
        figure.add_trace(
            bar(
                x=np.arange(1, len(weights) + 1),
                y=weights,
                showlegend=False,
                hovertemplate="%{x}: %{y:.4f}<extra>" + label + "</extra>",
                **look,
            ),
            1,
            2,
        )
    figure.update_layout(barmode="overlay", bargap=0.1)
    figure.update_xaxes(title=WORDS.label("axis.score"), row=1, col=1)
    figure.update_yaxes(title=WORDS.label("axis.share"), row=1, col=1)
    figure.update_xaxes(title=WORDS.label("axis.keys"), row=1, col=2)
    figure.update_yaxes(title=WORDS.label("axis.weight"), range=[0, 1], row=1, col=2)
    figure.update_traces(opacity=0.8, selector={"type": "bar"})
    return figure


GROWTH = ("spread", "entropy", "gradient")  # measures of Softness against d
BACK = ("to_products", "median_to_products", "top_tenth")
MEASURES = ("spread", "entropy", "largest", "gradient", *BACK)  # of the table


def softness_by_dimension(
    dimensions: Sequence[int],
    sweeps: Mapping[str, Sequence[Softness]],
    marked: int,
    measures: Sequence[str] = GROWTH,
    height: int = 320,
) -> Figure:
    """Return some measures against d for each labelled sweep, with a line at the marked d."""
    figure = panels([WORDS.label(f"panel.{name}") for name in measures], height)
    for label, found in sweeps.items():
        for column, measure in enumerate(measures, start=1):
            figure.add_trace(
                scatter(
                    x=list(dimensions),
                    y=[asdict(each)[measure] for each in found],
                    mode="lines+markers",
                    line={"color": COLOURS[label], "width": 3},
                    name=label,
                    legendgroup=label,
                    showlegend=column == 1,
                    hovertemplate="d = %{x}: %{y:.4g}<extra>" + label + "</extra>",
                ),
                1,
                column,
            )
    for column in range(1, len(measures) + 1):
        figure.add_vline(x=marked, line={"color": GREY, "dash": "dot"}, row=1, col=column)
        figure.update_xaxes(title="d", type="log", tickvals=[1, 4, 16, 64, 256, 1024], row=1, col=column)
    return figure


def worked_softness(scores: np.ndarray, d: int, column: str) -> str | None:
    """Return the formula behind a number of the table by d, filled in with the first query's scores (Q, S)."""
    named, _, label = column.partition(", ")
    if column == "√d":
        return rf"\sqrt{{{d}}} = {number(d**0.5)}"
    measure = next((each for each in MEASURES if WORDS.label(f"column.{each}") == named), None)
    if measure is None:
        return None
    over = {"median_to_products": "median", "top_tenth": "top_tenth"}.get(measure, "mean")
    cell = WORDS.label(f"formula.{over}", n=len(scores))
    scale = d**-0.5 if label == SCALED else 1.0
    return softness_formula(scores, scale, measure, WORDS.label("formula.first"), cell)
