"""Train a character model on the learner's own text, small enough to watch: its loss and its samples as it learns.

    training characters | held-out characters (the last tenth)

The loss on the training text keeps falling; where the loss on the held-out text stops, the model has begun to
learn the text by heart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite

import numpy as np
import torch
from torch import Tensor, nn

from core.models.fit_language_model import FitConfig, Fitting, next_token_loss, shifted
from core.models.neural_language_model import NeuralLanguageModel
from core.models.sampling import Settings, generate
from core.models.stored_language_models import build
from core.text.vocabulary import Vocabulary

LEAST = 200  # characters; below it there is nothing to hold out
CHARACTERS = 200  # the most different characters that are told apart
UNKNOWN = "\N{REPLACEMENT CHARACTER}"

SHAPES = {
    "feed-forward": {"context": 8, "embedding": 16, "hidden": 128},
    "recurrent": {"cell": "gru", "width": 96},
    "gpt": {"context": 64, "layers": 2, "heads": 4, "width": 64},
}


class TrainingError(ValueError):
    """A text cannot be trained on, or the numbers grew beyond bounds; the message says what to change."""


@dataclass(frozen=True)
class CharacterConfig:
    """What to train and for how long; `network` is a key of SHAPES, `shape` changes some of its numbers."""

    network: str = "gpt"
    shape: dict = field(default_factory=dict)
    steps: int = 600
    batch: int = 16
    window: int = 64
    seed: int = 1
    sample_length: int = 160
    snapshots: int = 20


@dataclass(frozen=True)
class CharacterProgress:
    """How far a training is: losses in nats a character, the mean since the last report and on the held-out text.

    `sample` is what the model writes now, from nothing, with the same luck each time; `weights` are its float16
    weights, so that this moment can be visited again.
    """

    step: int
    steps: int
    loss: float
    held_out_loss: float
    characters_per_second: float
    seconds_left: float
    sample: str
    weights: dict[str, np.ndarray]

    @property
    def share(self) -> float:
        """The part of the training that is done, between 0 and 1."""
        return self.step / self.steps


@dataclass(frozen=True)
class CharacterFit:
    """What came of it: how to build the network, its vocabulary, and every snapshot, the last one final.

    `unknown_share` is the part of the characters that were too rare to be told apart.
    """

    network: str
    shape: dict
    vocabulary: tuple[str, ...]
    snapshots: tuple[CharacterProgress, ...]
    unknown_share: float

    def model(self, snapshot: int = -1) -> NeuralLanguageModel:
        """Return the model as it was at a snapshot, ready to be sampled and measured."""
        network = build(self.network, self.shape)
        weights = self.snapshots[snapshot].weights
        network.load_state_dict({name: torch.from_numpy(array).float() for name, array in weights.items()})
        return NeuralLanguageModel(network.requires_grad_(False), self.vocabulary, start_of(self.vocabulary))


Report = Callable[[CharacterProgress], bool | None]


def fit_characters(report: Report, text: str, config: CharacterConfig | None = None) -> CharacterFit:
    """Train a character model on a text and return it with its snapshots; for a worker process.

    `report` is called before the first step, then about `config.snapshots` times; training ends early, with
    what has been learned, when it returns False. Raises TrainingError for a text of fewer than 200 characters, one
    without two different characters, and when the loss grows beyond bounds.
    """
    config = config or CharacterConfig()
    vocabulary = Vocabulary.of(text, max_size=CHARACTERS, unknown=UNKNOWN)
    if len(text) < LEAST or len(vocabulary) < 3:
        raise TrainingError(
            f"There is too little to learn from: give at least {LEAST} characters of real text."
        )
    torch.manual_seed(config.seed)
    shape = {"vocabulary_size": len(vocabulary), **SHAPES[config.network], **config.shape}
    network = build(config.network, shape)
    ids = torch.from_numpy(vocabulary.encode(text))
    snapshots = []
    for progress in training(network, ids, vocabulary.types, config):
        snapshots.append(progress)
        if report(progress) is False:
            break
    unknown = vocabulary.counts[0] / len(text)
    return CharacterFit(config.network, shape, vocabulary.types, tuple(snapshots), unknown)


def training(
    network: nn.Module, ids: Tensor, vocabulary: tuple[str, ...], config: CharacterConfig
) -> Iterator[CharacterProgress]:
    """Train, and yield how far it is at the start, now and then, and at the end."""
    cut = int(0.9 * len(ids))
    window = max(4, min(config.window, len(ids) - cut - 1))
    fit = FitConfig(config.steps, config.batch, window, warm_up=min(20, config.steps), seed=config.seed)
    fitting = Fitting(network, ids[:cut], fit)
    every = max(1, config.steps // config.snapshots)
    losses, began = [], time.monotonic()
    while True:
        if fitting.step_count % every == 0 or fitting.done:
            pace = (time.monotonic() - began) / max(1, fitting.step_count)
            held_out = loss_on(network, ids[cut:], window)
            loss = float(np.mean(losses)) if losses else loss_on(network, ids[:cut], window)
            if not isfinite(loss):
                raise TrainingError("The loss grew beyond bounds: train with a smaller network or more text.")
            sample = write(network, vocabulary, config)
            speed = config.batch * window / pace if fitting.step_count else 0.0
            left = pace * (config.steps - fitting.step_count)
            weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
            yield CharacterProgress(
                fitting.step_count, config.steps, loss, held_out, speed, left, sample, weights
            )
            losses = []
        if fitting.done:
            return
        losses.append(fitting.step())


@torch.no_grad()
def loss_on(network: nn.Module, ids: Tensor, window: int, most: int = 64) -> float:
    """Return the mean loss over windows spread evenly over a text, at most 64 of them, in nats a character."""
    starts = torch.linspace(0, len(ids) - window - 1, min(most, len(ids) // window)).long()
    return next_token_loss(network, *shifted(ids, starts, window)).item()


def write(network: nn.Module, vocabulary: tuple[str, ...], config: CharacterConfig) -> str:
    """Return what the network writes after nothing, at temperature 0.8, always with the same luck."""
    model = NeuralLanguageModel(network, vocabulary, start_of(vocabulary))
    steps = generate(model, [], config.sample_length, Settings(temperature=0.8), config.seed)
    return "".join(vocabulary[step.token] for step in steps)


def start_of(vocabulary: tuple[str, ...]) -> int:
    """Return the id that stands before a text: the line end where there is one, else the unknown character."""
    return vocabulary.index("\n") if "\n" in vocabulary else 0
