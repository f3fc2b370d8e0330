"""Every lesson runs, shows a picture, and keeps the promises that all lessons make."""

import json
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
import plotly.graph_objects as go
import pytest

from core.lesson import lab as lab_module
from core.lesson.footer import AWAY, CODE, NUMBERS, SOURCES
from core.lesson.lab_words import LAB_WORDS
from core.lesson.notebook import notebook
from core.lesson.try_this import TEXT
from pages import LESSONS, SUBJECTS
from tests.lessons.lesson_page import (
    bytes_sent,
    figures,
    guess,
    mounted,
    numbers,
    open_lesson,
    question,
    said,
    try_prompt,
    views,
)
from tests.views.schemas import faults_of


def each_of(lessons):
    """Return the mark that runs a test on each lesson: in one process a lesson, so that it is opened once for all."""
    params = [pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(each.name)) for each in lessons]
    return pytest.mark.parametrize("lesson", params)


EVERY_LESSON = each_of(LESSONS)
# These ask about what a training has made, or are one long question themselves.
ASK_LATER = {
    "character_training",
    "translation_training",
    "viterbi_by_hand",
    "word_vector_duel",
    "word_vector_training",
}
TRAINS = {
    "character_training",
    "one_text",
    "parallel_training",
    "translation_training",
    "word_vector_training",
}


@cache
def opened_with_arguments(name):
    """Return a lesson as it opens, its notebook's cells and its prompts; looked at by several tests, changed by none."""
    with (
        patch.object(lab_module, "show_footer", wraps=lab_module.show_footer) as taken,
        patch.object(lab_module, "try_this", wraps=lab_module.try_this) as tried,
    ):
        app = open_lesson(name)
    return app, taken.call_args.args[1].notebook, tried.call_args.args[1]


def as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def opened(name):
    return opened_with_arguments(name)[0]


def test_every_page_file_is_named_once_in_its_subject_s_order():
    for subject in SUBJECTS:
        folder = Path(subject.__file__).parent
        files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
        files |= {path.parent.name for path in folder.glob("*/words.md")} - {"shared"}
        assert [lesson.__name__.rpartition(".")[2] for lesson in subject.LESSONS] == list(
            dict.fromkeys(lesson.LESSON.name for lesson in subject.LESSONS)
        )
        assert files == {module.LESSON.name for module in subject.LESSONS}


def test_names_are_unique_because_they_are_addresses():
    assert len({lesson.name for lesson in LESSONS}) == len(LESSONS)


@EVERY_LESSON
def test_a_lesson_opens_with_its_question_and_shows_a_picture(lesson):
    app = opened(lesson.name)
    assert not app.exception
    protos = [each.proto for each in app.get("bidi_component")]
    bar = json.loads(next(each.json for each in protos if each.component_name.endswith("attend_lab_bar")))
    assert (bar["title"], bar["question"]) == (lesson.title, lesson.question)
    assert app.get("plotly_chart") or mounted(app)


@pytest.mark.one_tab
@EVERY_LESSON
def test_a_lesson_has_its_tabs_and_makes_only_what_the_open_one_holds(lesson):
    app = open_lesson(lesson.name, below=NUMBERS)
    assert not app.exception
    labels = {LAB_WORDS.label(f"tab.{each}") for each in (NUMBERS, CODE, AWAY, SOURCES)}
    assert labels <= {tab.label for tab in app.tabs}
    assert "picture_format" not in {radio.key for radio in app.radio}  # that stands under "Take it away"


# Each starts Python and torch anew, so one of each subject stands for all; `make test-long` runs the others.
NOTEBOOKS = [lesson for lesson in LESSONS if lesson.name not in TRAINS]  # those would train for minutes
FEW = [next(each for each in subject.LESSONS if each.LESSON in NOTEBOOKS).LESSON for subject in SUBJECTS]


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(
            each,
            id=each.name,
            marks=[pytest.mark.xdist_group(each.name), *(() if each in FEW else (pytest.mark.long,))],
        )
        for each in NOTEBOOKS
    ],
)
def test_a_lesson_s_notebook_runs_far_from_the_repository(lesson, tmp_path):
    (tmp_path / "tagged.txt").write_text(
        "the/D dog/N barks/V\n", encoding="utf-8"
    )  # one lesson gives it away
    cells = opened_with_arguments(lesson.name)[1]
    content = json.loads(notebook(lesson.title, lesson.question, cells))
    code = [cell["source"] for cell in content["cells"] if cell["cell_type"] == "code"]
    code[-1] = code[-1].replace("draw(", "assert draw(") + ".data"  # a plot that shows something
    assert "assert draw(" in code[-1]
    script = tmp_path / "notebook.py"
    script.write_text("\n".join(code), encoding="utf-8")
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    ran = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=clean, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


@EVERY_LESSON
def test_every_figure_has_finite_numbers_only(lesson):
    app = opened(lesson.name)
    for spec in (*figures(app), *views(app)):
        assert all(map(math.isfinite, numbers(spec)))


@EVERY_LESSON
def test_what_a_view_is_sent_is_what_its_schema_says(lesson):
    """On opening; the tests of the guess and of the prompts look at other settings."""
    assert faults_of(opened(lesson.name)) == []


@EVERY_LESSON
def test_every_figure_is_one_that_plotly_knows(lesson):
    for spec in (*figures(opened(lesson.name)), lesson.picture().to_dict()):
        read = go.Figure(
            spec
        ).to_dict()  # graph objects refuse a field or a value that plotly.js does not have
        assert set(read["layout"]) - {"template"} == {
            name for name, part in spec["layout"].items() if part != []
        }


# What is sent of a text has a bound. A list of the types, or a token that is shown as it is, would be above it.
TYPES, TOKEN = " ".join(f"w{i:x}" for i in range(100_000)), "x" * 400_000
SENT_AT_MOST, SENT_OF_THE_LARGEST = 500_000, 2_000_000


@pytest.mark.one_tab
@EVERY_LESSON
def test_what_is_sent_of_a_text_has_a_bound_whatever_its_tokens_and_types(lesson):
    app = open_lesson(lesson.name, f"{TOKEN} {TYPES}")
    assert not app.exception
    assert bytes_sent(app) < SENT_AT_MOST < len(TYPES)


@pytest.mark.long
@pytest.mark.parametrize("text", ["tokens", "types"])
@EVERY_LESSON
def test_of_ten_megabytes_two_are_sent_with_all_tabs_open(lesson, text):
    worst = "a'" * 4_950_000 if text == "tokens" else " ".join(f"w{i:x}" for i in range(1_000_000))
    app = open_lesson(lesson.name, worst, timeout=120)
    assert not app.exception
    assert bytes_sent(app) < SENT_OF_THE_LARGEST


def test_infinity_in_a_figure_is_found_though_plotly_writes_arrays_in_base64():
    spec = json.loads(go.Figure(go.Scatter(y=np.array([1.0, np.inf]))).to_json())
    assert not all(map(math.isfinite, numbers(spec)))


@EVERY_LESSON
def test_widget_keys_begin_with_the_lesson_s_name(lesson):
    app = opened(lesson.name)
    shared = ("text_source", "picture_format")
    for widget in (*app.slider, *app.selectbox, *app.text_input, *app.toggle, *app.text_area):
        assert widget.key.startswith((lesson.name, *shared)), widget.key


def shown_everywhere(app):
    """Return all that the page shows or sends to the browser, but the question itself, as one text."""
    tables = [table.value.to_csv() for table in app.dataframe]
    sent = [chart.proto.spec for chart in app.get("plotly_chart")]
    sent += [proto.json for proto in mounted(app)]
    return " ".join((said(app), *tables, *sent, *(latex.value for latex in app.latex)))


@EVERY_LESSON
def test_until_the_guess_the_answer_is_hidden_and_the_rest_of_the_page_stays(lesson):
    """No picture, table or view that a guess reveals is sent before it; code, sources and prompts are."""
    asked = open_lesson(lesson.name, predict="true", below=NUMBERS)
    assert not asked.exception
    if lesson.name in ASK_LATER:
        return
    assert question(asked).value is None
    before, revealed = len(shown_everywhere(asked)), guess(asked)
    assert not revealed.exception
    assert len(shown_everywhere(revealed)) > before, "the guess reveals nothing"
    assert faults_of(asked) == faults_of(revealed) == []


@EVERY_LESSON
def test_every_prompt_to_try_arrives_with_what_it_names(lesson):
    app = open_lesson(lesson.name)
    for number, (label, settings) in enumerate(opened_with_arguments(lesson.name)[2], 1):
        arrived = try_prompt(app, lesson.name, number).run(timeout=120)
        assert not arrived.exception, label
        assert faults_of(arrived) == [], label
        for name, value in settings.items():
            key = "text_source_sample" if name == TEXT else lesson.key(name)
            stepping = [view for view in views(arrived) if {"predicting", "total"} <= set(view)]
            if name == "step" and stepping:  # the view goes there, in the browser
                assert value <= stepping[0]["total"], label
                continue
            if key in arrived.query_params:
                in_address = [
                    str(each).lower() if isinstance(each, bool) else str(each) for each in as_list(value)
                ]
                assert as_list(arrived.query_params[key]) == in_address, f"{label}: {name}"
            else:  # what is as at first does not stand there
                assert key in arrived.session_state, f"{label}: the page has no control {name}"
                assert name == TEXT or arrived.session_state[key] in (value, [value]), f"{label}: {name}"
        text = [each.value for each in arrived.text if each.value.startswith(str(settings.get(TEXT)))]
        assert text or TEXT not in settings, f"{label}: another text is read"


def test_a_prompt_carries_the_learner_s_own_words_and_predicting_first():
    app = open_lesson("viterbi", model="toy", toy_sentence="we fish")
    protos = [each.proto for each in app.get("bidi_component")]
    sent = json.loads(next(each.json for each in protos if each.component_name.endswith("attend_page")))
    assert {"viterbi_toy_sentence", "viterbi_predict"} <= set(sent["carried"])
