"""How far a training of word vectors is: what it reports, and when.

Nothing here changes a vector; the algorithm is in word2vec.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import torch

from core.models.training_error import TrainingError
from core.models.word_vectors import WORDS
from core.models.word_vectors.window_blocks import TextBlock, mean_loss, rows
from core.models.word_vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from core.models.word_vectors.word2vec import Word2Vec

REPORTS, SNAPSHOTS = 200, 40  # over a whole training; a report takes about as long as one more step


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a training is. `snapshot` holds the vectors of the most frequent words every few reports.

    step, steps:      blocks of text trained, of all there will be; epoch counts whole passes over the text
    loss:             mean loss of a pair and its negatives in the last block that held a pair
    words_per_second: words of the text read, subsampled ones too, a second since the start
    """

    step: int
    steps: int
    epoch: int
    loss: float
    words_per_second: float
    seconds_left: float
    snapshot: WordVectors | None = None

    @property
    def share(self) -> float:
        """Return the part of the training that is done, between 0 and 1."""
        return self.step / self.steps


Report = Callable[[Progress], bool | None]


class Reporter:
    """Calls `report` now and then, with what it needs to know."""

    def __init__(self, model: Word2Vec, report: Report | None, tokens: int, steps_per_epoch: int):
        """Start the clock; the text has so many tokens."""
        self.model, self.report, self.steps_per_epoch = model, report, steps_per_epoch
        self.words_per_step, self.steps = tokens / steps_per_epoch, steps_per_epoch * model.epochs
        self.first_step, self.start = model.epochs_ * steps_per_epoch, perf_counter()
        self.every, self.every_snapshot = max(1, self.steps // REPORTS), max(1, self.steps // SNAPSHOTS)
        self.next_snapshot, self.block = self.first_step, None

    def goes_on(self, step: int, block: TextBlock | None = None) -> bool:
        """Report when it is time to, with the loss of the last block known; return whether training goes on."""
        if (
            self.report and block is not None and bool(block.sees.any())
        ):  # subsampling may leave a block without a pair
            self.block = block
        if step % self.every and step % self.steps_per_epoch:
            return True
        if not np.isfinite(self.model.input_).all():
            raise TrainingError(WORDS.label("training.grew"))
        return self.report is None or self.report(self.progress(step)) is not False

    def progress(self, step: int) -> Progress:
        """Return how far the training is."""
        elapsed, done = perf_counter() - self.start, step - self.first_step
        left = elapsed / done * (self.steps - step) if done else float("inf")
        speed = done * self.words_per_step / max(elapsed, 1e-9)
        return Progress(step, self.steps, self.model.epochs_, self.loss(), speed, left, self.snapshot(step))

    def loss(self) -> float:
        """Return the mean loss of a pair of the last block; not a number before a block held a pair."""
        if self.block is None:
            return float("nan")
        output = torch.from_numpy(self.model.output_)
        h, words, labels, weights = self.model.combinations(self.block, torch.from_numpy(self.model.input_))
        return mean_loss(h, rows(output, words), labels, weights)

    def snapshot(self, step: int) -> WordVectors | None:
        """Return the most frequent words with a copy of their vectors when it is time to."""
        if step < self.next_snapshot and step != self.steps:
            return None
        self.next_snapshot = step + self.every_snapshot
        most = self.model.snapshot_words
        return WordVectors(self.model.vocabulary_.types[:most], self.model.first_vectors(most).copy())
