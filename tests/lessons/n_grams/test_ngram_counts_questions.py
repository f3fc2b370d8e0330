"""The key of the exercises on n-gram counts: counted by nltk, sentence by sentence."""

from collections import Counter

import pytest
from nltk import ConditionalFreqDist, bigrams, ngrams

from tests.exercises.drawn import drawn


def sentences_of(text):
    return [[*part.split(), "."] for part in text.split(".") if part.strip()]


def followers(sentences):
    return ConditionalFreqDist(pair for sentence in sentences for pair in bigrams(sentence))


def test_a_table_holds_nltk_s_counts_and_frequencies():
    for exercise in drawn("ngram_counts", "window"):
        draw, given = exercise.draw, exercise.draw.given
        found = followers(sentences_of(given["text"]))[given["context"]]
        expected = [value for token in draw.table.rows for value in (found[token], found.freq(token))]
        assert draw.answer == pytest.approx(expected)
        endless = followers([given["text"].replace(" .", "").split()])[given["context"]]
        across = [value for token in draw.table.rows for value in (endless[token], endless.freq(token))]
        assert draw.mistakes["across"] == pytest.approx(across)


def test_a_trigram_s_probability_is_nltk_s_frequency_after_two_words():
    for exercise in drawn("ngram_counts", "longer"):
        draw, given = exercise.draw, exercise.draw.given
        sentences = sentences_of(given["text"])
        found = ConditionalFreqDist(
            (tuple(run[:2]), run[2]) for sentence in sentences for run in ngrams(sentence, 3)
        )
        assert draw.answer == pytest.approx(found[tuple(given["context"])].freq(given["word"]))
        short = followers(sentences)[given["context"][1]]
        assert draw.mistakes["short"] == pytest.approx(short.freq(given["word"]))


def test_the_share_of_rare_bigrams_is_that_of_nltk_s_hapaxes():
    for exercise in drawn("ngram_counts", "rare"):
        draw = exercise.draw
        sentences = [sentence.split() for sentence in draw.given["sentences"]]
        found = Counter(pair for sentence in sentences for pair in bigrams(["<s>", *sentence]))
        once = [pair for pair, times in found.items() if times == 1]
        assert draw.answer == pytest.approx(len(once) / len(found))
        assert draw.mistakes["windows"] == pytest.approx(len(once) / sum(map(len, sentences)))
