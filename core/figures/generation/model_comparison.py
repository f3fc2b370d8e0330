"""Language models side by side: bits a character as bars, a text coloured by surprise, formulas filled in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from core.figures.blank import blank
from core.figures.generation.sampling import shown
from core.figures.palette import BLUE, VERMILLION
from core.figures.worked import number

FULL = 10.0  # bits at which the colour is strongest


def comparison_figure(
    held_out: Mapping[str, float], own: Mapping[str, float], height: int = 400
) -> go.Figure:
    """Return bits a character by model, best on held-out text first: on that text, and on the learner's own."""
    names = [*held_out, *(name for name in own if name not in held_out)]
    figure = blank(height, "bits a character: fewer is better")
    for label, colour, bits in (("held-out plays", BLUE, held_out), ("your text", VERMILLION, own)):
        some = [name for name in names if name in bits]
        figure.add_trace(
            go.Bar(
                y=some,
                x=[bits[name] for name in some],
                name=label,
                orientation="h",
                marker={"color": colour},
                text=[f"{bits[name]:.2f}" for name in some],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y}: %{x:.3f} bits<extra>" + label + "</extra>",
            )
        )
    figure.update_layout(barmode="group")
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=names)
    most = max([*held_out.values(), *own.values()])
    figure.update_xaxes(range=[0, 1.12 * most])
    return figure


def surprise_payload(text: str, scored: Mapping[str, np.ndarray]) -> dict:
    """Return what the view `surprise_text` draws: the text's characters, and -log2 p of each by every model.

    `scored` maps a model's name to ln p of the characters, (n,).

    >>> payload = surprise_payload("a\\n", {"coin": np.log([0.5, 0.25])})
    >>> payload["models"], payload["breaks"]
    ([{'name': 'coin', 'bits': [1.0, 2.0], 'mean': 1.5}], [False, True])
    """
    bits = {name: -log_probabilities / np.log(2) for name, log_probabilities in scored.items()}
    return {
        "characters": [" " if character == " " else shown(character) for character in text],
        "breaks": [character == "\n" for character in text],
        "models": [
            {"name": name, "bits": each.round(4).tolist(), "mean": float(each.mean())}
            for name, each in bits.items()
        ],
        "full": FULL,
    }


def worked_quality(nats: float, own: float | None, characters: int, column: str) -> str | None:
    """Return the formula of one number of a model's row, filled in; None for a column that has none.

    `nats` were measured a held-out character; `own` is the sum of -ln p over the learner's characters.
    """
    if column == "bits, held out":
        return rf"\frac{{{number(nats)}\text{{ nats}}}}{{\ln 2}} = {number(nats / np.log(2))}\text{{ bits}}"
    if column == "perplexity, held out":
        return rf"e^{{{number(nats)}}} = {number(np.exp(nats))}"
    if column == "bits, your text" and own is not None:
        return (
            r"\frac{-\sum_i \ln p_i}{n \ln 2} = "
            rf"\frac{{{number(own)}}}{{{characters} \ln 2}} = {number(own / characters / np.log(2))}"
        )
    return None
