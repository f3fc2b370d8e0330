"""The section "The picture in words and numbers" of every lab: each picture is a sentence and a table, on any text."""

import json
import re

import pytest

from pages import LESSONS
from tests.lessons.lesson_page import open_lesson

VIEW = "description"
GERMAN = "Der Hund schläft. Die Katze jagt den Hund nicht. Morgen schläft die Katze auf dem Sofa."
LOST = re.compile(r"[{}]|\bNone\b|\bnan\b|\bundefined\b")

each_lesson = pytest.mark.parametrize(
    "lesson",
    [pytest.param(each.name, id=each.name, marks=pytest.mark.xdist_group(each.name)) for each in LESSONS],
)


def described(app):
    """Return the pictures that the open section describes."""
    assert not app.exception
    protos = [each.proto for each in app.get("bidi_component")]
    return [
        picture
        for proto in protos
        if re.search(rf"attend_{VIEW}(_\w+)?$", proto.component_name)
        for picture in json.loads(proto.json)["pictures"]
    ]


def check(pictures):
    """Check that each picture has a sentence, and a table with a name for each row and column."""
    for told in pictures:
        assert told["sentence"] and not LOST.search(f"{told['sentence']} {told['axes']}"), told["sentence"]
        assert all(told["columns"]), told["columns"]
        assert {len(row) for row in told["rows"]} <= {len(told["columns"])}
        assert all(row[0] for row in told["rows"]), told["rows"]


@each_lesson
def test_every_picture_of_a_lab_is_described(lesson):
    pictures = described(open_lesson(lesson, describe=True))
    assert pictures and all(told["rows"] for told in pictures)
    check(pictures)


@each_lesson
def test_the_pictures_of_a_short_german_text_are_described_in_spanish(lesson):
    check(described(open_lesson(lesson, GERMAN, lang="es", describe=True)))


@pytest.mark.one_tab
def test_a_closed_section_describes_nothing():
    assert described(open_lesson("zipf")) == []


@pytest.mark.one_tab
def test_a_description_is_of_the_step_at_which_the_address_stands():
    first, later = (described(open_lesson("translation", describe=True, step=step))[0] for step in (1, 3))
    assert first["sentence"] != later["sentence"]


@pytest.mark.one_tab
def test_a_lattice_is_described_at_its_own_step():
    told = described(open_lesson("viterbi", describe=True, view_step=5))[0]
    assert "Step 5 of" in told["sentence"]
