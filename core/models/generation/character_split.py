"""A text's characters as they are trained on and measured: their vocabulary, and the part that is held out.

    training characters, the first nine tenths | held-out characters, the last tenth without lines of the first nine

A held-out line that is also a line of the training part, word for word, would measure memory; it is left out. A line
of fewer than 20 characters stays: "Is't possible?" comes again by chance.

Source: Lee et al. (2022), Deduplicating Training Data Makes Language Models Better, on test sets that repeat training.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from core.models.generation import WORDS
from core.models.neural_language_model import NeuralLanguageModel, average_log_probability
from core.models.stored_language_models import CountedLanguageModel
from core.models.training_error import TrainingError
from core.text.tokenization.vocabulary import Vocabulary

LEAST, LEAST_NEW = (
    200,
    20,
)  # characters of a text, and of its held-out part; below there is nothing to measure
SHORT = 20  # characters; a line that has fewer is never one that was learned by heart
MEASURED = 4000  # characters of either part on which the losses are measured
CHARACTERS = 200  # the most different characters that are told apart
UNKNOWN = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class HeldOut:
    """A text's characters to train on and those to measure on; `repeated` lines of all `lines` held out were left out.

    `dropped` is how many characters were left out.
    """

    training: str
    measured_on: str
    lines: int
    repeated: int
    dropped: int

    def encode(self, vocabulary: Vocabulary) -> tuple[np.ndarray, np.ndarray]:
        """Return both parts as ids."""
        return vocabulary.encode(self.training), vocabulary.encode(self.measured_on)


def hold_out(text: str) -> HeldOut:
    """Return a text's first nine tenths, and the lines of its last tenth that are not among theirs.

    A blank line is no repeated one, but goes with the line before it. The line that is cut in two stays. Raises
    TrainingError where nearly nothing is new.

    >>> cat, dog, hen = ("a {} sat on the mat here\\n".format(each) for each in ("cat", "dog", "hen"))
    >>> found = hold_out(cat * 90 + (dog + cat + hen) * 2)
    >>> [line[2:5] for line in found.measured_on.split("\\n")[1:]], found.lines, found.repeated
    (['dog', 'hen', 'dog', 'hen', ''], 9, 5)
    """
    cut = int(0.9 * len(text))
    known, (first, *lines) = lines_of(text[:cut]), text[cut:].split("\n")
    new, left_out, repeated = [first], False, 0
    for line in lines:
        if line.strip():
            left_out = line in known
            repeated += left_out
        new += [] if left_out else [line]
    measured_on = "\n".join(new)
    if len(measured_on) < LEAST_NEW:
        raise TrainingError(WORDS.label("character_split.repeats"))
    every = sum(bool(line.strip()) for line in lines)
    return HeldOut(text[:cut], measured_on, every, repeated, len(text) - cut - len(measured_on))


def lines_of(text: str) -> frozenset[str]:
    """Return the lines of a text that are long enough to be known by heart.

    >>> lines_of("Is't possible?\\nTo be, or not to be, that is the question:\\n")
    frozenset({'To be, or not to be, that is the question:'})
    """
    return frozenset(line for line in text.split("\n") if len(line) >= SHORT)


def vocabulary_of(text: str) -> Vocabulary:
    """Return a text's characters. Raises TrainingError where there are too few to learn from."""
    vocabulary = Vocabulary.of(text, max_size=CHARACTERS, unknown=UNKNOWN)
    if len(text) < LEAST or len(vocabulary) < 3:
        raise TrainingError(WORDS.label("character_split.short", least=LEAST))
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
