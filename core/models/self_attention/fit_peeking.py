"""Train one small GPT that may not peek and one that may, on the same text, batches and seed, and compare them.

    training loss     each as it was trained: the one that peeks sees its answers
    honest loss       both under the causal mask, on held-out text: what each knows when nothing comes after

When a model writes, the next character does not exist yet. So the weights that learned to look it up are
measured, and write, in a GPT whose mask is right.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import isfinite
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from core.models.fit_language_model import FitConfig, Fitting
from core.models.generation.character_split import parts
from core.models.generation.fit_characters import (
    SHAPES,
    TrainingError,
    measured_loss,
    start_of,
    vocabulary_of,
)
from core.models.generation.sampling import SamplingSettings, generate
from core.models.neural_language_model import NeuralLanguageModel
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.peeking import NO_MASK, NO_SHIFT, masked_again, peeking

RUNS = Path(__file__).resolve().parents[3] / "assets" / "runs" / "peeking.json"


@dataclass(frozen=True)
class PeekConfig:
    """How the second model may peek, one of peeking.WAYS, and how both are trained."""

    way: str = NO_MASK
    shape: dict = field(default_factory=dict)
    steps: int = 240
    batch: int = 16
    window: int = 32
    seed: int = 1
    sample_length: int = 100
    snapshots: int = 16


@dataclass(frozen=True)
class Learner:
    """One of the two at a moment: its training loss since the last report, its honest loss, what it writes now."""

    training_loss: float
    honest_loss: float
    sample: str


@dataclass(frozen=True)
class PeekProgress:
    """How far the two are, in steps; losses are nats a character."""

    step: int
    steps: int
    seconds_left: float
    honest: Learner
    peeking: Learner


class Unshifted(Fitting):
    """A fitting that asks for the very tokens it reads: y = x."""

    def batch(self) -> tuple[Tensor, Tensor]:
        """Return the windows of the step to come, twice."""
        x, _ = super().batch()
        return x, x


def fit_peeking(
    report: Callable[[PeekProgress], bool | None], text: str, config: PeekConfig | None = None
) -> PeekProgress:
    """Train both on a text and return the last report; for a worker process.

    `report` is called before the first step, then about `config.snapshots` times; training ends early when it
    returns False. Raises TrainingError for a text of fewer than 200 characters, and when a loss grows beyond bounds.
    """
    config = config or PeekConfig()
    vocabulary = vocabulary_of(text)
    for progress in training(vocabulary.encode(text), vocabulary.types, config):
        if report(progress) is False:
            break
    return progress


def training(ids: np.ndarray, vocabulary: tuple[str, ...], config: PeekConfig) -> Iterator[PeekProgress]:
    """Train both side by side, a step each, and yield how far they are at the start, now and then, at the end."""
    seen, held_out = parts(ids)
    whole, peeker = fittings = both(torch.from_numpy(seen), len(vocabulary), config)
    losses, began = [[each.loss().item()] for each in fittings], time.monotonic()
    every = max(1, config.steps // config.snapshots)
    while True:
        step = whole.step_count
        if step % every == 0 or whole.done:
            left = (time.monotonic() - began) / max(1, step) * (config.steps - step)
            states = [
                learner(each, np.mean(lately), held_out, vocabulary, config)
                for each, lately in zip(fittings, losses, strict=True)
            ]
            yield PeekProgress(step, config.steps, left, *states)
            losses = [[], []]
        if whole.done:
            return
        losses[0].append(whole.step())
        losses[1].append(peeker.step())


def both(ids: Tensor, V: int, config: PeekConfig) -> tuple[Fitting, Fitting]:
    """Return the two on their way, from the same weights: the one that may not peek and the one that may."""
    window = min(config.window, len(ids) // 2)
    fit = FitConfig(config.steps, config.batch, window, warm_up=min(20, config.steps), seed=config.seed)
    torch.manual_seed(config.seed)
    model = GPT(GPTConfig(V, **{**SHAPES["gpt"], "context": config.window, **config.shape}))
    kind = Unshifted if config.way == NO_SHIFT else Fitting
    return Fitting(model, ids, fit), kind(peeking(model, config.way), ids, fit)


def learner(
    fitting: Fitting, loss: float, held_out: np.ndarray, vocabulary: tuple[str, ...], config: PeekConfig
) -> Learner:
    """Return how one of the two is doing: measured, and writing, under the right mask, however it was trained."""
    if not isfinite(loss):
        raise TrainingError("The loss grew beyond bounds: give more text.")
    model = NeuralLanguageModel(masked_again(fitting.model), vocabulary, start_of(vocabulary))
    steps = generate(model, [], config.sample_length, SamplingSettings(temperature=0.8), config.seed)
    sample = "".join(vocabulary[step.token] for step in steps)
    return Learner(float(loss), measured_loss(model, held_out), sample)


@cache
def recorded_runs() -> dict[str, list[PeekProgress]]:
    """Return the reports of the recorded runs by how the second model peeks: the micro-world, PeekConfig's settings.

    They were written by `python -m core.training.peeking_runs`.
    """
    runs = json.loads(RUNS.read_text(encoding="utf-8"))
    return {way: [recorded(report) for report in reports] for way, reports in runs.items()}


def recorded(report: dict) -> PeekProgress:
    """Return one report as it stood when the run was recorded."""
    learners = {name: Learner(**report[name]) for name in ("honest", "peeking")}
    return PeekProgress(**{**report, **learners})
