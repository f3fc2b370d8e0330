"""A feed-forward language model: the last n tokens, as embeddings side by side, through hidden layers.

    x = [E w_t-n+1; ...; E w_t]             n embeddings, nC numbers
    h = relu(H x + d)                       one hidden layer (Bengio's was tanh; relu learns faster)
    h = h + relu(D norm(h) + e)             further ones, if any, each adding to the one before
    logits = U norm(h) + W x + b            W lets the embeddings speak directly to the output

    norm(h) = h / sqrt(mean(h_i^2))         however much the layers have added, the next one reads numbers of one size

The first layer grows with the window, n C M weights, which is why such a model sees only so far, and why it learns
its text by heart sooner than a model that uses the same weights at every place. Against that, in training, a share of
the windows is cut short: the model must foretell from the last few tokens alone, as an n-gram model backs off; and
there is dropout.

Sources: Bengio, Ducharme, Vincent and Jauvin (2003), A Neural Probabilistic Language Model; He et al. (2016) for
layers that add to the one before; Zhang and Sennrich (2019) for the norm; Xie et al. (2017), Data noising as smoothing
in neural network language models; Srivastava et al. (2014), Dropout.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class FeedForwardConfig:
    """The shape: V tokens, the last `context` of them looked at, C numbers an embedding, `layers` of M hidden units.

    In training, a share `cut_short` of the windows is cut short, to any length from 1 to `context`, and a share
    `dropout` of what each hidden layer adds is set to 0.
    """

    vocabulary_size: int
    context: int = 16
    embedding: int = 32
    hidden: int = 512
    layers: int = 1
    cut_short: float = 0.0
    dropout: float = 0.0


@dataclass(frozen=True)
class FeedForwardTrace:
    """One prediction: the window's ids (n,), with V for "before the text"; x (nC,); h (L, M); logits (V,).

    Row l of `hidden` is h after l + 1 hidden layers.
    """

    window: Tensor
    x: Tensor
    hidden: Tensor
    logits: Tensor


def norm(h: Tensor) -> Tensor:
    """Return h (..., M) with a mean square of one.

    >>> norm(torch.tensor([3.0, -3.0, 3.0, -3.0])).tolist()
    [1.0, -1.0, 1.0, -1.0]
    """
    return functional.rms_norm(h, h.shape[-1:])


class FeedForwardLanguageModel(nn.Module):
    """Bengio's model; places before the beginning of the text have an embedding of their own, number V."""

    def __init__(self, config: FeedForwardConfig):
        super().__init__()
        self.config = config
        wide = config.context * config.embedding
        self.embedding = nn.Embedding(config.vocabulary_size + 1, config.embedding)
        self.hidden = nn.Linear(wide, config.hidden)
        self.deeper = nn.ModuleList(nn.Linear(config.hidden, config.hidden) for _ in range(config.layers - 1))
        self.output = nn.Linear(config.hidden, config.vocabulary_size)
        self.direct_output = nn.Linear(wide, config.vocabulary_size, bias=False)

    def windows(self, ids: Tensor) -> Tensor:
        """Return the last n ids at every position, (B, T, n), of ids (B, T + n - 1)."""
        return ids.unfold(1, self.config.context, 1)

    def cut_short(self, windows: Tensor) -> Tensor:
        """Return windows (B, T, n) of which a share has only its last tokens, as if the text began there."""
        n, share = self.config.context, self.config.cut_short
        length = torch.randint(1, n + 1, windows.shape[:2])  # (B, T)
        length = torch.where(torch.rand(windows.shape[:2]) < share, length, n)
        place = torch.arange(n, 0, -1)  # (n,), counted from the end
        return windows.masked_fill(place > length[..., None], self.config.vocabulary_size)

    def hidden_layers(self, x: Tensor) -> list[Tensor]:
        """Return h after each hidden layer, (..., M), of x (..., nC)."""
        layers = [self.dropped(torch.relu(self.hidden(x)))]
        for deeper in self.deeper:
            layers.append(layers[-1] + self.dropped(torch.relu(deeper(norm(layers[-1])))))
        return layers

    def dropped(self, added: Tensor) -> Tensor:
        """Return what a layer adds; in training with a share of its numbers 0 and the others larger to make up."""
        return functional.dropout(added, self.config.dropout, self.training)

    def logits(self, x: Tensor, h: Tensor) -> Tensor:
        """Return U norm(h) + W x + b, (..., V)."""
        return self.output(norm(h)) + self.direct_output(x)

    def forward(self, ids: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits of the token after each position, (B, T, V), and the ids to go on from, (B, n - 1)."""
        n = self.config.context
        before = ids.new_full((len(ids), n - 1), self.config.vocabulary_size) if state is None else state
        seen = torch.cat((before, ids), dim=1)  # (B, n - 1 + T)
        windows = self.windows(seen)  # (B, T, n)
        if self.training and self.config.cut_short:
            windows = self.cut_short(windows)
        x = self.embedding(windows).flatten(2)  # (B, T, nC)
        return self.logits(x, self.hidden_layers(x)[-1]), seen[:, seen.shape[1] - n + 1 :]


@torch.no_grad()
def trace_feedforward(model: FeedForwardLanguageModel, ids: Tensor) -> FeedForwardTrace:
    """Return the prediction after `ids` (T,) with what it was computed from."""
    n = model.config.context
    window = functional.pad(ids, (n, 0), value=model.config.vocabulary_size)[-n:]
    x = model.embedding(window).flatten()
    layers = model.hidden_layers(x)
    return FeedForwardTrace(window, x, torch.stack(layers), model.logits(x, layers[-1]))
