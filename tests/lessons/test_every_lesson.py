"""Every page of the syllabus runs, shows a picture, and keeps the promises that all lessons make."""

import json
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson import take_away
from pages import LESSONS, SUBJECTS
from tests.lessons.lesson_page import COURSE, figures, open_lesson


def each_of(lessons):
    """Return the mark that runs a test on each lesson: in one process a lesson, so that it is opened once for all."""
    params = [pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(each.name)) for each in lessons]
    return pytest.mark.parametrize("lesson", params)


EVERY_LESSON = each_of(LESSONS)
TRAINS = {"character_training", "parallel_training", "translation_training", "word_vector_training"}


@cache
def opened_with_notebook(name):
    """Return a lesson as it opens, and its notebook's cells; looked at by several tests, changed by none."""
    with patch.object(take_away, "notebook", wraps=take_away.notebook) as made:
        app = open_lesson(name)
    return app, made.call_args.args[1]


def opened(name):
    return opened_with_notebook(name)[0]


def test_every_page_file_is_named_once_in_its_subject_s_order():
    for subject in SUBJECTS:
        files = {path.stem for path in Path(subject.__file__).parent.glob("*.py")} - {"__init__"}
        assert [lesson.__name__.rpartition(".")[2] for lesson in subject.LESSONS] == list(
            dict.fromkeys(lesson.LESSON.name for lesson in subject.LESSONS)
        )
        assert files == {module.LESSON.name for module in subject.LESSONS}


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


@each_of(lesson for lesson in LESSONS if lesson.name not in TRAINS)  # those would train for minutes
def test_a_lesson_s_notebook_runs(lesson, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tagged.txt").write_text(
        "the/D dog/N barks/V\n", encoding="utf-8"
    )  # one lesson gives it away
    exec("\n".join(opened_with_notebook(lesson.name)[1]), {})


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
