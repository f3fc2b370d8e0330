"""Pictures of training on characters: the replay for the browser view, and the networks beside n-grams."""

from __future__ import annotations

from collections.abc import Container, Mapping

import numpy as np
import plotly.graph_objects as go

from core.figures.blank import blank
from core.figures.generation.sampling import shown
from core.figures.palette import BLUE, OCHRE
from core.figures.worked import number
from core.models.generation.fit_characters import CharacterFit, known_words

NEXT = 10  # characters whose probability is followed


def replay_payload(
    fit: CharacterFit,
    expected: np.ndarray,
    prompt: str,
    baseline: tuple[str, float] | None,
    training: int,
    known: Container[str] = (),
) -> dict:
    """Return what the view `training_replay` draws: losses and samples, and p(next) at each snapshot, (S, V).

    Followed are the characters likeliest at the end, and what is left of the probability. `known` are the words of
    the text, `training` tells one training from the next.
    """
    order = np.argsort(-expected[-1], kind="stable")[:NEXT]
    followed = np.column_stack([expected[:, order], 1 - expected[:, order].sum(axis=1)])
    return {
        "training": training,
        "steps": [snapshot.step for snapshot in fit.snapshots],
        "total": fit.snapshots[-1].step,
        "loss": [snapshot.loss for snapshot in fit.snapshots],
        "heldOut": [snapshot.held_out_loss for snapshot in fit.snapshots],
        "baseline": baseline and {"name": baseline[0], "value": baseline[1]},
        "samples": [snapshot.sample for snapshot in fit.snapshots],
        "known": [known_words(snapshot.sample, known) for snapshot in fit.snapshots],
        "prompt": "".join(map(shown, prompt)),
        "tokens": [*(shown(fit.vocabulary[token]) for token in order), "rest"],
        "expected": np.clip(followed, 0, 1).tolist(),
    }


def baseline_figure(
    ngrams: Mapping[int, float], networks: Mapping[str, float], height: int = 330
) -> go.Figure:
    """Return bits a character on held-out text as bars: the n-grams by n, then networks by name."""
    figure = blank(height, y="bits a character, held out")
    for colour, bars in ((OCHRE, {f"n = {n}": loss for n, loss in ngrams.items()}), (BLUE, networks)):
        bits = [loss / np.log(2) for loss in bars.values()]
        figure.add_trace(
            go.Bar(
                x=list(bars),
                y=bits,
                marker={"color": colour},
                text=[f"{value:.2f}" for value in bits],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{y:.3f} bits<extra></extra>",
                showlegend=False,
            )
        )
    figure.update_xaxes(type="category")
    return figure


def worked_bits(nats: float, column: str) -> str | None:
    r"""Return the formula of a loss in bits or as a perplexity, filled in; None for other columns.

    >>> worked_bits(1.0, "bits a character")
    '\\frac{1\\text{ nats}}{\\ln 2} = 1.443\\text{ bits}'
    """
    if column == "bits a character":
        return rf"\frac{{{number(nats)}\text{{ nats}}}}{{\ln 2}} = {number(nats / np.log(2))}\text{{ bits}}"
    if column == "perplexity":
        return rf"e^{{{number(nats)}}} = {number(np.exp(nats))}"
    return None
