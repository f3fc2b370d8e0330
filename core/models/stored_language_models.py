"""The project's own trained language models, read back from assets/models."""

from __future__ import annotations

from functools import cache

import torch
from torch import nn

from core.models.feedforward_language_model import FeedForwardConfig, FeedForwardLanguageModel
from core.models.gpt import GPT, GPTConfig
from core.models.neural_language_model import NeuralLanguageModel
from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.stored import load_json, load_weights

NETWORKS = {
    "gpt": (GPT, GPTConfig),
    "recurrent": (RecurrentLanguageModel, RecurrentConfig),
    "feed-forward": (FeedForwardLanguageModel, FeedForwardConfig),
}


def build(network: str, shape: dict) -> nn.Module:
    """Return a network with fresh weights; `network` is a key of NETWORKS, `shape` its configuration's fields.

    >>> build("gpt", {"vocabulary_size": 5, "context": 4, "layers": 1, "heads": 1, "width": 4}).config.width
    4
    """
    kind, config = NETWORKS[network]
    return kind(config(**shape))


@cache
def stored_language_model(name: str) -> NeuralLanguageModel:
    """Return a stored model, ready to predict. Raises FileNotFoundError when there is none of that name."""
    described = load_json(name, "network")
    network = build(described["network"], described["shape"])
    weights = {key: torch.from_numpy(array).float() for key, array in load_weights(name).items()}
    network.load_state_dict(weights)
    return NeuralLanguageModel(
        network.requires_grad_(False), load_json(name, "vocabulary"), described["start"]
    )
