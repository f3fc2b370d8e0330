"""CBOW, the continuous bag of words: the mean of the words around predicts the word in the middle.

Source: Mikolov, Chen, Corrado and Dean (2013), Efficient Estimation of Word Representations in Vector Space. The
gradient is divided by the number of context words, as the mean asks for: İrsoy, Benton and Stratos (2021),
Corrected CBOW Performs as well as Skip-gram.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.models.word_vectors.negative_sampling import NegativeSamplingStep, training_step
from core.models.word_vectors.window_blocks import TextBlock, add_rows, rows, steps_downhill
from core.models.word_vectors.word2vec import Combinations, Word2Vec


class Cbow(Word2Vec):
    """Word vectors by CBOW with negative sampling; see Word2Vec for parameters and learned attributes.

    A window is one step here and 1 + w steps in skip-gram, so the learning rate is higher unless it is given.

    >>> from itertools import product
    >>> sentences = [*product(["the", "my"], ["cat", "dog"], ["sleeps", "runs"])] * 20
    >>> model = Cbow(dimension=8, window=1, epochs=20, subsampling=0).fit(sentences)
    >>> model.vectors_.neighbours("cat", k=1)[0].word
    'dog'
    """

    def __init__(
        self,
        dimension: int = 100,
        window: int = 5,
        negatives: int = 5,
        epochs: int = 5,
        learning_rate: float = 0.1,
        subsampling: float = 1e-3,
        min_count: int = 1,
        seed: int = 1,
        snapshot_words: int = 300,
    ):
        """Store the parameters."""
        super().__init__(
            dimension, window, negatives, epochs, learning_rate, subsampling, min_count, seed, snapshot_words
        )

    def step(self, centre: str, contexts: Sequence[str], negatives: Sequence[str]) -> NegativeSamplingStep:
        """Return one step for one window and its negatives, worked through with the vectors learnt so far."""
        v, u = self.rows(self.input_, contexts), self.rows(self.output_, [centre, *negatives])
        return training_step(v, u[0], u[1:], self.learning_rate, [centre, *negatives], contexts)

    def pairs_per_word(self) -> float:
        """Return 1: a window predicts one word."""
        return 1

    def combinations(self, block: TextBlock, input_: Tensor) -> Combinations:
        """Return the means of the windows, and with them the centres and the N negatives of their chunk.

        A window's true word is its own centre alone. Each negative stands for k/N negatives of every window.
        """
        some = (block.sees.sum(dim=2, keepdim=True) > 0).float()  # (n, B, 1); an empty window trains nothing
        true = torch.eye(block.centres.shape[1]) * some  # (n, B, B)
        noise = some.expand(-1, -1, block.negatives.shape[1])  # (n, B, N)
        return Combinations(
            h=torch.bmm(block.averaging, rows(input_, block.around)),
            words=torch.cat([block.centres, block.negatives], dim=1),
            labels=torch.cat([true, torch.zeros_like(noise)], dim=2),
            weights=torch.cat([true, noise * (self.negatives / noise.shape[2])], dim=2),
        )

    def update(self, block: TextBlock, input_: Tensor, output: Tensor, learning_rate: float) -> None:
        """Add to both matrices, in place, the step of gradient descent for every window of a block."""
        h, words, labels, weights = self.combinations(block, input_)
        h_steps, u_steps = steps_downhill(h, rows(output, words), labels, weights * learning_rate)
        add_rows(input_, block.around, torch.bmm(block.averaging.transpose(1, 2), h_steps))
        add_rows(output, words, u_steps)
