"""The key of the exercises on sampling: scipy's softmax, and plain Python for what is kept and drawn."""

import pytest
from scipy.special import softmax

from tests.exercises.drawn import drawn, entries


def test_probabilities_at_a_temperature_are_scipy_s_softmax():
    for exercise in drawn("sampling", "temperature"):
        [z] = entries(exercise.draw.given["table"])
        T = exercise.draw.given["T"]
        assert exercise.draw.answer == pytest.approx(softmax([each / T for each in z]))


def test_top_p_keeps_the_fewest_that_reach_p():
    for exercise in drawn("sampling", "top_p"):
        draw, given = exercise.draw, exercise.draw.given
        [p] = entries(given["table"])
        mass = 0.0
        for each in sorted(p, reverse=True):
            mass += each
            if mass >= given["at_least"]:
                break
        assert draw.answer == pytest.approx(p[given["table"].columns.index(given["token"])] / mass)


def test_u_picks_among_the_kept_tokens():
    for exercise in drawn("sampling", "pick"):
        draw, given = exercise.draw, exercise.draw.given
        p = dict(zip(given["table"].columns, entries(given["table"])[0], strict=True))
        kept = sorted(p, key=p.get, reverse=True)[: given["k"]]
        left = given["u"] * sum(p[token] for token in kept)
        for token in kept:
            left -= p[token]
            if left < 0:
                break
        assert draw.answer == token
