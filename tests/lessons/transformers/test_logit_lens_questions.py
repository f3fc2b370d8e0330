"""The key of the exercises on the logit lens: numpy for streams, loops for settled predictions, sorting."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import zscore

from tests.exercises.drawn import drawn, entries


def test_the_lens_reads_the_sum_through_the_norm():
    for exercise in drawn("logit_lens", "read"):
        draw, given = exercise.draw, exercise.draw.given
        stream = np.cumsum(entries(given["added"]), axis=0)[given["layer"]]
        E, token = np.array(entries(given["E"])), given["E"].rows.index(given["token"])
        assert draw.answer == pytest.approx(softmax(E @ zscore(stream))[token])
        assert draw.mistakes["unnormed"] == pytest.approx(softmax(E @ stream)[token])


def test_a_prediction_is_settled_where_it_stays():
    for exercise in drawn("logit_lens", "settled"):
        draw, expected = exercise.draw, []
        for column in zip(*entries(exercise.draw.given["reads"]), strict=True):
            layer = len(column) - 1
            while layer and column[layer - 1] == column[-1]:
                layer -= 1
            expected.append(layer)
        assert draw.answer == tuple(expected)
        columns = zip(*entries(draw.given["reads"]), strict=True)
        assert draw.mistakes["first"] == tuple(column.index(column[-1]) for column in columns)


def test_the_largest_dot_product_wins():
    for exercise in drawn("logit_lens", "wins"):
        draw, given = exercise.draw, exercise.draw.given
        E = dict(zip(given["E"].rows, np.array(entries(given["E"])), strict=True))
        x = given["x"].numpy()
        assert draw.answer == max(E, key=lambda token: float(E[token] @ x))
        assert draw.mistakes["longest"] == max(E, key=lambda token: float((E[token] ** 2).sum()))


def test_a_rank_is_a_place_among_the_sorted():
    for exercise in drawn("logit_lens", "rank"):
        draw, given = exercise.draw, exercise.draw.given
        rows, column = entries(given["logits"]), given["logits"].columns.index(given["token"])
        ranks = [sorted(row, reverse=True).index(row[column]) + 1 for row in rows]
        assert draw.answer == ranks[given["layer"]]
        assert draw.mistakes["before"] == ranks[given["layer"] - 1]
