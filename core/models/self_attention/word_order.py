"""What a network knows of the order of its tokens: take its positions away, shuffle, or go past their end.

    without positions, f(P x) = P f(x)     for every shuffle P: the same tokens, the same outputs, in the new order

holds exactly for attention that looks both ways. A causal mask breaks it: who may be seen depends on the order.

Sources: Vaswani et al. (2017), section 3.5; Haviv et al. (2022), Transformer Language Models without Positional
Encodings Still Learn Positional Information; Press, Smith and Lewis (2022), Train Short, Test Long.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace_gpt

STILL = 1e-3  # an output that moved by less of its length is as it was: rounding alone moves it by 1e-6


def without_positions(network: GPT) -> GPT:
    """Return a copy whose position embeddings are 0."""
    copy = deepcopy(network)
    with torch.no_grad():
        copy.position_embedding.weight.zero_()
    return copy


def shuffle_places(T: int, seed: int, fixed: int = 0) -> Tensor:
    """Return a shuffle of T places, (T,): place t of the shuffled text holds token order[t].

    The first `fixed` places stay: they hold what a model puts before every text.

    >>> order = shuffle_places(5, seed=1, fixed=1)
    >>> order.sort().values.tolist(), order[0].item()
    ([0, 1, 2, 3, 4], 0)
    """
    fixed = min(fixed, T)
    rest = torch.randperm(T - fixed, generator=torch.Generator().manual_seed(seed))
    return torch.cat((torch.arange(fixed), rest + fixed))


@dataclass(frozen=True)
class Shuffle:
    """One head on a text and on the same text shuffled, put back in order to compare.

    `weights` and `shuffled_weights` (T, T) are of one head; `outputs` and `shuffled_outputs` (T, C) of the whole
    network, before it names tokens. Row and column t belong to token t of the text as it was.
    """

    weights: Tensor
    shuffled_weights: Tensor
    outputs: Tensor
    shuffled_outputs: Tensor

    @property
    def distances(self) -> Tensor:
        """The length of the difference of each token's two outputs, (T,)."""
        return (self.outputs - self.shuffled_outputs).norm(dim=1)

    @property
    def moved(self) -> Tensor:
        """How far each token's output moved, as a share of its length, (T,)."""
        return self.distances / self.outputs.norm(dim=1)

    @property
    def still(self) -> int:
        """How many outputs are as they were."""
        return int((self.moved < STILL).sum())


def shuffle(network: GPT, ids: Tensor, order: Tensor, layer: int = 0, head: int = 0) -> Shuffle:
    """Read `ids` (T,) as they stand and in another order (T,), and return both readings in the first order."""
    before, after = trace_gpt(network, ids), trace_gpt(network, ids[order])
    back = order.argsort()
    weights = after.layers[layer].attention.weights[head][back][:, back]
    own = before.layers[layer].attention.weights[head].clone()  # without the other heads it is a view of
    return Shuffle(own, weights, before.final, after.final[back])


BEYOND = ("last", "again", "zero")  # repeat the last row, begin again with the first, rows of zeros


def with_positions_for(network: GPT, T: int, beyond: str) -> GPT:
    """Return a copy that reads T tokens; past the trained length its positions are, as `beyond` says, one of BEYOND.

    Raises ValueError for any other `beyond`.
    """
    table = network.position_embedding.weight.detach()
    trained, C = table.shape
    rest = max(0, T - trained)
    rows = {
        "last": table[-1:].expand(rest, C),
        "again": table.repeat(-(-T // trained), 1)[trained : trained + rest],
        "zero": torch.zeros(rest, C),
    }
    if beyond not in rows:
        raise ValueError(
            f"Past the trained length, positions are one of {', '.join(BEYOND)}, not {beyond!r}."
        )
    copy = deepcopy(network)
    copy.position_embedding = nn.Embedding.from_pretrained(torch.cat((table, rows[beyond])))
    return copy


@torch.no_grad()
def bits_by_place(network: GPT, ids: Tensor, T: int, runs: int) -> Tensor:
    """Return -log2 p of the token at each place of a window of T, the mean over `runs` windows of `ids`, (T - 1,).

    The windows are spread evenly over the text. Raises ValueError when the text has fewer than T tokens.
    """
    if len(ids) < T:
        raise ValueError(f"Windows of {T} tokens need a text of that length; this one has {len(ids)}.")
    starts = torch.linspace(0, len(ids) - T, min(runs, len(ids) - T + 1)).long()
    windows = ids[starts[:, None] + torch.arange(T)]  # (runs, T)
    ln_p = functional.log_softmax(network(windows)[0][:, :-1].double(), dim=-1)
    return -ln_p.gather(2, windows[:, 1:, None])[..., 0].mean(0) / torch.log(torch.tensor(2.0)).item()
