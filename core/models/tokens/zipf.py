"""Zipf's law and Heaps' law: how often a text's words occur, fitted, measured, and beside a text that nobody wrote.

Zipf: p(r) = r^-s / H, where H = 1^-s + ... + V^-s. Heaps: V(n) = K n^b.
G. K. Zipf (1949), Human Behavior and the Principle of Least Effort; H. S. Heaps (1978), Information Retrieval, 7.5;
G. A. Miller (1957), Some effects of intermittent silence; A. Clauset, C. R. Shalizi and M. E. J. Newman (2009),
Power-law distributions in empirical data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import brentq

from core.models.tokens import WORDS
from core.text.tokenization.tokens import characters

STEEPEST = (
    64.0  # no text is long enough for a larger exponent: its first word would outnumber the second 2^64 times
)
FITTED_AT = 100  # lengths of the text at which Heaps' line is fitted, evenly spread over the logarithms
STOP_WORDS = frozenset(
    "a an the this that these those and or but if so as than not no of in on at to from by for with about into "
    "i me my you your he him his she her it its we us our they them their who what which there "
    "am is are was were be been being do does did have has had will would shall should can could may must".split()
)


@dataclass(frozen=True)
class RankedWords:
    """A text's types by frequency: `types[r - 1]` has rank r and occurs `counts[r - 1]` times."""

    types: tuple[str, ...]
    counts: np.ndarray  # (V,), descending

    @cached_property
    def covered(self) -> np.ndarray:
        """Return the share of the tokens that the first r ranks are, for r = 1 ... V."""
        return self.counts.cumsum() / self.counts.sum()


@dataclass(frozen=True)
class ZipfFit:
    """A fitted law: its exponent, each rank's probability, and the Kolmogorov-Smirnov distance with its rank."""

    exponent: float
    probabilities: np.ndarray  # (V,)
    distance: float
    farthest: int


@dataclass(frozen=True)
class HeapsFit:
    """The line K n^b through a text's growth."""

    K: float
    exponent: float

    def at(self, tokens: np.ndarray | float) -> np.ndarray | float:
        """Return the types that the line foresees after so many tokens."""
        return self.K * tokens**self.exponent


def without_stop_words(tokens: Sequence[str]) -> list[str]:
    """Return the tokens that are not among STOP_WORDS, capital letters or not.

    >>> without_stop_words("The cat is on the mat".split())
    ['cat', 'mat']
    """
    left = {word for word in set(tokens) if word.lower() not in STOP_WORDS}
    return [token for token in tokens if token in left]


def rank_words(tokens: Sequence[str]) -> RankedWords:
    """Return the types ranked by count; of equals, the one that the text has first. ValueError below two types.

    >>> ranked = rank_words("to be or not to be to".split())
    >>> ranked.types, ranked.counts.tolist(), ranked.covered.round(2).tolist()
    (('to', 'be', 'or', 'not'), [3, 2, 1, 1], [0.43, 0.71, 0.86, 1.0])
    """
    times = Counter(tokens)
    if len(times) < 2:
        raise ValueError(WORDS.label("zipf.short"))
    types = sorted(times, key=times.__getitem__, reverse=True)
    return RankedWords(tuple(types), np.fromiter(map(times.__getitem__, types), int, len(types)))


def types_for(ranked: RankedWords, share: float) -> int:
    """Return the least k whose top k types are at least this share of the tokens.

    >>> types_for(rank_words("to be or not to be to".split()), 0.5)
    2
    """
    needed = share * ranked.counts.sum()
    return int(np.searchsorted(ranked.counts.cumsum(), needed)) + 1


def frequency_classes(counts: np.ndarray, bounds: Sequence[int]) -> list[tuple[int, float]]:
    """Return for each class of counts how many types are in it, and their share of the tokens.

    Class i holds the types that occur bounds[i] times and more, but less than bounds[i + 1]; the last has no upper end.

    >>> frequency_classes(np.array([6, 2, 1, 1]), [1, 2, 3])
    [(2, 0.2), (1, 0.2), (1, 0.6)]
    """
    places = np.searchsorted(np.asarray(bounds), counts, side="right") - 1
    total = counts.sum()
    return [(int((places == i).sum()), float(counts[places == i].sum() / total)) for i in range(len(bounds))]


def share_of_stop_words(tokens: Sequence[str]) -> float:
    """Return the share of the tokens that are in STOP_WORDS: 0.42 and more in Shakespeare's plays.

    >>> share_of_stop_words("The cat is on the mat".split())
    0.6666666666666666
    """
    return sum(token.lower() in STOP_WORDS for token in tokens) / max(1, len(tokens))


def zipf_probabilities(exponent: float, V: int) -> np.ndarray:
    """Return p(r) = r^-s / (1^-s + ... + V^-s) for r = 1 ... V: the zeta distribution, truncated at rank V.

    >>> zipf_probabilities(1, 3) * 11
    array([6., 3., 2.])
    """
    weights = np.arange(1, V + 1) ** -float(exponent)
    return weights / weights.sum()


def fit_zipf(counts: np.ndarray) -> ZipfFit:
    """Return the law of maximum likelihood for counts (V,) by rank, and how far it is from them.

    The log-likelihood -s sum_r c_r ln r - N ln H(s) is highest where the law's mean of ln r is the text's:
    one root, found by Brent's method. D = max_r |F(r) - F_law(r)|, F the share of the first r ranks (Clauset et al.,
    eq. 3.9). Counts of exactly 60 / r have s = 1:

    >>> fit = fit_zipf(np.array([60, 30, 20, 15, 12, 10]))
    >>> round(fit.exponent, 6), round(fit.distance, 6)
    (1.0, 0.0)
    """
    V, N = len(counts), counts.sum()
    ln_ranks = np.log(np.arange(1, V + 1))
    mean = counts @ ln_ranks / N

    def excess(s: float) -> float:
        return float(zipf_probabilities(s, V) @ ln_ranks - mean)

    steep = 1.0  # far beyond the root r^-s underflows, and such numbers take a hundred times as long
    while steep < STEEPEST and excess(steep) > 0:
        steep *= 2
    exponent = brentq(excess, 0, steep, xtol=1e-10) if excess(0) > 1e-12 else 0.0  # 0: all equally often
    p = zipf_probabilities(exponent, V)
    gaps = np.abs(counts.cumsum() / N - p.cumsum())
    return ZipfFit(exponent, p, float(gaps.max()), int(gaps.argmax()) + 1)


def drawn_distances(fit: ZipfFit, tokens: int, draws: int = 20, seed: int = 0) -> np.ndarray:
    """Return the distances D (draws,) of texts of so many tokens drawn from the law itself, each ranked and fitted.

    A text that follows the law is about as far from it as these; one farther than all does not (Clauset et al., 4.1).

    >>> drawn_distances(fit_zipf(np.array([60, 30, 20])), tokens=110, draws=2).round(3)
    array([0.023, 0.084])
    """
    rng = np.random.default_rng(seed)
    drawn = (np.sort(rng.multinomial(tokens, fit.probabilities))[::-1] for _ in range(draws))
    return np.array([fit_zipf(counts[counts > 0]).distance for counts in drawn])


def rarer_half(probabilities: np.ndarray) -> float:
    """Return the share of the tokens that the rarer half of the types are, for probabilities (V,) by rank.

    >>> round(rarer_half(np.array([0.5, 0.3, 0.1, 0.1])), 6)
    0.2
    """
    return float(probabilities[(len(probabilities) + 1) // 2 :].sum())


def type_growth(tokens: Sequence[str]) -> np.ndarray:
    """Return V(n), the types among the first n tokens, for n = 1 ... N.

    >>> type_growth("to be or not to be".split()).tolist()
    [1, 2, 3, 4, 4, 4]
    """
    seen: set[str] = set()
    return np.array([len(seen) for token in tokens if not seen.add(token)], dtype=np.int32)


def heaps_places(N: int) -> np.ndarray:
    """Return the lengths n at which Heaps' line is fitted: at most FITTED_AT, evenly spread over ln n.

    >>> heaps_places(6).tolist()
    [1, 2, 3, 4, 5, 6]
    """
    return np.unique(np.geomspace(1, N, FITTED_AT).round().astype(int))


def fit_heaps(growth: np.ndarray) -> HeapsFit:
    """Return the line ln V(n) = ln K + b ln n of least squares at `heaps_places`, for a growth (N,), N > 1.

    >>> fit = fit_heaps(np.sqrt(np.arange(1, 101)) * 3)
    >>> round(fit.K, 6), round(fit.exponent, 6)
    (3.0, 0.5)
    """
    n = heaps_places(len(growth))
    b, ln_K = np.polyfit(np.log(n), np.log(growth[n - 1]), 1)
    return HeapsFit(float(np.exp(ln_K)), float(b))


def monkey_tokens(tokens: Sequence[str], seed: int = 0) -> list[str]:
    """Return the words that Miller's monkey types: as many characters as the tokens and the spaces between them have.

    Each is drawn at random from those very characters, spaces included; a word is what stands between two spaces.

    >>> monkey_tokens("to be or not to be to be".split())
    ['o', 'ortotet', 'oee', 'ttbotbt']
    """
    keys = np.array(characters(" ".join(tokens)), dtype=object)
    return "".join(np.random.default_rng(seed).choice(keys, len(keys)).tolist()).split()
