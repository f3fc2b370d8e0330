"""How soft the weights of random scores are as d grows: spread, entropy, largest weight, gradient; root or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st
import torch

from core.figures.self_attention.attention_scaling import (
    scores_and_weights,
    softness_by_dimension,
    worked_softness,
)
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.self_attention.attention_scaling import Softness, random_scores, softness

DIMENSIONS = [2**power for power in range(11)]
UNSCALED, SCALED = "q · k", "q · k / √d"
Sweeps = Mapping[str, Sequence[Softness]]


@lru_cache(maxsize=16)
def drawn_scores(keys: int, seed: int) -> dict[int, torch.Tensor]:
    """Return random scores for each number of dimensions; all sessions share them."""
    return {d: random_scores(d, keys=keys, seed=seed) for d in DIMENSIONS}


def sweeps_of(drawn: Mapping[int, torch.Tensor]) -> Sweeps:
    """Return how soft the weights are at each of DIMENSIONS, without the root and with it."""
    return {
        UNSCALED: [softness(scores) for scores in drawn.values()],
        SCALED: [softness(scores / d**0.5) for d, scores in drawn.items()],
    }


def show_dimension(lesson: str, scores: torch.Tensor, d: int, unscaled: Softness, scaled: Softness) -> None:
    """Draw the scores and weights of d dimensions, with their spreads and largest weights."""
    show_figure(
        scores_and_weights(scores.numpy(), d),
        f"{lesson}_scores",
        f"The scores of random queries and keys of {d} dimensions, and the weights of the first query, with and "
        "without the root",
    )
    one, two, three, four = st.columns(4)
    one.metric("Spread of q · k", f"{unscaled.spread:.2f}", f"√d = {d**0.5:.2f}", "off", delta_arrow="off")
    two.metric("Spread with the root", f"{scaled.spread:.2f}")
    three.metric("Largest weight, no root", f"{unscaled.largest:.0%}")
    four.metric("Largest weight, root", f"{scaled.largest:.0%}")


def show_growth(lesson: str, sweeps: Sweeps, d: int) -> None:
    """Draw the spread, entropy and gradient against d, and say where they end."""
    gone, kept = (found[-1].gradient for found in sweeps.values())
    st.markdown(
        "Three measures: the spread (standard deviation) of the scores, the entropy of the weights, and the size of "
        "the softmax's gradient. Without the root the spread grows as $\\sqrt d$ and the entropy falls towards 0 bits "
        "(all the weight on one key). The gradient is greatest where a few keys share the weight: among many keys it "
        f"may rise at first, but at d = {DIMENSIONS[-1]:,} it is down to **{gone:.2g}**. With the root, "
        f"all three stay about where they are, the gradient at **{kept:.2g}**."
    )
    show_figure(
        softness_by_dimension(DIMENSIONS, sweeps, d),
        f"{lesson}_sweep",
        "Spread of the scores, entropy of the weights and size of the gradient against d, with and without the root",
    )


def softness_table(lesson: str, drawn: Mapping[int, torch.Tensor], sweeps: Sweeps) -> None:
    """Show every measure at every d, under "Every number"."""
    table = pd.DataFrame(
        {
            "d": DIMENSIONS,
            "√d": [d**0.5 for d in DIMENSIONS],
            **{
                f"{name}, {label}": [getattr(each, name) for each in found]
                for name in ("spread", "entropy", "largest", "gradient")
                for label, found in sweeps.items()
            },
        }
    )
    every_number(
        lesson,
        "softness by d",
        table,
        lambda row, column: worked_softness(drawn[DIMENSIONS[row]].numpy(), DIMENSIONS[row], column),
    )
