"""The gradient through time, by autograd: how much of a loss reaches a hidden state k steps back.

    dL/dh_t-1 = W_h^T diag(1 - h_t^2) dL/dh_t                                a plain RNN
    dL/dc_t-1 = f_t dL/dc_t + ...                                            an LSTM's cell: a way of its own

Each step back multiplies by W_h^T: below a spectral radius of one the gradient vanishes, above it may explode.

Sources: Bengio, Simard and Frasconi (1994); Hochreiter and Schmidhuber (1997); Pascanu, Mikolov and Bengio (2013),
On the Difficulty of Training Recurrent Neural Networks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.recurrent_language_model import (
    RecurrentLanguageModel,
    StepWeights,
    gru_step,
    lstm_step,
    rnn_step,
)
from core.models.recurrent_models.clipping import clip_factor
from core.models.recurrent_models.drawn_weights import draw_normal, drawn_weights


@dataclass(frozen=True)
class GradientFlow:
    """The gradients of L = v . h_T, |v| = 1, through T steps; place t is T - 1 - t steps back.

    `hidden` (T, H); `hidden_gradients` dL/dh_t (T, H); `cell_gradients` dL/dc_t (T, H), None without a cell state;
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
        return gradient_lengths(self.hidden_gradients)

    @property
    def cell_norms(self) -> Tensor | None:
        """|dL/dc_t|, (T,), or None for a plain RNN."""
        return None if self.cell_gradients is None else gradient_lengths(self.cell_gradients)


def gradient_lengths(gradients: Tensor) -> Tensor:
    """Return the length |g| of every row, (T,), however small: the square of 1e-170 would be 0 in 64 bits.

    >>> gradient_lengths(torch.tensor([[3e-170, 4e-170], [0.0, 0.0]], dtype=torch.float64)).tolist()
    [5e-170, 0.0]
    """
    greatest = gradients.abs().amax(dim=1).clamp(min=torch.finfo(gradients.dtype).tiny)
    return greatest * (gradients / greatest[:, None]).norm(dim=1)


def gradient_flow(
    cell: str = "rnn",
    radius: float = 1.0,
    length: int = 50,
    width: int = 32,
    clip: float | None = None,
    seed: int = 1,
    input_size: float = 0.1,
    forget_bias: float = 1.0,
) -> GradientFlow:
    """Return the gradient at every step of a random RNN or LSTM that reads random numbers, by autograd.

    `forget_bias` is where an LSTM's forget gate starts: sigmoid(0) = 0.5, sigmoid(1) = 0.73.

    >>> norms = gradient_flow("rnn", radius=0.5, length=20).hidden_norms
    >>> bool(norms[0] < 1e-4), round(norms[-1].item(), 3)
    (True, 1.0)
    """
    weights = drawn_weights(cell, width, radius, seed, forget_bias)
    weights.W_h.requires_grad_()
    generator = torch.Generator().manual_seed(seed + 1)
    inputs = input_size * draw_normal(length, width, generator)
    v = draw_normal(1, width, generator)[0]
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
    """Return every hidden state and every cell state of reading `inputs` (T, E), each keeping its gradient."""
    h = c = torch.zeros(weights.W_h.shape[1], dtype=inputs.dtype)
    hidden, cells = [], []
    for x in inputs:
        if cell == "lstm":
            h, gates = lstm_step(x, h, c, weights)
            c = gates["c"]
            c.retain_grad()
            cells.append(c)
        else:
            h, _ = {"rnn": rnn_step, "gru": gru_step, "linear": linear_step}[cell](x, h, weights)
        h.retain_grad()
        hidden.append(h)
    return hidden, cells


def linear_step(x: Tensor, h: Tensor, weights: StepWeights) -> tuple[Tensor, dict]:
    """Return h_t = W_x x_t + b_x + W_h h_t-1 + b_h, (H,): an RNN whose tanh was taken out."""
    return weights.W_x @ x + weights.b_x + weights.W_h @ h + weights.b_h, {}


@dataclass(frozen=True)
class LossGradient:
    """The gradient of L = -ln p(target | all before it) at every step of a reading, by autograd, in 64 bits.

    `ids` (T,) were read, `hidden` (T, H); `hidden_gradients` dL/dh_t (T, H); `cell_gradients` dL/dc_t (T, H) or
    None; `probabilities` (V,) are those of the token after the last step.
    """

    ids: Tensor
    target: int
    hidden: Tensor
    hidden_gradients: Tensor
    cell_gradients: Tensor | None
    probabilities: Tensor

    @property
    def loss(self) -> float:
        """-ln p(target), in nats."""
        return -self.probabilities[self.target].log().item()


def loss_gradient(model: RecurrentLanguageModel, ids: Tensor) -> LossGradient:
    """Return how the loss at the last of `ids` (T + 1,) depends on every hidden state before it.

    Raises ValueError for fewer than two ids: there must be something to read and something to predict.

    >>> from core.models.recurrent_language_model import RecurrentConfig
    >>> model = RecurrentLanguageModel(RecurrentConfig(5, "gru", width=3))
    >>> loss_gradient(model, torch.tensor([0, 2, 4])).hidden_gradients.shape
    torch.Size([2, 3])
    """
    if len(ids) < 2:
        raise ValueError("A loss needs at least one token to read and one to predict.")
    E, bias = model.embedding.weight.detach().double(), model.output_bias.detach().double()
    weights = StepWeights(*(each.detach().double() for each in vars(model.step_weights).values()))
    inputs = E[ids[:-1]].requires_grad_()
    hidden, cells = unrolled(model.config.cell, inputs, weights)
    ln_p = torch.log_softmax(hidden[-1] @ E.T + bias, dim=0)
    (-ln_p[ids[-1]]).backward()
    return LossGradient(
        ids=ids[:-1],
        target=int(ids[-1]),
        hidden=torch.stack(hidden).detach(),
        hidden_gradients=torch.stack([h.grad for h in hidden]),
        cell_gradients=torch.stack([c.grad for c in cells]) if cells else None,
        probabilities=ln_p.detach().exp(),
    )


def largest_drop(norms: np.ndarray) -> tuple[int, float]:
    """Return the step t whose reading shrinks |dL/dh_t-1| / |dL/dh_t| most, and that ratio; `norms` (T,), T >= 2.

    >>> largest_drop(np.array([0.1, 0.2, 1.0, 1.0]))
    (2, 0.2)
    """
    ratios = norms[:-1] / norms[1:]
    t = int(ratios.argmin())
    return t + 1, float(ratios[t])
