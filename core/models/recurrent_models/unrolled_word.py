"""A small untrained RNN reads a word, and the loss at its last character is sent back through time by hand.

    dL/dh_T = E^T (p - y);   dL/dh_t-1 = W_h^T diag(1 - h_t^2) dL/dh_t;   dL/dW_h = sum of every step's part

Source: Werbos (1990), Backpropagation Through Time: What It Does and How to Do It.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from core.models.recurrent_models.chain_rule import backpropagated, factors, last_gradient, weight_gradients
from core.models.recurrent_models.drawn_weights import drawn_language_model
from core.models.recurrent_models.gradient_flow import LossGradient, loss_gradient


@dataclass(frozen=True)
class Unrolled:
    """A small RNN's way back through a word: by hand, (T, H), and by autograd in `automatic`."""

    tokens: list[str]
    characters: list[str]
    E: Tensor
    W_h: Tensor
    automatic: LossGradient
    by_hand: Tensor
    factors: Tensor
    parts: Tensor

    @property
    def T(self) -> int:  # noqa: N802
        """How many characters were read."""
        return len(self.characters)

    @cached_property
    def norms(self) -> np.ndarray:
        """|dL/dh_t|, (T,)."""
        return self.by_hand.norm(dim=1).numpy()

    @cached_property
    def ratios(self) -> np.ndarray:
        """What each step back multiplied the gradient's length by, |dL/dh_t-1| / |dL/dh_t|, (T - 1,); 0 / 0 is 0."""
        after, before = self.norms[1:], self.norms[:-1]
        return np.divide(before, after, out=np.zeros_like(before), where=after > 0)

    @property
    def most(self) -> np.ndarray:
        """The spectral norm of each factor, (T,): the most by which it can lengthen any gradient."""
        return torch.linalg.matrix_norm(self.factors, 2).numpy()

    def error_of_last(self, kept: int) -> float:
        """Return |g_kept - g| / |g|: g is dL/dW_h, g_kept what the last `kept` steps add to it; 0 for g = 0."""
        whole, part = self.parts.sum(0), self.parts[-kept:].sum(0)
        return ((part - whole).norm() / whole.norm()).item() if whole.norm() else 0.0

    @property
    def target(self) -> str:
        """The character to foretell."""
        return self.tokens[self.automatic.target]


def unrolled_word(word: str, width: int, radius: float, seed: int) -> Unrolled:
    """Return the way back from the loss at a word's last character (two characters at least).

    The network's tokens are the word's own characters.

    >>> read = unrolled_word("too", width=2, radius=0.9, seed=1)
    >>> read.characters, read.target, bool(read.by_hand.allclose(read.automatic.hidden_gradients))
    (['t', 'o'], 'o', True)
    """
    tokens = list(dict.fromkeys(word))
    model = drawn_language_model(len(tokens), width, radius, seed)
    automatic = loss_gradient(model, torch.tensor([tokens.index(character) for character in word]))
    E, W_h = model.embedding.weight, model.step_weights.W_h
    last = last_gradient(E, automatic.probabilities, automatic.target)
    by_hand = backpropagated(W_h, automatic.hidden, last)
    return Unrolled(
        tokens=tokens,
        characters=list(word[:-1]),
        E=E,
        W_h=W_h,
        automatic=automatic,
        by_hand=by_hand,
        factors=factors(W_h, automatic.hidden),
        parts=weight_gradients(automatic.hidden, by_hand),
    )
