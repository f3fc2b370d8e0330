"""Negative sampling, one step at a time: the window, the pairs, and every number of one step of learning.

A word next to another is a pair to tell from noise. With v the vector of what is given, u_o that of the word to
be found and u_1..u_k those of k words drawn as noise,

    loss = -ln σ(v·u_o) - Σ_n ln σ(-v·u_n)                         σ(x) = 1 / (1 + e^-x)

    ∂loss/∂v = (σ(v·u_o) - 1) u_o + Σ_n σ(v·u_n) u_n
    ∂loss/∂u_o = (σ(v·u_o) - 1) v                    ∂loss/∂u_n = σ(v·u_n) v

In skip-gram v is the vector of the centre word and each word of its window is to be found in turn. In CBOW v is
the mean of the window's vectors, and the centre word is to be found.

A word that stands in a step more than once has one vector all the same, and takes the sum of its gradients.

Source: Mikolov, Sutskever, Chen, Corrado and Dean (2013), Distributed Representations of Words and Phrases.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class WordPair:
    """A centre word with a word from its window (positive) or with one drawn as noise (negative).

    `position` is where the other word stands in the sentence, None for noise.
    """

    centre: str
    other: str
    positive: bool
    position: int | None


def window(tokens: Sequence[str], centre: int, size: int) -> list[int]:
    """Return the positions at most `size` away from the centre's, without the centre's own.

    >>> window("the king loves the queen".split(), centre=1, size=2)
    [0, 2, 3]
    """
    return [
        place
        for place in range(max(0, centre - size), min(len(tokens), centre + size + 1))
        if place != centre
    ]


def trained_window(
    sentences: Sequence[Sequence[str]], centre: int, size: int, known: Container[str]
) -> list[int]:
    """Return the positions that training sees from a centre, where positions count on through the sentences.

    No window crosses the end of a sentence, and words that are not known are taken out before it is laid.

    >>> trained_window([["the", "king", "rare", "smiled"], ["he", "sang"]], 1, 2, {"the", "king", "smiled", "he"})
    [0, 3]
    """
    ends = np.cumsum([len(sentence) for sentence in sentences])
    number = int(np.searchsorted(ends, centre, side="right"))
    start = int(ends[number]) - len(sentences[number])
    kept = [start + place for place, word in enumerate(sentences[number]) if word in known]
    return [kept[near] for near in window(kept, kept.index(centre), size)] if centre in kept else []


def noise_distribution(counts: Mapping[str, int], power: float = 0.75) -> dict[str, float]:
    """Return the probability with which each word is drawn as noise: p(w) = count(w)^3/4 / Σ count^3/4.

    >>> noise_distribution({"the": 81, "king": 16, "queen": 1})
    {'the': 0.75, 'king': 0.2222222222222222, 'queen': 0.027777777777777776}
    """
    shares = {word: count**power for word, count in counts.items()}
    total = sum(shares.values())
    return {word: share / total for word, share in shares.items()}


def keep_probability(shares: np.ndarray, threshold: float) -> np.ndarray:
    """Return the probability with which an occurrence of a word is kept for an epoch, shaped like `shares`.

    p(keep) = min(1, √(t/f) + t/f)    f the word's share of the text, t the threshold; t = 0 keeps everything

    >>> keep_probability(np.array([0.1, 0.004, 0.0001]), threshold=0.001)
    array([0.11, 0.75, 1.  ])
    """
    if not threshold:
        return np.ones_like(shares)
    return np.minimum(1, np.sqrt(threshold / shares) + threshold / shares)


def pairs(
    tokens: Sequence[str],
    centre: int,
    around: Iterable[int],
    negatives: int,
    rng: np.random.Generator,
    noise: Mapping[str, float],
) -> list[WordPair]:
    """Return skip-gram's pairs of a centre with the positions around it: each true one, then its negatives.

    Noise may by chance draw the very word it is to be told from; word2vec's formula allows it.

    >>> rng, noise = np.random.default_rng(3), noise_distribution({"the": 81, "king": 16, "queen": 1})
    >>> for pair in pairs(["the", "queen", "smiled"], centre=1, around=[0, 2], negatives=2, rng=rng, noise=noise):
    ...     print(pair.centre, pair.other, "+" if pair.positive else "-")
    queen the +
    queen the -
    queen the -
    queen smiled +
    queen king -
    queen the -
    """
    words, probabilities = list(noise), np.fromiter(noise.values(), float)
    found = []
    for position in around:
        found.append(WordPair(tokens[centre], tokens[position], True, position))
        drawn = rng.choice(len(words), negatives, p=probabilities)
        found += [WordPair(tokens[centre], words[row], False, None) for row in drawn]
    return found


@dataclass(frozen=True, eq=False)
class NegativeSamplingStep:
    """Every number of one step, before and after.

    centre:    (d,) skip-gram's centre vector, or (m, d) the vectors of CBOW's window
    v:         (d,) the centre vector itself, or the mean of the window's vectors
    context:   (d,) u_o, the vector of the word to be found
    negatives: (k, d) u_n, the vectors of the noise
    dot, sigmoid, negative_dots (k,), negative_sigmoids (k,): v·u and σ(v·u)
    *_gradient(s), new_*: the gradient of the loss by each input and the input after the step, shaped like it
    new_loss:  the loss of the same pairs after the step
    """

    centre: np.ndarray
    v: np.ndarray
    context: np.ndarray
    negatives: np.ndarray
    learning_rate: float
    dot: float
    sigmoid: float
    negative_dots: np.ndarray
    negative_sigmoids: np.ndarray
    loss: float
    centre_gradient: np.ndarray
    context_gradient: np.ndarray
    negative_gradients: np.ndarray
    new_centre: np.ndarray
    new_context: np.ndarray
    new_negatives: np.ndarray
    new_loss: float


def sigmoid(x: np.ndarray | float) -> np.ndarray:
    """Return σ(x) = 1 / (1 + e^-x), without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, np.log(3)]))
    array([0.  , 0.5 , 0.75])
    """
    return np.exp(-np.logaddexp(0, -np.asarray(x, dtype=float)))


def pair_loss(v: np.ndarray, context: np.ndarray, negatives: np.ndarray) -> float:
    """Return -ln σ(v·u_o) - Σ_n ln σ(-v·u_n), in nats; -ln σ(x) = ln(1 + e^-x)."""
    return float(np.logaddexp(0, -v @ context) + np.logaddexp(0, negatives @ v).sum())


def summed(gradients: np.ndarray, words: Sequence[str] | None) -> np.ndarray:
    """Return the gradients (m, d) with, in each row, the sum over all rows of the same word; None: all differ.

    >>> summed(np.array([[1.0], [2.0], [4.0]]), ["the", "king", "the"]).tolist()
    [[5.0], [2.0], [5.0]]
    """
    if words is None:
        return gradients
    same = np.array([[one == other for other in words] for one in words], dtype=float)  # (m, m)
    return same @ gradients


def training_step(
    centre: np.ndarray,
    context: np.ndarray,
    negatives: np.ndarray,
    learning_rate: float,
    found: Sequence[str] | None = None,
    given: Sequence[str] | None = None,
) -> NegativeSamplingStep:
    """Return one step of stochastic gradient descent on one positive pair and its k negative ones.

    centre (d,): skip-gram. centre (m, d): CBOW, where v is the mean and each of the m vectors has the gradient
    ∂loss/∂v / m. Every vector x becomes x - learning_rate ∂loss/∂x, all with the gradients from before the step.

    found: the 1 + k words of `context` and `negatives`; given: the m words of CBOW's window. Noise may draw a word
    twice, or the true word itself: it has one vector, whose gradient is the sum. Left out, all words differ.

    >>> step = training_step(np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([[0.0, -1.0]]), 0.5)
    >>> step.dot, step.sigmoid, round(step.loss, 4)
    (0.0, 0.5, 1.3863)
    >>> step.centre_gradient.tolist(), step.new_centre.tolist()
    ([0.0, -1.0], [1.0, 0.5])
    """
    centre, context = np.asarray(centre, dtype=float), np.asarray(context, dtype=float)
    negatives = np.asarray(negatives, dtype=float).reshape(-1, len(context))  # (k, d), k = 0 too
    v = centre.mean(axis=0) if centre.ndim == 2 else centre  # (d,)
    dot, negative_dots = float(v @ context), negatives @ v  # (), (k,)
    probability, negative_probabilities = float(sigmoid(dot)), sigmoid(negative_dots)
    gradient = (probability - 1) * context + negative_probabilities @ negatives  # (d,)
    centre_gradient = gradient
    if centre.ndim == 2:
        centre_gradient = summed(np.tile(gradient / len(centre), (len(centre), 1)), given)  # (m, d)
    errors = np.array([probability - 1, *negative_probabilities])  # (1+k,)
    context_gradient, *rest = summed(np.outer(errors, v), found)
    negative_gradients = np.array(rest).reshape(negatives.shape)
    new_centre = centre - learning_rate * centre_gradient
    new_context = context - learning_rate * context_gradient
    new_negatives = negatives - learning_rate * negative_gradients
    new_v = new_centre.mean(axis=0) if centre.ndim == 2 else new_centre
    return NegativeSamplingStep(
        centre=centre,
        v=v,
        context=context,
        negatives=negatives,
        learning_rate=learning_rate,
        dot=dot,
        sigmoid=probability,
        negative_dots=negative_dots,
        negative_sigmoids=negative_probabilities,
        loss=pair_loss(v, context, negatives),
        centre_gradient=centre_gradient,
        context_gradient=context_gradient,
        negative_gradients=negative_gradients,
        new_centre=new_centre,
        new_context=new_context,
        new_negatives=new_negatives,
        new_loss=pair_loss(new_v, new_context, new_negatives),
    )
