"""How far a shuffle moves each output, and positions themselves: pure functions, numbers in, figure out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, DIVERGING, GREY, VERMILLION
from core.figures.self_attention.heads import names_of

DRAWN = 128  # positions along an axis at most: a screen's pixels tell no more


def moved_tokens(moved: np.ndarray, tokens: Sequence[str], height: int = 240) -> Figure:
    """Return how far each token's output moved, as a share of its length, as bars."""
    figure = blank(height, y="output moved")
    figure.add_trace(bar(x=list(range(len(tokens))), y=moved, marker_color=VERMILLION))
    names = [plain(name) for name in names_of(tokens)]
    figure.update_traces(customdata=names, hovertemplate="%{customdata}: %{y:.2%}<extra></extra>")
    figure.update_xaxes(tickvals=list(range(len(tokens))), ticktext=names, tickangle=-60)
    return figure.update_yaxes(tickformat=".0%", rangemode="tozero", range=[0, max(0.05, float(max(moved)))])


def every_so_many(T: int) -> tuple[int, str]:
    """Return every which of T positions is drawn, at most DRAWN of them, and what an axis of them is called.

    >>> every_so_many(128), every_so_many(300)
    ((1, 'position'), (3, 'position (every 3rd)'))
    """
    step = -(-T // DRAWN)
    ending = {2: "nd", 3: "rd"}.get(step, "th")
    return step, "position" if step == 1 else f"position (every {step}{ending})"


def position_heatmap(positions: np.ndarray, marked: int, height: int = 360) -> Figure:
    """Return positions (T, C) as a heat map: a row a position, a column a dimension, one row marked."""
    step, name = every_so_many(len(positions))
    figure = blank(height, "dimension", name)
    most = float(np.abs(positions).max()) or 1.0
    figure.add_trace(
        heatmap(
            z=positions[::step].astype(np.float32),
            dy=step,
            colorscale=DIVERGING,
            zmin=-most,
            zmax=most,
            colorbar={"title": "number", "thickness": 12, "nticks": 5},
            hovertemplate="position %{y}, dimension %{x}: %{z:.4f}<extra></extra>",
        )
    )
    figure.add_hline(y=marked, line={"color": GREY, "width": 2})
    return from_above(figure)


def similarity_heatmap(positions: np.ndarray, height: int = 360) -> Figure:
    """Return the cosine of every two positions (T, C) as a heat map."""
    lengths = np.linalg.norm(positions, axis=1, keepdims=True)
    step, name = every_so_many(len(positions))
    unit = (positions / np.maximum(lengths, 1e-12))[::step]
    figure = blank(height, name, name)
    figure.add_trace(
        heatmap(
            z=np.rint(100 * unit @ unit.T).astype(np.int8),  # a byte each: no more can be told by eye
            dx=step,
            dy=step,
            colorscale=DIVERGING,
            zmin=-100,
            zmax=100,
            hovertemplate="%{y} and %{x}: %{z} hundredths<extra></extra>",
            colorbar={
                "title": "cosine",
                "thickness": 12,
                "tickvals": [-100, -50, 0, 50, 100],
                "ticktext": ["−1", "−0.5", "0", "0.5", "1"],
            },
        )
    )
    return from_above(figure)


def from_above(figure: Figure) -> Figure:
    """Return a heat map with its first row on top, and room above it for the row's number."""
    figure.update_layout(margin={"t": 16})
    return figure.update_yaxes(autorange="reversed", ticklabeloverflow="allow")


def clock_hands(before: np.ndarray, after: np.ndarray, names: tuple[str, str], height: int = 220) -> Figure:
    """Return the first pairs of two positions' numbers (C,) as clock hands: sine to the right, cosine up."""
    hands = min(6, len(before) // 2)
    figure = blank(height)
    circle = np.linspace(0, 2 * np.pi, 60)
    for i in range(hands):
        x = 2.6 * i
        rim = {
            "x": x + np.sin(circle),
            "y": np.cos(circle),
            "mode": "lines",
            "line": {"color": GREY, "width": 1},
        }
        figure.add_trace(scatter(**rim, hoverinfo="skip", showlegend=False))
        for numbers, name, colour, width in ((before, names[0], BLUE, 6), (after, names[1], VERMILLION, 3)):
            sine, cosine = numbers[2 * i : 2 * i + 2]
            figure.add_trace(
                scatter(
                    x=[x, x + sine],
                    y=[0, cosine],
                    mode="lines",
                    line={"color": colour, "width": width},
                    name=name,
                    legendgroup=name,
                    showlegend=i == 0,
                    hovertemplate=f"dimensions {2 * i} and {2 * i + 1}: {sine:.3f}, {cosine:.3f}<extra></extra>",
                )
            )
    figure.update_xaxes(
        tickvals=[2.6 * i for i in range(hands)],
        ticktext=[f"{2 * i}, {2 * i + 1}" for i in range(hands)],
        title="dimensions",
        showgrid=False,
        zeroline=False,
    )
    return figure.update_yaxes(visible=False, scaleanchor="x")


def similarity_figure(lines: dict[str, np.ndarray], height: int = 300) -> Figure:
    """Return the mean dot product of two positions against their distance, as a share of that at distance 0."""
    figure = blank(height, "distance between two positions", "dot product / that at distance 0")
    looks = ((BLUE, 8), (VERMILLION, 3))  # the first is wider: where both are the same, both still show
    for (label, line), (colour, width) in zip(lines.items(), looks, strict=False):
        figure.add_trace(scatter(y=line / line[0], name=label, line={"color": colour, "width": width}))
    return figure.update_traces(hovertemplate="%{x} apart: %{y:.3f}")


def bits_figure(lines: dict[str, np.ndarray], trained: int, step: int, height: int = 340) -> Figure:
    """Return bits a token against the place in the window, in means of `step` places, the trained length marked."""
    figure = blank(height, "place in the window", "bits per token")
    for label, bits in lines.items():
        starts = np.arange(0, len(bits), step)
        means = np.add.reduceat(bits, starts) / np.diff([*starts, len(bits)])
        figure.add_trace(
            scatter(x=starts + step / 2, y=means, name=label, mode="lines+markers", line={"width": 3})
        )
    figure.add_vline(
        x=trained,
        line={"color": GREY, "dash": "dot"},
        annotation_text="trained length",
        annotation_position="top left",  # right of it the curves are high
    )
    return figure.update_traces(hovertemplate="around %{x}: %{y:.2f} bits").update_yaxes(rangemode="tozero")
