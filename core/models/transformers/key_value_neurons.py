"""The feed-forward layer as a memory: a neuron's key decides where it fires, its value what it then adds.

    a_i = gelu(norm(x) . k_i)             k_i: row i of W_1, the neuron's key
    feed-forward(x) = sum_i a_i v_i       v_i: column i of W_2, its value
    pushed_w = E_w . v_i - mean over w    how much the value promotes token w, next to the mean token

Switched off, a neuron adds 0: its a_i is 0 at every place, and all that follows is computed without it.

Source: Geva, Schuster, Berant and Levy (2021), Transformer Feed-Forward Layers Are Key-Value Memories.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.self_attention.gpt import GPT

WHOLE_LAYER = -1  # in place of a neuron: all of the layer's


@dataclass(frozen=True)
class Firing:
    """One layer's feed-forward network at every place: what it read, (T, C), and its neurons.

    `sums` (T, 4C) are read . k_i, `activations` (T, 4C) their gelu, `output` (T, C) what the layer adds.
    """

    read: Tensor
    sums: Tensor
    activations: Tensor
    output: Tensor

    @property
    def awake(self) -> np.ndarray:
        """How many neurons have an activation above 0 at each place, (T,)."""
        return (self.activations > 0).sum(-1).numpy()


@torch.no_grad()
def stream_before(network: GPT, ids: Tensor, layer: int) -> Tensor:
    """Return the stream that a layer's feed-forward network adds to, (T, C)."""
    x = (network.token_embedding(ids) + network.position_embedding.weight[: len(ids)])[None]
    for block in network.blocks[:layer]:
        x, _ = block(x)
    block = network.blocks[layer]
    return (x + block.attention(block.norm_before_attention(x))[0])[0]


@torch.no_grad()
def firing(network: GPT, ids: Tensor, layer: int) -> Firing:
    """Return what the neurons of a layer do while the network reads ids (T,).

    >>> from core.models.self_attention.gpt import GPTConfig
    >>> network = GPT(GPTConfig(vocabulary_size=5, context=4, layers=1, heads=1, width=4))
    >>> firing(network, torch.tensor([1, 2, 3]), layer=0).activations.shape
    torch.Size([3, 16])
    """
    block = network.blocks[layer]
    read = block.norm_before_feed_forward(stream_before(network, ids, layer))
    sums = block.feed_forward.widen(read)
    activations = functional.gelu(sums, approximate="tanh")
    return Firing(read, sums, activations, block.feed_forward.project(activations))


def key(network: GPT, layer: int, neuron: int) -> Tensor:
    """Return a neuron's key, (C,): the row of W_1 that its sum is made with."""
    return network.blocks[layer].feed_forward.widen.weight[neuron]


def value(network: GPT, layer: int, neuron: int) -> Tensor:
    """Return a neuron's value, (C,): the column of W_2 that it adds, times its activation."""
    return network.blocks[layer].feed_forward.project.weight[:, neuron]


@torch.no_grad()
def pushed(network: GPT, layer: int, neuron: int) -> np.ndarray:
    """Return how much a neuron's value promotes each token, E_w . v_i less the mean over all tokens, (V,).

    >>> from core.models.self_attention.gpt import GPTConfig
    >>> network = GPT(GPTConfig(vocabulary_size=5, context=4, layers=1, heads=1, width=4))
    >>> bool(abs(pushed(network, 0, 3).sum()) < 1e-6)
    True
    """
    E = network.token_embedding.weight  # (V, C)
    fit = E @ value(network, layer, neuron)
    return (fit - fit.mean()).double().numpy()


def without_neuron(network: GPT, layer: int, neuron: int) -> GPT:
    """Return a copy in which a neuron, or with WHOLE_LAYER all neurons of the layer, add nothing: their values are 0."""
    changed = deepcopy(network)
    columns = slice(None) if neuron == WHOLE_LAYER else neuron
    changed.blocks[layer].feed_forward.project.weight.data[:, columns] = 0.0
    return changed


def only_neuron(network: GPT, layer: int, neuron: int) -> GPT:
    """Return a copy in which all other neurons of the layer add nothing.

    >>> from core.models.self_attention.gpt import GPTConfig
    >>> network = GPT(GPTConfig(vocabulary_size=5, context=4, layers=1, heads=1, width=4))
    >>> only_neuron(network, 0, 3).blocks[0].feed_forward.project.weight.any(0).nonzero().tolist()
    [[3]]
    """
    changed = without_neuron(network, layer, WHOLE_LAYER)
    kept = value(network, layer, neuron).detach()
    changed.blocks[layer].feed_forward.project.weight.data[:, neuron] = kept
    return changed


@torch.no_grad()
def without_each(network: GPT, ids: Tensor, layer: int, at_once: int = 64) -> np.ndarray:
    """Return ln p of every token after the last of ids (T,) with each neuron of a layer switched off there, (4C, V).

    A neuron is switched off at the last place only, which the network reads again from this layer on; the keys and
    values of all places before it stay. Row i is the prediction without neuron i.
    """
    found = firing(network, ids, layer)
    weight = network.blocks[layer].feed_forward.project.weight  # (C, 4C)
    _, caches = network(ids[None, :-1]) if len(ids) > 1 else (None, None)
    before = stream_before(network, ids, layer)[-1]  # (C,)
    without = before + found.output[-1] - found.activations[-1][:, None] * weight.T  # (4C, C)
    rows = []
    for x in without.split(at_once):
        x = x[:, None]  # (n, 1, C)
        for number in range(layer + 1, len(network.blocks)):
            past = None
            if caches:
                past = tuple(part.expand(len(x), -1, -1, -1) for part in caches[number])
            x, _ = network.blocks[number](x, past)
        logits = functional.linear(network.final_norm(x[:, 0]), network.token_embedding.weight)
        rows.append(logits.double().log_softmax(-1))
    return torch.cat(rows).numpy()


@dataclass(frozen=True)
class Waking:
    """A place of a text that fires a neuron: which run of tokens, which place in it, and the activation there."""

    run: int
    place: int
    activation: float


def most_awake(activations: list[np.ndarray], most: int) -> list[Waking]:
    """Return the places with the greatest activations of one neuron, given those of several runs; the first run's first.

    >>> most_awake([np.array([0.1, 0.9]), np.array([0.5])], most=2)
    [Waking(run=0, place=1, activation=0.9), Waking(run=1, place=0, activation=0.5)]
    """
    everywhere = [
        Waking(run, place, float(a)) for run, each in enumerate(activations) for place, a in enumerate(each)
    ]
    return sorted(everywhere, key=lambda waking: -waking.activation)[:most]
