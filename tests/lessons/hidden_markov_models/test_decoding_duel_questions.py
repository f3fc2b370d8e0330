"""The key of the exercises on pruning searches: paths grown one day at a time, and products counted one by one."""

from math import prod

import pytest

from tests.exercises.drawn import drawn, entries


def tables_of(given):
    initial, *transition = entries(given["steps"])
    seen = [int(each) - 1 for each in given["diary"]]
    return initial, transition, [[row[day] for row in entries(given["emission"])] for day in seen]


def beam_scores(given, width):
    """Return each day's {state: (probability, path)}, of paths that run through the `width` best states only."""
    initial, transition, emitted = tables_of(given)
    days = [{j: (initial[j] * p, (j,)) for j, p in enumerate(emitted[0])}]
    for column in emitted[1:]:
        kept = sorted(days[-1].values(), reverse=True)[:width]
        days.append(
            {
                j: max((p * transition[path[-1]][j] * e, (*path, j)) for p, path in kept)
                for j, e in enumerate(column)
            }
        )
    return days


def test_greedy_search_is_a_beam_of_one():
    for exercise in drawn("decoding_duel", "greedy_path"):
        draw, given = exercise.draw, exercise.draw.given
        names = given["states"]
        _, path = max(beam_scores(given, 1)[-1].values())
        _, best = max(beam_scores(given, len(names))[-1].values())
        assert draw.answer == ", ".join(names[state] for state in path)
        assert draw.mistakes["viterbi"] == ", ".join(names[state] for state in best)


def test_a_beam_of_two_extends_two_states():
    for exercise in drawn("decoding_duel", "beam"):
        draw, given = exercise.draw, exercise.draw.given
        for found, width in ((draw.answer, 2), (draw.mistakes["viterbi"], 3), (draw.mistakes["greedy"], 1)):
            days = beam_scores(given, width)
            assert found == pytest.approx([days[t][j][0] for j, t in draw.table.blanks])


def test_products_are_counted_one_by_one():
    for exercise in drawn("decoding_duel", "products"):
        draw, given = exercise.draw, exercise.draw.given
        products = sum(
            1
            for word in range(given["n"])
            for _ in range(given["K"])
            for _ in range(given["width"] if word else 1)
        )
        assert draw.answer == products
        assert draw.mistakes["greedy"] == prod((given["n"], given["K"]))
