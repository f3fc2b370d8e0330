"""Fitting a recurrent reader: batches of texts of one length, cross-entropy, the course's descent.

    loss = -1/N sum ln p(true)            over the words of a batch (a tagger), or over its texts (a classifier)

A word seen c times is taken for an unknown one with probability 1 / (1 + c) whenever it is met, so that the row of the
unknown word is learnt as well: Kiperwasser and Goldberg (2016), Simple and accurate dependency parsing using
bidirectional LSTM feature representations, section 4.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from core.models.documents.recurrent_reader import RecurrentReader
from core.models.documents.word_pieces import UNKNOWN
from core.models.fit_language_model import FitConfig, Fitting

Example = tuple[Tensor, Tensor]  # pieces (n, P), labels (n,) of the words or (1,) of the text


def batch_equal_lengths(lengths: Sequence[int], size: int, seed: int) -> list[list[int]]:
    """Return the places of all texts in batches, in an order drawn at random; those of a batch have one length.

    >>> batch_equal_lengths([5, 2, 5, 5, 2], size=2, seed=3)
    [[3, 2], [1, 4], [0]]
    """
    draw, by_length = random.Random(seed), {}
    for place in draw.sample(range(len(lengths)), len(lengths)):
        by_length.setdefault(lengths[place], []).append(place)
    cut = [
        places[start : start + size] for places in by_length.values() for start in range(0, len(places), size)
    ]
    draw.shuffle(cut)
    return cut


def steps_an_epoch(lengths: Sequence[int], size: int) -> int:
    """Return how many batches all texts make.

    >>> steps_an_epoch([5, 2, 5, 5, 2], size=2)
    3
    """
    return sum(-(-texts // size) for texts in Counter(lengths).values())


class ReaderFitting(Fitting):
    """A reader on its way down the loss of its examples; an epoch goes through all of them once."""

    def __init__(self, model: RecurrentReader, examples: Sequence[Example], config: FitConfig):
        super().__init__(model, torch.empty(0), config)
        self.examples = examples
        self.lengths = [len(pieces) for pieces, _ in examples]
        rows = torch.cat([pieces[:, 0] for pieces, _ in examples])
        seen = torch.bincount(rows, minlength=model.config.pieces)
        self.unlearnt = 1 / (1 + seen)  # (R,): how often a word is taken for an unknown one
        self.an_epoch = steps_an_epoch(self.lengths, config.batch)
        self.order: tuple[int, list[list[int]]] = (-1, [])

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        pieces, labels = self.drawn()
        return cross_entropy(self.model(pieces).flatten(0, -2), labels.flatten())

    def drawn(self) -> Example:
        """Return the examples of the step to come, pieces (B, n, P) and labels (B, n) or (B, 1), some words unknown."""
        epoch, place = divmod(self.step_count, self.an_epoch)
        if self.order[0] != epoch:
            seed = self.config.seed * 1000 + epoch
            self.order = epoch, batch_equal_lengths(self.lengths, self.config.batch, seed)
        pieces, labels = map(torch.stack, zip(*(self.examples[i] for i in self.order[1][place]), strict=True))
        own = pieces[..., 0]
        taken = (torch.rand(own.shape) < self.unlearnt[own]) & (own > UNKNOWN)
        pieces[..., 0] = own.masked_fill(taken, UNKNOWN)
        return pieces, labels
