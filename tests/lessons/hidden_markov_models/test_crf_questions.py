"""The key of the exercises on CRFs: every path listed, torch's autograd, and plain sums."""

from itertools import pairwise, product
from math import exp, log

import pytest
import torch

from tests.exercises.drawn import drawn, entries


def every_path(given):
    """Return the score of each path of a question's tables."""
    scores, steps = entries(given["scores"]), entries(given["moves"])
    return {
        path: sum(scores[t][j] for t, j in enumerate(path)) + sum(steps[i][j] for i, j in pairwise(path))
        for path in product(range(len(steps)), repeat=len(scores))
    }


def test_a_path_has_the_sum_of_its_entries_and_the_best_path_is_the_largest_of_all():
    for exercise in drawn("crf", "path"):
        given, draw = exercise.draw.given, exercise.draw
        every, tags = every_path(given), list(given["moves"].rows)
        path = tuple(tags.index(tag) for tag in given["path"])
        assert draw.answer == pytest.approx(every[path])
        assert draw.mistakes["best"] == pytest.approx(max(every.values()))
        scores = entries(given["scores"])
        assert draw.mistakes["words"] == pytest.approx(sum(scores[t][j] for t, j in enumerate(path)))


def test_a_probability_is_the_softmax_of_all_paths():
    for exercise in drawn("crf", "probability"):
        given, draw = exercise.draw.given, exercise.draw
        every, tags = every_path(given), list(given["moves"].rows)
        path = tuple(tags.index(tag) for tag in given["path"].split())
        z = sum(map(exp, every.values()))
        assert max(every, key=every.get) == path
        assert draw.answer == pytest.approx(exp(every[path]) / z)
        assert draw.mistakes["others"] == pytest.approx(exp(every[path]) / (z - exp(every[path])))
        assert draw.mistakes["scores"] == pytest.approx(every[path] / sum(every.values()))
        scores, steps = (
            torch.tensor(entries(given[name]), dtype=torch.float64) for name in ("scores", "moves")
        )
        p = torch.softmax(scores[0], 0)[path[0]] * torch.softmax(scores[1] + steps[path[0]], 0)[path[1]]
        assert draw.mistakes["stepwise"] == pytest.approx(p.item())


def test_a_forward_value_is_the_logarithm_of_a_sum_over_all_paths_so_far():
    for exercise in drawn("crf", "forward"):
        given, draw = exercise.draw.given, exercise.draw
        scores, steps = entries(given["scores"]), entries(given["moves"])
        sums, best = [], []
        for j, t in draw.table.blanks:
            found = [
                sum(scores[k][tag] for k, tag in enumerate(path))
                + sum(steps[a][b] for a, b in pairwise(path))
                for path in ((*before, j) for before in product(range(len(steps)), repeat=t))
            ]
            sums.append(log(sum(map(exp, found))))
            best.append(max(found))
        assert draw.answer == pytest.approx(sums)
        assert draw.mistakes["viterbi"] == pytest.approx(best)
        assert draw.steps["log_z"] == pytest.approx(log(sum(map(exp, every_path(given).values()))))


def test_a_gradient_is_torch_s_where_moving_the_weight_moves_each_probability():
    for exercise in drawn("crf", "gradient"):
        given, draw = exercise.draw.given, exercise.draw
        w = torch.tensor(float(given["weight"]), dtype=torch.float64, requires_grad=True)
        loss = given["penalty"] / 2 * w**2
        for p, y in entries(given["places"]):
            rest = log(p / (1 - p)) - given["weight"]  # what the other features add to this tag's score
            logits = torch.stack([w + rest, torch.zeros((), dtype=torch.float64)])
            loss = loss - torch.log_softmax(logits, 0)[0 if y == given["tag"] else 1]
        loss.backward()
        assert draw.answer == pytest.approx(w.grad.item())
