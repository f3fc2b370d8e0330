"""How well hidden tokens are guessed from both sides and from the left, on the same text and at the same places.

The text is cut into windows of T tokens. 15% of each are drawn; the masked model reads the window with <mask> at all
of them, the causal model reads it as it is, so at each place all tokens before it, hidden or not. For place t both give
p_t of the hidden token:

    bits_t = -log2 p_t        d_t = bits_t, from both sides - bits_t, from the left
    mean d +- 1.96 s / sqrt(n)                  s: the standard deviation of the n differences

Source of the interval: any introduction to statistics, for instance Wasserman (2004), All of Statistics, 6.3.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.neural_language_model import NeuralLanguageModel
from core.models.self_attention.masked_language_model import MaskedLanguageModel
from core.models.stored import load_card

INTERVAL_FROM = 30  # hidden tokens: of fewer the mean's spread is too badly known


@dataclass(frozen=True)
class GapMeasure:
    """Bits and ranks of n hidden tokens, row 0 from both sides, row 1 from the left: (2, n) each; and T of a window."""

    bits: np.ndarray
    ranks: np.ndarray
    window: int

    @property
    def n(self) -> int:
        """How many tokens were hidden."""
        return self.bits.shape[1]

    def right(self, within: int = 1) -> np.ndarray:
        """Return how many hidden tokens stand among so many likeliest ones, (2,)."""
        return (self.ranks <= within).sum(axis=1)

    @property
    def difference(self) -> float:
        """The mean of d, in bits: below nought, both sides are better."""
        return float((self.bits[0] - self.bits[1]).mean())

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the 95% interval of the mean of d; None for fewer than INTERVAL_FROM tokens."""
        if self.n < INTERVAL_FROM:
            return None
        reach = 1.96 * float((self.bits[0] - self.bits[1]).std(ddof=1)) / self.n**0.5
        return self.difference - reach, self.difference + reach


@torch.inference_mode()
def measure_gaps(
    masked: MaskedLanguageModel, causal: NeuralLanguageModel, ids: Tensor, share: float, seed: int
) -> GapMeasure:
    """Return what both models make of a share of ids (T,), drawn with a seed."""
    generator = torch.Generator().manual_seed(seed)
    found = [  # of each window: (2, n) bits, (2, n) ranks
        in_window(masked, causal, window, torch.rand(len(window), generator=generator) < share)
        for window in ids.split(masked.context)
    ]
    bits, ranks = (np.concatenate([each[i] for each in found], axis=1) for i in (0, 1))
    return GapMeasure(bits, ranks, masked.context)


def in_window(
    masked: MaskedLanguageModel, causal: NeuralLanguageModel, ids: Tensor, places: Tensor
) -> tuple[np.ndarray, np.ndarray]:
    """Return bits and ranks (2, n) of the hidden places of one window."""
    both = masked.network(ids.masked_fill(places, masked.mask)[None])[0][0, places]
    left = causal.network(torch.cat((torch.tensor([causal.start]), ids[:-1]))[None])[0][0, places]
    bits, ranks = [], []
    for logits in (both, left):
        ln_p = logits.double().log_softmax(-1)
        own = ln_p.gather(1, ids[places][:, None])
        bits.append(-own[:, 0].numpy() / np.log(2))
        ranks.append(1 + (ln_p > own).sum(1).numpy())
    return np.stack(bits), np.stack(ranks)


@dataclass(frozen=True)
class HeldOutGaps:
    """What a stored masked model's card says: hidden tokens, the shares predicted, the share hidden, its parameters."""

    n: int
    right: float
    most_frequent: float
    share: float
    parameters: int


def load_held_out_gaps(name: str) -> HeldOutGaps:
    """Return how good a stored masked model is on held-out text."""
    card = load_card(name)
    quality = card.quality
    return HeldOutGaps(
        int(quality["hidden tokens, held out"]),
        quality["hidden tokens guessed right, held out"],
        quality["the most frequent token right, held out"],
        card.config["hidden share"],
        int(quality["parameters"]),
    )
