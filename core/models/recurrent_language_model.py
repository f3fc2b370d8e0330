"""Recurrent language models: one hidden state, updated at every token, carries all that was read.

    RNN   h_t = tanh(W_x x_t + W_h h_t-1 + b)
    LSTM  i, f, o = sigmoid(...);  g = tanh(...);  c_t = f c_t-1 + i g;  h_t = o tanh(c_t)
    GRU   r, z = sigmoid(...);  n = tanh(W x_t + r (U h_t-1));  h_t = (1 - z) n + z h_t-1
    logits = h_t E^T + b                      E is the token embedding, used twice (weight tying)

Fitting runs torch's fused layers; the step functions below are the same equations one step at a time, on the
same weights, and return every gate (a test holds the two together).

Sources: Elman (1990); Hochreiter and Schmidhuber (1997); Cho et al. (2014); Press and Wolf (2017) for the tying.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

Gates = dict[str, Tensor]


@dataclass(frozen=True)
class RecurrentConfig:
    """The shape of a recurrent language model: V tokens, a cell ("rnn", "gru" or "lstm"), H hidden units."""

    vocabulary_size: int
    cell: str = "gru"
    width: int = 256


@dataclass(frozen=True)
class StepWeights:
    """A cell's weights, the gates' rows stacked: W_x (gH, E), W_h (gH, H) and biases (gH,)."""

    W_x: Tensor
    W_h: Tensor
    b_x: Tensor
    b_h: Tensor


@dataclass(frozen=True)
class RecurrentTrace:
    """A reading step by step: ids (T,), x (T, E), hidden (T, H), each gate (T, H), logits (T, V).

    `gates` are named as in the equations; for an LSTM they include the cell state "c", for an RNN there are none.
    """

    ids: Tensor
    x: Tensor
    hidden: Tensor
    gates: Gates
    logits: Tensor

    def values(self, name: str) -> np.ndarray:
        """Return the values of "h" or of a gate, (T, H), in 64 bits."""
        return (self.hidden if name == "h" else self.gates[name]).double().numpy()


def rnn_step(x: Tensor, h: Tensor, weights: StepWeights) -> tuple[Tensor, Gates]:
    """Return h_t = tanh(W_x x_t + b_x + W_h h_t-1 + b_h), (H,), and no gates.

    >>> one = torch.ones(1, 1)
    >>> h, _ = rnn_step(torch.tensor([0.5]), torch.tensor([0.25]), StepWeights(one, one, one[0] * 0, one[0] * 0))
    >>> round(h.item(), 4), round(torch.tanh(torch.tensor(0.75)).item(), 4)
    (0.6351, 0.6351)
    """
    return torch.tanh(weights.W_x @ x + weights.b_x + weights.W_h @ h + weights.b_h), {}


def gru_step(x: Tensor, h: Tensor, weights: StepWeights) -> tuple[Tensor, Gates]:
    """Return h_t, (H,), and the gates: r how much of the past the candidate n sees, z how much of it stays."""
    x_r, x_z, x_n = (weights.W_x @ x + weights.b_x).chunk(3)
    h_r, h_z, h_n = (weights.W_h @ h + weights.b_h).chunk(3)
    r, z = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
    n = torch.tanh(x_n + r * h_n)
    return (1 - z) * n + z * h, {"r": r, "z": z, "n": n}


def lstm_step(x: Tensor, h: Tensor, c: Tensor, weights: StepWeights) -> tuple[Tensor, Gates]:
    """Return h_t, (H,), and the gates: i writes, f keeps, g is the candidate, o shows; c is the cell state."""
    i, f, g, o = (weights.W_x @ x + weights.b_x + weights.W_h @ h + weights.b_h).chunk(4)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    c = f * c + i * g
    return o * torch.tanh(c), {"i": i, "f": f, "g": g, "o": o, "c": c}


class RecurrentLanguageModel(nn.Module):
    """Embedding, one recurrent layer, and the embedding again as the output matrix."""

    layers: dict[str, Callable[..., nn.Module]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}  # noqa: RUF012

    def __init__(self, config: RecurrentConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.layer = self.layers[config.cell](config.width, config.width, batch_first=True)
        self.output_bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        nn.init.normal_(self.embedding.weight, std=0.1)
        nn.init.orthogonal_(self.layer.weight_hh_l0)

    def forward(self, ids: Tensor, state=None) -> tuple[Tensor, object]:
        """Return the logits of the token after each position, (B, T, V), and the state to go on from."""
        hidden, state = self.layer(self.embedding(ids), state)
        return self.logits(hidden), state

    def logits(self, hidden: Tensor) -> Tensor:
        """Return h E^T + b, (..., V)."""
        return hidden @ self.embedding.weight.T + self.output_bias

    @property
    def step_weights(self) -> StepWeights:
        """The cell's weights as the step functions take them."""
        layer = self.layer
        return StepWeights(layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0, layer.bias_hh_l0)


@torch.no_grad()
def trace_recurrent(model: RecurrentLanguageModel, ids: Tensor, wiped: int | None = None) -> RecurrentTrace:
    """Return every hidden state and gate of reading `ids` (T,) from an empty state, one step at a time.

    `wiped` empties the state again before every so many tokens.
    """
    weights, x = model.step_weights, model.embedding(ids)  # x (T, E)
    h = c = torch.zeros(model.config.width)
    hidden, gates = [], []
    for t, x_t in enumerate(x):
        if wiped and t % wiped == 0:
            h = c = torch.zeros(model.config.width)
        if model.config.cell == "lstm":
            h, opened = lstm_step(x_t, h, c, weights)
            c = opened["c"]
        else:
            h, opened = {"rnn": rnn_step, "gru": gru_step}[model.config.cell](x_t, h, weights)
        hidden.append(h)
        gates.append(opened)
    H = torch.stack(hidden)
    named = {name: torch.stack([opened[name] for opened in gates]) for name in gates[0]}
    return RecurrentTrace(ids, x, H, named, model.logits(H))
