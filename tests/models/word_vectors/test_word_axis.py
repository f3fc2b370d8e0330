"""An axis between two lists of words."""

import numpy as np
import pytest

from core.models.word_vectors.word_axis import axis, mean_shift
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors, stored_vectors

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


def test_zero_of_the_standard_place_is_the_mean_of_all_words():
    line = axis(PEOPLE, ["he", "man"], ["she", "woman"])
    positions = PEOPLE.vectors[:, 0] - 0.5
    placed = line.place(PEOPLE, PEOPLE.words)
    standard = (positions - positions.mean()) / positions.std()
    assert [each.standard for each in placed] == pytest.approx(standard.tolist())
    distances = abs(standard)
    shares = [(distances >= own - 1e-9).mean() for own in distances]
    assert [each.as_far for each in placed] == pytest.approx(shares)


def test_in_glove_halfway_between_he_and_she_is_not_where_the_average_word_lies():
    vectors = stored_vectors("glove").normalised()
    line = axis(vectors, "he him man".split(), "she her woman".split())
    spread = line.spread(vectors)
    assert (spread.mean, spread.deviation) == pytest.approx((-0.0967, 0.1396), abs=1e-4)
    lawyer = line.place(vectors, ["lawyer"])[0]
    assert (
        lawyer.position < -0.1 and abs(lawyer.standard) < 0.3
    )  # "male" from halfway, average among all words


def test_the_shift_is_the_mean_of_the_words_own_shifts():
    units = PEOPLE.normalised()
    whole, broken = (
        axis(vectors, ["he"], ["she"]).place(vectors, ["man", "nurse"]) for vectors in (units, PEOPLE)
    )
    shifts = [now.standard - was.standard for was, now in zip(whole, broken, strict=True)]
    assert mean_shift(whole, broken) == pytest.approx(np.abs(shifts).mean()) != 0
    assert mean_shift(whole, whole) == 0
