"""The key of the exercises on counting: nltk's frequencies after a tag, fractions, and words added one by one."""

from fractions import Fraction

import pytest
from nltk import ConditionalFreqDist, FreqDist, bigrams
from nltk.probability import LidstoneProbDist

from tests.exercises.drawn import drawn, entries


def test_a_transition_is_nltk_s_frequency_after_the_tag():
    for exercise in drawn("hmm_counting", "transition"):
        draw, given = exercise.draw, exercise.draw.given
        tags = [[*(tag for _, tag in sentence), "end"] for sentence in given["sentences"]]
        found = ConditionalFreqDist(pair for sentence in tags for pair in bigrams(sentence))
        row = found[given["before"]]
        assert draw.answer == pytest.approx(row.freq(given["after"]))
        assert draw.mistakes["ends"] == pytest.approx(row[given["after"]] / (row.N() - row["end"]))


def test_a_smoothed_row_is_nltk_s_lidstone():
    for exercise in drawn("hmm_counting", "smoothed"):
        draw, table = exercise.draw, exercise.draw.given["table"]
        counts = FreqDist(dict(zip(table.columns, entries(table)[0], strict=True)))
        model = LidstoneProbDist(counts, draw.given["alpha"], bins=len(table.columns))
        assert draw.answer == pytest.approx([model.prob(name) for name in table.columns])


def test_an_ending_s_words_and_the_shorter_ending_s_are_counted_together():
    for exercise in drawn("hmm_counting", "ending"):
        draw, given = exercise.draw, exercise.draw.given
        times, shorter = entries(given["table"])
        at = given["table"].columns.index(given["tag"])
        together = [
            count + given["weight"] * Fraction(str(p)) for count, p in zip(times, shorter, strict=True)
        ]
        assert draw.answer == pytest.approx(float(together[at] / sum(together)))
