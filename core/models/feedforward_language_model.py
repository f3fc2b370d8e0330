"""A feed-forward language model: the last n tokens, as embeddings side by side, through one hidden layer.

    x = [E w_t-n+1; ...; E w_t]             n embeddings, nC numbers
    h = relu(H x + d)                       one hidden layer (Bengio's was tanh; relu learns faster)
    logits = U h + W x + b                  W lets the embeddings speak directly to the output

The first layer grows with the window, n C M weights, which is why such a model sees only so far.

Source: Bengio, Ducharme, Vincent and Jauvin (2003), A Neural Probabilistic Language Model.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class FeedForwardConfig:
    """The shape: V tokens, the last `context` of them looked at, C numbers an embedding, M hidden units."""

    vocabulary_size: int
    context: int = 16
    embedding: int = 32
    hidden: int = 512


@dataclass(frozen=True)
class FeedForwardTrace:
    """One prediction: the window's ids (n,), with V for "before the text"; x (nC,); h (M,); logits (V,)."""

    window: Tensor
    x: Tensor
    before_relu: Tensor
    hidden: Tensor
    logits: Tensor


class FeedForwardLanguageModel(nn.Module):
    """Bengio's model; places before the beginning of the text have an embedding of their own, number V."""

    def __init__(self, config: FeedForwardConfig):
        super().__init__()
        self.config = config
        wide = config.context * config.embedding
        self.embedding = nn.Embedding(config.vocabulary_size + 1, config.embedding)
        self.hidden = nn.Linear(wide, config.hidden)
        self.output = nn.Linear(config.hidden, config.vocabulary_size)
        self.direct_output = nn.Linear(wide, config.vocabulary_size, bias=False)

    def windows(self, ids: Tensor) -> Tensor:
        """Return the last n ids at every position, (B, T, n), of ids (B, T + n - 1)."""
        return ids.unfold(1, self.config.context, 1)

    def forward(self, ids: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits of the token after each position, (B, T, V), and the ids to go on from, (B, n - 1)."""
        n = self.config.context
        before = ids.new_full((len(ids), n - 1), self.config.vocabulary_size) if state is None else state
        seen = torch.cat((before, ids), dim=1)  # (B, n - 1 + T)
        x = self.embedding(self.windows(seen)).flatten(2)  # (B, T, nC)
        return self.output(torch.relu(self.hidden(x))) + self.direct_output(x), seen[
            :, seen.shape[1] - n + 1 :
        ]


def growth_with_window(config: FeedForwardConfig, windows: list[int]) -> list[int]:
    """Return the number of parameters for each window length, everything else as in `config`.

    >>> growth_with_window(FeedForwardConfig(vocabulary_size=10, embedding=2, hidden=3), [1, 2, 3])
    [91, 117, 143]
    """
    V, C, M = config.vocabulary_size, config.embedding, config.hidden
    return [(V + 1) * C + n * C * M + M + M * V + V + n * C * V for n in windows]


@torch.no_grad()
def trace(model: FeedForwardLanguageModel, ids: Tensor) -> FeedForwardTrace:
    """Return the prediction after `ids` (T,) with what it was computed from."""
    n = model.config.context
    window = functional.pad(ids, (n, 0), value=model.config.vocabulary_size)[-n:]
    x = model.embedding(window).flatten()
    before = model.hidden(x)
    h = torch.relu(before)
    return FeedForwardTrace(window, x, before, h, model.output(h) + model.direct_output(x))
