"""Sizes of language models against the window, and one row of the embedding at both its jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.palette import BLUE, CATEGORIES, DIVERGING, GREEN, GREY, OCHRE, SKY, VERMILLION
from core.figures.worked import number, word

SEEN = 0.005  # of the longest bar: a pixel or two


def size_figure(windows: Sequence[int], sizes: Mapping[str, Sequence[int]], height: int = 440) -> Figure:
    """Return the number of parameters of each model, {name: one for each window}, against the window's length."""
    figure = blank(height, "window: tokens back that a model can see", "parameters")
    for (name, counts), colour in zip(sizes.items(), CATEGORIES, strict=False):
        figure.add_trace(
            scatter(
                x=list(windows),
                y=list(counts),
                name=name,
                mode="lines",
                line={"color": colour, "width": 3, "dash": "dash" if "untied" in name else "solid"},
                hovertemplate="window %{x}: %{y:,} parameters<extra>" + name + "</extra>",
            )
        )
    return figure.update_yaxes(rangemode="tozero")


def parts_figure(models: Mapping[str, Mapping[str, int]], height: int = 300) -> Figure:
    """Return each model's learned numbers as a bar of its parts, {model: {part: count}}; the saved matrix stands out.

    A part too small to be seen is named at the pointer only: the legend has a phone's room for the others.
    """
    figure = blank(height, "learned numbers")
    colours = dict(zip(next(iter(models.values())), (BLUE, SKY, GREEN, GREY, VERMILLION, OCHRE), strict=True))
    longest = max(sum(counts.values()) for counts in models.values())
    for part, colour in colours.items():
        figure.add_trace(
            bar(
                showlegend=max(counts[part] for counts in models.values()) >= SEEN * longest,
                y=list(models),
                x=[counts[part] for counts in models.values()],
                name=part,
                orientation="h",
                marker={"color": colour},
                hovertemplate="%{y}, " + part + ": %{x:,}<extra></extra>",
            )
        )
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    return figure.update_yaxes(autorange="reversed")


def row_figure(row: np.ndarray, state: np.ndarray, name: str, height: int = 250) -> Figure:
    """Return the token's row E[k], the hidden state h, and their products, whose sum is the logit without bias."""
    rows = {f"E of {name}": row, "h": state, "E · h": row * state}
    figure = blank(height, "component 0 to " + str(len(row) - 1))
    scaled = np.stack([values / (np.abs(values).max() or 1) for values in rows.values()])
    figure.add_trace(
        heatmap(
            z=scaled,
            y=list(rows),
            customdata=np.stack(list(rows.values())),
            zmin=-1,
            zmax=1,
            colorscale=DIVERGING,
            showscale=False,
            ygap=6,
            hovertemplate="component %{x}, %{y}: %{customdata:.4f}<extra></extra>",
        )
    )
    return figure.update_yaxes(autorange="reversed", type="category")


def jobs_figure(bits: Mapping[str, Mapping[str, float]], height: int = 320) -> Figure:
    """Return bits per character as bars: {where: {what is gone: bits}}."""
    figure = blank(height, y="bits per character")
    for name, colour in zip(next(iter(bits.values())), (BLUE, OCHRE, VERMILLION, CATEGORIES[2]), strict=True):
        values = [each[name] for each in bits.values()]
        figure.add_trace(
            bar(
                x=list(bits),
                y=values,
                name=name,
                marker={"color": colour},
                text=[f"{value:.2f}" for value in values],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{y:.3f} bits<extra>" + name + "</extra>",
            )
        )
    return figure.update_layout(barmode="group")


def worked_logit(row: np.ndarray, state: np.ndarray, bias: float, name: str, most: int = 4) -> str:
    """Return h . E[k] + b filled in: the largest products, the rest as one number, the bias, the logit."""
    products = row * state
    places = np.argsort(-np.abs(products), kind="stable")[:most]
    terms = " + ".join(
        rf"\underset{{{k}}}{{({number(row[k], 3)})\cdot({number(state[k], 3)})}}" for k in places
    )
    rest = float(np.delete(products, places).sum())
    return (
        rf"z({word(name)}) = {terms} + \underset{{\text{{other }}{len(row) - len(places)}}}{{({number(rest)})}} + "
        rf"\underset{{b}}{{({number(bias)})}} = \mathbf{{{number(float(products.sum()) + bias)}}}"
    )


def worked_recurrent_size(V: int, H: int, gates: int, tied: bool) -> str:
    """Return a recurrent model's parameter count filled in."""
    total = (1 if tied else 2) * V * H + gates * (2 * H * H + 2 * H) + V
    output = "" if tied else rf" + \underset{{\text{{output}}}}{{{V} \cdot {H}}}"
    return (
        rf"\underset{{E}}{{{V} \cdot {H}}}{output} + \underset{{W_x, W_h, \text{{biases}}}}"
        rf"{{{gates}\,({H}^2 + {H}^2 + 2 \cdot {H})}} + \underset{{b}}{{{V}}} = {total:,}".replace(
            ",", r"{,}"
        )
    )


def worked_window_size(shape: Mapping[str, int], n: int, total: int) -> str:
    """Return a feed-forward model's parameter count at a window of n filled in, the part that grows with it first."""
    V, C, M, deeper = (
        shape["vocabulary_size"],
        shape["embedding"],
        shape["hidden"],
        shape.get("layers", 1) - 1,
    )
    added = rf" + \underset{{\text{{further layers}}}}{{{deeper}\,({M}^2 + {M})}}" if deeper else ""
    return (
        rf"\underset{{\text{{grows}}}}{{{n} \cdot {C}\,({M} + {V})}} + \underset{{E}}{{({V} + 1) \cdot {C}}} + "
        rf"\underset{{d}}{{{M}}} + \underset{{U}}{{{M} \cdot {V}}} + \underset{{b}}{{{V}}}{added} = {total}"
    )


def worked_position_size(C: int, n: int, total: int) -> str:
    """Return a GPT's parameter count at a window of n: a row of C numbers for each place, and all else."""
    rest = rf"\underset{{\text{{all else}}}}{{{total - n * C}}}"
    return rf"\underset{{\text{{grows}}}}{{{n} \cdot {C}}} + {rest} = {total}"
