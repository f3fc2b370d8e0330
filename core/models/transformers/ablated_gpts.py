"""The small GPTs of the course that were trained without a piece each, and what they lose by it.

    loss of a play = mean of -ln p(y_t | x_1..x_t) over the windows at the start of its held-out part, in nats
    a piece's cost = mean over plays of (loss without it - loss of the whole), both of the same play
    standard error = s / sqrt(n)               s: the standard deviation of the n plays' differences

An interval over plays says how far other plays could have moved the mean, not how far another training could have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from scipy.stats import t as student
from torch import Tensor
from torch.nn import functional

from core.models.self_attention.attentive_models import AttentiveModel
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.stored import load_json, load_weights
from core.models.stored_language_models import encode_characters
from core.models.stored_network import with_weights
from core.models.transformers.ablated_gpt import FORMS, WHOLE, AblatedGPT

NAME = "ablated_gpts"
COVERED = 0.95  # of the intervals


@torch.inference_mode()
def window_loss(network: GPT, ids: Tensor, window: int) -> float:
    """Return the mean of -ln p of the tokens of `ids` (n,), each window of them read by itself, in nats a token."""
    x, y = (part.unfold(0, window, window) for part in (ids[:-1], ids[1:]))  # (windows, T)
    logits, _ = network(x)
    return functional.cross_entropy(logits.flatten(0, 1).double(), y.flatten()).item()


@dataclass(frozen=True)
class Interval:
    """A mean, its standard error, and the 95% interval of Student's t around it."""

    mean: float
    error: float
    low: float
    high: float


def interval_of_mean(differences: Sequence[float]) -> Interval:
    """Return the mean of differences with its interval; they are of one thing each, such as a play.

    >>> found = interval_of_mean([1.0, 2.0, 3.0])
    >>> found.mean, round(found.error, 3), round(found.low, 2), round(found.high, 2)
    (2.0, 0.577, -0.48, 4.48)
    """
    n, mean = len(differences), float(np.mean(differences))
    error = float(np.std(differences, ddof=1) / np.sqrt(n))
    reach = errors_covered(n) * error
    return Interval(mean, error, mean - reach, mean + reach)


@cache
def errors_covered(n: int) -> float:
    """Return how many standard errors Student's interval around the mean of n numbers reaches to either side.

    >>> round(errors_covered(3), 3)
    4.303
    """
    return float(student.ppf((1 + COVERED) / 2, n - 1))


def costs(losses: Mapping[str, Sequence[float]]) -> dict[str, Interval]:
    """Return what each form's plays lose more than the whole's, play by play; `losses` has all forms' by play.

    >>> round(costs({WHOLE: [1.0, 2.0], "no norm": [1.5, 2.7]})["no norm"].mean, 3)
    0.6
    """
    whole = np.array(losses[WHOLE])
    return {form: interval_of_mean(np.array(each) - whole) for form, each in losses.items() if form != WHOLE}


def cut(whole: AblatedGPT, form: str) -> AblatedGPT:
    """Return a trained whole GPT with a form's pieces left out or moved after training: its other weights stay."""
    network = AblatedGPT(whole.config, FORMS[form])
    kept = network.state_dict().keys()
    weights = {key: tensor for key, tensor in whole.state_dict().items() if key in kept}
    if not FORMS[form].positions:
        weights["position_embedding.weight"] = torch.zeros_like(weights["position_embedding.weight"])
    network.load_state_dict(weights)
    return network.requires_grad_(False).eval()


@cache
def stored_ablated_gpt(form: str) -> AttentiveModel:
    """Return the stored model of a form, a key of FORMS, ready to read. Raises FileNotFoundError if it is not here."""
    described, vocabulary = load_json(NAME, "shape"), tuple(load_json(NAME, "vocabulary"))
    network = AblatedGPT(GPTConfig(**described["shape"]), FORMS[form])
    return AttentiveModel(
        form,
        f"A small GPT on the characters of the plays: {form}.",
        with_weights(network, load_weights(NAME), f"{form}."),
        vocabulary,
        lambda text: encode_characters(vocabulary, text),
        (described["start"],),
    )


@dataclass(frozen=True)
class Trainings:
    """What was recorded of all trainings, each form's in order of the seeds.

    `curves` are the mean losses of every `every` steps; `losses` are nats a character on each held-out play, of which the
    first `characters` are read; `cuts` are those of the trained whole with a piece left out afterwards.
    """

    curves: dict[str, list[np.ndarray]]
    losses: dict[str, list[np.ndarray]]
    cuts: dict[str, np.ndarray]
    every: int
    characters: int


@cache
def stored_trainings() -> Trainings:
    """Return what was recorded while the stored models were trained. Raises FileNotFoundError if it is not here."""
    described, curves, losses = load_json(NAME, "shape"), {}, {}
    for run in load_json(NAME, "runs"):
        curves.setdefault(run["form"], []).append(np.array(run["curve"]))
        losses.setdefault(run["form"], []).append(np.array(run["held out"]))
    cuts = {form: np.array(each) for form, each in load_json(NAME, "cuts").items()}
    return Trainings(curves, losses, cuts, described["bin"], described["held out"])


def text_loss(model: AttentiveModel, text: str, most: int = 1024) -> tuple[float, int]:
    """Return the mean of -ln p of the first characters of a text, in nats, and how many those are, at most `most`.

    They are read in windows of the model's context, the start token before the first; what does not fill a window is
    left out, unless it is the only one. Without a character that the model knows both are nought.
    """
    ids = torch.tensor((*model.before, *model.encode(text[: 2 * most]).ids[:most]))
    window = min(model.context, len(ids) - 1)
    if window < 1:
        return 0.0, 0
    return window_loss(model.network, ids, window), (len(ids) - 1) // window * window
