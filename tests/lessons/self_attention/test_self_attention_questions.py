"""The key of the exercises on attention heads: plain Python loops over the given tables."""

from statistics import mean

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_output_is_the_sum_of_weights_times_values():
    for exercise in drawn("self_attention", "output"):
        draw, rows = exercise.draw, entries(exercise.draw.given["head"])
        assert draw.answer == pytest.approx([sum(row[0] * row[3 + i] for row in rows) for i in range(2)])
        assert draw.mistakes["equal"] == pytest.approx([mean(row[3 + i] for row in rows) for i in range(2)])
        assert draw.mistakes["largest"] == pytest.approx(max(rows)[3:])


def test_a_lead_is_the_difference_to_the_others():
    for exercise in drawn("self_attention", "lead"):
        draw, given = exercise.draw, exercise.draw.given
        row = entries(given["parts"])["ep".index(given["which"])]
        own = row.pop(given["key"] - 1)
        assert draw.answer == pytest.approx(own - mean(row))
        assert draw.mistakes["itself"] == pytest.approx(own - mean([own, *row]))


def test_an_induction_head_attends_to_what_followed_the_last_time():
    for exercise in drawn("self_attention", "induction"):
        draw, text = exercise.draw, "".join(entries(exercise.draw.given["text"])[0])
        earlier = text.rindex(text[-1], 0, -1)
        assert text.count(text[-1]) == 2
        assert draw.answer == earlier + 2  # the letter after it, counted from 1
        assert draw.mistakes == {"equal": earlier + 1, "before": earlier, "previous": len(text) - 1}
