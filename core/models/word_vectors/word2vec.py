"""word2vec: how skip-gram and CBOW are trained on a text, from counting its words to the last step.

Source: Mikolov, Sutskever, Chen, Corrado and Dean (2013), Distributed Representations of Words and Phrases and
their Compositionality.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.models.training_error import TrainingError
from core.models.word_vectors import WORDS
from core.models.word_vectors.negative_sampling import keep_probability, noise_distribution
from core.models.word_vectors.training_progress import Report, Reporter
from core.models.word_vectors.window_blocks import CHUNK, EncodedText, TextBlock, blocks, noise_table
from core.models.word_vectors.word_vectors import WordVectors
from core.text.tokenization.vocabulary import Vocabulary

LARGEST_BLOCK = 512
STEADY = 1.6  # see Word2Vec.block_size
COMMON_SHARE = 0.002  # of the text; words with a larger one say little on a map


class State(NamedTuple):
    """Where to go on: whole epochs trained and both matrices, (V, d) each."""

    epochs: int
    input: np.ndarray
    output: np.ndarray


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

    def __repr__(self) -> str:
        """Return the call that makes this model, not yet fitted.

        >>> Word2Vec(window=2).__repr__()[:31]
        'Word2Vec(dimension=100, window='
        """
        names = "dimension window negatives epochs learning_rate subsampling min_count seed".split()
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in names)})"

    def pairs_per_word(self) -> float:
        """Return the number of true words that a word in the middle is trained with, on average."""
        raise NotImplementedError

    def combinations(self, block: TextBlock, input_: Tensor) -> Combinations:
        """Return what a block trains."""
        raise NotImplementedError

    def update(self, block: TextBlock, input_: Tensor, output: Tensor, learning_rate: float) -> None:
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
        self.prepare()
        self.epochs_, self.input_, self.output_ = resume or self.initial()
        keep = keep_probability(self.shares(), self.subsampling)
        noise = noise_table(list(self.noise_.values()))
        # As many blocks each epoch, though subsampling leaves a few words more or less: the steps can be counted.
        block_size = self.block_size(keep)
        count = max(1, int(self.kept_ / block_size))
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
                    self.update(block, *matrices, self.rate(step / reporter.steps))
                self.epochs_ = epoch + 1
            reporter.goes_on(reporter.steps)
        return self

    def map_words(self, most: int) -> list[str]:
        """Return the most frequent words, without those so common ("the", "of") that they stand near everything."""
        shares = self.shares()
        words = self.vocabulary_.types[: self.snapshot_words]
        kept = [word for word, share in zip(words, shares, strict=False) if share <= COMMON_SHARE][:most]
        return kept if len(kept) > 2 else list(words[:most])

    @property
    def vectors_(self) -> WordVectors:
        """Return the learnt vectors, the most frequent word first."""
        return WordVectors(self.vocabulary_.types, self.first_vectors(len(self.vocabulary_)))

    def first_vectors(self, n: int) -> np.ndarray:
        """Return the vectors of the n most frequent words as they now are, (n, d)."""
        return self.input_[:n]

    def prepare(self) -> None:
        """Find what the vocabulary decides before training: here nothing."""

    def rate(self, share: float) -> float:
        """Return the learning rate when this share of the training is done: a straight line to almost 0.

        >>> [Word2Vec(learning_rate=0.5).rate(share) for share in (0, 0.5, 1)]
        [0.5, 0.25, 5e-05]
        """
        return self.learning_rate * max(1e-4, 1 - share)

    def initial(self) -> State:
        """Return the start: small random input vectors, output vectors of zeros."""
        shape = len(self.vocabulary_), self.dimension
        start = np.random.default_rng(self.seed).random(shape, dtype=np.float32)
        return State(0, (start - 0.5) / self.dimension, np.zeros(shape, dtype=np.float32))

    @property
    def noise_(self) -> dict[str, float]:
        """Return the probability with which each word is drawn as a negative."""
        return noise_distribution(dict(zip(self.vocabulary_.types, self.vocabulary_.counts, strict=True)))

    @property
    def kept_(self) -> float:
        """Return how many tokens of the text an epoch keeps on average: of known words, not skipped as frequent."""
        return float(keep_probability(self.shares(), self.subsampling) @ self.vocabulary_.counts)

    def shares(self) -> np.ndarray:
        """Return each word's share of the text, (V,)."""
        counts = np.array(self.vocabulary_.counts, dtype=float)
        return counts / counts.sum()

    def rows(self, matrix: np.ndarray, words: Sequence[str]) -> np.ndarray:
        """Return the rows of some words. Raises KeyError for a word that is not in the vocabulary."""
        return matrix[[self.vocabulary_[word] for word in words]]

    def heaviest(self, shares: np.ndarray) -> float:
        """Return the share of all steps that the vector moved most takes, for the words' shares of the text (V,)."""
        return float(max(shares))

    def block_size(self, keep: np.ndarray) -> int:
        """Return how many words are trained at once, on vectors that stay as they were before the block.

        A word that is frequent in a block takes the sum of many steps at once, and overshoots where they are too
        many: learning rate * the pairs it is in, true and negative, must stay small. On texts with 300 to 10,000
        types training was steady up to about 17 at a learning rate of 0.025, 12 at 0.05 and 9 at 0.1.
        """
        kept = keep * self.shares()
        share, noise = self.heaviest(kept / sum(kept)), max(self.noise_.values())
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


def encoded(sentences: Iterable[Sequence[str]], min_count: int) -> tuple[Vocabulary, EncodedText]:
    """Return the vocabulary of tokenised sentences and their known words as ids. Raises TrainingError."""
    sentences = list(sentences)
    vocabulary = Vocabulary.of(chain.from_iterable(sentences), min_count)
    known = [
        [vocabulary.ids[token] for token in sentence if token in vocabulary.ids] for sentence in sentences
    ]
    lengths = np.array([len(sentence) for sentence in known], dtype=np.int64)
    if len(vocabulary) < 2 or lengths.max() < 2:
        raise TrainingError(WORDS.label("training.rare", least=min_count))
    return vocabulary, EncodedText(np.fromiter(chain.from_iterable(known), dtype=np.int64), lengths)
