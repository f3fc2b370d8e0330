"""The page "Worksheets": a link makes the same sheet, and each file is what the writers make of it."""

import pytest
from streamlit.testing.v1 import AppTest

from core.exercises.lessons import makers_of
from core.exercises.worksheet import MIXED, choose_makers, make_worksheet
from pages import worksheets
from tests.lessons.lesson_page import COURSE, go_to


def opened(**query):
    app = AppTest.from_file(COURSE, default_timeout=120)
    for name, value in query.items():
        app.query_params[f"worksheets_{name}"] = str(value)
    go_to(app, "worksheets").run()
    assert not app.exception
    return app


def titles(app):
    return [each.value for each in app.subheader]


def test_the_page_opens_on_a_sheet_of_one_lesson():
    assert [title[:3] for title in titles(opened())] == ["1. ", "2. ", "3. "]


def test_a_link_makes_the_same_sheet():
    lessons = ("viterbi", "ngram_probability")
    app = opened(lessons=",".join(lessons), number=4, seed="week-3", difficulty=0, variants=2)
    makers = choose_makers([makers_of(lesson) for lesson in lessons], 4, "week-3")
    exercises = make_worksheet(makers, MIXED, "week-3").variants[0].exercises
    assert titles(app) == [f"{at}. {each.title}" for at, each in enumerate(exercises, 1)]
    shown = [each.value for each in app.markdown]
    assert all(each.question in shown for each in exercises)


def test_the_key_is_shown_when_it_is_asked_for():
    app = opened(number=3, seed=5)
    makers = choose_makers([makers_of("viterbi")], 3, "5")
    solutions = [each.solution.strip() for each in make_worksheet(makers, MIXED, "5").variants[0].exercises]
    assert not any(solution in each.value for solution in solutions for each in app.markdown)
    app.toggle(key="worksheets_solved").set_value(True).run()
    assert all(any(solution in each.value for each in app.markdown) for solution in solutions)


def test_without_a_lesson_the_page_asks_for_one():
    app = opened()
    app.multiselect[0].set_value([]).run()
    assert [each.value for each in app.info] == ["Choose at least one lesson."]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", "9999"),
        ("variants", "-1"),
        ("number", "9" * 5000),
        ("variants", "²"),
        ("difficulty", "7"),
        ("seed", "<b>"),
        ("lessons", "alchemy"),
        ("paper", "A0"),
    ],
)
def test_what_no_sheet_can_have_is_not_taken_from_the_address(name, value):
    assert titles(opened(**{name: value}))


def test_there_is_a_file_for_each_format():
    app = opened()
    labels = [each.proto.label for each in app.get("download_button")]
    assert labels == ["Sheet", "Key", "Moodle XML", "Canvas (QTI 1.2)", "GIFT", "CSV"]


def test_a_sheet_s_most_questions_and_variants_are_in_bounds():
    assert worksheets.QUESTIONS * worksheets.VARIANTS <= 2000


OWN = "The cat sat. The dog sat on the cat. The cat saw the dog and the bird saw the cat. " * 2


def test_a_text_of_one_s_own_is_asked_about_and_is_not_in_the_address():
    app = opened(lessons="ngram_probability", number=3, seed=4)
    assert not any("sat" in each.value for each in app.markdown)
    app.text_area(key="worksheets_text").set_value(OWN).run()
    assert not app.exception
    assert any("the cat sat ." in each.value.replace("\\", "") for each in app.markdown)
    assert not any("cat" in value for values in app.query_params.values() for value in values)


def test_a_text_without_words_gets_a_sentence():
    app = opened(lessons="ngram_probability", number=3, seed=4)
    app.text_area(key="worksheets_text").set_value("!!! ... ???").run()
    assert [each.value for each in app.info] == [
        "We found no clear question for one of these choices. Change the seed, the difficulty or the text."
    ]


def test_lessons_without_a_text_ask_for_none():
    assert not opened(lessons="viterbi").text_area
