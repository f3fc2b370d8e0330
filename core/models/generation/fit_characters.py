"""Train a character model on the learner's own text, small enough to watch: its loss and its samples as it learns.

    training characters | held-out characters (the last tenth)

The loss on the training text keeps falling; where the loss on the held-out text stops, the model has begun to
learn the text by heart.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import save
from torch import nn

from core.models.fit_language_model import FitConfig, Fitting
from core.models.generation.sampling import Settings, generate
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.neural_language_model import NeuralLanguageModel, average_log_probability
from core.models.stored_language_models import CountedLanguageModel, build
from core.text.tokenization.tokens import words
from core.text.tokenization.vocabulary import Vocabulary

LEAST = 200  # characters; below it there is nothing to hold out
MEASURED = 4000  # characters of either part on which the losses are measured
CHARACTERS = 200  # the most different characters that are told apart
IN_A_STEP = 1024  # characters read in one step, whatever the window
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
SECONDS = 0.5  # between two reports

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
    """How far a training is: losses in nats a character, on training text and on held-out text.

    `sample` is what the model writes now, from nothing, with the same luck each time; `weights` are its float16
    weights, so that this moment can be visited again. Reports carry none, and between snapshots the losses and
    the sample of the last one.
    """

    step: int
    steps: int
    loss: float
    held_out_loss: float
    characters_per_second: float
    seconds_left: float
    sample: str
    weights: dict[str, np.ndarray] | None = None

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
        return rebuilt(self.network, self.shape, self.vocabulary, self.snapshots[snapshot].weights)

    def expected(self, ids: Sequence[int]) -> np.ndarray:
        """Return p(next | ids) at every snapshot, (S, V)."""
        return np.exp([self.model(i).log_probabilities(ids) for i in range(len(self.snapshots))])

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's characters, 0 for those that the vocabulary lacks."""
        place = {character: i for i, character in enumerate(self.vocabulary)}
        return [place.get(character, 0) for character in text]

    def safetensors(self, snapshot: int = -1) -> bytes:
        """Return the weights as a safetensors file that `load_characters` reads back."""
        about = {"network": self.network, "shape": self.shape, "vocabulary": self.vocabulary}
        metadata = {name: json.dumps(value) for name, value in about.items()}
        return save(self.snapshots[snapshot].weights, metadata)


def rebuilt(network: str, shape: dict, vocabulary: tuple[str, ...], weights: dict) -> NeuralLanguageModel:
    """Return the model that some weights make."""
    built = build(network, shape)
    built.load_state_dict({name: torch.from_numpy(array).float() for name, array in weights.items()})
    return NeuralLanguageModel(built.requires_grad_(False), vocabulary, start_of(vocabulary))


def load_characters(path: Path | str) -> NeuralLanguageModel:
    """Return the model of a file that `CharacterFit.safetensors` made."""
    with safe_open(path, "numpy") as file:
        about = {name: json.loads(value) for name, value in file.metadata().items()}
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dictionary
    return rebuilt(about["network"], about["shape"], tuple(about["vocabulary"]), weights)


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


def vocabulary_of(text: str) -> Vocabulary:
    """Return a text's characters. Raises TrainingError where there are too few to learn from."""
    vocabulary = Vocabulary.of(text, max_size=CHARACTERS, unknown=UNKNOWN)
    if len(text) < LEAST or len(vocabulary) < 3:
        raise TrainingError(
            f"There is too little to learn from: give at least {LEAST} characters of real text."
        )
    return vocabulary


def parts(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a text's first nine tenths, to train on, and its last tenth, held out."""
    cut = int(0.9 * len(ids))
    return ids[:cut], ids[cut:]


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
        build(config.network, shape), vocabulary.types, vocabulary.encode(text), config
    )
    snapshots = training.run(report)
    unknown = vocabulary.counts[0] / len(text)
    return CharacterFit(config.network, shape, vocabulary.types, tuple(snapshots), unknown)


class CharacterTraining:
    """A training on its way: the network, the two parts of the text, and since when it runs."""

    def __init__(
        self, network: nn.Module, vocabulary: tuple[str, ...], ids: np.ndarray, config: CharacterConfig
    ):
        self.config = config
        self.model = NeuralLanguageModel(network, vocabulary, start_of(vocabulary))
        self.training, self.held_out = parts(ids)
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
                raise TrainingError("The loss grew beyond bounds: train with a smaller network or more text.")
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
            self.model, [], self.config.sample_length, Settings(temperature=0.8), self.config.seed
        )
        return "".join(self.model.vocabulary[step.token] for step in steps)


def measured_loss(model: NeuralLanguageModel | CountedLanguageModel, ids: np.ndarray) -> float:
    """Return the mean of -ln p over the first 4,000 characters, in nats a character."""
    return -average_log_probability(model, [ids[:MEASURED]])


def ngram_losses(text: str, orders: range) -> dict[int, float]:
    """Return the loss of modified Kneser-Ney n-grams for each n, {n: nats a character}: what counting reaches.

    Counted on the same nine tenths, measured on the same held-out characters, with the same vocabulary as the
    networks. Raises TrainingError for a text with too little in it.
    """
    vocabulary = vocabulary_of(text)
    training, held_out = parts(vocabulary.encode(text))
    counts = count_ngrams(training, vocabulary.types, max(orders))
    start = start_of(vocabulary.types)
    return {n: measured_loss(CountedLanguageModel(kneser_ney(counts, n), start), held_out) for n in orders}


def known_words(sample: str, known: Container[str]) -> float:
    """Return the share of a sample's words that are known; 0 when it has none. The last may be cut off: it is left out.

    >>> known_words("the cax sat o", {"the", "cat", "sat"})
    0.6666666666666666
    """
    written = words(sample)[:-1]
    return sum(word in known for word in written) / max(1, len(written))


def start_of(vocabulary: tuple[str, ...]) -> int:
    """Return the id that stands before a text: the line end where there is one, else the unknown character."""
    return vocabulary.index("\n") if "\n" in vocabulary else 0
