"""A masked language model: hide some tokens of a text and guess each from the words on both sides of it.

    M                            the places hidden, a share of all, drawn at random
    x~_t = <mask>, a random token, or x_t itself, for t in M (in 80%, 10% and 10% of the cases)
    loss = -1/|M| sum_{t in M} ln p(x_t | x~_1 .. x~_T)

The network is the same as a GPT's but for its mask: every position may look at every other. It cannot write from
left to right; it can tell what fits in a gap. Leaving some of M as it was keeps the network from learning that only
<mask> needs an answer.

Source: Devlin, Chang, Lee and Toutanova (2019), BERT: Pre-training of Deep Bidirectional Transformers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.fit_language_model import FitConfig, Fitting
from core.models.neural_language_model import log_softmax
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.positions import sinusoidal_positions
from core.models.stored import load_json, load_weights
from core.models.stored_language_models import byte_pairs
from core.models.stored_network import with_weights
from core.models.tokens.byte_pairs import BytePairs

MASKED, RANDOM = 0.8, 0.1  # of the hidden places: shown as <mask>, shown as a random token; the rest as it is


@dataclass(frozen=True)
class Hidden:
    """A text with places hidden: what the network is shown, and `places`, True where it must guess; both (B, T)."""

    shown: Tensor
    places: Tensor


def hide(ids: Tensor, share: float, mask: int, generator: torch.Generator) -> Hidden:
    """Return ids (B, T) with a share of the places hidden; `mask` is the id of <mask>, above all tokens.

    >>> ids = torch.arange(1000).remainder(7)[None]
    >>> hidden = hide(ids, share=0.2, mask=7, generator=torch.Generator().manual_seed(1))
    >>> bool(0.15 < hidden.places.float().mean() < 0.25), bool((hidden.shown == ids)[~hidden.places].all())
    (True, True)
    """
    places = torch.rand(ids.shape, generator=generator) < share
    fate = torch.rand(ids.shape, generator=generator)
    others = torch.randint(0, mask, ids.shape, generator=generator)
    shown = torch.where(places & (fate < MASKED + RANDOM), others, ids)
    return Hidden(shown.masked_fill(places & (fate < MASKED), mask), places)


def masked_loss(network: GPT, ids: Tensor, hidden: Hidden) -> Tensor:
    """Return -1/|M| sum ln p(x_t | what is shown) over the hidden places, in nats a token."""
    logits, _ = network(hidden.shown)  # (B, T, V + 1)
    return functional.cross_entropy(logits[hidden.places], ids[hidden.places])


class MaskedFitting(Fitting):
    """Fitting a network to fill gaps; which places are hidden depends on the seed and the step alone."""

    def __init__(self, model: GPT, ids: Tensor, config: FitConfig, share: float):
        super().__init__(model, ids, config)
        self.hidden_share = share

    def loss(self) -> Tensor:
        """Return the loss of the step to come."""
        ids, _ = self.batch()
        generator = torch.Generator().manual_seed(self.config.seed * 1_000_000 + self.step_count + 500_000)
        return masked_loss(
            self.model, ids, hide(ids, self.hidden_share, self.model.config.vocabulary_size - 1, generator)
        )


@dataclass(frozen=True)
class MaskedLanguageModel:
    """A trained network with its byte pairs; <mask> is the last id."""

    network: GPT
    pairs: BytePairs

    @property
    def mask(self) -> int:
        """The id of <mask>."""
        return len(self.pairs)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """Every token as it is shown, <mask> last."""
        return (*self.pairs.tokens, "<mask>")

    @property
    def context(self) -> int:
        """The most tokens it reads at once."""
        return self.network.config.context

    @torch.inference_mode()
    def log_probabilities(self, ids, place: int) -> np.ndarray:
        """Return ln p of each token at a place that is hidden by <mask>, (V + 1,), given all others on both sides.

        Raises ValueError when the text is longer than the model's context.
        """
        if len(ids) > self.context:
            raise ValueError(
                f"This model reads at most {self.context} tokens at once; the text has {len(ids)}."
            )
        shown = torch.tensor([list(ids)])
        shown[0, place] = self.mask
        return log_softmax(self.network(shown)[0][0, place].double().numpy())


def masked_network(shape: dict) -> GPT:
    """Return a network with fresh weights whose every position may look at every other.

    Its learned positions begin as sinusoids, in which "one to the left" is the same turn everywhere. From random ones
    it guessed by frequency alone for hundreds of steps: without a causal mask nothing else tells it who stands near.
    """
    network = GPT(GPTConfig(**shape, causal=False))
    T, C = network.position_embedding.weight.shape
    with torch.no_grad():
        network.position_embedding.weight.copy_(0.1 * sinusoidal_positions(T, C))
    return network


@cache
def stored_masked_model(name: str = "word_masked") -> MaskedLanguageModel:
    """Return a stored masked model. Raises FileNotFoundError when there is none of that name."""
    network = with_weights(masked_network(load_json(name, "encoder")), load_weights(name))
    return MaskedLanguageModel(network, byte_pairs(name))
