"""What a training on characters leaves: its snapshots, and the model as it was at each of them."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

from core.models.generation.character_split import start_of
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored_language_models import build
from core.models.stored_network import with_weights
from core.text.tokenization.tokens import words

RISEN = 0.01  # nats; less is no sign of anything


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

    @property
    def parameters(self) -> int:
        """How many numbers were learnt."""
        return sum(array.size for array in self.snapshots[-1].weights.values())

    @property
    def risen(self) -> tuple[int, float] | None:
        """The step whose held-out loss was lowest, and by how many nats it has risen since while training's fell."""
        best = min(self.snapshots, key=lambda snapshot: snapshot.held_out_loss)
        last = self.snapshots[-1]
        risen = last.held_out_loss - best.held_out_loss
        return (best.step, risen) if risen > RISEN and last.loss < best.loss else None

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
    return NeuralLanguageModel(with_weights(build(network, shape), weights), vocabulary, start_of(vocabulary))


def load_characters(path: Path | str) -> NeuralLanguageModel:
    """Return the model of a file that `CharacterFit.safetensors` made."""
    with safe_open(path, "numpy") as file:
        about = {name: json.loads(value) for name, value in file.metadata().items()}
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dictionary
    return rebuilt(about["network"], about["shape"], tuple(about["vocabulary"]), weights)


def known_words(sample: str, known: Container[str]) -> float:
    """Return the share of a sample's words that are known; 0 when it has none. The last may be cut off: it is left out.

    >>> known_words("the cax sat o", {"the", "cat", "sat"})
    0.6666666666666666
    """
    written = words(sample)[:-1]
    return sum(word in known for word in written) / max(1, len(written))
