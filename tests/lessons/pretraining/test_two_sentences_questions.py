"""The key of the exercises on next-sentence prediction, by plain Python and scikit-learn."""

import math

import pytest
from sklearn.metrics import roc_auc_score

from tests.exercises.drawn import drawn, entries


def test_an_input_is_the_sum_of_token_segment_and_position():
    for exercise in drawn("two_sentences", "input"):
        given, draw = exercise.draw.given, exercise.draw
        E, S, P = (entries(given[each]) for each in "ESP")
        names, row = list(given["E"].rows), given["row"].split()
        border = row.index("[SEP]")
        wanted, unplaced = [], []
        for t, token in enumerate(row):
            for e, s, p in zip(E[names.index(token)], S[t > border], P[t], strict=True):
                wanted.append(e + s + p)
                unplaced.append(e + s)
        assert draw.answer == tuple(wanted)
        assert draw.mistakes["no_position"] == tuple(unplaced)
        assert row[-1] == "[SEP]"


def test_a_probability_is_half_of_1_plus_tanh_of_half_the_logit():
    for exercise in drawn("two_sentences", "probability"):
        draw, given = exercise.draw, exercise.draw.given
        pairs = list(zip(given["w"], given["pooled"], strict=True))
        logit = given["bias"] + sum(w * math.tanh(x) for w, x in pairs)
        assert draw.answer == pytest.approx((1 + math.tanh(logit / 2)) / 2)
        assert draw.mistakes["sign"] == pytest.approx(1 - draw.answer)
        linear = given["bias"] + sum(w * x for w, x in pairs)
        assert draw.mistakes["no_tanh"] == pytest.approx((1 + math.tanh(linear / 2)) / 2)


def test_an_auc_is_scikit_learn_s():
    for exercise in drawn("two_sentences", "auc"):
        draw = exercise.draw
        true, false = entries(draw.given["scores"])
        labels = [1] * len(true) + [0] * len(false)
        assert draw.answer == pytest.approx(roc_auc_score(labels, true + false))
        assert draw.mistakes["turned"] == pytest.approx(1 - draw.answer)
