"""What noise words are for: the cosines of all pairs of words after a training with them and one without.

Each true pair pulls two vectors together. Noise is all that pushes: without it the loss is smallest where every dot
product is large, which one common direction reaches as well as any. See Levy and Goldberg (2014), Neural Word
Embedding as Implicit Matrix Factorization, for what the two forces balance to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.word_vectors.word2vec import Word2Vec

WORDS = 150  # the most frequent, whose pairs are measured
TOKENS = 100_000  # read in each training; with less the vectors hardly left 0
LEAST_EPOCHS, MOST_EPOCHS = 30, 500
DIMENSION = 20


@dataclass(frozen=True, eq=False)
class Spread:
    """The cosines of all pairs among the most frequent words, after as many epochs."""

    cosines: np.ndarray
    words: int
    epochs: int

    @property
    def mean(self) -> float:
        """Return the mean cosine of two words: 0 where they point anywhere, 1 where all point the same way."""
        return float(self.cosines.mean())


def spread_after(sentences: Sequence[Sequence[str]], model: Word2Vec, negatives: int) -> Spread:
    """Return the spread after a training like `model` on these sentences, with so many noise words a pair.

    Algorithm, window, count below which words are left out and seed are the model's; no word is skipped for being
    frequent. A short text is read more often, so that vectors which began at random near 0 have turned before they are
    measured. Raises TrainingError.

    >>> from core.models.word_vectors.skipgram import SkipGram
    >>> world = [["the", "cat", "sleeps"], ["the", "dog", "sleeps"], ["the", "dog", "runs"]] * 20
    >>> model = SkipGram(window=2)
    >>> spread_after(world, model, 5).mean < 0.8 < spread_after(world, model, 0).mean
    True
    """
    tokens = sum(len(sentence) for sentence in sentences)
    epochs = int(np.clip(TOKENS // max(1, tokens), LEAST_EPOCHS, MOST_EPOCHS))
    settings = {name: getattr(model, name) for name in ("window", "min_count", "seed")} | {"subsampling": 0}
    rate = 2 * type(model)().learning_rate  # higher than in a long training, for it shall take seconds
    trained = type(model)(DIMENSION, negatives=negatives, epochs=epochs, learning_rate=rate, **settings)
    units = trained.fit(sentences).vectors_.units[:WORDS]
    cosines = (units @ units.T)[np.triu_indices(len(units), 1)]
    return Spread(cosines, len(units), epochs)
