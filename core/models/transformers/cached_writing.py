r"""Writing with a cache: what a GPT keeps of each token, and what it would compute again without it.

    with the cache      the prompt is read at once; each token that was written is then read alone, beside what is kept
    without it          all n tokens are read again for each further one

Both give the same logits: what a token's keys and values are depends on the tokens before it alone, and those do not
change. The operations are those of core/models/transformers/transformer_size.py.

Source: Pope et al. (2022), Efficiently Scaling Transformer Inference, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.generation.sampling import SamplingSettings, distribution, draw_next_token
from core.models.self_attention.gpt import GPT, Cache
from core.models.transformers.transformer_size import Shape, reading_operations


@dataclass(frozen=True)
class WrittenToken:
    """A token that was written: p it was drawn from (V,), u, and keys and values of all layers that were there, (T, C)."""

    token: int
    probabilities: np.ndarray
    logits: np.ndarray
    u: float
    cache: tuple[Cache, ...]

    @property
    def rows(self) -> int:
        """How many tokens' keys and values the choice was made with, T."""
        return self.cache[0][0].shape[2]


@dataclass(frozen=True)
class CachedWriting:
    """What a model wrote after a prompt, the operations before each token, and how far off the cache's logits are."""

    tokens: tuple[WrittenToken, ...]
    operations: dict[str, list[int]]
    off: float

    @property
    def times(self) -> float:
        """How many times the operations are without the cache."""
        return sum(self.operations["uncached"]) / sum(self.operations["cached"])


@torch.inference_mode()
def write_with_cache(
    network: GPT, prompt: Sequence[int], length: int, settings: SamplingSettings, seed: int, keep: bool = True
) -> list[WrittenToken]:
    """Return `length` tokens written after a prompt of at least one; fewer where the context ends.

    With `keep` false the cache is thrown away before each token that was written, and nothing is read again: the model
    then knows that one token and nothing before it.
    """
    luck, written = np.random.default_rng(seed), []
    logits, cache = network(torch.tensor([list(prompt)]))
    while True:
        trace = distribution(logits[0, -1].double().numpy(), settings)
        u = float(luck.random())
        token = draw_next_token(trace, u)
        written.append(WrittenToken(token, trace.probabilities, trace.logits, u, tuple(cache)))
        if len(written) == length or len(prompt) + len(written) > network.config.context:
            return written
        logits, cache = network(torch.tensor([[token]]), cache if keep else None)


@torch.inference_mode()
def again(network: GPT, ids: Sequence[int]) -> np.ndarray:
    """Return the logits after all ids, each read anew, (V,)."""
    return network(torch.tensor([list(ids)]))[0][0, -1].double().numpy()


def largest_difference(network: GPT, prompt: Sequence[int], written: Sequence[WrittenToken]) -> float:
    """Return the largest difference of any logit, between the cache and reading all anew, over all written tokens."""
    tokens = [each.token for each in written]
    return max(
        float(np.abs(each.logits - again(network, [*prompt, *tokens[:i]])).max())
        for i, each in enumerate(written)
    )


def writing_operations(shape: Shape, prompt: int, written: int) -> dict[str, list[int]]:
    """Return the operations before each written token, "cached" and "uncached".

    Nobody needs the logits of any but the last token, so only they are counted. The first token costs the same either
    way: the prompt must be read. With the cache a further one costs what reading one more token adds.

    >>> operations = writing_operations(Shape(10, 8, layers=1, heads=1, width=4, biases=False), prompt=2, written=3)
    >>> operations["cached"], operations["uncached"]
    ([896, 512, 528], [896, 1328, 1776])
    """
    read = [reading_operations(shape, prompt + i) for i in range(written)]
    one = reading_operations(shape, 1)["logits"]
    whole = [sum(each.values()) for each in read]
    uncached = [total - each["logits"] + one for total, each in zip(whole, read, strict=True)]
    return {"cached": [uncached[0], *np.diff(whole).tolist()], "uncached": uncached}


@torch.inference_mode()
def bits_without_past(network: GPT, ids: Tensor) -> tuple[float, float]:
    """Return the mean bits of each token but the first: with all before it, and with the last one before it alone."""
    whole = network(ids[None])[0][0, :-1]
    alone = network(ids[:-1, None])[0][:, 0]
    return tuple(
        float(torch.nn.functional.cross_entropy(logits.double(), ids[1:])) / float(np.log(2))
        for logits in (whole, alone)
    )
