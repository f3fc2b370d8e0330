"""An axis between two lists of words."""

import numpy as np
import pytest

from core.models.word_vectors.word_axis import axis
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors

PEOPLE = WordVectors(
    ["he", "man", "she", "woman", "nurse", "smith"],
    np.float32([[-3, 1], [-1, 1], [2, 1], [4, 1], [2.5, 9], [-2, 9]]),
)


def test_the_means_of_the_lists_lie_at_the_ends_and_the_midpoint_at_zero():
    line = axis(PEOPLE, ["he", "man"], ["she", "woman"])
    assert line.half_width == 2.5
    assert np.allclose(line.midpoint, [0.5, 1]) and np.allclose(line.direction, [1, 0])
    assert np.mean([place.position for place in line.place(PEOPLE, ["she", "woman"])]) == pytest.approx(2.5)


def test_words_are_placed_by_their_projection():
    line = axis(PEOPLE, ["he", "man"], ["she", "woman"])
    assert [(place.word, place.position) for place in line.place(PEOPLE, ["nurse", "smith"])] == [
        ("nurse", 2.0),
        ("smith", -2.5),
    ]
    assert line.place(PEOPLE, ["smith"])[0].cosine == pytest.approx(-2 / np.hypot(2, 9))


def test_bad_ends_are_answered_with_a_sentence():
    with pytest.raises(ValueError, match="at least one word"):
        axis(PEOPLE, [], ["she"])
    with pytest.raises(ValueError, match="the same point"):
        axis(PEOPLE, ["he"], ["he"])
    with pytest.raises(UnknownWordError):
        axis(PEOPLE, ["him"], ["she"])
