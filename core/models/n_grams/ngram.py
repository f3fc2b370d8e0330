r"""n-gram language models: counts turned into probabilities, with and without smoothing.

h is the context, the k - 1 tokens before w; h' is h without its oldest token; c counts occurrences; V is the
size of the vocabulary; N1+(h .) counts the different tokens after h, N1+(. h) those before it.

    maximum likelihood      p(w|h) = c(hw) / c(h)
    add-alpha               p(w|h) = (c(hw) + alpha) / (c(h) + alpha V)
    linear interpolation    p(w|h) = lambda c(hw) / c(h) + (1 - lambda) p(w|h')
    absolute discounting    p(w|h) = (c(hw) - d) / c(h) + d N1+(h .) / c(h) p(w|h')
    Kneser-Ney              the same, with N1+(. hw) for c(hw) in every order but the highest
    Katz back-off           p(w|h) = (c(hw) - d) / c(h) if hw was seen, else alpha(h) p(w|h')
    stupid back-off         S(w|h) = c(hw) / c(h) if hw was seen, else 0.4 S(w|h'), which is no probability

Below the unigram stands the uniform 1 / V. A context that was never seen gives its place to the shorter one.

All of them are one recursion over the orders k, from what a seen run keeps for itself, `own`, and what its
context leaves to the shorter one, `weight`; so they are one class here, and a function each that fills these
two in.

Sources: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), chapter 3; Chen and Goodman, An
empirical study of smoothing techniques for language modeling (1998); Brants et al. (2007) for stupid
back-off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.models.n_grams.ngram_counts import NgramCounts


@dataclass(frozen=True)
class Level:
    """One order of a model: what is counted in it, and what becomes of the counts."""

    order: int  # k
    counted: np.ndarray  # (N_k,) c(hw), or N1+(. hw) in the lower orders of Kneser-Ney
    totals: np.ndarray  # (N_k-1,) the sum of `counted` over w
    removed: np.ndarray  # (N_k,) the discount d taken off each count
    own: np.ndarray  # (N_k,) the probability a seen run keeps for itself
    weight: np.ndarray  # (N_k-1,) what a context leaves to the shorter one


@dataclass(frozen=True)
class NgramModel:
    """p(w | h) from n-gram counts: a `LanguageModel`, unless it is not `normalised` (stupid back-off).

    `backoff` says that the shorter context is asked only where the run itself was never seen; `unseen` is
    what a context that was never seen leaves to the shorter one: all of it, but for stupid back-off.
    """

    counts: NgramCounts
    smoothing: str
    levels: tuple[Level, ...]  # from the lowest order to the highest
    floor: float = 0.0  # the probability of any token below the lowest order, 1 / V or nought
    backoff: bool = False
    normalised: bool = True
    unseen: float = 1.0
    parameters: dict = field(default_factory=dict)

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The V tokens, by id."""
        return self.counts.vocabulary

    @property
    def order(self) -> int:
        """n: the model looks n - 1 tokens back."""
        return self.levels[-1].order

    def scores(self, context: Sequence[int]) -> np.ndarray:
        """Return p(w | h) of every token, shape (V,): O(V + the runs seen after h and its ends)."""
        p = np.full(len(self.vocabulary) + 1, self.floor)  # the last is the start token's, never predicted
        for level in self.levels:
            node = self.counts.node(self.counts.look_back(context, level.order - 1))
            if node is None or level.totals[node] == 0:
                p *= self.unseen
                continue
            below = self.counts.children(level.order - 1, node)
            seen = self.counts.keys[level.order][below] % len(p)
            p *= level.weight[node]
            p[seen] = level.own[below] + (0 if self.backoff else p[seen])
        return p[:-1]

    def log_probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return ln p(w | h) of every token, shape (V,); -inf for what is impossible."""
        self.require_probabilities()
        with np.errstate(divide="ignore"):
            return np.log(self.scores(context))

    def token_log_probabilities(self, tokens: Sequence[int]) -> np.ndarray:
        """Return ln p of each token of a text given those before it, shape (n,)."""
        self.require_probabilities()
        with np.errstate(divide="ignore"):
            return np.log(self.token_scores(tokens))

    def token_scores(self, tokens: Sequence[int]) -> np.ndarray:
        """Return p of each token of a text given those before it, shape (n,), in one pass."""
        p = np.full(len(tokens), self.floor)
        located = self.counts.locate(tokens)
        for level in self.levels:
            run, context = located[level.order - 1]
            known = (context >= 0) & (level.totals[context] > 0)
            own = np.where(run >= 0, level.own[run], 0.0)
            shorter = np.where((run >= 0) & self.backoff, 0.0, level.weight[context] * p)
            p = np.where(known, own + shorter, self.unseen * p)
        return p

    def require_probabilities(self) -> None:
        """Raise ValueError when the scores do not sum to one."""
        if not self.normalised:
            raise ValueError(f"{self.smoothing} gives scores that do not sum to one: it has no perplexity.")


def divided(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Return numerators / denominators, nought where a denominator is nought."""
    return np.divide(numerators, denominators, out=np.zeros(len(numerators)), where=denominators > 0)


def discounted_level(counts: NgramCounts, k: int, counted: np.ndarray, removed: np.ndarray) -> Level:
    """Return the level whose runs keep (counted - removed) / total and leave what was removed."""
    totals = counts.summed(k - 1, counted)
    own = divided(counted - removed, totals[counts.parents[k]])
    return Level(k, counted, totals, removed, own, divided(counts.summed(k - 1, removed), totals))


def plain_level(counts: NgramCounts, k: int) -> Level:
    """Return the level of undiscounted counts, c(hw) / c(h)."""
    return discounted_level(counts, k, counts.counts[k], np.zeros(len(counts.counts[k])))


def maximum_likelihood(counts: NgramCounts, order: int) -> NgramModel:
    """Return p(w|h) = c(hw) / c(h): nought for all that was never seen.

    One unseen run makes a text's perplexity infinite. After an unseen context it is 0 / 0, taken as nought
    for every token: then there is no distribution.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> maximum_likelihood(counts, 2).scores([0]).round(3).tolist()
    [0.0, 0.667, 0.333]
    """
    return NgramModel(counts, "maximum likelihood", (plain_level(counts, order),))


def add_alpha(counts: NgramCounts, order: int, alpha: float = 1.0) -> NgramModel:
    """Return p(w|h) = (c(hw) + alpha) / (c(h) + alpha V); with alpha = 1 it is Laplace's rule.

    Raises ValueError unless alpha is above nought.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> add_alpha(counts, 2).scores([0]).round(3).tolist()  # (0 + 1) / (3 + 3), (2 + 1) / (3 + 3), ...
    [0.167, 0.5, 0.333]
    """
    if alpha <= 0:
        raise ValueError("Add-alpha needs an alpha above nought; with nought it is maximum likelihood.")
    plain, V = plain_level(counts, order), len(counts.vocabulary)
    totals = plain.totals + alpha * V
    own = plain.counted / totals[counts.parents[order]]
    level = Level(order, plain.counted, plain.totals, plain.removed, own, alpha * V / totals)
    return NgramModel(counts, "add-alpha", (level,), 1 / V, parameters={"alpha": alpha})


def linear_interpolation(counts: NgramCounts, order: int, weight: float = 0.5) -> NgramModel:
    """Return p(w|h) = lambda c(hw) / c(h) + (1 - lambda) p(w|h'), the same lambda `weight` in every order.

    Source: Jelinek and Mercer (1980). Raises ValueError unless 0 <= lambda < 1.
    """
    if not 0 <= weight < 1:
        raise ValueError("Interpolation needs a lambda from 0 up to, but not including, 1.")
    levels = []
    for k in range(1, order + 1):
        plain = plain_level(counts, k)
        left = np.full(len(plain.totals), 1 - weight)
        levels.append(Level(k, plain.counted, plain.totals, plain.removed, weight * plain.own, left))
    parameters = {"lambda": weight}
    return NgramModel(
        counts, "linear interpolation", tuple(levels), 1 / len(counts.vocabulary), parameters=parameters
    )


def absolute_discounting(counts: NgramCounts, order: int, discount: float = 0.75) -> NgramModel:
    """Return p(w|h) = (c(hw) - d) / c(h) + d N1+(h .) / c(h) p(w|h').

    Source: Ney, Essen and Kneser (1994). Raises ValueError unless 0 < d <= 1.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> absolute_discounting(counts, 2, 0.5).scores([0]).sum().round(9).tolist()
    1.0
    """
    check_discount(discount)
    levels = [
        discounted_level(counts, k, counts.counts[k], discount * (counts.counts[k] > 0))
        for k in range(1, order + 1)
    ]
    floor = 1 / len(counts.vocabulary)
    return NgramModel(counts, "absolute discounting", tuple(levels), floor, parameters={"discount": discount})


def kneser_ney(counts: NgramCounts, order: int, discount: float | None = None) -> NgramModel:
    """Return interpolated Kneser-Ney: discounting whose lower orders count contexts, not occurrences.

    A token seen often but after one other only (Francisco) is a poor guess elsewhere: below the highest
    order the count of a run is N1+(. run), how many different tokens came before it. Without `discount` each
    order takes its own three, off counts of 1, 2 and 3 or more, estimated from the counts of counts
    (modified Kneser-Ney).

    Sources: Kneser and Ney (1995); Chen and Goodman (1998), section 3, equation 26 for the estimates.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> kneser_ney(counts, 2, 0.75).scores([1]).sum().round(9).tolist()
    1.0
    """
    levels = []
    for k in range(1, order + 1):
        counted = counts.counts[k] if k == order else counts.predecessors[k]
        discounts = estimated_discounts(counted) if discount is None else np.full(3, check_discount(discount))
        removed = np.concatenate([[0.0], discounts])[np.minimum(counted, 3)]
        levels.append(discounted_level(counts, k, counted, removed))
    name = "Kneser-Ney" if discount is not None else "modified Kneser-Ney"
    parameters = {"discount": discount} if discount is not None else {}
    return NgramModel(counts, name, tuple(levels), 1 / len(counts.vocabulary), parameters=parameters)


def check_discount(discount: float) -> float:
    """Return the discount; raise ValueError unless it lies above nought and at most at one."""
    if not 0 < discount <= 1:
        raise ValueError(
            "A discount lies above 0 and at most at 1: more than a count has cannot be taken off."
        )
    return discount


def estimated_discounts(counted: np.ndarray) -> np.ndarray:
    """Return D_1, D_2, D_3+ from n_i, how many runs have a count of i: D_i = i - (i + 1) Y n_i+1 / n_i.

    Y = n_1 / (n_1 + 2 n_2). Where a text is too small for an estimate (some n_i is nought, or D_i leaves ]0,
    i]), 0.75 stands in.

    >>> estimated_discounts(np.repeat([1, 2, 3, 4], [40, 15, 8, 5])).round(3).tolist()
    [0.571, 1.086, 1.571]
    """
    n = np.bincount(np.minimum(counted, 5), minlength=6)[1:5].astype(float)  # n_1..n_4
    if not n.all():
        return np.full(3, 0.75)
    i, Y = np.arange(1, 4), n[0] / (n[0] + 2 * n[1])
    estimates = i - (i + 1) * Y * n[1:] / n[:-1]
    return np.where((estimates > 0) & (estimates <= i), estimates, 0.75)


def katz_backoff(counts: NgramCounts, order: int, discount: float = 0.75) -> NgramModel:
    """Return p(w|h) = (c(hw) - d) / c(h) where hw was seen, else alpha(h) p(w|h'), a distribution.

    alpha(h) = d N1+(h .) / c(h) over the share of p(.|h') that tokens unseen after h have. Katz (1987)
    discounts by Good and Turing's estimate; the fixed d is Ney's. A context after which every token was seen
    is not discounted: nothing would take what was removed.

    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> counts = count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2)
    >>> katz_backoff(counts, 2, 0.5).scores([0]).round(3).tolist()
    [0.333, 0.5, 0.167]
    """
    check_discount(discount)
    V = len(counts.vocabulary)
    levels, shorter = [], np.full(1, 1 / V)  # what the runs of k - 1 tokens keep for themselves
    for k in range(1, order + 1):
        seen = counts.counts[k] > 0
        spares = counts.types[k - 1] < V
        level = discounted_level(counts, k, counts.counts[k], discount * (seen & spares[counts.parents[k]]))
        unseen_share = 1 - counts.summed(k - 1, np.where(seen, shorter[counts.suffixes[k]], 0.0))
        weight = divided(level.weight, np.where(spares, unseen_share, 0.0))
        levels.append(Level(k, level.counted, level.totals, level.removed, level.own, weight))
        shorter = level.own
    return NgramModel(
        counts, "Katz back-off", tuple(levels), 1 / V, backoff=True, parameters={"discount": discount}
    )


def stupid_backoff(counts: NgramCounts, order: int, factor: float = 0.4) -> NgramModel:
    """Return S(w|h) = c(hw) / c(h) where hw was seen, else 0.4 S(w|h'): scores, which do not sum to one.

    Source: Brants et al., Large language models in machine translation (2007).
    """
    levels = []
    for k in range(1, order + 1):
        plain = plain_level(counts, k)
        weight = np.full(len(plain.totals), factor if k > 1 else 0.0)
        levels.append(Level(k, plain.counted, plain.totals, plain.removed, plain.own, weight))
    return NgramModel(counts, "stupid back-off", tuple(levels), 0.0, True, False, factor, {"factor": factor})
