"""The key of the exercises on sentence probability: counted by nltk, logarithms by plain Python."""

from collections import Counter
from math import log2, prod

import pytest
from nltk import ConditionalFreqDist, bigrams

from tests.exercises.drawn import drawn, entries


def bigram_probability(text, context, word):
    return ConditionalFreqDist(bigrams(text.split()))[context].freq(word)


def test_a_bigram_s_probability_is_nltk_s_frequency_and_the_mistakes_are_what_they_say():
    for exercise in drawn("ngram_probability", "bigram"):
        draw, given = exercise.draw, exercise.draw.given
        tokens = given["text"].split()
        both, times = Counter(bigrams(tokens))[given["context"], given["word"]], Counter(tokens)
        assert draw.answer == pytest.approx(
            bigram_probability(given["text"], given["context"], given["word"])
        )
        assert draw.mistakes["joint"] == pytest.approx(both / len(tokens))
        assert draw.mistakes["unigram"] == pytest.approx(times[given["word"]] / len(tokens))
        assert draw.mistakes["swapped"] == pytest.approx(both / times[given["word"]])


def test_a_sentence_s_probability_is_the_product_of_nltk_s_frequencies():
    for exercise in drawn("ngram_probability", "product"):
        draw, given = exercise.draw, exercise.draw.given
        pairs = bigrams([given["first"], *given["rest"]])
        factors = [bigram_probability(given["text"], *pair) for pair in pairs]
        assert draw.answer == pytest.approx(prod(factors))
        assert draw.mistakes["added"] == pytest.approx(sum(factors))


def test_surprisal_is_the_logarithm_of_one_over_the_product():
    for exercise in drawn("ngram_probability", "surprisal"):
        [p] = entries(exercise.draw.given["factors"])
        assert exercise.draw.answer == pytest.approx(log2(1 / prod(p)))
        assert exercise.draw.mistakes["mean"] == pytest.approx(log2(1 / prod(p)) / len(p))
