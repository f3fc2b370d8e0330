"""Fitting a bidirectional language model: both directions guess every word of a batch of sentences of one length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from core.models.documents.fit_reader import Example, ReaderFitting
from core.models.pretraining.bidirectional_language_model import MARK, BothWaysModel


class BothWaysFitting(ReaderFitting):
    """A bidirectional language model on its way down the loss of both directions together."""

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        return self.model.loss(*self.drawn())


def examples_of(model: BothWaysModel, sentences: Sequence[Sequence[str]]) -> list[Example]:
    """Return the pieces (n + 2, P) and the numbers (n + 2,) of sentences between their marks."""
    rows = cache(model.pieces.rows)  # of a word: a corpus says the same ones again and again
    marked = ([MARK, *words, MARK] for words in sentences)
    return [
        (torch.tensor([rows(word) for word in words]), torch.tensor(model.numbers(words))) for words in marked
    ]
