"""Weight tying: the embedding is the output matrix too, so every row of it does two jobs.

    reading    x_t = E[k]                      the row of the token just read
    writing    logit_k = h_t . E[k] + b_k      the row of each token that may come next
    saved      V H                             an output matrix of its own

Sources: Press and Wolf (2017), Using the Output Embedding to Improve Language Models; Inan, Khosravi and Socher (2017).
"""

from __future__ import annotations

from math import log

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.recurrent_models.weighted_sum import GATES


def recurrent_parameters(config: RecurrentConfig, tied: bool = True) -> dict[str, int]:
    """Return how many numbers each part of a recurrent language model learns.

    >>> recurrent_parameters(RecurrentConfig(10, "rnn", width=4), tied=False)
    {'embedding': 40, 'W_x': 16, 'W_h': 16, 'biases of the cell': 8, 'output matrix': 40, 'output bias': 10}
    """
    V, H, gates = config.vocabulary_size, config.width, len(GATES[config.cell])
    return {
        "embedding": V * H,
        "W_x": gates * H * H,
        "W_h": gates * H * H,
        "biases of the cell": 2 * gates * H,
        "output matrix": 0 if tied else V * H,
        "output bias": V,
    }


def grouped(parts: dict[str, int]) -> dict[str, int]:
    """Return the same counts with all biases as one part, the output matrix last.

    >>> grouped(recurrent_parameters(RecurrentConfig(10, "rnn", width=4)))
    {'embedding': 40, 'W_x': 16, 'W_h': 16, 'biases': 18, 'output': 0}
    """
    biases = parts["biases of the cell"] + parts["output bias"]
    found = {name: parts[name] for name in ("embedding", "W_x", "W_h")}
    return {**found, "biases": biases, "output": parts["output matrix"]}


def without_row(E: Tensor, token: int) -> Tensor:
    """Return the embedding (V, H) with one row set to 0.

    >>> without_row(torch.ones(2, 2), 1).tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    changed = E.clone()
    changed[token] = 0
    return changed


@torch.inference_mode()
def bits_with(model: RecurrentLanguageModel, ids: Tensor, reading: Tensor, writing: Tensor) -> Tensor:
    """Return -log2 p of each of ids[1:], (T - 1,), read with one embedding (V, H) and written with another.

    >>> model = RecurrentLanguageModel(RecurrentConfig(3, "rnn", width=2))
    >>> E = model.embedding.weight
    >>> bits_with(model, torch.tensor([0, 1]), E, E).shape
    torch.Size([1])
    """
    hidden, _ = model.layer(reading[ids[:-1]][None])
    logits = hidden[0] @ writing.T + model.output_bias  # (T - 1, V)
    return functional.cross_entropy(logits.double(), ids[1:], reduction="none") / log(2)


def bits_without_row(model: RecurrentLanguageModel, ids: Tensor, token: int) -> dict[str, Tensor]:
    """Return the bits of each of ids[1:] with a token's row whole, and with it gone from either job or both."""
    E = model.embedding.weight
    gone = without_row(E, token)
    jobs = {
        "whole": (E, E),
        "gone when read": (gone, E),
        "gone when written": (E, gone),
        "gone from both": (gone, gone),
    }
    return {name: bits_with(model, ids, reading, writing) for name, (reading, writing) in jobs.items()}


@torch.inference_mode()
def next_probability(
    model: RecurrentLanguageModel, ids: Tensor, token: int, E: Tensor
) -> tuple[np.ndarray, float]:
    """Return h after reading `ids` with the embedding E (V, H), (H,), and p(token) next, written with the same E.

    >>> model = RecurrentLanguageModel(RecurrentConfig(4, "rnn", width=2))
    >>> h, p = next_probability(model, torch.tensor([0, 1]), 2, torch.zeros(4, 2))
    >>> h.shape, round(p, 2)
    ((2,), 0.25)
    """
    hidden, _ = model.layer(E[ids][None])
    logits = (hidden[0, -1] @ E.T + model.output_bias).double()
    return hidden[0, -1].double().numpy(), torch.softmax(logits, dim=0)[token].item()
