"""The key of the exercises on training a translator: products, differences of a softmax, dates read by hand."""

from math import exp, log, prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_loss_is_the_logarithm_of_the_geometric_mean():
    for exercise in drawn("translation_training", "loss"):
        [p] = entries(exercise.draw.given["factors"])
        assert exp(-exercise.draw.answer) == pytest.approx(prod(p) ** (1 / len(p)))
        assert exercise.draw.mistakes["sum"] == pytest.approx(-log(prod(p)))


def test_the_push_is_how_the_gain_changes_with_a_score():
    step = 1e-6
    for exercise in drawn("translation_training", "push"):
        a, g = entries(exercise.draw.given["rows"])
        pushes = []
        for s in range(len(a)):
            found = []
            for change in (step, -step):
                powers = [weight * exp(change * (i == s)) for i, weight in enumerate(a)]
                found.append(sum(p * value for p, value in zip(powers, g, strict=True)) / sum(powers))
            pushes.append((found[0] - found[1]) / (2 * step))
        assert exercise.draw.answer == pytest.approx(pushes, abs=1e-6)


def test_digits_are_aligned_with_the_part_of_the_date_they_come_from():
    for exercise in drawn("translation_training", "aligned"):
        given, draw = exercise.draw.given, exercise.draw
        typed, rows = given["typed"], entries(given["weights"])
        parts = typed.split(".")
        right, t = [], 0
        for number, part in reversed(list(enumerate(parts))):
            begin = sum(len(each) + 1 for each in parts[:number])
            for digit in range(2):
                place = begin + (digit if len(part) == 2 else 0)
                right.append(rows[t].index(max(rows[t])) == place)
                t += 1
            t += 1  # the dash
        assert given["written"] == "-".join(f"{int(part):02}" for part in reversed(parts))
        assert draw.answer == pytest.approx(sum(right) / len(right))
