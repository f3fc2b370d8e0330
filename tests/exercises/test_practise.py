"""Practising in a lab: a wrong answer names its mistake, a table says which cells are wrong, a score only when asked for."""

import pytest

from core.exercises.exercise import make_exercise
from core.exercises.lessons import makers_of
from tests.lessons.lesson_page import open_lesson, said


def asked(lesson, number, difficulty=1):
    makers = makers_of(lesson)
    return make_exercise(makers[(number - 1) % len(makers)], difficulty, f"practise.{number}")


def opened(lesson, number, **query):
    app = open_lesson(lesson, practise=True, practise_number=number, **query)
    assert not app.exception
    return app, asked(lesson, number)


def fields(app, exercise):
    return [each for each in app.text_input if each.key and exercise.name in each.key]


def check(app):
    next(each for each in app.button if each.label == "Check").click()
    app.run()
    assert not app.exception
    return said(app) + " ".join(each.value.replace("\\", "") for each in (*app.success, *app.info))


def test_a_closed_section_asks_nothing_and_an_open_one_asks_the_question():
    assert "Check" not in [each.label for each in open_lesson("viterbi").button]
    app, exercise = opened("viterbi", 1)
    assert exercise.title in [each.value for each in app.subheader]
    assert "Correct." not in said(app) and exercise.solution not in [each.value for each in app.markdown]


@pytest.mark.parametrize("mistake", ["sum", "greedy", "emission"])
def test_a_wrong_number_names_its_mistake(mistake):
    app, exercise = opened("viterbi", 1)
    fields(app, exercise)[0].set_value(f"{exercise.draw.mistakes[mistake]:.6f}")
    text = check(app)
    assert exercise.mistake_name(mistake) in text
    assert "Correct." not in text


def test_a_right_number_is_right_as_a_fraction_too_and_shows_the_solution():
    app, exercise = opened("viterbi", 1)
    fields(app, exercise)[0].set_value(f"{exercise.draw.answer * 1000}/1000")
    assert "Correct." in check(app)
    assert exercise.solution in [each.value for each in app.markdown]


def test_what_is_no_number_and_what_is_no_known_mistake_get_words_of_their_own():
    app, exercise = opened("viterbi", 1)
    assert "Fill in an answer first." in check(app)
    fields(app, exercise)[0].set_value("about a half")
    assert "Type a number" in check(app)
    fields(app, exercise)[0].set_value("0.987")
    assert "none of the mistakes we know" in check(app)


def test_a_lattice_says_which_cells_are_wrong_and_why():
    app, exercise = opened("viterbi", 2)
    assert len(fields(app, exercise)) == len(exercise.draw.answer)
    wrong = exercise.draw.mistakes["sum"]
    for field, value in zip(fields(app, exercise), wrong, strict=True):
        field.set_value(f"{value:.7f}")
    text = check(app)
    right = sum(exercise.right_cells(wrong))
    assert f"{right} of {len(wrong)} cells are right" in text
    assert exercise.mistake_name("sum") in text


def test_a_choice_names_the_mistake_behind_the_option():
    app, exercise = opened("viterbi", 3)
    box = next(each for each in app.selectbox if exercise.name in each.key)
    assert sorted(box.options) == sorted([exercise.draw.answer, *exercise.draw.mistakes.values()])
    box.set_value(exercise.draw.mistakes["greedy"])
    assert exercise.mistake_name("greedy") in check(app)


def test_the_solution_waits_until_it_is_asked_for():
    app, exercise = opened("viterbi", 1)
    fields(app, exercise)[0].set_value("0.987")
    check(app)
    assert exercise.solution not in [each.value for each in app.markdown]
    next(each for each in app.button if each.label == "Show the solution").click().run()
    assert exercise.solution in [each.value for each in app.markdown]


def test_another_question_is_another_and_a_score_is_kept_only_when_asked_for():
    app, exercise = opened("viterbi", 1)
    fields(app, exercise)[0].set_value(f"{exercise.draw.answer}")
    check(app)
    assert not any("first try" in each.value for each in app.caption)
    next(each for each in app.toggle if each.label == "Keep a score").set_value(True).run()
    assert any("1 of 1 right at the first try." in each.value for each in app.caption)
    next(each for each in app.button if each.label == "Another question").click().run()
    assert asked("viterbi", 2).title in [each.value for each in app.subheader]


@pytest.mark.parametrize("number", ["0", "-3", "x", "99999999999", "٣"])
def test_a_number_in_the_address_that_is_none_asks_the_first_question(number):
    app = open_lesson("viterbi", practise=True, practise_number=number)
    assert not app.exception
    assert app.subheader
