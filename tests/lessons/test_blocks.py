"""The building blocks of a lesson, each on a page of its own."""

import base64
import io
import json
import re
import zipfile

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.lesson.notebook import models_named, notebook
from tests.lessons.lesson_page import open_lesson


def stepping():
    from core.lesson.lesson import Lesson

    Lesson("pages.lesson").step(["one", "two", "three"])


def test_the_stepper_starts_at_the_first_step_and_cannot_go_back_from_it():
    app = AppTest.from_function(stepping).run()
    assert "Step 1 of 3: one" in app.markdown[0].value
    assert app.button(key="lesson_step_first").disabled
    assert app.button(key="lesson_step_back").disabled


def test_next_and_last_move_the_stepper():
    app = AppTest.from_function(stepping).run()
    app.button(key="lesson_step_next").click().run()
    assert app.slider(key="lesson_step").value == 2
    app.button(key="lesson_step_last").click().run()
    assert "Step 3 of 3: three" in app.markdown[0].value
    assert app.button(key="lesson_step_next").disabled


def fewer():
    import streamlit as st

    from core.lesson.lesson import Lesson

    steps = ["one", "two", "three", "four"][: 2 if st.toggle("a shorter text") else 4]
    Lesson("pages.lesson").step(steps)


def test_where_another_text_has_fewer_steps_the_last_of_them_is_shown():
    app = AppTest.from_function(fewer).run()
    app.slider(key="lesson_step").set_value(4).run()
    app.toggle[0].set_value(True).run()
    assert not app.exception
    assert "Step 2 of 2: two" in app.markdown[0].value


def ranged():
    import streamlit as st

    from core.lesson.lesson import Lesson

    most = int(st.selectbox("length of the text", [20, 40, 30, 16]))
    Lesson("pages.lesson").slider("k", "k", 1, most, 3)
    Lesson("pages.lesson").slider("last", "last", 1, most, most)
    Lesson("pages.lesson").number("number", "number", 1, most, 3)


@pytest.mark.parametrize("shorter", [30, 16])
def test_a_slider_keeps_what_was_chosen_last_when_its_range_changes(shorter):
    """20 is a choice of two ranges before; Streamlit kept it, because no address holds the default."""
    app = AppTest.from_function(ranged).run()
    app.slider(key="lesson_k").set_value(20).run()
    app.selectbox[0].set_value(40).run()
    assert app.slider(key="lesson_k").value == 20
    app.slider(key="lesson_last").set_value(7).run()
    app.slider(key="lesson_k").set_value(3).run()
    app.selectbox[0].set_value(shorter).run()
    assert not app.exception
    assert [app.slider(key=f"lesson_{name}").value for name in ("k", "last")] == [3, 7]
    app.run()
    assert [app.slider(key=f"lesson_{name}").value for name in ("k", "last")] == [3, 7]


def test_a_slider_that_was_never_moved_follows_its_default():
    app = AppTest.from_function(ranged).run()
    for length in (40, 16, 30):
        app.selectbox[0].set_value(length).run()
        assert app.slider(key="lesson_last").value == length


def test_a_number_is_clipped_where_another_text_has_fewer():
    app = AppTest.from_function(ranged).run()
    app.number_input(key="lesson_number").set_value(20).run()
    app.selectbox[0].set_value(16).run()
    assert not app.exception
    assert app.number_input(key="lesson_number").value == 16


def guessing():
    import streamlit as st

    from core.lesson.lesson import Lesson

    lesson = Lesson("pages.lesson")
    lesson.open_lab(asks=True)
    lesson.options()
    if lesson.ask("Which?", ["a", "b"], "b"):
        st.text("the answer")


def test_nothing_is_hidden_while_predicting_is_off():
    assert AppTest.from_function(guessing).run().text[0].value == "the answer"


@pytest.mark.parametrize(("guess", "score"), [("b", "1 of 1"), ("a", "0 of 1")])
def test_a_guess_reveals_the_answer_and_is_scored_once(guess, score):
    app = AppTest.from_function(guessing).run()
    app.toggle(key="lesson_predict").set_value(True).run()
    assert not app.text
    app.radio(key="lesson_guess_").set_value(guess).run()
    app.run()
    assert score in app.text[0].value
    assert app.text[1].value == "the answer"
    assert not app.radio


def numbering():
    import pandas as pd

    from core.lesson.footer import Footer, show_footer
    from core.lesson.lesson import Lesson

    lesson = Lesson("pages.lesson")
    lesson.open_lab()
    table = pd.DataFrame({"x": [2], "x²": [4]})
    lesson.every_number(
        "squares", lambda factor: (table * factor, lambda row, column: f"{column} = {row}"), 2
    )
    show_footer(lesson, Footer(("", ""), lesson.pop_state("numbers"), [], [], {}, []))


def test_a_selected_cell_is_worked_out():
    app = AppTest.from_function(numbering)
    app.session_state["lesson_squares_table"] = {
        "selection": {"rows": [], "columns": [], "cells": [(0, "x²")]}
    }
    assert app.run().latex[0].value == "$$\nx² = 0\n$$"
    assert app.dataframe[0].value["x²"].tolist() == [8]


def source():
    from core.lesson.footer import code_that_ran
    from core.models.word_vectors.projection import project

    code_that_ran(project)


def consequences():
    from core.lesson.break_it import show_comparison

    show_comparison("Share", "with", "without", 0.73, 0.52, ".0%")
    show_comparison("Mean", "with", "without", 0.73, 0.52)


def test_the_difference_of_two_shares_is_in_percentage_points():
    app = AppTest.from_function(consequences).run()
    assert [metric.delta for metric in app.metric if metric.delta] == ["−21 percentage points", "−0.21"]


def test_the_code_shown_is_the_function_s_own_source():
    app = AppTest.from_function(source).run()
    assert app.code[0].value.startswith("def project(")
    assert app.caption[0].value == "core/models/word_vectors/projection.py"


def test_the_notebook_begins_with_the_question_and_carries_what_its_cells_import():
    content = json.loads(
        notebook("A title", "A question?", ["from core.models.stored import MODELS", "1 + 1"])
    )
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert [cell["cell_type"] for cell in content["cells"]] == [
        "markdown",
        "code",
        "markdown",
        "code",
        "code",
    ]
    assert "A question?" in content["cells"][0]["source"]
    zipped = base64.b64decode(re.search('CARRIED = "(.*)"', content["cells"][1]["source"])[1])
    names = zipfile.ZipFile(io.BytesIO(zipped)).namelist()
    assert names == [
        "core/__init__.py",
        "core/models/__init__.py",
        "core/models/stored.py",
        "core/version.py",
    ]


def test_a_notebook_carries_the_words_of_its_figures():
    content = json.loads(
        notebook("A title", "A question?", ["from core.figures.hidden_markov_models import curves"])
    )
    zipped = base64.b64decode(re.search('CARRIED = "(.*)"', content["cells"][1]["source"])[1])
    names = zipfile.ZipFile(io.BytesIO(zipped)).namelist()
    assert "core/figures/hidden_markov_models/words.md" in names


def test_a_notebook_carries_the_weights_that_its_cells_name():
    named = models_named(["stored_language_model('char_gru')"], set())
    assert named == ["char_gru"]


def viewing(step):
    from core.lesson.browser_view import browser_view

    browser_view("steps", {"frames": [], "start": step}, "lesson_steps")


def test_a_view_stays_the_same_element_when_its_data_change():
    first, then = (AppTest.from_function(viewing, args=(step,)).run() for step in (0, 1))
    here, there = (app.get("bidi_component")[0].proto for app in (first, then))
    assert here.id == there.id
    assert here.mixed.json + here.json != there.mixed.json + there.json


def closing_with_a_file():
    from core.lesson.footer import Footer, show_footer
    from core.lesson.lab_words import LAB_WORDS
    from core.lesson.lesson import Lesson

    def made():
        raise AssertionError("The file was made before it was asked for.")

    lesson = Lesson("pages.lesson")
    lesson.open_lab()
    lesson.set_state("below", LAB_WORDS.label("tab.away"))
    show_footer(lesson, Footer(("", ""), [], [], [], {"Documents": ("documents.tsv", made)}, []))


def test_a_file_to_take_away_is_made_when_it_is_asked_for():
    app = AppTest.from_function(closing_with_a_file).run()
    assert not app.exception
    assert "Documents" in [button.proto.label for button in app.get("download_button")]


def test_a_choice_that_no_browser_sends_is_the_default(monkeypatch):
    whole = st.selectbox
    monkeypatch.setattr(st, "selectbox", lambda *given, **more: whole(*given, **more) and None)
    assert not open_lesson("hidden_state", broken=True).exception
