"""Every maker of every lesson: no error, no wrong answer near the right one, no pattern that a guesser could use."""

import json

import pytest

from core.exercises.exercise import VERSION
from core.exercises.lessons import all_makers, lessons_with_exercises, makers_of
from tests.exercises.record import FILE, digest
from tests.exercises.stress import FEW, MANY, check_maker

EVERY_MAKER = pytest.mark.parametrize(
    "maker", [pytest.param(each, id=f"{each.lesson}.{each.name}") for each in all_makers()]
)


@EVERY_MAKER
def test_a_maker_draws_clear_questions(maker):
    check_maker(maker, FEW)


@pytest.mark.long
@EVERY_MAKER
def test_a_maker_draws_a_thousand_clear_questions(maker):
    check_maker(maker, MANY)


@pytest.mark.parametrize("lesson", lessons_with_exercises())
def test_a_lesson_with_exercises_has_three_makers_of_different_names(lesson):
    names = [maker.name for maker in makers_of(lesson)]
    assert len(names) >= 3 and len(set(names)) == len(names)
    assert {maker.lesson for maker in makers_of(lesson)} == {lesson}


@EVERY_MAKER
def test_a_maker_draws_what_it_drew_before(maker):
    """A sheet is the same for ever, or its version is another. A new maker is recorded by tests.exercises.record."""
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    assert recorded["version"] == VERSION, "VERSION was raised: record what every maker draws now."
    name = f"{maker.lesson}.{maker.name}"
    assert name in recorded["drawn"], f"{name} is new: python -m tests.exercises.record"
    assert recorded["drawn"][name] == digest(maker), f"{name} draws other numbers than before: raise VERSION."
