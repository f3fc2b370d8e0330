"""Pictures of training on characters: the replay for the browser view, and the networks beside n-grams."""

from __future__ import annotations

from collections.abc import Container, Mapping

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.generation.sampling import shown
from core.figures.palette import BLUE, GREY, OCHRE
from core.figures.worked import number
from core.models.generation.character_fit import CharacterFit, known_words
from core.models.language_model import bits

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
    ngrams: Mapping[int, float],
    networks: Mapping[str, float],
    height: int = 300,
    shuffled: Mapping[int, float] | None = None,
) -> Figure:
    """Return bits a character on held-out text as bars: the n-grams by n, also of the shuffled text, then networks."""
    figure = blank(height, y="bits a character, held out")
    groups = [("n-grams of the text", OCHRE, ngrams), ("n-grams, shuffled", GREY, shuffled or {})]
    groups = [(name, colour, {f"n = {n}": loss for n, loss in by_n.items()}) for name, colour, by_n in groups]
    for label, colour, bars in (*groups, ("networks", BLUE, networks)):
        each = [float(bits(-loss)) for loss in bars.values()]
        figure.add_trace(
            bar(
                x=list(bars),
                y=each,
                name=label,
                marker={"color": colour},
                text=[f"{value:.2f}" for value in each],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{x}: %{y:.3f} bits<extra></extra>",
                showlegend=bool(shuffled) and bool(bars),
            )
        )
    figure.update_layout(barmode="group")
    figure.update_xaxes(type="category")
    return figure


def worked_bits(nats: float, column: str) -> str | None:
    r"""Return the formula of a loss in bits or as a perplexity, filled in; None for other columns.

    >>> worked_bits(1.0, "bits a character")
    '\\frac{1\\text{ nats}}{\\ln 2} = 1.443\\text{ bits}'
    """
    if column == "bits a character":
        return rf"\frac{{{number(nats)}\text{{ nats}}}}{{\ln 2}} = {number(float(bits(-nats)))}\text{{ bits}}"
    if column == "perplexity":
        return rf"e^{{{number(nats)}}} = {number(np.exp(nats))}"
    return None
