"""Lectures: those that ship can be followed to the end; a visitor's own is made, moved about, saved and read again."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson.beats import read_playlist, to_markdown
from core.lesson.lesson import Lesson
from core.lesson.tour import lectures, tours
from pages import LESSONS
from tests.lessons.lesson_page import go_to, open_lesson, said

FILE = """# Mine

## Words

[zipf](zipf?zipf_k=20#ranks)

Half of it: {{half}}. <b>not bold</b>

> Only for me.

## Gone

[alchemy](alchemy)

## No such beat

[zipf](zipf?beat=zipf.99)

## Monkey

[zipf](zipf?zipf_monkey=true)
"""


def test_fifteen_lectures_ship_and_every_beat_of_theirs_exists():
    assert len(lectures()) == 15
    assert set(tours()) >= {lesson.name for lesson in LESSONS}
    for lecture in lectures().values():
        assert lecture.faults == (), lecture.name
        assert len(lecture.beats) >= (30 if lecture.name.endswith("90") else 17)
        assert all(beat.words for beat in lecture.beats)
        assert lecture.minutes == int(lecture.name[-2:]), "the title says how long it is"


@pytest.mark.parametrize(
    "name", ["tokens_45", "documents_45", "transformers_45", "pretraining_45", "images_45"]
)
def test_the_notes_say_at_which_minute_each_beat_begins(name):
    begins = [int(re.match(r"Minute (\d+)\.", beat.notes)[1]) for beat in lectures()[name].beats]
    assert begins == sorted(begins) and begins[0] == 0 and begins[-1] < 45


def test_a_lesson_whose_module_has_no_file_has_no_tour():
    Lesson("somewhere.untold")
    assert tours()["untold"] is None


def test_a_file_that_names_what_is_gone_says_so_by_line_and_plays_the_rest():
    read = read_playlist("mine", FILE, tours())
    assert [beat.title for beat in read.beats] == ["Words", "Monkey"]
    assert read.faults == (
        "Line 13: there is no lesson “alchemy”. The beat “Gone” is left out.",
        "Line 17: the tour of “zipf” has no beat 99. The beat “No such beat” is left out.",
    )
    assert read.beats[0].notes == "Only for me."
    assert dict(read.beats[1].settings) == {"zipf_monkey": "true"}


def test_a_setting_that_is_gone_is_said_by_line_and_the_rest_of_the_beat_is_played():
    app = open_lesson("zipf", beat="mine.1", k=20, top="5")
    app.session_state["lecture_own"] = "# Mine\n\n## A\n\n[zipf](zipf?zipf_k=20&zipf_top=5)\n\nHere {{half}}."
    app.run()
    assert "Line 3: this lesson has no setting “zipf_top”." in said(app)
    assert "zipf_k”" not in said(app)
    assert app.select_slider(key="zipf_k").value == 20
    assert "Here " in said(app)


def test_a_beat_taken_from_a_tour_keeps_its_own_setting_where_the_link_has_another():
    read = read_playlist("mine", "## A\n[zipf](zipf?beat=zipf.6&zipf_text=macbeth)", tours())
    assert read.beats[0].settings == (("beat", "zipf.6"), ("zipf_text", "macbeth"))


@pytest.mark.parametrize("name", list(lectures()))
def test_what_is_written_is_read_again(name):
    lecture = lectures()[name]
    again = read_playlist(name, to_markdown(lecture.title, lecture.beats), tours())
    assert [(each.title, each.link, each.look, each.words) for each in again.beats] == [
        (each.title, each.link, each.look, each.words) for each in lecture.beats
    ]


def test_a_lecture_s_beat_is_said_on_its_lesson_with_its_numbers_and_its_markup_as_text():
    app = open_lesson("zipf", k=20, beat="mine.1")
    app.session_state["lecture_own"] = FILE
    app.run()
    app.query_params["beat"] = "mine.1"
    shown = next(each for each in app.run().markdown if "Half of it" in each.value)
    assert "Half of it: 69." in shown.value
    assert not shown.proto.allow_html


def test_a_view_is_added_moved_and_taken_out_on_the_page_of_lectures():
    app = open_lesson("zipf", k=20)
    app.text_input(key="zipf_lecture_words").set_value("Look at the line.")
    app.button(key="zipf_lecture_add").click().run()
    app.button(key="zipf_lecture_add").click().run()
    assert app.session_state["lecture_own"].count("(zipf?zipf_k=20&lab=true)") == 2
    app = go_to(app, "lectures").run()
    assert not app.exception
    app.button(key="lecture_remove_0").click().run()
    assert app.session_state["lecture_own"].count("(zipf?zipf_k=20&lab=true)") == 1
    assert app.button(key="lecture_earlier_0").disabled


def take_back_in_session(kept, added):
    import streamlit as st

    from core.lesson import own_lecture

    if added:
        st.session_state["lecture_own"] = added
    own_lecture.take_back(kept)


@pytest.mark.parametrize(
    ("kept", "titles"),
    [(FILE, ["Words", "Monkey", "New"]), ("", ["New"]), (None, ["New"]), ("x" * 200_001, ["New"])],
    ids=["kept", "nothing", "no text", "too long"],
)
def test_what_the_browser_kept_comes_back_and_what_was_added_meanwhile_follows_it(kept, titles):
    added = "# Mine\n\n## New\n\n[zipf](zipf)\n"
    app = AppTest.from_function(take_back_in_session, args=(kept, added)).run()
    assert not app.exception
    read = read_playlist("mine", app.session_state["lecture_own"], tours())
    assert [each.title for each in read.beats] == titles
