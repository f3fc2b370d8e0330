"""A text's characters as they are trained on and measured: their vocabulary, and the part that is held out.

training characters, the first nine tenths | held-out characters, the last tenth
"""

from __future__ import annotations

import random

import numpy as np

from core.models.neural_language_model import NeuralLanguageModel, average_log_probability
from core.models.stored_language_models import CountedLanguageModel
from core.models.training_error import TrainingError
from core.text.tokenization.vocabulary import Vocabulary

LEAST = 200  # characters; below it there is nothing to hold out
MEASURED = 4000  # characters of either part on which the losses are measured
CHARACTERS = 200  # the most different characters that are told apart
UNKNOWN = "\N{REPLACEMENT CHARACTER}"


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


def measured_loss(model: NeuralLanguageModel | CountedLanguageModel, ids: np.ndarray) -> float:
    """Return the mean of -ln p over the first 4,000 characters, in nats a character."""
    return -average_log_probability(model, [ids[:MEASURED]])


def start_of(vocabulary: tuple[str, ...]) -> int:
    """Return the id that stands before a text: the line end where there is one, else the unknown character."""
    return vocabulary.index("\n") if "\n" in vocabulary else 0


def shuffled(text: str, seed: int) -> str:
    """Return a text's characters in random order: as frequent as before, and after whatever they like.

    >>> sorted(shuffled("banana", seed=1))
    ['a', 'a', 'a', 'b', 'n', 'n']
    """
    return "".join(random.Random(seed).sample(text, len(text)))
