"""word2vec: how skip-gram and CBOW are trained on a text, from counting its words to the last report.

Source: Mikolov, Sutskever, Chen, Corrado and Dean (2013), Distributed Representations of Words and Phrases and
their Compositionality.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.models.training_error import TrainingError
from core.models.word_vectors.negative_sampling import keep_probability, noise_distribution
from core.models.word_vectors.window_blocks import CHUNK, Block, Text, blocks, mean_loss, noise_table, rows
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.vocabulary import Vocabulary

REPORTS, SNAPSHOTS = 200, 40  # over a whole training; a report takes about as long as one more step
LARGEST_BLOCK = 512
STEADY = 1.6  # see Word2Vec.block_size


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a training is. `snapshot` holds the vectors of the most frequent words every few reports.

    step, steps:      blocks of text trained, of all there will be; epoch counts whole passes over the text
    loss:             mean loss of a pair and its negatives in the last block
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


class State(NamedTuple):
    """Where to go on: whole epochs trained and both matrices, (V, d) each."""

    epochs: int
    input: np.ndarray
    output: np.ndarray


Report = Callable[[Progress], bool | None]


class Combinations(NamedTuple):
    """Hidden vectors and output words of a block, each with each within its chunk.

    h: (n, B, d);  words: (n, K) ids;  labels, weights: (n, B, K) as `steps_downhill` takes them
    """

    h: Tensor
    words: Tensor
    labels: Tensor
    weights: Tensor


class Word2Vec:
    """What SkipGram and Cbow share.

    Parameters: `dimension` d of the vectors; `window` words on either side at most; `negatives` k drawn for each
    true word; `epochs` over the text; `learning_rate`, falling in a straight line to almost 0; `subsampling` t as
    in `keep_probability` (0 keeps every word); `min_count` below which a word is left out; `seed`;
    `snapshot_words`, how many of the most frequent words a snapshot holds.

    After fit: `vocabulary_`; `input_` and `output_` (V, d); `vectors_`, the input vectors with their words;
    `epochs_`, the number of whole epochs trained.
    """

    def __init__(
        self,
        dimension: int = 100,
        window: int = 5,
        negatives: int = 5,
        epochs: int = 5,
        learning_rate: float = 0.025,
        subsampling: float = 1e-3,
        min_count: int = 1,
        seed: int = 1,
        snapshot_words: int = 300,
    ):
        """Store the parameters."""
        self.dimension = dimension
        self.window = window
        self.negatives = negatives
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.subsampling = subsampling
        self.min_count = min_count
        self.seed = seed
        self.snapshot_words = snapshot_words

    def pairs_per_word(self) -> float:
        """Return the number of true words that a word in the middle is trained with, on average."""
        raise NotImplementedError

    def combinations(self, block: Block, input_: Tensor) -> Combinations:
        """Return what a block trains."""
        raise NotImplementedError

    def update(self, block: Block, input_: Tensor, output: Tensor, learning_rate: float) -> None:
        """Add to both matrices, in place, the step of gradient descent for everything that a block trains."""
        raise NotImplementedError

    def fit(
        self, sentences: Sequence[Sequence[str]], report: Report | None = None, resume: State | None = None
    ) -> Word2Vec:
        """Learn the vectors of the words of tokenised sentences; return self.

        `report` is called with a Progress about 200 times and after each epoch, first before the first step and at
        last after the last one. When it returns False, training stops and the vectors stay as they then are.
        `resume` goes on after the epochs of an earlier state of the same training, and comes to the same vectors as
        if it had not been broken off. Raises TrainingError.
        """
        self.vocabulary_, text = encoded(sentences, self.min_count)
        self.epochs_, self.input_, self.output_ = resume or self.initial()
        keep = keep_probability(self.shares(), self.subsampling)
        noise = noise_table(list(self.noise_.values()))
        # As many blocks each epoch, though subsampling leaves a few words more or less: the steps can be counted.
        kept = float(keep @ self.vocabulary_.counts)
        block_size = self.block_size(keep)
        count = max(1, int(kept / block_size))
        reporter = Reporter(self, report, len(text.ids), count)
        matrices = torch.from_numpy(self.input_), torch.from_numpy(self.output_)
        with torch.inference_mode(), one_thread():
            for epoch in range(self.epochs_, self.epochs):
                generator = np.random.default_rng([self.seed, epoch])
                some = text.subsampled(keep, generator)
                chunk = min(CHUNK, block_size)
                for number, block in enumerate(blocks(some, self.window, count, chunk, noise, generator)):
                    step = epoch * count + number
                    if not reporter.goes_on(step, block):
                        return self
                    rate = self.learning_rate * max(1e-4, 1 - step / reporter.steps)
                    self.update(block, *matrices, rate)
                self.epochs_ = epoch + 1
            reporter.goes_on(reporter.steps)
        return self

    @property
    def vectors_(self) -> WordVectors:
        """Return the learnt vectors, the most frequent word first."""
        return WordVectors(self.vocabulary_.types, self.input_)

    def initial(self) -> State:
        """Return the start: small random input vectors, output vectors of zeros."""
        shape = len(self.vocabulary_), self.dimension
        start = np.random.default_rng(self.seed).random(shape, dtype=np.float32)
        return State(0, (start - 0.5) / self.dimension, np.zeros(shape, dtype=np.float32))

    @property
    def noise_(self) -> dict[str, float]:
        """Return the probability with which each word is drawn as a negative."""
        return noise_distribution(dict(zip(self.vocabulary_.types, self.vocabulary_.counts, strict=True)))

    def shares(self) -> np.ndarray:
        """Return each word's share of the text, (V,)."""
        counts = np.array(self.vocabulary_.counts, dtype=float)
        return counts / counts.sum()

    def rows(self, matrix: np.ndarray, words: Sequence[str]) -> np.ndarray:
        """Return the rows of some words. Raises KeyError for a word that is not in the vocabulary."""
        return matrix[[self.vocabulary_[word] for word in words]]

    def block_size(self, keep: np.ndarray) -> int:
        """Return how many words are trained at once, on vectors that stay as they were before the block.

        A word that is frequent in a block takes the sum of many steps at once, and overshoots where they are too
        many: learning rate * the pairs it is in, true and negative, must stay small. On texts with 300 to 10,000
        types training was steady up to about 17 at a learning rate of 0.025, 12 at 0.05 and 9 at 0.1.
        """
        kept = keep * self.shares()
        share, noise = max(kept) / sum(kept), max(self.noise_.values())
        most = self.pairs_per_word() * ((1 + self.negatives) * share + self.negatives * noise)
        return int(np.clip(STEADY / (self.learning_rate**1.5 * most), 16, LARGEST_BLOCK))


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch to one thread meanwhile: the products are so small that threads would only wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class Reporter:
    """Calls `report` now and then, with what it needs to know."""

    def __init__(self, model: Word2Vec, report: Report | None, tokens: int, steps_per_epoch: int):
        """Start the clock; the text has so many tokens."""
        self.model, self.report, self.steps_per_epoch = model, report, steps_per_epoch
        self.words_per_step, self.steps = tokens / steps_per_epoch, steps_per_epoch * model.epochs
        self.first_step, self.start = model.epochs_ * steps_per_epoch, perf_counter()
        self.every, self.every_snapshot = max(1, self.steps // REPORTS), max(1, self.steps // SNAPSHOTS)
        self.next_snapshot, self.block = self.first_step, None

    def goes_on(self, step: int, block: Block | None = None) -> bool:
        """Report when it is time to, with the loss of the last block known; return whether training goes on."""
        self.block = block or self.block
        if step % self.every and step % self.steps_per_epoch:
            return True
        if not np.isfinite(self.model.input_).all():
            raise TrainingError("The vectors grew beyond all bounds: train with a lower learning rate.")
        return self.report is None or self.report(self.progress(step)) is not False

    def progress(self, step: int) -> Progress:
        """Return how far the training is."""
        elapsed, done = perf_counter() - self.start, step - self.first_step
        left = elapsed / done * (self.steps - step) if done else float("inf")
        speed = done * self.words_per_step / max(elapsed, 1e-9)
        return Progress(step, self.steps, self.model.epochs_, self.loss(), speed, left, self.snapshot(step))

    def loss(self) -> float:
        """Return the mean loss of a pair of the last block; not a number before there was one."""
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
        most = slice(self.model.snapshot_words)
        return WordVectors(self.model.vocabulary_.types[most], self.model.input_[most].copy())


def encoded(sentences: Iterable[Sequence[str]], min_count: int) -> tuple[Vocabulary, Text]:
    """Return the vocabulary of tokenised sentences and their known words as ids. Raises TrainingError."""
    sentences = list(sentences)
    vocabulary = Vocabulary.of(chain.from_iterable(sentences), min_count)
    known = [
        [vocabulary.ids[token] for token in sentence if token in vocabulary.ids] for sentence in sentences
    ]
    lengths = np.array([len(sentence) for sentence in known], dtype=np.int64)
    if len(vocabulary) < 2 or lengths.max() < 2:
        raise TrainingError(
            f"No sentence holds two words that occur {min_count} times or more: take a longer text or a lower count."
        )
    return vocabulary, Text(np.fromiter(chain.from_iterable(known), dtype=np.int64), lengths)
