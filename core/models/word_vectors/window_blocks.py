"""Whole texts in matrix products: every window of a block of text, and its negatives, at once.

The B words of a chunk, h, are multiplied with the K words they could meet, u: those around them and N negatives
which the chunk shares. Labels and weights then say which of the B x K dot products are training pairs.

Source: Ji, Satish, Li and Dubey (2016), Parallelizing Word2Vec in Shared and Distributed Memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

CHUNK = 32  # B
LAID_OUT = 256  # chunks at once, of one block or of several small ones
NEGATIVES = 96  # N; with 32, neighbours agree less with those that gensim finds, which shares no negatives


@dataclass(frozen=True, eq=False)
class EncodedText:
    """A text as ids of words, one after another, and the length of each sentence."""

    ids: np.ndarray
    lengths: np.ndarray

    def subsampled(self, keep: np.ndarray, generator: np.random.Generator) -> EncodedText:
        """Return the text in which each occurrence of word i has stayed with probability keep[i]."""
        stays = generator.random(len(self.ids), dtype=np.float32) < keep[self.ids]
        before = np.concatenate([[0], np.cumsum(stays)])  # (tokens+1,) words that stay before each
        ends = np.cumsum(self.lengths)
        return EncodedText(self.ids[stays], before[ends] - before[ends - self.lengths])


@dataclass(frozen=True, eq=False)
class TextBlock:
    """A stretch of text in n chunks of B words.

    centres:   (n, B) the ids of the words
    around:    (n, B+2w) the ids of the same words with w more on either side
    sees:      (n, B, B+2w) 1 where the word around stands in the centre's window, else 0
    negatives: (n, N) ids drawn as noise
    """

    centres: Tensor
    around: Tensor
    sees: Tensor
    negatives: Tensor

    @cached_property
    def averaging(self) -> Tensor:
        """The matrices (n, B, B+2w) that take the mean of each window's words."""
        return self.sees / self.sees.sum(dim=2, keepdim=True).clamp(min=1)


def sides(text: EncodedText, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many words each window holds to the left and to the right; none crosses the end of a sentence.

    >>> sides(EncodedText(np.arange(5), np.array([3, 2])), reach=np.array([2, 2, 2, 1, 1]))
    (array([0, 1, 2, 0, 1]), array([2, 1, 0, 1, 0]))
    """
    ends = np.repeat(np.cumsum(text.lengths), text.lengths)
    starts = ends - np.repeat(text.lengths, text.lengths)
    positions = np.arange(len(text.ids))
    return np.minimum(reach, positions - starts), np.minimum(reach, ends - 1 - positions)


def blocks(
    text: EncodedText, window: int, count: int, chunk: int, noise: np.ndarray, generator: np.random.Generator
) -> Iterator[TextBlock]:
    """Yield a text as `count` blocks of about equal size, windows and negatives drawn anew.

    Each window reaches 1 to w words to either side, evenly drawn, so that near words are met more often than far
    ones. noise: a table of ids to draw negatives from, as `noise_table` makes it.
    """
    left, right = sides(text, generator.integers(1, window + 1, len(text.ids)))
    chunks = -(-len(text.ids) // chunk)  # rounded up
    if not chunks:
        return  # every word was skipped
    padded = np.zeros(chunks * chunk + 2 * window, dtype=np.int64)
    padded[window : window + len(text.ids)] = text.ids
    ids = torch.from_numpy(padded)
    centres = ids[window : window + chunks * chunk].view(chunks, chunk)
    around = ids.unfold(0, chunk + 2 * window, chunk)
    reach = torch.zeros(2, chunks * chunk, dtype=torch.int16)  # 0, so that the padding sees nothing
    reach[:, : len(text.ids)] = torch.from_numpy(np.stack([left, right]))
    reach = reach.view(2, chunks, chunk, 1)
    offsets = (torch.arange(chunk + 2 * window) - window - torch.arange(chunk)[:, None]).to(torch.int16)
    beside = offsets != 0
    ends = np.unique(np.linspace(0, chunks, count + 1).astype(int))  # fewer, when there are fewer chunks
    several = max(1, LAID_OUT // max(np.diff(ends)))  # blocks, whose windows are laid out together
    for number in range(0, len(ends) - 1, several):
        some = ends[number : number + several + 1].tolist()
        left, right = reach[:, some[0] : some[-1]]
        sees = ((offsets >= -left) & (offsets <= right) & beside).float()
        drawn = generator.integers(len(noise), size=(some[-1] - some[0], NEGATIVES))
        negatives = torch.from_numpy(noise[drawn])
        for start, end in pairwise(some):
            laid_out = slice(start - some[0], end - some[0])
            yield TextBlock(centres[start:end], around[start:end], sees[laid_out], negatives[laid_out])


def noise_table(shares: Sequence[float], size: int = 1 << 20) -> np.ndarray:
    """Return a table of ids in which each word fills its share of the noise, so that drawing is a look-up.

    >>> noise_table([0.75, 0.25], size=8).tolist()
    [0, 0, 0, 0, 0, 0, 1, 1]
    """
    ends = np.cumsum(shares)
    return np.searchsorted(ends, (np.arange(size) + 0.5) / size).clip(max=len(ends) - 1)


def steps_downhill(h: Tensor, u: Tensor, labels: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return minus the gradients of the loss by h (n, B, d) and by u (n, K, d).

    loss = - sum of weight * ln σ(u·h) where the label is 1, of weight * ln σ(-u·h) where it is 0

    labels, weights: (n, B, K). It is the sum of `training_step` over the pairs, from the same vectors.
    """
    errors = torch.bmm(h, u.transpose(1, 2)).sigmoid_().neg_().add_(labels).mul_(weights)  # (n, B, K)
    return torch.bmm(errors, u), torch.bmm(errors.transpose(1, 2), h)


def mean_loss(h: Tensor, u: Tensor, labels: Tensor, weights: Tensor) -> float:
    """Return the same loss, divided by the number of true pairs."""
    signed = torch.bmm(h, u.transpose(1, 2)) * (2 * labels - 1)  # (n, B, K)
    return float(-(weights * logsigmoid(signed)).sum() / (weights * labels).sum().clamp(min=1))


def rows(matrix: Tensor, ids: Tensor) -> Tensor:
    """Return the rows of a matrix (V, d) for ids of any shape, as (..., d)."""
    return matrix.index_select(0, ids.reshape(-1)).view(*ids.shape, -1)


def add_rows(matrix: Tensor, ids: Tensor, steps: Tensor) -> None:
    """Add steps (..., d) to the rows of a matrix (V, d), in place; a row that is named twice takes both."""
    matrix.index_add_(0, ids.reshape(-1), steps.reshape(-1, matrix.shape[1]))
