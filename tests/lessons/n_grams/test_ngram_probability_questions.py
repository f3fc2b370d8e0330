"""The key of the exercises on sentence probability: counted by nltk, logarithms by plain Python."""

from collections import Counter
from math import log2, prod

import pytest
from nltk import ConditionalFreqDist, bigrams

from core.exercises.exercise import make_exercise
from core.exercises.lessons import makers_of
from core.text.samples.shelf import sample
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


@pytest.mark.parametrize(
    "maker", [each for each in makers_of("ngram_probability") if each.on_text], ids=lambda each: each.name
)
def test_on_a_text_of_one_s_own_the_key_is_nltk_s_too(maker):
    text = sample("hamlet").text()
    for seed in range(20):
        exercise = make_exercise(maker, 1 + seed % 3, seed, text)
        draw, given = exercise.draw, exercise.draw.given
        context = given["first"] if maker.name == "product" else given["context"]
        rest = given["rest"] if maker.name == "product" else [given["word"]]
        wanted = prod(bigram_probability(given["text"], *pair) for pair in bigrams([context, *rest]))
        assert draw.answer == pytest.approx(wanted)
        assert exercise.solution and all(map(exercise.feedback, draw.mistakes))
        again = make_exercise(maker, 1 + seed % 3, seed, text)
        assert again.question == exercise.question != make_exercise(maker, 1 + seed % 3, seed).question
