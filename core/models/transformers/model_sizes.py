"""Four GPTs trained here that differ in nothing but their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored import load_json, load_weights
from core.models.stored_language_models import build, encode_characters
from core.models.stored_network import with_weights
from core.models.transformers.transformer_size import Shape

STORED = "model_sizes"


@cache
def sized_model(name: str) -> NeuralLanguageModel:
    """Return one of the four, by the name of its shape. Raises StoredModelError when they are not there."""
    network = with_weights(build("gpt", load_json(STORED, "shapes")[name]), load_weights(STORED), f"{name}.")
    return NeuralLanguageModel(network, load_json(STORED, "vocabulary"), load_json(STORED, "start"))


@dataclass(frozen=True)
class SizedRun:
    """One of the four: its name and shape, its held-out loss by piece, and (characters read, loss) along its training."""

    name: str
    shape: Shape
    by_piece: np.ndarray
    along: tuple[tuple[int, float], ...]

    @property
    def loss(self) -> float:
        """Nats a character on the held-out pieces, all equally long."""
        return float(self.by_piece.mean())


@cache
def sized_runs() -> tuple[SizedRun, ...]:
    """Return the four as they were measured when they were stored, the smallest first."""
    recorded = load_json(STORED, "runs")
    read = recorded["characters a step"]
    return tuple(
        SizedRun(
            name,
            Shape(**shape, biases=False),
            np.array(recorded["held-out nats by piece"][name]),
            tuple((step * read, loss) for step, loss in recorded["held-out nats by step"][name]),
        )
        for name, shape in load_json(STORED, "shapes").items()
    )


def losses_on(text: str) -> tuple[int, list[float]]:
    """Return how many characters of a text the four can read, and each one's nats a character on them."""
    prompt = encode_characters(load_json(STORED, "vocabulary"), text)
    if not prompt.ids:
        return 0, []
    with torch.inference_mode():
        models = [sized_model(run.name) for run in sized_runs()]
        return len(prompt.ids), [-float(model.token_log_probabilities(prompt.ids).mean()) for model in models]


def loss_after(along: Sequence[tuple[float, float]], x: float) -> float:
    """Return the loss at a place between two that were measured, on a straight line over ln x.

    >>> loss_after([(100, 3.0), (10_000, 2.0)], 1000)
    2.5
    """
    places, losses = zip(*along, strict=True)
    return float(np.interp(np.log(x), np.log(places), losses))
