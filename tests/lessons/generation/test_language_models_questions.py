"""The key of the exercises on comparing models: products, powers of e, and the most probable text."""

from math import exp, log2, prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_bits_per_character_are_those_of_the_product():
    for exercise in drawn("language_models", "score"):
        [p] = entries(exercise.draw.given["table"])
        assert exercise.draw.answer == pytest.approx(log2(1 / prod(p)) / len(p))


def test_the_perplexity_of_a_loss_in_nats_is_a_power_of_e():
    for exercise in drawn("language_models", "units"):
        assert exercise.draw.answer == pytest.approx(exp(exercise.draw.given["nats"]))
        assert log2(exercise.draw.answer) == pytest.approx(exercise.draw.mistakes["bits"])


def test_the_winner_gives_the_text_the_largest_product():
    for exercise in drawn("language_models", "race"):
        table = exercise.draw.given["table"]
        products = {name: prod(row) for name, row in zip(table.rows, entries(table), strict=True)}
        assert exercise.draw.answer == max(products, key=products.get)
        assert exercise.draw.mistakes["most"] == min(products, key=products.get)
