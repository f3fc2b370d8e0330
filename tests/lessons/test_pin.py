"""What is pinned stands beside what comes of other settings, in every lesson; the address says both."""

import json

import pytest

from core.lesson.pin import difference
from pages import LESSONS
from tests.lessons.lesson_page import open_lesson, said


def told_browser(app):
    """Return what the bar below the title was sent."""
    protos = [each.proto for each in app.get("bidi_component")]
    return json.loads(
        next(each.json for each in protos if each.component_name.endswith(("attend_tour", "attend_lab_bar")))
    )


def pinned_pictures(app):
    """Return how many figures and views of the page are pinned ones."""
    drawn = [each.proto.id for kind in ("plotly_chart", "bidi_component") for each in app.get(kind)]
    return sum(name.endswith("_pinned") for name in drawn)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_picture_of_every_lesson_can_be_pinned(lesson):
    app = open_lesson(lesson.name)
    app.query_params["pin"] = f"{lesson.name}?"
    app.query_params["pin_then"] = f"{lesson.name}?"
    app.run()
    del app.query_params["pin_then"]
    app.run()
    assert not app.exception
    assert pinned_pictures(app) == 1
    assert told_browser(app)["pinned"] is True
    assert told_browser(app)["go"] is None


def test_what_differs_is_said_with_both_values_and_their_difference():
    app = open_lesson("zipf")
    app.query_params["pin"] = "zipf?lab=true"
    app.run()
    app.toggle(key="zipf_stops").set_value(True).run()
    assert "stops: as at first → true" in said(app)
    rows = app.table[0].value
    before, after = (float(rows.loc["s", column]) for column in ("pinned", "now"))
    assert before != after
    assert rows.loc["s", "difference"] == f"{after - before:+.2f}".replace("-", "−")
    assert rows.loc["V", "difference"] == "−" + str(
        int(rows.loc["V", "pinned"].replace(",", "")) - int(rows.loc["V", "now"].replace(",", ""))
    )
    whole = open_lesson("zipf")
    assert next(each.value for each in whole.markdown if "most frequent of" in each.value) in said(app)


def test_a_link_with_a_pin_sends_the_browser_to_the_pinned_settings_and_back():
    app = open_lesson("zipf", k=20)
    app.query_params["pin"] = "zipf?lab=true&zipf_k=50"
    app.run()
    pinned, then = (f"zipf%3Flab%3Dtrue%26zipf_k%3D{k}" for k in (50, 20))
    assert told_browser(app)["go"] == f"zipf?lab=true&zipf_k=50&pin={pinned}&pin_then={then}"
    assert pinned_pictures(app) == 0
    app.query_params["pin_then"] = "zipf?lab=true&zipf_k=20"
    app.select_slider(key="zipf_k").set_value(50).run()
    assert told_browser(app)["go"] == "zipf?lab=true&zipf_k=20&pin=zipf%3Flab%3Dtrue%26zipf_k%3D50"
    del app.query_params["pin_then"]
    app.select_slider(key="zipf_k").set_value(20).run()
    assert told_browser(app)["go"] is None
    assert pinned_pictures(app) == 1
    assert "k: 50 → 20" in said(app)


@pytest.mark.parametrize(
    "wrong", ["", "viterbi?viterbi_step=2", "nothing", "zipf?zipf_k=1e999&x=%00", "x" * 5000]
)
def test_a_pin_that_is_none_of_this_lesson_s_breaks_nothing(wrong):
    app = open_lesson("zipf")
    app.query_params["pin"] = wrong
    app.run()
    assert not app.exception
    assert pinned_pictures(app) == 0


@pytest.mark.parametrize(
    "wrong", ["https://example.com/", "//example.com", "javascript:alert(1)", "viterbi?x=1"]
)
def test_the_way_back_leads_to_the_lesson_and_nowhere_else(wrong):
    app = open_lesson("zipf")
    app.query_params["pin"], app.query_params["pin_then"] = "zipf?lab=true", wrong
    app.run()
    assert told_browser(app)["go"] is None


def test_a_difference_has_the_digits_that_are_shown_and_is_none_between_words():
    assert difference("1,200", "1,180.5") == "−19.5"
    assert difference("−0.3", "0.20") == "+0.50"
    assert difference("12%", "0.12") == ""
    assert difference("the", "2") == ""
