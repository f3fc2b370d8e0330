"""What a model of sentence pairs is worth: how often it is right by where the other sentence is from, and what c holds.

    AUC                  share of (true pair, other pair) in which the true pair has the larger p(is next); 0.5 by chance
    balanced accuracy    (share of the true pairs called next + share of the others called not next) / 2
    baseline             sigmoid(v f + a), fitted by scikit-learn to three counts f of the words that A and B share
    probe                softmax(V c + a), fitted to vectors c of other books' pairs: what can be read off c by a line

A probe that is right more often than one who always names the most frequent answer shows that the vector holds
something about it; how much the network uses it is another question.

An interval of an AUC comes from bootstrap samples of the books: pairs of one book are related, so whole books are drawn.

Sources: Efron and Tibshirani (1993), An Introduction to the Bootstrap; Alain and Bengio (2016), Understanding
intermediate layers using linear classifier probes; Hewitt and Liang (2019), Designing and Interpreting Probes with
Control Tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import torch
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from core.models.pretraining.pair_training import (
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    Passages,
    other_passage,
)
from core.models.pretraining.sentence_pairs import PairInput, SentencePairs

TRUE = "the next sentence"
ASKED = (  # of a pair, by probes
    "the second sentence follows",
    "both are of one book",
    "the first is from the Bible",
    "the second is the longer one",
    "the second ends in a question",
)
FITTED_KINDS = (TRUE, TRUE, SAME_BOOK, OTHER_BOOK)  # of the pairs that baseline and probes are fitted to
TEXTS = STORIES, NEW_PAIRS, NEW_SCRIPTS, BOOKS = (  # that are measured on
    "stories",
    "stories in new combinations",
    "stories of new scripts",
    "books",
)
MAJORITY = "the most frequent answer"
MEASURABLE = 20  # pairs of a learner's text from which on an AUC is worth an interval
VECTORS = ("the class vector c", "h of [CLS]", "the mean of all h", "random numbers")


def probed(quality: Mapping[str, float]) -> list[tuple[float, float]]:
    """Return how often a probe of the class vector is right, and one of random numbers: of three questions about a pair.

    They are whether the first is from the Bible, whether both are of one book, whether the second follows.
    """
    asked = (ASKED[2], ASKED[1], ASKED[0])
    return [tuple(quality[f"{each}: {name}"] for name in (VECTORS[0], VECTORS[-1])) for each in asked]


@dataclass(frozen=True)
class PairVectors:
    """Of n pairs: h of [CLS] before the pooling, its class vector c, the mean of all h, each (n, C), and p(is next)."""

    first: np.ndarray
    c: np.ndarray
    mean: np.ndarray
    p: np.ndarray


@torch.inference_mode()
def pair_vectors(model: SentencePairs, pairs: Sequence[PairInput]) -> PairVectors:
    """Return the vectors of pairs, those of one length read at once."""
    C, n = model.network.encoder.config.width, len(pairs)
    found = PairVectors(*(np.zeros((n, C)) for _ in range(3)), np.zeros(n))
    lengths = np.array([len(each.ids) for each in pairs])
    for length in np.unique(lengths):
        places = np.flatnonzero(lengths == length)
        ids = torch.tensor([pairs[i].ids for i in places])
        h = model.network(ids, torch.tensor([pairs[i].segments for i in places]))  # (n, T, C)
        found.first[places], found.mean[places] = h[:, 0].numpy(), h.mean(dim=1).numpy()
        found.c[places] = model.network.class_vector(h).numpy()
        found.p[places] = model.network.next_logit(h).double().sigmoid().numpy()
    return found


@dataclass(frozen=True)
class Quadruple:
    """The places of a sentence and of three others: the next, one of the same book, one of another book."""

    first: int
    same_book: int
    other_book: int

    def pair(self, kind: str) -> tuple[int, int]:
        """Return the places of the two sentences of a kind, in order."""
        follows = (self.first, self.first + 1)
        others = {SAME_BOOK: (self.first, self.same_book), OTHER_BOOK: (self.first, self.other_book)}
        return {TRUE: follows, SWAPPED: follows[::-1], **others}[kind]


def drawn_quadruples(
    passages: Passages, places: np.ndarray, most: int, draw: np.random.Generator
) -> list[Quadruple]:
    """Return at most so many of the sentences at `places` with their next one and two drawn ones, in a drawn order.

    The other book is one of those that `places` are in; a sentence for which there is nothing to draw is left out.
    """
    inside = np.isin(passages.books, passages.books[places])
    found: list[Quadruple] = []
    for first in draw.permutation(places).tolist():
        near = other_passage(passages, first, True, draw)
        far = other_passage(passages, first, False, draw, inside)
        if near is not None and far is not None:
            found.append(Quadruple(first, near, far))
        if len(found) == most:
            break
    return found


def auc(true: np.ndarray, other: np.ndarray) -> float:
    """Return the share of (true, other) in which the true one has the larger score; a tie counts half (Mann-Whitney).

    >>> auc(np.array([0.9, 0.4]), np.array([0.5, 0.1]))
    0.75
    """
    n, m = len(true), len(other)
    ranks = rankdata(np.concatenate([true, other]))
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))


@dataclass(frozen=True)
class Separation:
    """How well a score separates true pairs from others: its AUC with the 95% interval, and that of a second score.

    `ahead_low` and `ahead_high` are the ends of the 95% interval of how far the first AUC is ahead of the second.
    """

    auc: float
    low: float
    high: float
    second: float
    ahead_low: float
    ahead_high: float


def separate(
    score: tuple[np.ndarray, np.ndarray],
    second: tuple[np.ndarray, np.ndarray],
    books: np.ndarray,
    draw: np.random.Generator,
    samples: int = 1000,
) -> Separation:
    """Return how well two scores, each of n true pairs and of n others, separate them; `books` (n,) are what is drawn."""
    rows, drawn = [np.flatnonzero(books == book) for book in np.unique(books)], []
    for _ in range(samples):
        chosen = np.concatenate([rows[i] for i in draw.integers(0, len(rows), len(rows))])
        one, other = (auc(true[chosen], false[chosen]) for true, false in (score, second))
        drawn.append((one, one - other))
    (low, ahead_low), (high, ahead_high) = np.quantile(drawn, (0.025, 0.975), axis=0).tolist()
    return Separation(auc(*score), low, high, auc(*second), ahead_low, ahead_high)


def shared_word_counts(a: Sequence[str], b: Sequence[str], rarity: dict[str, float]) -> list[float]:
    """Return three counts of the words that two sentences share: how many, of all of both, and how rare they are.

    >>> shared_word_counts(["the", "king"], ["the", "queen"], {"the": 0.1})
    [1.0, 0.333..., 0.1]
    """
    shared, either = set(a) & set(b), set(a) | set(b)
    return [
        float(len(shared)),
        len(shared) / max(1, len(either)),
        float(sum(rarity.get(word, 0.0) for word in shared)),
    ]


def rarities(sentences: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return ln(n / df) of each word of n sentences; df is in how many of them it stands.

    >>> rarities([["a", "b"], ["a"]])["b"] == log(2)
    True
    """
    df = Counter(word for sentence in sentences for word in set(sentence))
    return {word: log(len(sentences) / count) for word, count in df.items()}


def linear_probe(
    vectors: np.ndarray, labels: np.ndarray, test: np.ndarray, answers: np.ndarray
) -> np.ndarray:
    """Return where a logistic regression on vectors (n, C), standardised, is right about the `answers` of `test`.

    >>> vectors, labels = np.array([[-2.0], [-1.0], [1.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> linear_probe(vectors, labels, np.array([[2.0], [-3.0], [5.0]]), np.array([1, 0, 0])).tolist()
    [True, True, False]
    """
    probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=500))
    return probe.fit(vectors, labels).predict(test) == answers


@dataclass(frozen=True)
class OwnPairs:
    """p(is next) of n sentences of a text with the next one, the two swapped, and with another of the text, (n,) each."""

    true: np.ndarray
    swapped: np.ndarray
    other: np.ndarray

    @property
    def called_next(self) -> dict[str, int]:
        """Of each kind, how many pairs have p(is next) > 1/2."""
        by_kind = {TRUE: self.true, SAME_BOOK: self.other, SWAPPED: self.swapped}
        return {kind: int((p > 0.5).sum()) for kind, p in by_kind.items()}

    def measure_auc(self, seed: int) -> dict[str, tuple[float, float, float]] | None:
        """Return the AUC against other sentences and against swapped pairs, each with its 95% interval.

        None where there are fewer than `MEASURABLE` pairs: of so few the interval would hold almost everything.
        """
        n, draw = len(self.true), np.random.default_rng(seed)
        if n < MEASURABLE:
            return None
        nothing, found = np.zeros(n), {}
        for kind, other in ((SAME_BOOK, self.other), (SWAPPED, self.swapped)):
            measured = separate((self.true, other), (nothing, nothing), np.arange(n), draw)
            found[kind] = (measured.auc, measured.low, measured.high)
        return found


def own_pairs(model: SentencePairs, sentences: Sequence[Sequence[int]], seed: int) -> OwnPairs | None:
    """Return what a model predicts for the pairs of a text's sentences; None where there are fewer than three.

    The other sentence is neither the first one nor the one after it; it is drawn with a seed.
    """
    n = len(sentences)
    if n < 3:
        return None
    draw = np.random.default_rng(seed)
    drawn = [int(draw.choice([j for j in range(n) if j not in (i, i + 1)])) for i in range(n - 1)]
    orders = ([(i, i + 1) for i in range(n - 1)], [(i + 1, i) for i in range(n - 1)], [*enumerate(drawn)])
    p = [
        pair_vectors(model, [model.read_ids(sentences[i], sentences[j]) for i, j in order]).p
        for order in orders
    ]
    return OwnPairs(*p)


def every_order(model: SentencePairs, sentences: Sequence[Sequence[int]]) -> np.ndarray:
    """Return p(is next) of each ordered pair of n sentences, (n, n): row i, column j for “i, then j”; nan for i = j."""
    n = len(sentences)
    orders = [(i, j) for i in range(n) for j in range(n) if i != j]
    pairs = [model.read_ids(sentences[i], sentences[j]) for i, j in orders]
    found = np.full((n, n), np.nan)
    if orders:
        found[tuple(np.array(orders).T)] = pair_vectors(model, pairs).p
    return found


def followers_found(p: np.ndarray) -> int:
    """Return for how many sentences but the last the next one has the largest p(is next) of its row, (n, n).

    >>> followers_found(np.array([[np.nan, 0.9, 0.2], [0.6, np.nan, 0.5], [0.1, 0.1, np.nan]]))
    1
    """
    return sum(int(np.nanargmax(row) == i + 1) for i, row in enumerate(p[:-1]))
