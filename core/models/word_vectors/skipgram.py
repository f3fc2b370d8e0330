"""Skip-gram: the word in the middle predicts each word around it.

Source: Mikolov, Chen, Corrado and Dean (2013), Efficient Estimation of Word Representations in Vector Space.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from core.models.word_vectors.negative_sampling import NegativeSamplingStep, training_step
from core.models.word_vectors.window_blocks import TextBlock, add_rows, rows, steps_downhill
from core.models.word_vectors.word2vec import Combinations, Word2Vec


class SkipGram(Word2Vec):
    """Word vectors by skip-gram with negative sampling; see Word2Vec for parameters and learned attributes.

    >>> from itertools import product
    >>> sentences = [*product(["the", "my"], ["cat", "dog"], ["sleeps", "runs"])] * 20
    >>> model = SkipGram(dimension=8, window=1, epochs=20, subsampling=0).fit(sentences)
    >>> model.vectors_.neighbours("cat", k=1)[0].word
    'dog'
    """

    def step(self, centre: str, context: str, negatives: Sequence[str]) -> NegativeSamplingStep:
        """Return one step for one pair and its negatives, worked through with the vectors learnt so far."""
        v, u = self.rows(self.input_, [centre])[0], self.rows(self.output_, [context, *negatives])
        return training_step(v, u[0], u[1:], self.learning_rate, [context, *negatives])

    def pairs_per_word(self) -> float:
        """Return 1 + w: a window reaches (1 + w) / 2 words to either side on average."""
        return 1 + self.window

    def hidden(self, block: TextBlock, input_: Tensor) -> Tensor:
        """Return the centres' vectors, (n, B, d)."""
        return rows(input_, block.centres)

    def move(self, block: TextBlock, input_: Tensor, steps: Tensor) -> None:
        """Add the centres' steps (n, B, d) to what their vectors are made of."""
        add_rows(input_, block.centres, steps)

    def combinations(self, block: TextBlock, input_: Tensor) -> Combinations:
        """Return the centres, and with them the words around and the N negatives of their chunk.

        Each negative stands for k/N negatives of every pair of its centre.
        """
        pairs = block.sees.sum(dim=2, keepdim=True).expand(-1, -1, block.negatives.shape[1])  # (n, B, N)
        return Combinations(
            h=self.hidden(block, input_),
            words=torch.cat([block.around, block.negatives], dim=1),
            labels=torch.cat([block.sees, torch.zeros_like(pairs)], dim=2),
            weights=torch.cat([block.sees, pairs * (self.negatives / pairs.shape[2])], dim=2),
        )

    def update(self, block: TextBlock, input_: Tensor, output: Tensor, learning_rate: float) -> None:
        """Add to both matrices, in place, the step of gradient descent for every pair of a block."""
        h, words, labels, weights = self.combinations(block, input_)
        h_steps, u_steps = steps_downhill(h, rows(output, words), labels, weights * learning_rate)
        self.move(block, input_, h_steps)
        add_rows(output, words, u_steps)
