"""The key of the exercises on backpropagation through time: differences of the loss when a number changes a little."""

import itertools
from math import atanh, exp, log, tanh

import pytest

from tests.exercises.drawn import drawn, entries

STEP = 1e-6


def test_the_last_gradient_is_the_change_of_the_loss_when_the_state_changes():
    for exercise in drawn("backpropagation_through_time", "last_gradient"):
        given, draw = exercise.draw.given, exercise.draw
        rows, target = entries(given["embedding"]), given["embedding"].rows.index(given["target"])

        def loss(change, rows=rows, target=target, unit=given["unit"] - 1):
            logits = [log(row[-1]) + change * row[unit] for row in rows]
            return log(sum(map(exp, logits))) - logits[target]

        assert draw.answer == pytest.approx((loss(STEP) - loss(-STEP)) / (2 * STEP), abs=1e-6)


def rerun(W_h, hidden, changed):
    """Return the last state of a reading that had these states, when its first is another."""
    for earlier, later in itertools.pairwise(hidden):
        moved = [
            sum(w * (new - old) for w, new, old in zip(row, changed, earlier, strict=True)) for row in W_h
        ]
        changed = [tanh(atanh(h) + each) for h, each in zip(later, moved, strict=True)]
    return changed


def test_the_way_back_is_the_change_of_the_last_state():
    for exercise in drawn("backpropagation_through_time", "way_back"):
        given, draw = exercise.draw.given, exercise.draw
        W_h, hidden = (
            entries(given["W_h"]),
            [list(each) for each in zip(*entries(given["hidden"]), strict=True)],
        )
        last = [row[-1] for row in draw.table.entries]

        def loss(t, unit, step, W_h=W_h, hidden=hidden, last=last):
            changed = [h + step * (j == unit) for j, h in enumerate(hidden[t])]
            end = rerun(W_h, hidden[t:], changed)
            return sum(g * h for g, h in zip(last, end, strict=True))

        found = [(loss(t, i, STEP) - loss(t, i, -STEP)) / (2 * STEP) for i, t in draw.table.blanks]
        assert draw.answer == pytest.approx(found, abs=1e-6)


def test_the_gradient_of_the_weight_is_the_change_of_the_loss_when_the_weight_changes():
    for exercise in drawn("backpropagation_through_time", "weights"):
        given, draw = exercise.draw.given, exercise.draw
        [states] = entries(given["hidden"])
        if given["all_given"]:
            [gradients] = entries(given["gradients"])
            pairs = zip(gradients[1:], states[1:], states, strict=False)
            assert draw.answer == pytest.approx(sum(g * (1 - h * h) * before for g, h, before in pairs))
            continue

        def loss(step, w=given["weight"], states=states, last=given["last"]):
            changed, earlier = 0.0, 0.0
            for h in states:
                changed, earlier = tanh(atanh(h) + (w + step) * changed - w * earlier), h
            return last * changed

        assert draw.answer == pytest.approx((loss(STEP) - loss(-STEP)) / (2 * STEP), abs=1e-6)
