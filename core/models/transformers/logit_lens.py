"""The logit lens: what a GPT would predict after each of its layers if that layer were its last.

    stream_0 = token + position;    stream_l = stream_{l-1} + what layer l adds
    p_l = softmax(norm(stream_l) E^T)        norm and E are the model's own, trained to read the last stream only

After the last layer p_L is the model's own prediction. Before any layer the stream is token plus position embedding;
since E is the embedding too, what is then read out is often the token itself.

Sources: nostalgebraist (2020), interpreting GPT: the logit lens; Belrose et al. (2023), Eliciting Latent Predictions
from Transformers with the Tuned Lens, who train a reader for each layer instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import log

import torch
from torch import Tensor

from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import GPTTrace, trace_gpt


@dataclass(frozen=True)
class LensReading:
    """What is read out of a text's streams (L + 1, T, C): ln p of each next token, (L + 1, T, V), before any layer first.

    `answers` (T,) are the model's own likeliest next tokens; `normed`: whether it was read through the final norm.
    """

    ids: Tensor
    streams: Tensor
    log_p: Tensor
    answers: Tensor
    normed: bool

    @cached_property
    def says(self) -> Tensor:
        """The likeliest token after each layer, (L + 1, T)."""
        return self.log_p.argmax(-1)

    @cached_property
    def settled(self) -> Tensor:
        """After how many layers the reading is the model's answer for good, (T,)."""
        return settled_after(self.says, self.answers)

    @cached_property
    def bits(self) -> Tensor:
        """How unsure each reading is: its entropy in bits, (L + 1, T)."""
        return entropy(self.log_p.exp())


def streams_of(found: GPTTrace) -> Tensor:
    """Return the stream before any layer and after each, (L + 1, T, C)."""
    last = found.layers[-1]
    return torch.stack(
        [*(layer.stream for layer in found.layers), last.stream + last.gathered + last.fed_forward]
    )


def read_out(network: GPT, stream: Tensor, normed: bool = True) -> Tensor:
    """Return the logits norm(x) E^T of any stream (..., C), (..., V); x E^T if not `normed`."""
    x = network.final_norm(stream) if normed else stream
    return (x @ network.token_embedding.weight.T).double()


@torch.no_grad()
def logit_lens(network: GPT, ids: Tensor, normed: bool = True) -> LensReading:
    """Return what is read out of every stream of a text `ids` (T,), through the final norm or without it."""
    found = trace_gpt(network, ids)
    streams = streams_of(found)
    log_p = read_out(network, streams, normed).log_softmax(-1)
    return LensReading(ids, streams, log_p, found.logits.argmax(-1), normed)


def long_embeddings(network: GPT, times: float = 1.5) -> Tensor:
    """Return which tokens (V,) have an embedding more than `times` as long as the median embedding.

    A token that is rare or absent in training is only ever pushed away from, always in one direction: its embedding
    gets long, and a long vector can win a dot product without being similar.
    """
    lengths = network.token_embedding.weight.norm(dim=-1)
    return lengths > times * lengths.median()


def settled_after(says: Tensor, answers: Tensor) -> Tensor:
    """Return after how many layers `says` (L + 1, T) is the answer (T,) and stays so; L + 1 where it never is.

    >>> settled_after(torch.tensor([[7, 2], [5, 2], [7, 2]]), torch.tensor([7, 2])).tolist()
    [2, 0]
    """
    other = says != answers
    places = torch.arange(1, len(says) + 1)[:, None]  # one more than the layers before it
    return (other * places).amax(0)


def rank_of(log_p: Tensor, tokens: Tensor) -> Tensor:
    """Return how many tokens are at least as likely as each of `tokens` (T,) after each layer, (L + 1, T), itself included.

    >>> rank_of(torch.tensor([[[0.2, 0.5, 0.3]]]).log(), torch.tensor([2])).tolist()
    [[2]]
    """
    return (log_p >= log_p_of(log_p, tokens)[..., None]).sum(-1)


def log_p_of(log_p: Tensor, tokens: Tensor) -> Tensor:
    """Return ln p of each of `tokens` (T,) after each layer, (L + 1, T)."""
    return log_p.gather(-1, tokens.expand(log_p.shape[:-1])[..., None])[..., 0]


@dataclass(frozen=True)
class LensMeasures:
    """What the lens predicts over a text of n places whose next token is known, a number for each of the L + 1 readings.

    `settled`: at how many places it is the model's answer for good by then; `right`: at how many it names the token
    that comes; `bits`: mean -log2 p of that token; `entropy`: the mean entropy in bits.
    """

    n: int
    settled: list[int]
    right: list[int]
    bits: list[float]
    entropy: list[float]


def lens_over(network: GPT, texts: Iterable[Tensor], normed: bool = True) -> LensMeasures:
    """Return what the lens predicts over texts, each (T,); n is 0 where no text has two tokens."""
    counts, sums, n = 0, 0.0, 0
    for ids in texts:
        if len(ids) < 2:
            continue
        found, following = logit_lens(network, ids, normed), ids[1:]
        log_p, layers = found.log_p[:, :-1], torch.arange(len(found.log_p))
        settled = found.settled[:-1] <= layers[:, None]  # (L + 1, T - 1)
        counts = counts + torch.stack([settled.sum(1), (found.says[:, :-1] == following).sum(1)])
        bits = -log_p_of(log_p, following) / log(2)
        sums = sums + torch.stack([bits.sum(1), found.bits[:, :-1].sum(1)])
        n += len(following)
    if not n:
        return LensMeasures(0, [], [], [], [])
    return LensMeasures(n, *counts.tolist(), *(sums / n).tolist())
