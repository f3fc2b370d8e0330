"""The course's path: what a lesson builds on comes before it, and a tour's minutes are those of its words."""

from core.lesson.tour import GLANCE, WORDS_A_MINUTE, minutes, tour
from pages import BUILDS_ON, LESSONS, home


def test_what_a_lesson_builds_on_exists_and_comes_before_it():
    order = [lesson.name for lesson in LESSONS]
    for name, before in BUILDS_ON.items():
        assert before
        assert all(order.index(each) < order.index(name) for each in before), name


def test_every_card_says_how_long_its_tour_takes():
    for subject in home.cards()["subjects"]:
        for lesson in subject["lessons"]:
            beats = tour(lesson["name"]).beats
            least = sum(len(beat.words.split()) for beat in beats) / WORDS_A_MINUTE + GLANCE * len(beats)
            assert least <= lesson["minutes"] < least + 1
            assert 2 <= minutes(lesson["name"]) <= 15
