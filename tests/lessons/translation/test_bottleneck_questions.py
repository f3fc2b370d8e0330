"""The key of the exercises on the bottleneck: words crossed off one by one, scipy's distances, plain Python."""

import pytest
from scipy.spatial import distance

from tests.exercises.drawn import drawn, entries


def test_kept_words_can_be_crossed_off():
    for exercise in drawn("bottleneck", "kept"):
        given, draw = exercise.draw.given, exercise.draw
        left, reference, found = given["output"].split(), given["reference"].split(), 0
        for word in reference:
            if word in left:
                left.remove(word)
                found += 1
        assert draw.answer == pytest.approx(found / len(reference))
        assert draw.mistakes["of_output"] == pytest.approx(found / len(given["output"].split()))


def test_the_movement_is_a_distance_over_a_length():
    for exercise in drawn("bottleneck", "movement"):
        given, draw = exercise.draw.given, exercise.draw
        zero = [0] * len(given["whole"])
        away = distance.euclidean(given["whole"], given["without"])
        assert draw.answer == pytest.approx(away / distance.euclidean(given["whole"], zero))


def test_the_contexts_are_the_last_state_and_the_weighted_mean():
    for exercise in drawn("bottleneck", "contexts"):
        given, draw = exercise.draw.given, exercise.draw
        states, [a] = entries(given["states"]), entries(given["weights"])
        mixed = [sum(w * row[j] for w, row in zip(a, states, strict=True)) for j in (0, 1)]
        assert draw.answer == pytest.approx((states[-1][0], mixed[0], states[-1][1], mixed[1]))
