"""Every page of the syllabus runs, shows a picture, and keeps the promises that all lessons make."""

import json
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson.syllabus import LESSONS, PAGES
from tests.pages.lesson_page import COURSE, figures, open_lesson

EVERY_LESSON = pytest.mark.parametrize(  # one process a lesson, so that it is opened once for all tests
    "lesson",
    [pytest.param(lesson, id=lesson.name, marks=pytest.mark.xdist_group(lesson.name)) for lesson in LESSONS],
)


@cache
def opened(name):
    """Return a lesson as it opens; looked at by several tests, changed by none."""
    return open_lesson(name)


def test_every_page_file_is_in_the_syllabus():
    files = {path for path in PAGES.rglob("*.py") if path.parent != PAGES}
    assert files == {lesson.path for lesson in LESSONS}


def test_names_are_unique_because_they_are_addresses():
    assert len({lesson.name for lesson in LESSONS}) == len(LESSONS)


def test_the_home_page_asks_every_lesson_s_question():
    app = AppTest.from_file(COURSE, default_timeout=60).run()
    assert not app.exception
    shown = {markdown.value for markdown in app.markdown}
    assert {lesson.question for lesson in LESSONS} <= shown
    assert len(app.get("plotly_chart")) == len(LESSONS)


@EVERY_LESSON
def test_a_lesson_opens_with_its_question_and_shows_a_picture(lesson):
    app = opened(lesson.name)
    assert not app.exception
    assert lesson.title in app.title[0].value
    assert lesson.question in app.markdown[0].value
    assert app.get("plotly_chart") or app.get("bidi_component")


@EVERY_LESSON
def test_a_lesson_shows_its_code_its_numbers_and_a_way_to_take_it_away(lesson):
    labels = {expander.label.split(":")[0] for expander in opened(lesson.name).expander}
    assert {"Every number", "The code that ran", "Take it away", "Sources"} <= labels


@EVERY_LESSON
def test_every_figure_has_finite_numbers_only(lesson):
    for chart in figures(opened(lesson.name)):
        assert "NaN" not in json.dumps(chart, allow_nan=True)


@EVERY_LESSON
def test_widget_keys_begin_with_the_lesson_s_name(lesson):
    app = opened(lesson.name)
    shared = ("text_source", "picture_format")
    for widget in (*app.slider, *app.selectbox, *app.text_input, *app.toggle, *app.text_area):
        assert widget.key.startswith((lesson.name, *shared)), widget.key
