"""One step of negative sampling as tables and formulas: dot products, sigmoids, loss, gradients, update."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.worked import dot_product, enough_digits, number, word
from core.models.word_vectors.negative_sampling import Step

STAGES = (
    "the dot product of v with each output vector",
    "the sigmoid of each: the probability of being a true pair",
    "the loss: how far the probabilities are from 1 for the true word and from 0 for the noise",
    "the gradient of v: each output vector, weighed with its error",
    "the update: every vector moves a little against its gradient",
)


def step_table(step: Step, context: str, negatives: Sequence[str]) -> pd.DataFrame:
    """Return one row a pair: the word, whether it is true, v.u, its sigmoid, the error and the loss it adds."""
    dots = np.array([step.dot, *step.negative_dots])
    sigmoids = np.array([step.sigmoid, *step.negative_sigmoids])
    labels = np.array([1.0] + [0.0] * len(negatives))
    signs = np.where(labels == 1, 1, -1)
    return pd.DataFrame(
        {
            "word": [context, *negatives],
            "true pair": labels.astype(int),
            "v·u": dots,
            "σ(v·u)": sigmoids,
            "error": sigmoids - labels,
            "loss": np.logaddexp(0, -signs * dots),
        }
    )


def stage_formula(step: Step, stage: int, centre: str, context: str) -> str:
    """Return the formula of a stage (0 to 4), filled in with the numbers of the true pair."""
    rate, first = step.learning_rate, slice(3)
    vector = [number(float(x), 3) for x in step.v[first]]
    slope = (step.sigmoid - 1) * step.context + step.negative_sigmoids @ step.negatives  # (d,)
    gradient = [number(float(x), 3) for x in slope[first]]
    digits = enough_digits(step.loss, step.new_loss)
    loss, new_loss = number(step.loss, digits), number(step.new_loss, digits)
    share = rf"\frac{{{number(rate)}}}{{{len(step.centre)}}}" if step.centre.ndim == 2 else number(rate)
    return (
        rf"v \cdot u_{{{word(context)}}} = {dot_product(step.v, step.context)}",
        rf"\sigma({number(step.dot)}) = \frac{{1}}{{1 + e^{{{number(-step.dot)}}}}} = {number(step.sigmoid)}",
        rf"L = -\ln {number(step.sigmoid)} - \sum_n \ln(1 - \sigma_n) = {loss}",
        rf"\frac{{\partial L}}{{\partial v}} = ({number(step.sigmoid)} - 1)\,u_{{{word(context)}}} + "
        rf"\sum_n \sigma_n u_n = ({', '.join(gradient)}, \dots)",
        rf"v_{{{word(centre)}}} \leftarrow ({', '.join(vector)}, \dots) - {share} \cdot "
        rf"({', '.join(gradient)}, \dots) \qquad L: {loss} \to {new_loss}",
    )[stage]


def before_training(step: Step) -> dict[str, str]:
    """Return what the tour says of a step whose output vectors are all still 0; nothing of any other."""
    halves = still = ""
    if not step.context.any() and not step.negatives.any():
        k = 1 + len(step.negatives)
        each = "each of the {k} probabilities is one half: the loss is {k} · ln 2"
        if k == 1:
            each = "the probability is one half: the loss is ln 2"
        halves = f"Before any training every output vector is 0, so {each.format(k=k)}."
        still = "In this very first step only the output vectors move: all of them are 0, and with them the gradient of v."
    return {"halves": halves, "still": still}
