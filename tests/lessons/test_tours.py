"""Every tour is played on three texts: each beat opens as written, says only what was found, points at something."""

import re

import pytest

from core.lesson.lesson import Lesson
from core.lesson.tour import tour
from pages import LESSONS
from tests.lessons.lesson_page import open_lesson, said
from tests.lessons.n_grams.three_texts import THREE

TOURED = [lesson for lesson in LESSONS if tour(lesson.name) and not lesson.is_story]


@pytest.fixture
def names_used(monkeypatch):
    """Return the set of all names under which the opened page draws something or reads its address."""
    used, key = set(), Lesson.key

    def noted(lesson, name):
        used.add(name)
        return key(lesson, name)

    monkeypatch.setattr(Lesson, "key", noted)
    return used


@pytest.mark.parametrize("lesson", TOURED, ids=lambda lesson: lesson.name)
def test_a_tour_has_four_to_nine_beats_and_begins_on_the_lesson_as_it_opens(lesson):
    playlist = tour(lesson.name)
    assert playlist.faults == ()
    assert 4 <= len(playlist.beats) <= 9
    assert playlist.beats[0].settings == ()
    assert [beat.title for beat in playlist.beats if not beat.words] == []


@pytest.mark.parametrize(
    "lesson", [each for each in LESSONS if each.is_story], ids=lambda lesson: lesson.name
)
def test_a_story_is_a_playlist_without_faults(lesson):
    assert tour(lesson.name).faults == ()  # test_every_story.py plays its beats


@pytest.mark.one_tab
@pytest.mark.parametrize("text", THREE)
@pytest.mark.parametrize("lesson", TOURED, ids=lambda lesson: lesson.name)
def test_each_beat_opens_as_it_is_written_and_says_only_what_the_page_found(lesson, text, names_used):
    wrong = []
    for number, beat in enumerate(tour(lesson.name).beats, 1):
        names_used.clear()
        app = open_beat(lesson, beat, number, THREE[text])
        shown = said(app)
        fields = {name.removeprefix(f"{lesson.name}_") for name, _ in beat.settings}
        views = {name for name in names_used if f"{name}_step" in fields}
        unknown = [
            field for field in fields if field not in names_used and not any(map(field.startswith, views))
        ]
        faults = {
            "stops on a mistake": bool(app.exception),
            "is not as written": "The tour waits" in shown or f"beat={number}" in shown,
            "lacks a value": "(no value" in shown,
            "looks at nothing": bool(beat.look) and beat.look not in names_used,
            f"sets what is not there: {unknown}": bool(unknown),
            "says that a setting is gone": "has no setting" in shown,
            "has a value left open": re.search(r"\{\{", shown) is not None,
        }
        wrong += [f"beat {number}, {beat.title}, {fault}" for fault, so in faults.items() if so]
    assert wrong == []


def open_beat(lesson, beat, number, text):
    """Return the lesson's page as a beat's link opens it, on a text of the learner's if one is given."""
    return open_lesson(lesson.name, text, beat=f"{lesson.name}.{number}", **fields_of(lesson.name, beat))


def fields_of(lesson, beat):
    """Return what a beat sets, by field; a field of many values has a list."""
    query = {}
    for name, value in beat.settings:
        query.setdefault(name.removeprefix(f"{lesson}_"), []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in query.items()}


def test_what_waits_for_a_guess_is_left_out_of_a_beat_and_not_said_to_be_missing():
    name = "zipf"
    number, beat = next((n, each) for n, each in enumerate(tour(name).beats, 1) if "{{D}}" in each.words)
    app = open_lesson(name, beat=f"{name}.{number}", predict="true", **fields_of(name, beat))
    waiting = beat.words.partition("{{D}}")[0][-30:]
    assert f"{waiting}…" in said(app) and "(no value" not in said(app)
    guess = next(each for each in app.radio if "guess" in each.key)
    guess.set_value(guess.options[0]).run()
    assert f"{waiting}…" not in said(app) and waiting in said(app)
