"""What a recurrent network's memory is worth: bits per character with a piece of it taken away.

    wiped:   h_t-1 = c_t-1 = 0 before every k-th character
    frozen:  a gate held at one value, sigmoid(W_x x_t + W_h h_t-1 + b) = v for every unit at every step

Freezing sets the gate's rows of W_x and W_h to 0 and its bias to ln(v / (1 - v)): the same equations then
compute the constant.
"""

from __future__ import annotations

from copy import deepcopy
from math import inf, log

import torch
from torch import Tensor
from torch.nn import functional

from core.models.recurrent_language_model import RecurrentLanguageModel
from core.models.recurrent_models.weighted_sum import GATES

HELD_GATES = {  # what each cell's gates can be held at: {id: (gate, value)}
    "rnn": {},
    "gru": {"z0": ("z", 0.0), "z05": ("z", 0.5), "r0": ("r", 0.0), "r1": ("r", 1.0)},
    "lstm": {"f0": ("f", 0.0), "f05": ("f", 0.5), "f1": ("f", 1.0), "i1": ("i", 1.0), "o1": ("o", 1.0)},
}


def logit(p: float) -> float:
    """Return ln(p / (1 - p)), the number that sigmoid maps to p.

    >>> logit(0.5), logit(1.0), logit(0.0)
    (0.0, inf, -inf)
    """
    return inf if p >= 1 else -inf if p <= 0 else log(p / (1 - p))


@torch.no_grad()
def frozen(model: RecurrentLanguageModel, gate: str, value: float) -> RecurrentLanguageModel:
    """Return a copy of a GRU or LSTM whose gate ("r", "z", "i", "f" or "o") is `value` (0 to 1) at every step."""
    copy, H = deepcopy(model), model.config.width
    first = GATES[model.config.cell].index(gate) * H
    weights = copy.step_weights
    for rows in (weights.W_x, weights.W_h, weights.b_x, weights.b_h):
        rows[first : first + H] = 0
    weights.b_x[first : first + H] = logit(value)
    return copy


@torch.inference_mode()
def bits_when_wiped(model: RecurrentLanguageModel, ids: Tensor, wiped: int | None = None) -> Tensor:
    """Return -log2 p of each of ids[1:] after all before it, (T - 1,); `wiped` empties the memory every so often.

    Raises ValueError for fewer than two ids: there is nothing to predict.

    >>> from core.models.recurrent_language_model import RecurrentConfig
    >>> bits_when_wiped(RecurrentLanguageModel(RecurrentConfig(4, "gru", width=3)), torch.tensor([0, 1, 2]), wiped=1).shape
    torch.Size([2])
    """
    if len(ids) < 2:
        raise ValueError(
            "There is nothing to predict: give two ids or more, the first of which is only read."
        )
    read, n = ids[:-1], len(ids) - 1
    k = min(wiped or n, n)
    pieces = functional.pad(read, (0, -n % k)).view(-1, k)  # each row is read from an empty memory
    logits = model(pieces)[0].flatten(0, 1)[:n].double()
    return functional.cross_entropy(logits, ids[1:], reduction="none") / log(2)
