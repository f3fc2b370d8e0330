"""Sampling the next token: temperature, top-k, top-p, and a seeded draw, over the whole vocabulary.

    p_i = e^(z_i / T) / sum_j e^(z_j / T)
    top-k keeps the k most likely; top-p keeps the fewest, most likely first, whose mass reaches p
    what is kept is divided by its mass, and u, uniform in [0, 1), picks where the cumulative sum passes it

Sources: Ackley, Hinton and Sejnowski (1985) for the temperature; Fan, Lewis and Dauphin (2018), top-k; Holtzman et
al. (2020), The Curious Case of Neural Text Degeneration, top-p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, isnan

import numpy as np

from core.models.language_model import LanguageModel
from core.models.neural_language_model import Reading, read

ROUNDING = 1e-9  # a sum of probabilities may miss p by so much and yet be p: 0.7 + 0.2 is 0.8999...


@dataclass(frozen=True)
class SamplingSettings:
    """How to sample. T = 0 is greedy, T = inf uniform; top_k = 0 and top_p = 1 cut nothing.

    Raises ValueError for a temperature below nought, a top_k below nought, a top_p outside [0, 1].
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0

    def __post_init__(self):
        if isnan(self.temperature) or self.temperature < 0:
            raise ValueError("The temperature is 0 (always the likeliest token) or more.")
        if self.top_k < 0:
            raise ValueError("Top-k keeps a number of tokens: 1 or more, or 0 to keep them all.")
        if not 0 <= self.top_p <= 1:
            raise ValueError(
                "Top-p is a share of the probability: from 0 (the likeliest token alone) to 1 (all)."
            )


@dataclass(frozen=True)
class SamplingTrace:
    """The next-token distribution in columns, each (V,) by token id.

    `scaled` is z / T; `softmax` its softmax over all V; `rank` counts from 1, the likeliest; `cut_by` is "", "top-k"
    or "top-p"; `probabilities` are what is left, renormalised; `cumulative` adds them up in order of rank.
    """

    logits: np.ndarray
    scaled: np.ndarray
    softmax: np.ndarray
    rank: np.ndarray
    cut_by: np.ndarray
    probabilities: np.ndarray
    cumulative: np.ndarray

    @property
    def kept(self) -> np.ndarray:
        """Whether each token can still be drawn, (V,)."""
        return self.cut_by == ""

    @property
    def order(self) -> np.ndarray:
        """The ids from the likeliest to the least likely, (V,)."""
        order = np.empty_like(self.rank)
        order[self.rank - 1] = np.arange(len(order))
        return order

    @property
    def tail_mass(self) -> float:
        """The probability that top-k and top-p took away."""
        return float(self.softmax[~self.kept].sum())

    @property
    def entropy(self) -> float:
        """The entropy of what is left, in bits."""
        return entropy(self.probabilities)

    @property
    def perplexity(self) -> float:
        """2^entropy: among how many equally likely tokens the draw would be as uncertain."""
        return float(2**self.entropy)


@dataclass(frozen=True)
class Step:
    """One generated token: the distribution it came from, the uniform number u, and whether it was forced."""

    token: int
    trace: SamplingTrace
    u: float
    forced: bool = False


def scale(logits: np.ndarray, temperature: float) -> np.ndarray:
    """Return z / T. T = 0 leaves 0 for the likeliest token (the first of equals) and -inf for the others.

    Where z / T would be beyond every number, (z - max z) / T stands in: a constant changes no probability.

    >>> scale(np.array([2.0, 1.0]), 0.5).tolist(), scale(np.array([2.0, 1.0]), 0.0).tolist()
    ([4.0, 2.0], [0.0, -inf])
    >>> scale(np.array([2.0, 2.0, 1.0]), 1e-320).tolist()
    [0.0, 0.0, -inf]
    """
    z = np.asarray(logits, dtype=np.float64)
    if temperature == 0:
        return np.where(np.arange(len(z)) == np.argmax(z), 0.0, -inf)
    if temperature == inf:
        return np.where(z == -inf, -inf, 0.0)
    with np.errstate(over="ignore"):
        return z / temperature if isfinite(z.max() / temperature) else (z - z.max()) / temperature


def softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Return e^(z/T) / sum e^(z/T); T = 0 is greedy, T = inf uniform.

    >>> softmax(np.log([0.75, 0.25])).round(2).tolist()
    [0.75, 0.25]
    >>> softmax(np.log([0.75, 0.25]), temperature=0.5).round(2).tolist()
    [0.9, 0.1]
    """
    z = scale(logits, temperature)
    exponentials = np.exp(z - z.max())
    return exponentials / exponentials.sum()


def top_k(logits: np.ndarray, k: int) -> np.ndarray:
    """Return which tokens are among the k most likely, (V,); those that tie with the last one stay; 0 keeps all.

    >>> top_k(np.array([1.0, 3.0, 2.0]), 2).tolist()
    [False, True, True]
    """
    if k == 0 or k >= len(logits):
        return np.ones(len(logits), dtype=bool)
    return logits >= np.sort(logits)[-k]


def top_p(scaled: np.ndarray, p: float, order: np.ndarray | None = None) -> np.ndarray:
    """Return the fewest tokens, likeliest first, whose mass reaches p, (V,); one at least; 1 keeps all.

    `order` has the ids, likeliest first, where `scaled` no longer tells (T = inf makes all alike).

    >>> top_p(np.log([0.5, 0.3, 0.2]), 0.7).tolist(), top_p(np.log([0.7, 0.2, 0.1]), 0.9).tolist()
    ([True, True, False], [True, True, False])
    """
    if p == 1:
        return np.ones(len(scaled), dtype=bool)
    probabilities = softmax(scaled)
    order = likeliest_first(scaled) if order is None else order
    before = np.cumsum(probabilities[order]) - probabilities[order]  # the mass of those ahead
    kept = np.zeros(len(scaled), dtype=bool)
    kept[order] = before < p - ROUNDING
    kept[order[0]] = True
    return kept


def likeliest_first(logits: np.ndarray) -> np.ndarray:
    """Return the ids by falling score, (V,); equals stay in order of id."""
    return np.argsort(-logits, kind="stable")


def distribution(logits: np.ndarray, settings: SamplingSettings) -> SamplingTrace:
    """Return the next-token distribution column by column: z, z / T, what is cut and by what, what is left.

    The order of the steps is temperature, top-k, top-p; top-p measures the mass that top-k has left.
    """
    z = np.asarray(logits, dtype=np.float64)
    scaled = scale(z, settings.temperature)
    order = likeliest_first(z)
    by_k = top_k(z, settings.top_k)
    left = np.where(by_k, scaled, -inf)
    by_p = top_p(left, settings.top_p, order)
    cut_by = np.where(~by_k, "top-k", np.where(~by_p, "top-p", ""))
    probabilities = softmax(np.where(by_p, left, -inf))
    rank, cumulative = np.empty(len(z), dtype=int), np.empty(len(z))
    rank[order] = np.arange(1, len(z) + 1)
    cumulative[order] = np.cumsum(probabilities[order])
    return SamplingTrace(z, scaled, softmax(scaled), rank, cut_by, probabilities, cumulative)


def entropy(probabilities: np.ndarray) -> float:
    """Return -sum p log2 p in bits; a probability of nought adds nothing.

    >>> entropy(np.array([0.5, 0.25, 0.25, 0.0]))
    1.5
    """
    p = probabilities[probabilities > 0]
    return float(-(p * np.log2(p)).sum()) + 0.0


def draw_next_token(trace: SamplingTrace, u: float) -> int:
    """Return the token, likeliest first, at which the cumulative probability passes u in [0, 1)."""
    order = trace.order
    place = np.searchsorted(trace.cumulative[order], u, side="right")
    return int(order[min(place, trace.kept.sum() - 1)])  # rounding may leave the sum just short of one


def count_sampled_tokens(trace: SamplingTrace, draws: int, seed: int) -> np.ndarray:
    """Return how often each token comes out of that many seeded draws, (V,); draws on no token are not among them."""
    order, luck = trace.order, np.random.default_rng(seed).random(draws)
    places = np.searchsorted(trace.cumulative[order], luck[~misses(trace, luck)], side="right")
    return np.bincount(order[np.minimum(places, trace.kept.sum() - 1)], minlength=len(order))


def not_renormalised(trace: SamplingTrace) -> SamplingTrace:
    """Return the distribution with what was cut lost instead of shared out: the p that are left sum to less than one.

    >>> cut = distribution(np.log([0.5, 0.3, 0.2]), SamplingSettings(top_k=2))
    >>> cut.probabilities.round(3).tolist(), not_renormalised(cut).probabilities.round(3).tolist()
    ([0.625, 0.375, 0.0], [0.5, 0.3, 0.0])
    """
    probabilities = np.where(trace.kept, trace.softmax, 0.0)
    cumulative = np.empty(len(probabilities))
    cumulative[trace.order] = np.cumsum(probabilities[trace.order])
    return replace(trace, probabilities=probabilities, cumulative=cumulative)


def misses(trace: SamplingTrace, u: np.ndarray | float) -> np.ndarray:
    """Return whether each u in [0, 1) falls past the end of all that is left, on no token."""
    return np.asarray(u) >= trace.cumulative.max() + ROUNDING


def generate(
    model: LanguageModel,
    context: Sequence[int],
    length: int,
    settings: SamplingSettings,
    seed: int,
    forced: dict[int, int] | None = None,
) -> Iterator[Step]:
    """Yield `length` tokens after `context`, each with its distribution.

    `forced` maps places (0 is the first new token) to tokens that the reader chose there. The i-th uniform number
    depends on the seed and i alone, so settings can be compared on the same luck, and a forced token changes
    none of the luck after it.
    """
    reading: Reading = read(model, context)
    luck = np.random.default_rng(seed)
    for i in range(length):
        trace = distribution(reading.logits, settings)
        u = float(luck.random())
        token = (forced or {}).get(i, draw_next_token(trace, u))
        yield Step(token, trace, u, forced=bool(forced) and i in forced)
        if i + 1 < length:
            reading = reading.then(token)
