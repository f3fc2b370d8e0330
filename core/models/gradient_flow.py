"""The gradient microscope: how much of the loss's gradient reaches a hidden state k steps back.

    dL/dh_t-1 = W_h^T diag(1 - h_t^2) dL/dh_t                                a plain RNN, by the chain rule
    dL/dc_t-1 = f_t dL/dc_t + ...                                            an LSTM's cell: a road of its own
    clipped g = g min(1, c / |g|)                                            one factor for all parameters

Each step back multiplies by W_h^T: below a spectral radius of one the gradient vanishes, above it may explode.

Sources: Bengio, Simard and Frasconi (1994); Hochreiter and Schmidhuber (1997); Pascanu, Mikolov and Bengio (2013),
On the Difficulty of Training Recurrent Neural Networks, for the clipping.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.recurrent_language_model import StepWeights, lstm_step, rnn_step


@dataclass(frozen=True)
class GradientFlow:
    """The gradients of L = v . h_T, |v| = 1, through T steps; place t is T - 1 - t steps back.

    `hidden` (T, H); `hidden_gradients` dL/dh_t (T, H); `cell_gradients` dL/dc_t (T, H), None for a plain RNN;
    `parameter_norm` is |dL/dW_h| and `clipped_norm` what is left of it after clipping.
    """

    weights: StepWeights
    hidden: Tensor
    hidden_gradients: Tensor
    cell_gradients: Tensor | None
    parameter_norm: float
    clipped_norm: float

    @property
    def distance(self) -> Tensor:
        """How many steps before the loss each place is, (T,)."""
        return torch.arange(len(self.hidden)).flip(0)

    @property
    def hidden_norms(self) -> Tensor:
        """|dL/dh_t|, (T,)."""
        return self.hidden_gradients.norm(dim=1)

    @property
    def cell_norms(self) -> Tensor | None:
        """|dL/dc_t|, (T,), or None for a plain RNN."""
        return None if self.cell_gradients is None else self.cell_gradients.norm(dim=1)


def spectral_radius(W: Tensor) -> float:
    """Return the greatest absolute eigenvalue of a square matrix.

    >>> round(spectral_radius(torch.tensor([[0.0, 2.0], [-2.0, 0.0]])), 3)
    2.0
    """
    return torch.linalg.eigvals(W).abs().max().item()


def with_spectral_radius(W: Tensor, radius: float) -> Tensor:
    """Return W scaled so that its greatest absolute eigenvalue is `radius`.

    >>> with_spectral_radius(torch.diag(torch.tensor([1.0, 4.0])), 2.0).diag().tolist()
    [0.5, 2.0]
    """
    return W * (radius / spectral_radius(W))


def drawn_weights(cell: str, width: int, radius: float, seed: int, forget_bias: float = 1.0) -> StepWeights:
    """Return random weights of a cell ("rnn" or "lstm"), each square block of W_h with the given spectral radius.

    `forget_bias` is added to the LSTM's forget gate, so that it begins by keeping its cell.
    """
    generator = torch.Generator().manual_seed(seed)
    gates = {"rnn": 1, "lstm": 4}[cell]
    W_x, *blocks = (torch.randn(width, width, generator=generator) / width**0.5 for _ in range(1 + gates))
    W_h = torch.cat([with_spectral_radius(block, radius) for block in blocks])
    bias = torch.zeros(gates * width)
    if cell == "lstm":
        bias[width : 2 * width] = forget_bias
    return StepWeights(W_x.repeat(gates, 1), W_h, bias, torch.zeros_like(bias))


def gradient_flow(
    cell: str = "rnn",
    radius: float = 1.0,
    length: int = 50,
    width: int = 32,
    clip: float | None = None,
    seed: int = 1,
    input_size: float = 0.1,
) -> GradientFlow:
    """Return the gradient at every step of a random RNN or LSTM that reads random numbers, by autograd.

    >>> norms = gradient_flow("rnn", radius=0.5, length=20).hidden_norms
    >>> bool(norms[0] < 1e-4), round(norms[-1].item(), 3)
    (True, 1.0)
    """
    weights = drawn_weights(cell, width, radius, seed)
    weights.W_h.requires_grad_()
    generator = torch.Generator().manual_seed(seed + 1)
    inputs = input_size * torch.randn(length, width, generator=generator)
    v = torch.randn(width, generator=generator)
    hidden, cells = unrolled(cell, inputs, weights)
    (hidden[-1] @ (v / v.norm())).backward()
    norm = weights.W_h.grad.norm().item()
    return GradientFlow(
        weights=weights,
        hidden=torch.stack(hidden).detach(),
        hidden_gradients=torch.stack([h.grad for h in hidden]),
        cell_gradients=torch.stack([c.grad for c in cells]) if cells else None,
        parameter_norm=norm,
        clipped_norm=norm * clip_factor(norm, clip),
    )


def unrolled(cell: str, inputs: Tensor, weights: StepWeights) -> tuple[list[Tensor], list[Tensor]]:
    """Return every hidden state and every cell state of a reading, each keeping its gradient."""
    h = c = torch.zeros(inputs.shape[1])
    hidden, cells = [], []
    for x in inputs:
        if cell == "rnn":
            h, _ = rnn_step(x, h, weights)
        else:
            h, gates = lstm_step(x, h, c, weights)
            c = gates["c"]
            c.retain_grad()
            cells.append(c)
        h.retain_grad()
        hidden.append(h)
    return hidden, cells


def backpropagated(W_h: Tensor, hidden: Tensor, last: Tensor) -> Tensor:
    """Return dL/dh_t at every step of a plain RNN, (T, H), from its last, by hand.

    dL/dh_t-1 = W_h^T ((1 - h_t^2) * dL/dh_t)
    """
    gradients = [last]
    for h in hidden.flip(0)[:-1]:
        gradients.append(W_h.T @ ((1 - h**2) * gradients[-1]))
    return torch.stack(gradients).flip(0)


def clip_factor(norm: float, clip: float | None) -> float:
    """Return min(1, c / |g|), what every gradient is multiplied by; 1 when nothing is to be clipped.

    >>> clip_factor(10.0, 2.5), clip_factor(0.5, 2.5), clip_factor(10.0, None)
    (0.25, 1.0, 1.0)
    """
    return 1.0 if clip is None or norm <= clip else clip / norm
