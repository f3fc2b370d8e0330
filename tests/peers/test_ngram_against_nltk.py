"""Same counts, same probabilities and perplexities as nltk.lm.

nltk counts what it is given: here the runs that end in a token of the text, so that the start is looked back at and
never predicted. Its vocabulary always holds <UNK>, so ours does. Two definitions differ: below the unigram nltk's
discounting stops, where ours goes on to 1 / V; the peers' `unigram_score` is therefore given ours.
"""

import math

import numpy as np
import pytest
from nltk.lm import (
    MLE,
    AbsoluteDiscountingInterpolated,
    KneserNeyInterpolated,
    Laplace,
    Lidstone,
    StupidBackoff,
    Vocabulary,
)

from core.models.n_grams.held_out import evaluate_ngrams
from core.models.n_grams.ngram import (
    absolute_discounting,
    add_alpha,
    kneser_ney,
    maximum_likelihood,
    stupid_backoff,
)
from core.models.n_grams.ngram_counts import count_ngrams

WORDS = ("a", "b", "c", "d", "e", ".", "<UNK>")
END = 5


def text(seed: int, sentences: int) -> list[int]:
    """Sentences of a few skewed words, each with a full stop."""
    generator = np.random.default_rng(seed)
    chances = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    lengths = generator.integers(1, 7, sentences)
    return [token for n in lengths for token in [*generator.choice(5, n, p=chances).tolist(), END]]


TRAIN, TEST = text(1, 60), text(2, 20)


def padded_runs(tokens: list[int], order: int) -> list[list[tuple[str, ...]]]:
    """For each sentence, all runs of up to `order` words that end in a word of it, with <s> before the first."""
    sentences, sentence = [], ["<s>"] * (order - 1)
    for token in tokens:
        sentence.append(WORDS[token])
        if token == END:
            places = range(order - 1, len(sentence))
            sentences.append(
                [tuple(sentence[i - k + 1 : i + 1]) for i in places for k in range(1, order + 1)]
            )
            sentence = ["<s>"] * (order - 1)
    return sentences


def fitted(peer, order: int):
    """The peer, counted on TRAIN."""
    peer.vocab = Vocabulary(WORDS[:-1])
    if hasattr(peer, "estimator"):
        peer.estimator.vocab = peer.vocab
    peer.fit(padded_runs(TRAIN, order))
    return peer


def longest(tokens: list[int], order: int) -> list[tuple[str, ...]]:
    """The runs of `order` words that nltk takes a perplexity of."""
    return [run for sentence in padded_runs(tokens, order) for run in sentence if len(run) == order]


def assert_same(model, peer, order: int) -> None:
    for *context, word in longest(TEST, order):
        ids = [WORDS.index(token) for token in context if token != "<s>"]
        ours = model.scores(([END] if len(ids) < order - 1 else []) + ids)[WORDS.index(word)]
        assert ours == pytest.approx(peer.score(word, context))


PLAIN = [
    (lambda counts, n: maximum_likelihood(counts, n), MLE),
    (lambda counts, n: add_alpha(counts, n, 1), Laplace),
    (lambda counts, n: add_alpha(counts, n, 0.1), lambda n: Lidstone(0.1, n)),
    (lambda counts, n: stupid_backoff(counts, n), lambda n: StupidBackoff(order=n)),
]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("ours", "theirs"), PLAIN)
def test_simple_models_score_as_nltks(ours, theirs, order):
    assert_same(ours(count_ngrams(TRAIN, WORDS, order, END), order), fitted(theirs(order), order), order)


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(absolute_discounting, AbsoluteDiscountingInterpolated), (kneser_ney, KneserNeyInterpolated)],
)
def test_discounted_models_score_as_nltks_once_the_unigram_is_ours(ours, theirs, order):
    model = ours(count_ngrams(TRAIN, WORDS, order, END), order, 0.6)
    peer = fitted(theirs(order, discount=0.6), order)
    peer.estimator.unigram_score = lambda word: unigram(model)[WORDS.index(word)]
    assert_same(model, peer, order)


def unigram(model) -> np.ndarray:
    """The model's own distribution after no context, discounted and mixed with 1 / V by hand."""
    lowest = model.levels[0]
    counted = np.zeros(len(WORDS) + 1)
    counted[model.counts.keys[1]] = lowest.counted
    kept = np.maximum(counted[:-1] - 0.6, 0) / counted.sum()
    return kept + (1 - kept.sum()) / len(WORDS)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_perplexities_are_nltks(order):
    counts = count_ngrams(TRAIN, WORDS, order, END)
    model, peer = add_alpha(counts, order, 0.1), fitted(Lidstone(0.1, order), order)
    assert evaluate_ngrams(model, TEST).perplexity == pytest.approx(peer.perplexity(longest(TEST, order)))


def test_unseen_runs_are_infinitely_perplexing_to_both():
    model = maximum_likelihood(count_ngrams(TRAIN, WORDS, 4, END), 4)
    assert math.isinf(fitted(MLE(4), 4).perplexity(longest(TEST, 4)))
    assert math.isinf(evaluate_ngrams(model, TEST).perplexity)
