"""Random weights of a recurrent cell, whose matrix W_h has a chosen spectral radius.

    spectral radius   rho(W) = max |eigenvalue of W|; many multiplications lengthen a vector by about rho each
    drawn             W_x ~ N(0, 1/H);   W_h = N(0, 1/H) scaled to the radius;   b = 0

Source: Pascanu, Mikolov and Bengio (2013), On the Difficulty of Training Recurrent Neural Networks.
"""

from __future__ import annotations

import torch
from torch import Tensor

from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel, StepWeights


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
    """Return random weights of a cell, each square block of W_h with the given spectral radius, in 64 bits.

    The cell is "rnn", "linear" (an RNN without its tanh) or "lstm". `forget_bias` is added to the LSTM's forget
    gate, so that it begins by keeping its cell.
    """
    generator = torch.Generator().manual_seed(seed)
    gates = 4 if cell == "lstm" else 1
    W_x, *blocks = (draw_normal(width, width, generator) / width**0.5 for _ in range(1 + gates))
    W_h = torch.cat([with_spectral_radius(block, radius) for block in blocks])
    bias = torch.zeros(gates * width, dtype=torch.float64)
    if cell == "lstm":
        bias[width : 2 * width] = forget_bias
    return StepWeights(W_x.repeat(gates, 1), W_h, bias, torch.zeros_like(bias))


def draw_normal(rows: int, columns: int, generator: torch.Generator) -> Tensor:
    """Return a matrix of numbers drawn from the standard normal distribution, in 64 bits."""
    return torch.randn(rows, columns, generator=generator, dtype=torch.float64)


def drawn_language_model(
    vocabulary_size: int, width: int, radius: float, seed: int
) -> RecurrentLanguageModel:
    """Return an untrained plain RNN language model in 64 bits, its W_h of the given spectral radius.

    >>> round(spectral_radius(drawn_language_model(5, 3, 0.7, seed=1).step_weights.W_h.detach()), 3)
    0.7
    """
    model = (
        RecurrentLanguageModel(RecurrentConfig(vocabulary_size, "rnn", width)).double().requires_grad_(False)
    )
    drawn = drawn_weights("rnn", width, radius, seed)
    model.embedding.weight.copy_(draw_normal(vocabulary_size, width, torch.Generator().manual_seed(seed + 1)))
    for ours, values in zip(vars(model.step_weights).values(), vars(drawn).values(), strict=True):
        ours.copy_(values)
    return model
