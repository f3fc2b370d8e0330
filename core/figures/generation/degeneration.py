"""Pictures of likely texts: how many bits each has cost so far, and how likely against how varied they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.n_grams.ngram import bits, plain
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, VERMILLION, faded
from core.models.generation.degeneration import Cycle

COLOURS = {"the real text": VERMILLION, "greedy": BLUE, "top-p 0.9": OCHRE, "sampled": PINK}


def colour(label: str) -> str:
    """Return the colour of a way to write; beams of any width share one.

    >>> colour("beam of 4") == GREEN
    True
    """
    return COLOURS.get(label, GREEN)


def bits_so_far_figure(
    lines: Mapping[str, np.ndarray], cycles: Mapping[str, Cycle | None], height: int = 380
) -> Figure:
    """Return the bits that each text has cost until each token, and a ring where a text begins to run in a circle.

    `lines` maps a text's label to ln p of its tokens, (n,). The flatter a line, the surer the model is.

    >>> figure = bits_so_far_figure({"greedy": np.log([0.5, 0.25])}, {"greedy": None})
    >>> [round(float(y), 3) for y in figure.data[0].y]
    [0.0, 1.0, 3.0]
    """
    figure = blank(height, "tokens written", "bits so far: −Σ log₂ p")
    for label, ln_p in lines.items():
        y = np.concatenate(([0.0], np.cumsum(bits(ln_p))))
        figure.add_trace(
            scatter(
                x=np.arange(len(y)),
                y=y,
                mode="lines",
                name=label,
                line={"color": colour(label), "width": 4 if label == "the real text" else 3},
                hovertemplate="%{x} tokens: %{y:.1f} bits<extra>" + label + "</extra>",
            )
        )
        cycle = cycles.get(label)
        if cycle:
            figure.add_trace(
                scatter(
                    x=[cycle.start],
                    y=[y[cycle.start]],
                    mode="markers",
                    marker={
                        "size": 16,
                        "color": "rgba(0,0,0,0)",
                        "line": {"color": colour(label), "width": 4},
                    },
                    showlegend=False,
                    hovertemplate=f"from here on a circle of length {cycle.length}<extra>{label}</extra>",
                )
            )
    return figure


def repetitions_figure(p: np.ndarray, means: np.ndarray, tokens: Sequence[str], height: int = 330) -> Figure:
    """Return p of each token of a phrase at each time it is said, (R, n), and their geometric mean, (R,).

    >>> figure = repetitions_figure(np.array([[0.1, 0.4], [0.4, 0.9]]), np.array([0.2, 0.6]), ["so", "be"])
    >>> [trace.y.tolist() for trace in figure.data]
    [[0.1, 0.4], [0.4, 0.9], [0.2, 0.6]]
    """
    figure, times = blank(height, "the time it is said", "p"), np.arange(1, len(p) + 1)
    for i, token in enumerate(tokens):
        figure.add_trace(
            scatter(
                x=times,
                y=p[:, i],
                mode="lines",
                line={"color": faded(GREY, 0.5), "width": 1.5},
                name=plain(token),
                hovertemplate=f"{plain(token)}: p %{{y:.3f}}<extra></extra>",
                showlegend=False,
            )
        )
    figure.add_trace(
        scatter(
            x=times,
            y=means,
            mode="lines+markers+text",
            text=[f"{mean:.2f}" for mean in means],
            textposition="top center",
            line={"color": BLUE, "width": 4},
            marker={"size": 10},
            name="geometric mean",
            hovertemplate="geometric mean %{y:.3f}<extra></extra>",
            showlegend=False,
            cliponaxis=False,
        )
    )
    figure.update_yaxes(range=[0, 1.05])
    return figure.update_xaxes(dtick=1)


def likely_or_varied_figure(
    means: Mapping[str, float], varied: Mapping[str, float], usual: float | None = None, height: int = 330
) -> Figure:
    """Return each way to write as a point: ln p of a token against the share of different word pairs.

    `usual` is the model's mean ln p on held-out text, drawn as a line.

    >>> figure = likely_or_varied_figure({"greedy": -0.6}, {"greedy": 0.5}, usual=-1.2)
    >>> figure.data[0].x, figure.data[0].y
    ([-0.6], [0.5])
    """
    figure = blank(height, "mean ln p of a token: to the right, likelier", "different word pairs")
    for label, mean in means.items():
        figure.add_trace(
            scatter(
                x=[mean],
                y=[varied[label]],
                mode="markers+text",
                text=[label],
                textposition="bottom center",
                textfont={"color": colour(label)},
                marker={"size": 17, "color": colour(label)},
                name=label,
                hovertemplate="ln p %{x:.3f} a token, %{y:.0%} of pairs differ<extra>" + label + "</extra>",
                showlegend=False,
                cliponaxis=False,
            )
        )
    values: Sequence[float] = [*means.values(), *([] if usual is None else [usual])]
    room = 0.15 * max(max(values) - min(values), 0.1)
    if usual is not None:
        label = {"text": "on its held-out text", "yanchor": "bottom"}
        figure.add_vline(x=usual, line={"color": GREY, "dash": "dash"}, annotation=label)
    figure.update_xaxes(range=[min(values) - room, max(values) + room])
    figure.update_layout(margin={"t": 30})
    low = min(varied.values())
    return figure.update_yaxes(range=[low - 0.15, 1.08], tickformat=".0%")
