"""What a model of sentence pairs is worth: how often it is right by where the other sentence is from, and what c holds.

    balanced accuracy    (share of the true pairs called next + share of the others called not next) / 2
    baseline             sigmoid(v f + a), fitted by scikit-learn to three counts f of the words that A and B share
    probe                softmax(V c + a), fitted to vectors c of other books' pairs: what can be read off c by a line

A probe that is right more often than one who always names the most frequent answer shows that the vector holds
something about it; how much the network uses it is another question.

Sources: Alain and Bengio (2016), Understanding intermediate layers using linear classifier probes; Hewitt and Liang
(2019), Designing and Interpreting Probes with Control Tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from core.models.pretraining.pair_training import Passages, other_passage
from core.models.pretraining.sentence_pairs import PairInput, SentencePairs, pair_input

TRUE, SAME_BOOK, OTHER_BOOK, SWAPPED = (
    "the next sentence",
    "another of the same book",
    "one of another book",
    "the two swapped",
)
ASKED = (  # of a pair, by probes
    "the second sentence follows",
    "both are of one book",
    "the first is from the Bible",
    "the second is the longer one",
    "the second ends in a question",
)
FITTED_KINDS = (TRUE, TRUE, SAME_BOOK, OTHER_BOOK)  # of the pairs that baseline and probes are fitted to
MAJORITY = "the most frequent answer"
VECTORS = ("the class vector c", "h of [CLS]", "the mean of all h", "random numbers")


def probed(quality: Mapping[str, float]) -> list[tuple[float, float]]:
    """Return how often a probe of the class vector is right, and one of random numbers: of three questions about a pair.

    They are whether the first is from the Bible, whether both are of one book, whether the second follows.
    """
    asked = (ASKED[2], ASKED[1], ASKED[0])
    return [tuple(quality[f"{each}: {name}"] for name in (VECTORS[0], VECTORS[-1])) for each in asked]


@dataclass(frozen=True)
class PairVectors:
    """Of n pairs: h of [CLS] before the pooling, its class vector c, the mean of all h, each (n, C), and P(is next)."""

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
    passages: Passages, books: np.ndarray, most: int, draw: np.random.Generator
) -> list[Quadruple]:
    """Return at most so many sentences of the `books` with their next one and two drawn ones of its length.

    The other book is one of `books`, too; a sentence for which there is nothing to draw is left out.
    """
    inside = np.isin(passages.books, books)
    found: list[Quadruple] = []
    for first in draw.permutation(passages.followed[inside[passages.followed]]).tolist():
        here = passages.books == passages.books[first]
        near, far = (other_passage(passages, first, among, draw) for among in (here, inside & ~here))
        if near is not None and far is not None:
            found.append(Quadruple(first, near, far))
        if len(found) == most:
            break
    return found


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
    """P(is next) of n sentences of a text with the next one, the two swapped, and with another of the text, (n,) each."""

    true: np.ndarray
    swapped: np.ndarray
    other: np.ndarray

    @property
    def called_next(self) -> dict[str, int]:
        """Of each kind, how many pairs have P(is next) > 1/2."""
        by_kind = {TRUE: self.true, SAME_BOOK: self.other, SWAPPED: self.swapped}
        return {kind: int((p > 0.5).sum()) for kind, p in by_kind.items()}


def own_pairs(model: SentencePairs, sentences: Sequence[Sequence[int]], seed: int) -> OwnPairs | None:
    """Return what a model says of the pairs of a text's sentences; None where there are fewer than three.

    The other sentence is neither the first one nor the one after it; it is drawn with a seed.
    """
    n = len(sentences)
    if n < 3:
        return None
    draw = np.random.default_rng(seed)
    drawn = [int(draw.choice([j for j in range(n) if j not in (i, i + 1)])) for i in range(n - 1)]
    orders = ([(i, i + 1) for i in range(n - 1)], [(i + 1, i) for i in range(n - 1)], [*enumerate(drawn)])
    p = [
        pair_vectors(
            model, [pair_input(sentences[i], sentences[j], model.cls, model.sep) for i, j in order]
        ).p
        for order in orders
    ]
    return OwnPairs(*p)


def every_order(model: SentencePairs, sentences: Sequence[Sequence[int]]) -> np.ndarray:
    """Return P(is next) of each ordered pair of n sentences, (n, n): row i, column j for “i, then j”; nan for i = j."""
    n = len(sentences)
    orders = [(i, j) for i in range(n) for j in range(n) if i != j]
    pairs = [pair_input(sentences[i], sentences[j], model.cls, model.sep) for i, j in orders]
    found = np.full((n, n), np.nan)
    if orders:
        found[tuple(np.array(orders).T)] = pair_vectors(model, pairs).p
    return found


def followers_found(p: np.ndarray) -> int:
    """Return for how many sentences but the last the next one has the largest P(is next) of its row, (n, n).

    >>> followers_found(np.array([[np.nan, 0.9, 0.2], [0.6, np.nan, 0.5], [0.1, 0.1, np.nan]]))
    1
    """
    return sum(int(np.nanargmax(row) == i + 1) for i, row in enumerate(p[:-1]))
