"""What clipping is for: the same RNN trained twice by plain gradient descent, the gradient clipped or as it is.

    the task      remember the first of T numbers:  L = mean (v . h_T - x_1)^2
    one step      w <- w - rate min(1, c / |g|) g            g holds all parameters' gradients

The loss has cliffs where the gradient explodes: one unclipped step there throws the weights far away.

Source: Pascanu, Mikolov and Bengio (2013), On the Difficulty of Training Recurrent Neural Networks.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.recurrent_models.clipping import clip_factor
from core.models.recurrent_models.drawn_weights import drawn_weights

BATCH, WIDTH = 32, 32
LOST = 1e6  # a loss beyond it does not come back, and need not be watched


@dataclass(frozen=True)
class ClippedTraining:
    """The loss before every step, the gradient's norm, and the norm that was used; each (steps,)."""

    losses: list[float]
    norms: list[float]
    used: list[float]


def first_numbers(length: int, seed: int) -> Tensor:
    """Return a batch of sequences, (T, B, 1): a first number from -1 to 1, then noise of a tenth."""
    generator = torch.Generator().manual_seed(seed)
    x = 0.1 * torch.randn(length, BATCH, 1, generator=generator, dtype=torch.float64)
    x[0] = 2 * torch.rand(BATCH, 1, generator=generator, dtype=torch.float64) - 1
    return x


def remembered(x: Tensor, parameters: list[Tensor]) -> Tensor:
    """Return what a plain RNN answers after reading x (T, B, 1): v . h_T, (B,)."""
    W_x, W_h, b, v = parameters
    W_x_T, W_h_T = W_x.T, W_h.T  # once: autograd would follow each turning round
    h = x.new_zeros(x.shape[1], len(W_h))
    for x_t in x.unbind():  # (B, 1)
        h = torch.tanh(x_t @ W_x_T + h @ W_h_T + b)
    return h @ v


def train(
    radius: float, length: int, clip: float | None, steps: int = 120, rate: float = 0.1, seed: int = 1
) -> ClippedTraining:
    """Return how the training went; it ends early, with that step, when the loss passes LOST or is no number.

    >>> went = train(radius=1.0, length=5, clip=0.01, steps=3)
    >>> len(went.losses), max(went.used) <= 0.01 + 1e-12
    (3, True)
    """
    drawn = drawn_weights("rnn", WIDTH, radius, seed)
    parameters = [drawn.W_x[:, :1] * WIDTH**0.5, drawn.W_h, drawn.b_x, drawn.W_x[0]]
    parameters = [parameter.clone().requires_grad_() for parameter in parameters]
    losses, norms, used = [], [], []
    for step in range(steps):
        x = first_numbers(length, seed=1000 * seed + step)
        loss = ((remembered(x, parameters) - x[0, :, 0]) ** 2).mean()
        gradients = torch.autograd.grad(loss, parameters)
        norm = torch.cat([gradient.flatten() for gradient in gradients]).norm().item()
        factor = clip_factor(norm, clip)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter -= rate * factor * gradient
        losses.append(loss.item())
        norms.append(norm)
        used.append(norm * factor)
        if not loss.item() <= LOST:  # nor is nan
            break
    return ClippedTraining(losses, norms, used)
