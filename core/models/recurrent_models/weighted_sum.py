"""One number of a recurrent network taken apart: every term of its weighted sum, for one unit at one step.

    a_j = sum_k W_x[j, k] x_t[k] + b_x[j] + s (sum_k W_h[j, k] h_t-1[k] + b_h[j])
    h_t[j] = tanh(a_j) in a plain RNN;  a gate is sigmoid(a_j), a candidate (n, g) tanh(a_j)

s is 1, but for the GRU's candidate n, whose view of the past is scaled by its reset gate r_j.

Sources: Elman (1990); Hochreiter and Schmidhuber (1997); Cho et al. (2014).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.models.recurrent_language_model import RecurrentLanguageModel, RecurrentTrace

GATES = {
    "rnn": ("h",),
    "gru": ("r", "z", "n"),
    "lstm": ("i", "f", "g", "o"),
}  # in the order of the weights' rows
TANH = ("h", "n", "g")


@dataclass(frozen=True)
class WeightedSum:
    """The sum behind one unit's value of h, a gate or a candidate at one step.

    `input_weights` (E,) times `x` (E,) and `state_weights` (H,) times `state` h_t-1 (H,) are its terms; the latter
    and `state_bias` are scaled by `scale`.
    """

    name: str
    unit: int
    input_weights: np.ndarray
    x: np.ndarray
    input_bias: float
    state_weights: np.ndarray
    state: np.ndarray
    state_bias: float
    scale: float

    @property
    def input_terms(self) -> np.ndarray:
        """W_x[j, k] x_t[k], (E,)."""
        return self.input_weights * self.x

    @property
    def state_terms(self) -> np.ndarray:
        """s W_h[j, k] h_t-1[k], (H,)."""
        return self.scale * self.state_weights * self.state

    @property
    def bias(self) -> float:
        """b_x[j] + s b_h[j]."""
        return self.input_bias + self.scale * self.state_bias

    @property
    def total(self) -> float:
        """a_j, the whole sum."""
        return float(self.input_terms.sum() + self.state_terms.sum() + self.bias)

    @property
    def value(self) -> float:
        """The sum squashed: tanh for h and the candidates, sigmoid for the gates."""
        return float(np.tanh(self.total) if self.name in TANH else 1 / (1 + np.exp(-self.total)))


def state_before(traced: RecurrentTrace, t: int, wiped: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return h_t-1 and, for an LSTM, c_t-1, each (H,); zeros at the start and where the memory was just wiped."""
    empty = np.zeros(traced.hidden.shape[1])
    if t == 0 or (wiped and t % wiped == 0):
        return empty, empty
    cell = traced.gates["c"][t - 1].double().numpy() if "c" in traced.gates else empty
    return traced.hidden[t - 1].double().numpy(), cell


def weighted_sum(
    model: RecurrentLanguageModel, traced: RecurrentTrace, name: str, unit: int, t: int, state: np.ndarray
) -> WeightedSum:
    """Return the sum behind `name` (one of GATES) of a unit at step t of a reading; `state` is h_t-1, (H,).

    >>> import torch
    >>> from core.models.recurrent_language_model import RecurrentConfig, trace_recurrent
    >>> model = RecurrentLanguageModel(RecurrentConfig(3, "rnn", width=2))
    >>> read = trace_recurrent(model, torch.tensor([0, 2]))
    >>> found = weighted_sum(model, read, "h", 1, 1, read.hidden[0].numpy())
    >>> abs(found.value - read.hidden[1, 1].item()) < 1e-6
    True
    """
    weights, H = model.step_weights, model.config.width
    row = GATES[model.config.cell].index(name) * H + unit
    numbers = (weights.W_x[row], traced.x[t], weights.b_x[row], weights.W_h[row], weights.b_h[row])
    w_x, x, b_x, w_h, b_h = (each.detach().double().numpy() for each in numbers)
    scale = traced.gates["r"][t, unit].item() if name == "n" else 1.0
    return WeightedSum(name, unit, w_x, x, float(b_x), w_h, state.astype(float), float(b_h), scale)


def largest_terms(terms: np.ndarray, most: int) -> np.ndarray:
    """Return the places of the terms that are farthest from 0, the farthest first.

    >>> largest_terms(np.array([0.1, -3.0, 2.0]), 2).tolist()
    [1, 2]
    """
    return np.argsort(-np.abs(terms), kind="stable")[:most]
