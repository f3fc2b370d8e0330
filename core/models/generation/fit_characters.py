"""Train a character model on the learner's own text, small enough to watch: its loss and its samples as it learns.

    training characters | held-out characters (new lines of the last tenth)

The loss on the training text keeps falling; where the loss on the held-out text stops, the model has begun to
learn the text by heart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np
import torch
from torch import nn

from core.models.fit_language_model import FitConfig, Fitting
from core.models.generation import WORDS
from core.models.generation.character_fit import CharacterFit, CharacterProgress
from core.models.generation.character_split import hold_out, measured_loss, start_of, vocabulary_of
from core.models.generation.sampling import SamplingSettings, generate
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored_language_models import build
from core.models.training_error import TrainingError

IN_A_STEP = 1024  # characters read in one step, whatever the window
SECONDS = 0.5  # between two reports

SHAPES = {
    "feed-forward": {"context": 8, "embedding": 16, "hidden": 128},
    "recurrent": {"cell": "gru", "width": 96},
    "gpt": {"context": 64, "layers": 2, "heads": 4, "width": 64},
}


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


def looking_back(network: str, characters: int, **settings) -> CharacterConfig:
    """Return the configuration of a network that is to look back at so many characters.

    For a GPT it is the context, for a feed-forward network the window of its first layer; a recurrent network's
    state has no such limit, but its gradient goes back no further. A step reads about 1,024 characters in any case.

    >>> looking_back("gpt", 32).shape, looking_back("gpt", 32).batch
    ({'context': 32}, 32)
    """
    shape = {} if network == "recurrent" else {"context": characters}
    window = 64 if network == "feed-forward" else characters
    return CharacterConfig(network, shape, batch=max(1, IN_A_STEP // window), window=window, **settings)


def snapshot_steps(steps: int, snapshots: int) -> list[int]:
    """Return the steps after which a snapshot is taken: close together at first, when most is learnt.

    >>> snapshot_steps(100, 5)
    [0, 4, 16, 36, 64, 100]
    """
    return sorted({round(steps * (i / snapshots) ** 2) for i in range(snapshots + 1)})


Report = Callable[[CharacterProgress], bool | None]


def fit_characters(report: Report, text: str, config: CharacterConfig | None = None) -> CharacterFit:
    """Train a character model on a text and return it with its snapshots; for a worker process.

    `report` is called at every snapshot and twice a second; training ends early, with what has been learned, when
    it returns False. Raises TrainingError for a text of fewer than 200 characters, one without two different
    characters, and when the loss grows beyond bounds.
    """
    config = config or CharacterConfig()
    vocabulary = vocabulary_of(text)
    torch.manual_seed(config.seed)
    shape = {"vocabulary_size": len(vocabulary), **SHAPES[config.network], **config.shape}
    training = CharacterTraining(
        build(config.network, shape), vocabulary.types, hold_out(text).encode(vocabulary), config
    )
    snapshots = training.run(report)
    unknown = vocabulary.counts[0] / len(text)
    return CharacterFit(config.network, shape, vocabulary.types, tuple(snapshots), unknown)


class CharacterTraining:
    """A training on its way: the network, the two parts of the text, and since when it runs."""

    def __init__(
        self,
        network: nn.Module,
        vocabulary: tuple[str, ...],
        parts: tuple[np.ndarray, np.ndarray],
        config: CharacterConfig,
    ):
        self.config = config
        self.model = NeuralLanguageModel(network, vocabulary, start_of(vocabulary))
        self.training, self.held_out = parts
        window = min(config.window, len(self.training) // 2)
        fit = FitConfig(config.steps, config.batch, window, warm_up=min(20, config.steps), seed=config.seed)
        self.fitting = Fitting(network, torch.from_numpy(self.training), fit)
        self.began = time.monotonic()

    def run(self, report: Report) -> list[CharacterProgress]:
        """Take all steps, or fewer when `report` returns False, and return the snapshots."""
        due = set(snapshot_steps(self.config.steps, self.config.snapshots))
        snapshots, reported = [self.snapshot()], time.monotonic()
        going = report(replace(snapshots[0], weights=None)) is not False
        while going and not self.fitting.done:
            if not isfinite(self.fitting.step()):
                raise TrainingError(WORDS.label("fit_characters.diverged"))
            if self.fitting.step_count in due:
                snapshots.append(self.snapshot())
            elif time.monotonic() - reported < SECONDS:
                continue
            reported = time.monotonic()
            going = report(replace(snapshots[-1], weights=None, **self.pace())) is not False
        if snapshots[-1].step < self.fitting.step_count:
            snapshots.append(self.snapshot())
        return snapshots

    def pace(self) -> dict:
        """Return how far and how fast the training is."""
        step, config = self.fitting.step_count, self.config
        seconds = (time.monotonic() - self.began) / max(1, step)
        return {
            "step": step,
            "characters_per_second": config.batch * self.fitting.config.window / seconds if step else 0.0,
            "seconds_left": seconds * (config.steps - step),
        }

    def snapshot(self) -> CharacterProgress:
        """Measure and sample the model as it is now."""
        losses = [measured_loss(self.model, part) for part in (self.training, self.held_out)]
        weights = {name: tensor.half().numpy() for name, tensor in self.model.network.state_dict().items()}
        pace = self.pace()
        return CharacterProgress(
            pace.pop("step"), self.config.steps, *losses, **pace, sample=self.write(), weights=weights
        )

    def write(self) -> str:
        """Return what the model writes after nothing, at temperature 0.8, always with the same luck."""
        steps = generate(
            self.model, [], self.config.sample_length, SamplingSettings(temperature=0.8), self.config.seed
        )
        return "".join(self.model.vocabulary[step.token] for step in steps)
