"""The key of the exercises on perplexity: geometric means in plain Python, Laplace by nltk, bigrams as sets."""

from math import prod

import pytest
from nltk import bigrams
from nltk.lm import Laplace, Vocabulary

from tests.exercises.drawn import drawn, entries


def test_perplexity_is_one_over_the_geometric_mean():
    for exercise in drawn("ngram_perplexity", "perplexity"):
        [p] = entries(exercise.draw.given["table"])
        assert exercise.draw.answer == pytest.approx(prod(p) ** (-1 / len(p)))
        assert exercise.draw.mistakes["total"] == pytest.approx(1 / prod(p))


def test_the_perplexity_of_a_new_sentence_is_nltk_s_with_laplace():
    for exercise in drawn("ngram_perplexity", "held_out"):
        draw, given = exercise.draw, exercise.draw.given
        tokens, test = given["text"].split(), given["test"].split()
        # nltk's vocabulary adds a token for unknown words, which the question does not have
        vocabulary = Vocabulary(tokens)
        model = Laplace(2, vocabulary)
        model.fit([list(bigrams(tokens)) + [(token,) for token in tokens]])
        V = len(set(tokens))
        assert given["V"] == V and len(vocabulary) == V + 1
        p = []
        for h, w in bigrams(test):
            both, before = model.counts[[h]][w], model.counts[[h]].N()
            assert model.score(w, [h]) == pytest.approx((both + 1) / (before + V + 1))
            p.append((both + 1) / (before + V))
        assert draw.answer == pytest.approx(prod(p) ** (-1 / len(p)))
        assert draw.mistakes["end"] == pytest.approx(prod(p[:-1]) ** (-1 / (len(p) - 1)))


def test_new_bigrams_are_those_that_no_counted_sentence_has():
    for exercise in drawn("ngram_perplexity", "new"):
        draw = exercise.draw
        counted, held = (
            [pair for sentence in draw.given[name] for pair in bigrams(["<s>", *sentence.split()])]
            for name in ("sentences", "tests")
        )
        new = [pair for pair in held if pair not in set(counted)]
        assert draw.answer == pytest.approx(len(new) / len(held))
        assert draw.mistakes["swapped"] == pytest.approx(
            sum(pair not in set(held) for pair in counted) / len(counted)
        )
