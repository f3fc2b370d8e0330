"""The same seed makes the same exercise everywhere; unclear draws are drawn again; a wrong answer names its mistake."""

import pytest

from core.exercises import exercise
from core.exercises.draws import Draws
from core.exercises.exercise import make_exercise
from core.exercises.lessons import makers_of
from core.exercises.maker import Draw, Maker, Table
from core.words.language import SPANISH, speaking


def maker(name):
    return next(each for each in makers_of("viterbi") if each.name == name)


def test_draws_are_the_same_in_every_python():
    draws = Draws("attend")
    assert [draws.integer(0, 999) for _ in range(6)] == [142, 834, 755, 173, 88, 455]


def test_a_seed_makes_one_exercise_and_another_seed_another():
    again = [make_exercise(maker("cell"), 2, seed).question for seed in (7, 7, 8)]
    assert again[0] == again[1] != again[2]


def test_a_draw_whose_mistake_gives_the_right_answer_is_drawn_again():
    def draw_dice(draws, difficulty):
        rolled = draws.integer(1, 6)
        return Draw({"rolled": rolled}, rolled, {"six": 6, "one": 1})

    made = [make_exercise(Maker(draw_dice), 1, seed) for seed in range(100)]
    assert {each.draw.answer for each in made} == {2, 3, 4, 5}
    assert max(each.attempts for each in made) > 1


def test_a_maker_without_a_clear_draw_is_named():
    def draw_nothing(draws, difficulty):
        return Draw({}, 0.5, {"same": 0.501, "other": 0.1})

    with pytest.raises(ValueError, match=r"nothing found no clear question in 200 draws"):
        make_exercise(Maker(draw_nothing))


def test_numbers_are_right_within_one_unit_of_the_last_digit_and_counts_exactly():
    assert Draw({}, 0.25, {}, digits=3).tolerance == 0.001
    assert Draw({}, 25, {}, digits=3).tolerance == 0
    cell = make_exercise(maker("cell"))
    assert cell.is_right(cell.draw.answer + 0.9e-4) and not cell.is_right(cell.draw.answer + 1.1e-4)


def test_a_wrong_answer_names_its_mistake_and_another_none():
    cell = make_exercise(maker("cell"))
    assert cell.mistake_of(cell.draw.mistakes["sum"]) == "sum"
    assert cell.mistake_of(0.999) is None


def test_a_table_names_the_mistake_that_explains_its_wrong_cells():
    lattice = make_exercise(maker("lattice"), 3)
    for name, wrong in lattice.draw.mistakes.items():
        assert lattice.mistake_of(wrong) == name
    slip = (0.9, *lattice.draw.answer[1:])
    assert lattice.right_cells(slip) == [False] + [True] * 8
    assert lattice.mistake_of(slip) is None
    assert lattice.right_cells((None, *lattice.draw.answer[1:]))[0] is False


def test_a_table_is_filled_row_by_row():
    table = Table(("a", "b"), ("x", "y"), ((1, None), (None, "z")))
    assert table.fill((2, 3)).entries == [[1, 2], [3, "z"]]


def test_the_form_of_an_answer_says_its_digits():
    assert make_exercise(maker("cell")).form == "Round to 4 decimals."
    assert exercise.SHARED.label("form.number", digits=0) == "Give a whole number."


def test_a_head_that_has_a_label_is_shown_by_it_and_another_as_it_is():
    rollout = next(each for each in makers_of("patches") if each.name == "rollout")
    ours = make_exercise(rollout)
    assert ours.table.columns == list(ours.draw.table.columns) == ["class", "patch 1"]
    with speaking(SPANISH):
        theirs = make_exercise(rollout)
        assert theirs.table.rows == ["clase"] and theirs.table.columns == ["clase", "parche 1"]
        assert "| w₁ | clase | parche 1 |" in theirs.question and "patch" not in theirs.solution
