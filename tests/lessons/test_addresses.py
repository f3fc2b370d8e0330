"""Whatever an address says, the page opens: what a control cannot show is let go, and its default is shown."""

import os
from random import Random
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson.lesson import Lesson
from pages import LESSONS
from tests.lessons.lesson_page import open_lesson

LETTERS = "word " * 20_000
BAD = ("", "inf", "nan", "-inf", "unknown", "1e999", "<b>*x*</b>$\\frac{", "-1", "9" * 400, LETTERS)
ROUNDS = int(os.environ.get("ATTEND_ADDRESS_ROUNDS", "1"))  # ten rounds give each field each bad value
LONG_AT_MOST = 4  # Streamlit ignores an address of more than half a million characters


def every_control():
    from core.lesson.lesson import Lesson

    lesson = Lesson("pages.blocks")
    lesson.slider("whole", "Whole", 1, 9, 3)
    lesson.slider("real", "Real", 0.0, 1.0, 0.5)
    lesson.slider("range", "Range", 0, 10, (2, 3))
    lesson.select_slider("place", "Place", [1, 2, 4], value=2)
    lesson.number("count", "Count", 1, 9, 3)
    lesson.number("share", "Share", 0.0, 1.0, 0.5)
    lesson.select("task", "Task", ["a", "b"])
    lesson.select("word", "Word", [None, 0, 1], format_func=lambda i: "all" if i is None else f"word {i}")
    lesson.choose("unit", "Unit", ["words", "characters"])
    lesson.radio("model", "Model", ["x", "y"])
    lesson.toggle("broken", "Broken")


NAMES = ("whole", "real", "range", "place", "count", "share", "task", "word", "unit", "model", "broken")


def shown(app, names, prefix="blocks"):
    return {name: app.session_state[f"{prefix}_{name}"] for name in names}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad[:20] or "empty")
def test_a_control_whose_address_is_no_value_of_its_shows_its_default(bad):
    bare = AppTest.from_function(every_control).run()
    app = AppTest.from_function(every_control)
    for name in NAMES:
        app.query_params[f"blocks_{name}"] = bad if len(bad) < 1000 else bad[:40_000]
    app.run()
    assert not app.exception
    assert shown(app, NAMES) == shown(bare, NAMES)
    assert not app.query_params, "a link to this page says no more of them"


OLDER = {
    "whole": "4",
    "real": "0.25",
    "range": ["1", "7"],
    "place": "4",
    "count": "7",
    "share": "0.75",
    "task": "b",
}
OLDER |= {"unit": "characters", "model": "y", "broken": "true"}


def test_an_older_value_in_the_address_gives_way_to_what_the_control_shows():
    app = AppTest.from_function(every_control)
    for name, value in OLDER.items():
        app.query_params[f"blocks_{name}"] = value
    app.run()
    app.number_input(key="blocks_count").set_value(6)
    app.slider(key="blocks_range").set_value((3, 4))
    app.slider(key="blocks_real").set_value(0.75)
    app.run()
    now = {name: app.query_params[f"blocks_{name}"] for name in OLDER}
    turned = {"count": "6", "range": ["3", "4"], "real": "0.75"}
    assert now == OLDER | turned, "what was turned is in the address; the rest stands as it was written"


def hidden_field_and_changing_range():
    from core.lesson.lesson import Lesson

    lesson = Lesson("pages.blocks")

    def arrive():
        for name, value in {"source": "typed", "typed": "new", "unit": "long", "n": 7}.items():
            lesson.set_state(name, value)

    if lesson.choose("source", "Source", ["text", "typed"]) == "typed":
        lesson.text_area("typed", "Text", "first")
    long = lesson.choose("unit", "Unit", ["short", "long"]) == "long"
    lesson.slider("n", "n", 1, 9 if long else 5, 2)
    lesson.button("try", "Try", arrive)


def test_what_a_prompt_sets_is_newer_than_the_address_and_stands_in_it():
    """Also where the address speaks of a field that is not drawn yet, or of a slider that gets another range."""
    app = AppTest.from_function(hidden_field_and_changing_range)
    app.query_params |= {"blocks_typed": "old", "blocks_n": "3"}
    app = app.run().button[0].click().run()
    names = ("source", "typed", "unit", "n")
    set_by_prompt = {"source": "typed", "typed": "new", "unit": "long", "n": 7}
    assert shown(app, names) == set_by_prompt
    linked = AppTest.from_function(hidden_field_and_changing_range)
    linked.query_params |= app.query_params
    assert shown(linked.run(), names) == set_by_prompt


def drawn(name, query, controls):
    """Open a lesson on an address; note in `controls` what it draws or reads there, {name: choices, if any}."""
    bound, linked = Lesson.bound, Lesson.get_query

    def note(lesson, draw, field, label, *args, **options):
        choices = args[0] if args and draw.__name__ in ("selectbox", "segmented_control", "radio") else ()
        written = options.get("format_func", str)
        controls.setdefault(field, [written(choice) for choice in choices])
        return bound(lesson, draw, field, label, *args, **options)

    def note_link(lesson, field, otherwise=""):
        controls.setdefault(field, [])
        return linked(lesson, field, otherwise)

    with patch.object(Lesson, "bound", note), patch.object(Lesson, "get_query", note_link):
        return open_lesson(name, timeout=120, **query)


def fuzzed(controls, number, random, fixed):
    """Return an address that gives each control a bad value, and some of the choices one that is not the first."""
    query = dict(fixed)
    for place, (field, choices) in enumerate(controls.items()):
        if field in query:
            continue
        query[field] = BAD[(place + number) % len(BAD)]
        if len(choices) > 1 and random.random() < 0.5:
            query[field] = random.choice(choices[1:])
    for field in [field for field, value in query.items() if value is LETTERS][LONG_AT_MOST:]:
        query[field] = "unknown"
    return query


@pytest.mark.parametrize("number", range(ROUNDS))
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_opens_whatever_its_address_says(lesson, number):
    random, controls, kept = Random(f"{lesson.name} {number}"), {}, {}
    drawn(lesson.name, {}, controls)
    for _ in range(2):  # the choices that the first address makes bring controls that only the second knows
        query = fuzzed(controls, number + len(lesson.name), random, kept)
        app = drawn(lesson.name, query, controls)
        assert not app.exception, (
            {name: value[:40] for name, value in query.items()},
            app.exception[0].message,
        )
        kept = {name: value for name, value in query.items() if value in controls[name]}
