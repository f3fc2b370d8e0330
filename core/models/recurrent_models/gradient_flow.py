"""The gradient microscope: how much of the loss's gradient reaches a hidden state k steps back.

    dL/dh_t-1 = W_h^T diag(1 - h_t^2) dL/dh_t                                a plain RNN, by the chain rule
    dL/dW_h   = sum_t (diag(1 - h_t^2) dL/dh_t) h_t-1^T                      every step adds to the same weights
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

from core.models.recurrent_language_model import (
    RecurrentConfig,
    RecurrentLanguageModel,
    StepWeights,
    gru_step,
    lstm_step,
    rnn_step,
)


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
    """Return random weights of a cell, each square block of W_h with the given spectral radius, in 64 bits.

    The cell is "rnn", "linear" (an RNN without its tanh) or "lstm". `forget_bias` is added to the LSTM's forget
    gate, so that it begins by keeping its cell.
    """
    generator = torch.Generator().manual_seed(seed)
    gates = 4 if cell == "lstm" else 1
    W_x, *blocks = (_normal(width, width, generator) / width**0.5 for _ in range(1 + gates))
    W_h = torch.cat([with_spectral_radius(block, radius) for block in blocks])
    bias = torch.zeros(gates * width, dtype=torch.float64)
    if cell == "lstm":
        bias[width : 2 * width] = forget_bias
    return StepWeights(W_x.repeat(gates, 1), W_h, bias, torch.zeros_like(bias))


def _normal(rows: int, columns: int, generator: torch.Generator) -> Tensor:
    return torch.randn(rows, columns, generator=generator, dtype=torch.float64)


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
    inputs = input_size * _normal(length, width, generator)
    v = _normal(1, width, generator)[0]
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
    model.embedding.weight.copy_(_normal(vocabulary_size, width, torch.Generator().manual_seed(seed + 1)))
    for ours, values in zip(vars(model.step_weights).values(), vars(drawn).values(), strict=True):
        ours.copy_(values)
    return model


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

    Raises ValueError for fewer than two ids: there must be something to read and something to foretell.

    >>> from core.models.recurrent_language_model import RecurrentConfig
    >>> model = RecurrentLanguageModel(RecurrentConfig(5, "gru", width=3))
    >>> loss_gradient(model, torch.tensor([0, 2, 4])).hidden_gradients.shape
    torch.Size([2, 3])
    """
    if len(ids) < 2:
        raise ValueError("A loss needs at least one token to read and one to foretell.")
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


def last_gradient(E: Tensor, probabilities: Tensor, target: int) -> Tensor:
    """Return dL/dh_T = E^T (p - y), (H,), where y is 1 at the target and 0 elsewhere; logits are h E^T + b.

    >>> last_gradient(torch.eye(2), torch.tensor([0.25, 0.75]), 1).tolist()
    [0.25, -0.25]
    """
    y = torch.nn.functional.one_hot(torch.tensor(target), len(probabilities))
    return E.T @ (probabilities - y)


def factors(W_h: Tensor, hidden: Tensor) -> Tensor:
    """Return W_h^T diag(1 - h_t^2) for every step of a plain RNN, (T, H, H): what takes dL/dh_t to dL/dh_t-1.

    >>> factors(torch.tensor([[2.0]]), torch.tensor([[0.0], [0.5]])).flatten().tolist()
    [2.0, 1.5]
    """
    return W_h.T * (1 - hidden**2)[:, None, :]


def backpropagated(W_h: Tensor, hidden: Tensor, last: Tensor) -> Tensor:
    """Return dL/dh_t at every step of a plain RNN, (T, H), from its last, by hand.

    dL/dh_t-1 = W_h^T ((1 - h_t^2) * dL/dh_t)
    """
    gradients = [last]
    for h in hidden.flip(0)[:-1]:
        gradients.append(W_h.T @ ((1 - h**2) * gradients[-1]))
    return torch.stack(gradients).flip(0)


def weight_gradients(hidden: Tensor, gradients: Tensor) -> Tensor:
    """Return each step's part of dL/dW_h of a plain RNN, (T, H, H); their sum is the gradient.

    (diag(1 - h_t^2) dL/dh_t) h_t-1^T, with h_-1 = 0
    """
    before = torch.cat((torch.zeros_like(hidden[:1]), hidden[:-1]))
    return ((1 - hidden**2) * gradients)[:, :, None] * before[:, None, :]


def clip_factor(norm: float, clip: float | None) -> float:
    """Return min(1, c / |g|), what every gradient is multiplied by; 1 when nothing is to be clipped.

    >>> clip_factor(10.0, 2.5), clip_factor(0.5, 2.5), clip_factor(10.0, None)
    (0.25, 1.0, 1.0)
    """
    return 1.0 if clip is None or norm <= clip else clip / norm
