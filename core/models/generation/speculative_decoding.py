"""Speculative decoding: a small draft model proposes k tokens, and one call of the target model checks them all.

    x_i ~ q_i                      the draft proposes token i, for i = 1 .. k
    accept x_i where u_i < min(1, p_i(x_i) / q_i(x_i)), u_i uniform in [0, 1); stop at the first rejection
    rejected:  x_i ~ max(0, p_i - q_i) / sum max(0, p_i - q_i)          the residual
    all k accepted:  x_{k+1} ~ p_{k+1}                                   one token more, from the same call

Every token is then distributed as the target's p: q(x) min(1, p(x) / q(x)) + (1 - alpha) residual(x) = p(x), where
alpha = sum_x min(p(x), q(x)) is the probability that a proposed token is accepted.

Sources: Leviathan, Kalman and Matias (2023), Fast Inference from Transformers via Speculative Decoding; Chen et al. (2023),
Accelerating Large Language Model Decoding with Speculative Sampling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from core.models.language_model import LanguageModel
from core.models.neural_language_model import Reading, read, read_block

EXACT, ACCEPT_ALL, REDRAW = "exact", "accept_all", "redraw"
RULES = (EXACT, ACCEPT_ALL, REDRAW)  # the algorithm; without the check; a rejected token drawn again from p


@dataclass(frozen=True)
class Round:
    """One call of the target: the k `drafted` tokens, what both models gave them, and what was written.

    `q` is (k, V), `p` is (k + 1, V); `u` has the uniform number of each check, (k,). `accepted` counts the tokens that
    passed before the first rejection. `written` are those and one token of the target's: from the residual after a
    rejection, else from p_{k+1}. Only the rule "accept_all" may write all k without any.
    """

    drafted: tuple[int, ...]
    q: np.ndarray
    p: np.ndarray
    u: np.ndarray
    accepted: int
    written: tuple[int, ...]

    @property
    def ratios(self) -> np.ndarray:
        """The probability with which each drafted token is accepted, min(1, p / q), (k,)."""
        return np.array(
            [acceptance(p, q)[x] for x, p, q in zip(self.drafted, self.p[:-1], self.q, strict=True)]
        )

    @property
    def agreements(self) -> np.ndarray:
        """The overlap alpha of both distributions at each place that was checked, (min(accepted + 1, k),)."""
        checked = min(self.accepted + 1, len(self.drafted))
        return np.array([agreement(p, q) for p, q in zip(self.p[:checked], self.q[:checked], strict=True)])


def acceptance(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return min(1, p / q) for every token, (V,); 1 where the draft never proposes it.

    >>> acceptance(np.array([0.5, 0.5]), np.array([0.8, 0.2])).tolist()
    [0.625, 1.0]
    """
    return np.minimum(1.0, np.divide(p, q, out=np.ones_like(p), where=q > 0))


def agreement(p: np.ndarray, q: np.ndarray) -> float:
    """Return alpha = sum min(p, q), how probably a token drawn from q is accepted: 1 less the total variation.

    >>> round(agreement(np.array([0.5, 0.5]), np.array([0.8, 0.2])), 3)
    0.7
    """
    return float(np.minimum(p, q).sum())


def residual(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return max(0, p - q) / sum max(0, p - q), (V,), what a rejected token is drawn from; p where nothing can be rejected.

    >>> residual(np.array([0.5, 0.3, 0.2]), np.array([0.8, 0.1, 0.1])).round(3).tolist()
    [0.0, 0.667, 0.333]
    """
    missing = np.maximum(0.0, p - q)
    return missing / missing.sum() if missing.sum() > 0 else p


def written_distribution(p: np.ndarray, q: np.ndarray, rule: str = EXACT) -> np.ndarray:
    """Return the exact distribution of the token that a rule writes at one place, (V,): accepted and redrawn.

    Raises ValueError for a rule that is none of RULES.

    >>> p, q = np.array([0.5, 0.3, 0.2]), np.array([0.8, 0.1, 0.1])
    >>> [written_distribution(p, q, rule).round(3).tolist() for rule in RULES]
    [[0.5, 0.3, 0.2], [0.8, 0.1, 0.1], [0.65, 0.19, 0.16]]
    """
    if rule not in RULES:
        raise ValueError(f"There is no rule “{rule}”. Choose one of {', '.join(RULES)}.")
    if rule == ACCEPT_ALL:
        return np.array(q)
    accepted = q * acceptance(p, q)
    return accepted + (1 - accepted.sum()) * (residual(p, q) if rule == EXACT else p)


def draw(p: np.ndarray, u: float) -> int:
    """Return the token at which the cumulative probability passes u in [0, 1), in order of id.

    >>> draw(np.array([0.5, 0.0, 0.5]), 0.4), draw(np.array([0.5, 0.0, 0.5]), 0.6)
    (0, 2)
    """
    cumulative = np.cumsum(p)
    return int(np.searchsorted(cumulative, u * cumulative[-1], side="right"))


def probabilities(reading: Reading) -> np.ndarray:
    """Return the distribution of the next token, (V,)."""
    return np.exp(reading.log_probabilities)


def propose(draft: Reading, k: int, luck: np.random.Generator) -> tuple[tuple[int, ...], list[Reading]]:
    """Return k tokens that the draft model draws one by one, and the readings that each was drawn from."""
    tokens, readings = [], [draft]
    for i in range(k):
        tokens.append(draw(probabilities(readings[-1]), luck.random()))
        if i + 1 < k:
            readings.append(readings[-1].then(tokens[-1]))
    return tuple(tokens), readings


def check(
    drafted: Sequence[int], p: np.ndarray, q: np.ndarray, luck: np.random.Generator, rule: str = EXACT
) -> Round:
    """Return the round in which drafted tokens (k) are accepted or rejected by p (k + 1, V) and q (k, V).

    >>> p, q = np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[1.0, 0.0]])
    >>> found = check([0], p, q, np.random.default_rng(1))
    >>> found.accepted, found.written
    (0, (1,))
    """
    u = luck.random(len(drafted))
    accepted = len(drafted)
    for i, x in enumerate(drafted):
        if rule != ACCEPT_ALL and u[i] >= acceptance(p[i], q[i])[x]:
            accepted = i
            break
    rejected = accepted < len(drafted)
    last = residual(p[accepted], q[accepted]) if rejected and rule == EXACT else p[accepted]
    written = (*drafted[:accepted], draw(last, luck.random()))
    return Round(tuple(drafted), q, p, u, accepted, written)


def speculate(
    target: LanguageModel,
    draft: LanguageModel,
    context: Sequence[int],
    length: int,
    k: int,
    seed: int,
    rule: str = EXACT,
) -> Iterator[Round]:
    """Yield rounds until `length` tokens or more are written after `context`. One round is one call of the target.

    The call reads the last written token and the k drafted ones. The context is read once before. Raises ValueError where
    the vocabularies differ, or k is below 1.
    """
    if tuple(target.vocabulary) != tuple(draft.vocabulary):
        raise ValueError(
            "Draft and target need the same vocabulary: a drafted token must be one of the target's."
        )
    if k < 1:
        raise ValueError("The draft proposes at least 1 token: choose k = 1 or more.")
    luck = np.random.default_rng(seed)
    reading, waiting = read(target, context), ()  # what the target has read, and what it has still to read
    drafting, n = read(draft, context), 0
    while n < length:
        drafted, from_ = propose(drafting, k, luck)
        after = read_block(target, reading, (*waiting, *drafted))
        after = after if waiting else [reading, *after]  # k + 1 readings
        found = check(
            drafted,
            np.stack(list(map(probabilities, after))),
            np.stack(list(map(probabilities, from_))),
            luck,
            rule,
        )
        yield found
        n += len(found.written)
        reading, waiting = after[found.accepted], found.written[-1:]
        drafting = from_[min(found.accepted, k - 1)]
        for token in found.written[k - 1 if found.accepted == k else found.accepted :]:
            drafting = drafting.then(token)


def count_written(p: np.ndarray, q: np.ndarray, draws: int, seed: int, rule: str = EXACT) -> np.ndarray:
    """Return how often each token is written at one place in many seeded rounds with k = 1, (V,).

    >>> p, q = np.array([0.5, 0.3, 0.2]), np.array([0.8, 0.1, 0.1])
    >>> count_written(p, q, 500, seed=1).sum().item()
    500
    """
    luck = np.random.default_rng(seed)
    V = len(p)
    x = luck.choice(V, draws, p=q / q.sum())
    rejected = (luck.random(draws) >= acceptance(p, q)[x]) & (rule != ACCEPT_ALL)
    again = residual(p, q) if rule == EXACT else p / p.sum()
    return np.bincount(np.where(rejected, luck.choice(V, draws, p=again), x), minlength=V)


def chance_variation(p: np.ndarray, draws: int, seed: int, times: int = 2000) -> np.ndarray:
    """Return the total variation between p and the shares of so many draws from p itself, sorted, (times,).

    It is what chance alone makes: 95% of such samples stay below the entry at 95% of the way.
    """
    counts = np.random.default_rng(seed).multinomial(draws, p / p.sum(), size=times)  # (times, V)
    return np.sort(np.abs(counts / draws - p).sum(axis=1) / 2)


def tokens_per_call(alpha: float, k: int) -> float:
    """Return the expected tokens per call of the target, (1 - alpha^(k+1)) / (1 - alpha), where each is accepted by alpha.

    The formula takes every place as equally easy and independent of the others; k + 1 at alpha = 1.

    >>> tokens_per_call(0.5, 2), tokens_per_call(1.0, 4), tokens_per_call(0.0, 4)
    (1.75, 5.0, 1.0)
    """
    return float(sum(alpha**i for i in range(k + 1)))


def speed_up(alpha: float, k: int, cost: float) -> float:
    """Return how many times as fast the target alone would be: tokens per call over 1 + k c, c the cost of a draft's call.

    A call of the target costs 1, whether it reads one token or k + 1.

    >>> speed_up(0.5, 2, cost=0.25)
    1.1666666666666667
    """
    return tokens_per_call(alpha, k) / (1 + k * cost)


@dataclass(frozen=True)
class Timing:
    """Seconds per written token of the target alone and with the draft, and seconds per call of the draft."""

    alone: float
    together: float
    draft_call: float

    @property
    def speed_up(self) -> float:
        """How many times as fast writing is with the draft; below 1 it is slower."""
        return self.alone / self.together

    @property
    def cost(self) -> float:
        """c, the time of a call of the draft over the time of a call of the target."""
        return self.draft_call / self.alone


def time_speculation(
    target: LanguageModel, draft: LanguageModel, context: Sequence[int], length: int, k: int, seed: int
) -> Timing:
    """Return how long `length` tokens take with and without the draft, measured one after the other in the same run."""
    alone = time_writing(target, context, length, seed)
    draft_call = time_writing(draft, context, length, seed)
    start = perf_counter()
    written = sum(len(each.written) for each in speculate(target, draft, context, length, k, seed))
    return Timing(alone, (perf_counter() - start) / written, draft_call)


def time_writing(model: LanguageModel, context: Sequence[int], length: int, seed: int) -> float:
    """Return the seconds per token of a model that writes alone, one call for each token."""
    luck, start = np.random.default_rng(seed), perf_counter()
    reading = read(model, context)
    for _ in range(length):
        reading = reading.then(draw(probabilities(reading), luck.random()))
    return (perf_counter() - start) / length
