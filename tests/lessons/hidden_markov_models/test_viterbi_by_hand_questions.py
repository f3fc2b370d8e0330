"""The key of the exercises on Viterbi by hand, by listing paths in plain Python."""

from itertools import product
from math import prod

import pytest

from tests.exercises.drawn import drawn, entries


def test_a_cell_is_the_largest_of_its_ways():
    for exercise in drawn("viterbi_by_hand", "next_cell"):
        draw, given = exercise.draw, exercise.draw.given
        at = given["states"].index(given["state"])
        [before] = entries(given["before"])
        rows = zip(before, entries(given["transitions"]), strict=True)
        ways = [score * row[at] * given["emitted"] for score, row in rows]
        assert draw.answer == pytest.approx(max(ways))
        assert draw.mistakes["sum"] == pytest.approx(sum(ways))
        assert draw.mistakes["no_emission"] == pytest.approx(max(ways) / given["emitted"])


def test_a_table_holds_the_best_path_into_each_cell():
    for exercise in drawn("viterbi_by_hand", "table"):
        draw, given = exercise.draw, exercise.draw.given
        initial, *transition = entries(given["steps"])
        emission, diary = entries(given["emission"]), [int(each) - 1 for each in given["diary"]]

        def into(state, day, start, initial=initial, transition=transition, emission=emission, diary=diary):
            return max(
                (initial[path[0]] if start else 1)
                * prod(transition[path[t]][path[t + 1]] for t in range(day))
                * prod(emission[i][diary[t]] for t, i in enumerate(path))
                for path in ((*before, state) for before in product(range(2), repeat=day))
            )

        for found, start in ((draw.answer, True), (draw.mistakes["no_start"], False)):
            assert found == pytest.approx([into(i, t, start) for i, t in draw.table.blanks])


def test_a_path_is_read_from_the_tables_alone():
    for exercise in drawn("viterbi_by_hand", "trace"):
        draw, scores = exercise.draw, exercise.draw.given["scores"]
        numbers, arrows = entries(scores), entries(draw.given["arrows"])
        ranked = sorted(range(len(numbers)), key=lambda i: numbers[i][-1])
        for found, at in ((draw.answer, ranked[-1]), (draw.mistakes["smallest"], ranked[0])):
            path = [scores.rows[at]]
            for t in range(len(scores.columns) - 1, 0, -1):
                path.insert(0, arrows[scores.rows.index(path[0])][t])
            assert found == ", ".join(path)
