"""Activation patching: one sentence is read with a part of another's reading put in, to see what carries the answer.

    A and B are read; d = z_a - z_b, the logits of A's answer a and of B's answer b after the last token
    B is read again, one part of it taken from A's reading:  restored = (d_patched - d_B) / (d_A - d_B)

1: the part brings all of A's answer; 0: it brings nothing. A part is a stream after some layers, what a layer's
attention or feed-forward network adds, or what one head hands on, at some places. All that follows is computed anew.

Sources: Vig et al. (2020), Investigating Gender Bias in Language Models Using Causal Mediation Analysis; Meng et al.
(2022), Locating and Editing Factual Associations in GPT; Wang et al. (2023), Interpretability in the Wild.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.models.self_attention.attention import concatenate_heads
from core.models.self_attention.gpt import GPT, Block
from core.models.self_attention.gpt_trace import GPTTrace, LayerTrace, trace_block, trace_gpt
from core.models.transformers.logit_lens import streams_of

STREAM, ATTENTION, FEED_FORWARD, HEAD = "stream", "attention", "feed-forward", "one head"
Pairs = Sequence[tuple[int, int]]  # a place of B with the place of A that takes its place


@dataclass(frozen=True)
class PatchedPart:
    """What is taken from A: its kind, after or in which layer (from 1; a stream also after 0 layers), at which pairs."""

    kind: str
    layer: int
    pairs: Pairs
    head: int = 0


def partners(A: Sequence[int], B: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs (place of B, place of A): from the left while the tokens agree, the others from the right.

    Of sentences of two lengths some places between have no partner.

    >>> partners([1, 7, 3], [1, 8, 9, 3])
    [(0, 0), (2, 1), (3, 2)]
    """
    shorter, same = min(len(A), len(B)), 0
    while same < shorter and A[same] == B[same]:
        same += 1
    rest = range(shorter - same, 0, -1)
    return [(t, t) for t in range(same)] + [(len(B) - i, len(A) - i) for i in rest]


def parted(A: Sequence[int], B: Sequence[int]) -> list[int]:
    """Return the places of B with a partner from where the sentences part: only what stands there can bring anything.

    >>> parted([1, 7, 3], [1, 8, 3])
    [1, 2]
    """
    return [here for here, _ in partners(A, B) if B[: here + 1] != A[: here + 1]]


def put(into: Tensor, taken: Tensor, pairs: Pairs) -> Tensor:
    """Return rows (T, C) in which those of the pairs' first places are the second places' rows of `taken`."""
    changed = into.clone()
    for here, there in pairs:
        changed[here] = taken[there]
    return changed


@torch.no_grad()
def patched_logits(network: GPT, own: GPTTrace, other: GPTTrace, part: PatchedPart) -> Tensor:
    """Return the logits after B's last token, (V,), when a part of B's reading `own` is taken from A's, `other`."""
    first = max(part.layer, 1)
    stream = own.layers[first - 1].stream  # up to here nothing has changed
    if part.layer == 0:
        stream = put(stream, other.layers[0].stream, part.pairs)
    for layer, block in enumerate(network.blocks[first - 1 :], first):
        found = trace_block(block, stream, {})
        if layer == part.layer:
            stream = patched_layer(block, found, streams_of(other)[layer], other.layers[layer - 1], part)
        else:
            stream = stream + found.gathered + found.fed_forward
    return network.final_norm(stream[-1]) @ network.token_embedding.weight.T


def patched_layer(
    block: Block, found: LayerTrace, after: Tensor, other: LayerTrace, part: PatchedPart
) -> Tensor:
    """Return the stream (T, C) after a layer of which a part is taken from A's, `other` with the stream `after` it."""
    gathered, fed_forward = found.gathered, found.fed_forward
    if part.kind == HEAD:
        context = found.attention.context.clone()  # (H, T, d)
        context[part.head] = put(context[part.head], other.attention.context[part.head], part.pairs)
        gathered = block.attention.project(concatenate_heads(context))
    if part.kind == ATTENTION:
        gathered = put(gathered, other.gathered, part.pairs)
    if part.kind in (HEAD, ATTENTION):
        fed_forward = block.feed_forward(block.norm_before_feed_forward(found.stream + gathered))
    if part.kind == FEED_FORWARD:
        fed_forward = put(fed_forward, other.fed_forward, part.pairs)
    stream = found.stream + gathered + fed_forward
    return put(stream, after, part.pairs) if part.kind == STREAM else stream


@dataclass(frozen=True)
class ReadingContrast:
    """Two readings and the two tokens that tell them apart: a speaks for A, b for B; `same`: both have one answer."""

    network: GPT
    A: GPTTrace
    B: GPTTrace
    a: int
    b: int
    same: bool

    def difference(self, logits: Tensor) -> float:
        """Return z_a - z_b."""
        return float(logits[self.a].double() - logits[self.b].double())

    @property
    def ends(self) -> tuple[float, float]:
        """Return z_a - z_b after B and after A: what is restored is counted from the first to the second."""
        return self.difference(self.B.logits[-1]), self.difference(self.A.logits[-1])

    @property
    def alike(self) -> bool:
        """Whether the two sentences are one to the model, so that there is nothing to restore."""
        return self.a == self.b or self.ends[1] - self.ends[0] < 1e-6

    def restored(self, logits: Tensor) -> float:
        """Return how much of the difference between A and B some logits have."""
        low, high = self.ends
        return (self.difference(logits) - low) / (high - low)

    def patched(self, part: PatchedPart, other: GPTTrace) -> Tensor:
        """Return B's logits (V,) with a part of another reading: of A's, or of a third one."""
        return patched_logits(self.network, self.B, other, part)


def contrast_readings(network: GPT, A: Tensor, B: Tensor) -> ReadingContrast:
    """Return the readings of A and B with the likeliest token of each.

    Where both have the same, a and b are the tokens whose probability is higher after A and after B by most.
    """
    of_A, of_B = trace_gpt(network, A), trace_gpt(network, B)
    a, b = int(of_A.logits[-1].argmax()), int(of_B.logits[-1].argmax())
    same = a == b
    if same:
        gain = of_A.logits[-1].double().softmax(-1) - of_B.logits[-1].double().softmax(-1)
        a, b = int(gain.argmax()), int(gain.argmin())
    return ReadingContrast(network, of_A, of_B, a, b, same)


def restored_by_place(
    found: ReadingContrast, kind: str, pairs: Pairs, head: int, other: GPTTrace
) -> np.ndarray:
    """Return what each place of B restores alone in each layer, (L, T) or for streams (L + 1, T); nan without a partner.

    The parts are those of the reading `other`: A's, or a third one.
    """
    layers = range(0 if kind == STREAM else 1, len(found.B.layers) + 1)
    shares = np.full((len(layers), len(found.B.ids)), np.nan)
    for row, layer in enumerate(layers):
        for pair in pairs:
            logits = found.patched(PatchedPart(kind, layer, [pair], head), other)
            shares[row, pair[0]] = found.restored(logits)
    return shares


def restored_by_head(found: ReadingContrast, pairs: Pairs) -> np.ndarray:
    """Return what each head restores when its output is taken from A at all places with a partner, (L, H)."""
    config = found.network.config
    parts = [
        [PatchedPart(HEAD, layer + 1, pairs, head) for head in range(config.heads)]
        for layer in range(config.layers)
    ]
    return np.array([[found.restored(found.patched(part, found.A)) for part in row] for row in parts])
