"""The stored bidirectional language model, and the mixes of its layers that were learned for two tasks.

A task's readings are mixes too: of one layer alone, of one direction of it, of all layers, of all layers from one side.
One task tags every word; the other tells noun from verb, of the words alone that training had as both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.stats import t

from core.models.documents.held_out import wilson
from core.models.documents.sign_test import SignTest
from core.models.documents.word_pieces import WordPieces
from core.models.pretraining.bidirectional_language_model import (
    BidirectionalLanguageModel,
    BothWaysConfig,
    BothWaysModel,
)
from core.models.pretraining.layer_mix import LEFT, RIGHT, LayerMix, standardise
from core.models.stored import MODELS, load_json, load_weights
from core.models.stored_network import with_weights

STORED = "bidirectional_lm"
TAGS, NOUN_VERB = "tags", "noun_or_verb"
MIX = "mix"
ALL = (0, 1, 2)
READINGS = {  # name: layers, directions
    "0": ((0,), (LEFT,)),
    "1→": ((1,), (LEFT,)),
    "1←": ((1,), (RIGHT,)),
    "1": ((1,), (LEFT, RIGHT)),
    "2→": ((2,), (LEFT,)),
    "2←": ((2,), (RIGHT,)),
    "2": ((2,), (LEFT, RIGHT)),
    MIX: (ALL, (LEFT, RIGHT)),
    "mix→": (ALL, (LEFT,)),
}
SINGLE = ("0", "1", "2")
# Keys of the qualities in the card.
USUAL_TAG = "noun_or_verb right, the usual tag of each word"
HMM_OF_AS_MANY = "tags right, hidden Markov model of the same sentences"
BROWN_PERPLEXITIES = tuple(
    f"perplexity {way}, Brown corpus" for way in ("from the left", "from the right", "by frequency")
)


@dataclass(frozen=True)
class HeldOutAnswers:
    """How many held-out words or sentences `n` each reading gets right, and of each two, how many the one alone does."""

    n: int
    right: dict[str, int]
    alone: dict[str, dict[str, int]]

    def share(self, reading: str) -> float:
        """Return the share that is right."""
        return self.right[reading] / self.n

    def interval(self, reading: str) -> tuple[float, float]:
        """Return the ends of Wilson's interval at 95%."""
        return wilson(self.right[reading], self.n)

    def compared(self, one: str, other: str) -> SignTest:
        """Return the sign test of two readings."""
        return SignTest(self.alone[one][other], self.alone[other][one])


@dataclass(frozen=True)
class Elmo:
    """The language model, and for each task its mixes by reading, the mix's s of samples drawn again, and the held-out.

    `forms` are the words, in lower case, that were noun and verb in training.
    """

    model: BothWaysModel
    mixes: dict[str, dict[str, LayerMix]]
    again: dict[str, np.ndarray]
    held_out: dict[str, HeldOutAnswers]
    forms: frozenset[str] = frozenset()

    def asked(self, task: str, words: Sequence[str]) -> list[bool]:
        """Return which words a task classifies: all of them, or those that can be noun and verb."""
        return [task == TAGS or word.lower() in self.forms for word in words]

    def weight_ends(self, task: str) -> np.ndarray:
        """Return the ends of each s_j's 95% interval, (3, 2): s_j -+ t sd of what samples drawn again gave."""
        drawn = self.again[task]
        reach = t.ppf(0.975, len(drawn) - 1) * drawn.std(axis=0, ddof=1)
        middle = self.mixes[task][MIX].s
        return np.stack([middle - reach, middle + reach], axis=1).clip(0, 1)

    def layers(self, words: Sequence[str]) -> np.ndarray:
        """Return the normalised layers (3, 2, n, C) of a sentence."""
        return standardise(self.model.read(words).layers)


@cache
def load_elmo(folder: Path = MODELS) -> Elmo:
    """Return the stored model, ready to read."""
    weights, shape = load_weights(STORED, folder), load_json(STORED, "shape", folder)
    pieces = WordPieces(tuple(load_json(STORED, "pieces", folder)), shape["longest"])
    model = both_ways_model(weights, pieces, load_json(STORED, "words", folder))
    mixes = {
        task: {reading: stored_mix(weights, task, reading, classes) for reading in READINGS}
        for task, classes in shape["classes"].items()
    }
    again = {task: weights[f"{task}.again"].astype(float) for task in mixes}
    held_out = {
        task: HeldOutAnswers(**found) for task, found in load_json(STORED, "held_out", folder).items()
    }
    forms = frozenset(load_json(STORED, "forms", folder))
    return Elmo(model, mixes, again, held_out, forms)


def both_ways_model(weights: dict[str, np.ndarray], pieces: WordPieces, words: list[str]) -> BothWaysModel:
    """Return the language model of stored weights, named network.*."""
    R, C = weights["network.embedding.weight"].shape
    network = BidirectionalLanguageModel(BothWaysConfig(R, len(words), C))
    return BothWaysModel(with_weights(network, weights, "network."), pieces, tuple(words))


def mix_arrays(task: str, reading: str, mix: LayerMix) -> dict[str, np.ndarray]:
    """Return a mix's numbers as they are stored."""
    numbers = {"u": mix.u, "gamma": np.array([mix.gamma]), "W": mix.W, "b": mix.b}
    return {f"{task}.{reading}.{name}": np.asarray(each, np.float16) for name, each in numbers.items()}


def stored_mix(weights: dict[str, np.ndarray], task: str, reading: str, classes: list[str]) -> LayerMix:
    """Return a mix of stored numbers."""
    u, gamma, W, b = (weights[f"{task}.{reading}.{name}"].astype(float) for name in ("u", "gamma", "W", "b"))
    return LayerMix(tuple(classes), *READINGS[reading], u, float(gamma[0]), W, b)
