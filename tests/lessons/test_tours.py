"""Every story is a playlist; the words of a view in a lecture wait for a guess as its lab does."""

import pytest

from core.lesson.tour import tour
from pages import LESSONS
from tests.lessons.lesson_page import go_to, open_lesson, said


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_story_is_a_playlist_without_faults(lesson):
    playlist = tour(lesson.name)  # test_every_story.py plays its beats
    assert playlist.faults == () and len(playlist.beats) >= 6
    assert [beat.title for beat in playlist.beats if not (beat.title and beat.words)] == []


def test_what_waits_for_a_guess_is_left_out_of_a_beat_and_not_said_to_be_missing():
    app = open_lesson("zipf", beat="mine.1", lab="true", predict="true")
    app.session_state["lecture_own"] = (
        "# Mine\n\n## A\n\n[zipf](zipf?lab=true)\n\nHalf of it takes {{half}} words."
    )
    app.query_params["beat"] = "mine.1"
    app = go_to(app, "zipf").run()
    assert "Half of it takes …" in said(app) and "(no value" not in said(app)
    guess = next(each for each in app.radio if "guess" in each.key)
    guess.set_value(guess.options[0]).run()
    assert "Half of it takes 69 words." in said(app)
