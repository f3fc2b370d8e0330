"""From a description alone one knows what the picture shows: its largest number, its step, and what a move changed."""

import json
import re
import subprocess
from pathlib import Path

import orjson
import pytest

from core.descriptions.description import MEASURES_AT_MOST, say
from core.descriptions.document import KINDS, describe_document, describe_picture
from core.lesson.settings import Choice, Slider, Switch
from core.lesson.story import make_document, story_of
from core.lesson.story_page import labels
from pages.gallery import examples, read, views
from tests.descriptions.top_cells import HIDDEN, TOPS, VALUES, number, tops
from tests.lessons.test_every_story import NOT_TO_WRITE, documents, each_story

HERE = Path(__file__).parent
LARGEST = re.compile(r": (?:largest (.*?) \(|all ([^:;]{1,20}?)\.(?= |$))")
# Beats whose figures have series without a name, a note or a colour of their own: this list only shrinks.
NAMELESS = {"attention_scaling.walks"}
TWICE_STOPPED = re.compile(r"(?<!\.)[.?!…]\.(?=\s|$)")
PAGES = {
    "description",
    "first_sentence",
    "home",
    "lab_bar",
    "link",
    "page",
    "story",
    "tour",
}  # they are no pictures
EXAMPLES = [(view, path) for view in sorted(KINDS) for path in examples(view)]


def sent(document):
    """Return a document as the browser gets it."""
    return orjson.loads(orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY))


def test_every_view_that_is_a_picture_has_a_function_that_describes_it():
    assert set(views()) - set(KINDS) == PAGES


@pytest.mark.parametrize("view, path", EXAMPLES, ids=[f"{view}/{path.name}" for view, path in EXAMPLES])
def test_a_view_s_example_is_described(view, path):
    told = describe_picture(view, read(path))
    assert told.sentence and told.rows and all(told.columns)
    assert {len(row) for row in told.rows} == {len(told.columns)}


@each_story
def test_every_beat_s_picture_is_a_sentence_and_a_table_with_a_name_for_each_row_and_column(lesson):
    for beat, document in documents(lesson):
        view = document["picture"]["view"]
        assert view in KINDS, f"{beat.name}: write a function that describes the view {view}"
        told = describe_document(document, len(story_of(lesson.module)))
        assert told["alt"] and told["sentence"] and told["rows"], beat.name
        assert all(told["columns"]) and all(row[0] for row in told["rows"]), (beat.name, told["columns"])
        assert {len(row) for row in told["rows"]} == {len(told["columns"])}, beat.name
        said = " ".join(
            (told["alt"], told["sentence"], told["axes"], *(each for *_, each in told["settings"]))
        )
        assert not re.search(r"[{}]|None|nan\b", f"{told['sentence']} {told['axes']}"), told["sentence"]
        assert not TWICE_STOPPED.search(said), said
        assert "�" not in said, said
        assert all(any(column) for column in list(zip(*told["rows"], strict=True))[1:]), told["columns"]
        if view == "figure" and f"{lesson.name}.{beat.name}" not in NAMELESS:
            assert not re.search(r"\bSeries \d", said), said
        if view == "machine":
            bars = sum(len(each["bars"]) for each in document["picture"]["data"]["nodes"])
            names = [row[0] for row in told["rows"]]
            assert len(set(names)) >= len(names) - bars and not re.search(r"\bPart \d", said), names


@each_story
def test_the_largest_number_of_each_measure_is_known_from_the_text(lesson):
    for beat, document in documents(lesson):
        check_largest(beat.name, sent(document))


def largest_in(sentence):
    """Return the texts of the largest numbers that a sentence tells."""
    return [one or other for one, other in LARGEST.findall(sentence)]


def check_largest(name, document):
    """Check what a description says is largest against the data of its picture."""
    picture = document["picture"]
    told = describe_document(document, 1)
    said = largest_in(told["sentence"])
    assert len(said) == len(told["largest"]), name
    if picture["view"] in TOPS:
        groups = TOPS[picture["view"]](picture["data"])
        assert groups is None or said == tops(groups)[:MEASURES_AT_MOST], name
    if picture["view"] in VALUES:
        for text, value in zip(said, VALUES[picture["view"]](picture["data"]), strict=False):
            assert number(text) == pytest.approx(value, rel=2e-2, abs=6e-3), name
    cells = {cell for row in told["rows"] for cell in row}
    assert set(said) <= cells | set(HIDDEN), name


@each_story
def test_the_step_at_which_a_picture_stands_is_known_from_the_text(lesson):
    count = len(story_of(lesson.module))
    for _, document in documents(lesson):
        told = describe_document(document, count)
        at, of = map(int, re.findall(r"\d+", told["place"]))
        assert (at, of) == (document["number"], count)
        assert ("answer" in told["place"]) == document["revealed"]
        for control, (_, _, said) in zip(document["controls"], told["settings"], strict=True):
            assert said.startswith(f"{control['label']}: {shown(control)}")


def shown(control):
    """Return what a learner sees of a control's value."""
    if control["kind"] == "choice":
        return next(each["label"] for each in control["options"] if each["id"] == control["value"])
    return (
        {True: "on", False: "off"}.get(control["value"], str(control["value"]))
        if control["kind"] == "switch"
        else str(control["value"])
    )


def moved(setting, value):
    """Return another value of a setting, as an address holds it; None for a sentence."""
    if isinstance(setting, Slider):
        least, most = setting.ends({})
        return setting.write(least if value != least else most)
    if isinstance(setting, Choice):
        others = [each for each in setting.choices({}) if each != value]
        return setting.write(others[0]) if others else None
    return setting.write(not value) if isinstance(setting, Switch) else None


def changes_of(lesson):
    """Yield for each beat with a control that can be moved: the beat, the control, the documents before and after."""
    for beat, document in documents(lesson):
        for setting, control in zip(beat.controls, document["controls"], strict=True):
            value = moved(setting, control["value"])
            if value is None or document["revealed"]:
                continue
            after = make_document(
                lesson.name, lesson.module, document["number"], False, {setting.name: value}
            )
            yield beat, control, sent(document), sent(after)
            break


@each_story
def test_what_a_move_changed_is_known_from_what_is_said_of_it(lesson):
    found = list(changes_of(lesson))
    told = [[describe_document(each, 1) for each in pair] for _, _, *pair in found]
    asked = json.dumps({"pairs": told, "labels": labels()})
    ran = subprocess.run(["node", HERE / "changes.js"], input=asked, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for (beat, control, _, after), said, (before, now) in zip(
        found, json.loads(ran.stdout), told, strict=True
    ):
        other = next(each for each in after["controls"] if each["name"] == control["name"])
        name = f"{beat.name}: {said}"
        assert said.startswith(f"{control['label']}: {shown(other)}, before {shown(control)}."), name
        check_largest(name, after)
        if len(now["rows"]) == len(before["rows"]) and len(now["columns"]) == len(before["columns"]):
            pairs = zip(sum(before["rows"], ()), sum(now["rows"], ()), strict=True)
            count = sum(one != another for one, another in pairs)
            assert (f"{count} of " in said) == (count > 0), name
        for measure in {each["measure"] for each in now["largest"][:1]} & {
            each["measure"] for each in before["largest"][:1]
        }:
            was, is_now = (each["largest"][0] for each in (before, now))
            changed = (was["text"], was["row"]) != (is_now["text"], is_now["row"])
            assert changed == (f"{measure}: the largest is now {is_now['text']}" in said), name


def test_a_text_that_is_the_same_changes_nothing_and_what_is_selected_is_a_change():
    told = describe_document({"number": 1, "controls": []}, 3)
    other = {**told, "sentence": "Highlighted: king."}
    ran = subprocess.run(
        ["node", HERE / "changes.js"],
        input=json.dumps({"pairs": [[told, told], [told, other]], "labels": labels()}),
        capture_output=True,
        text=True,
    )
    assert json.loads(ran.stdout) == ["Nothing changed in the picture.", "Highlighted: king."]


def test_the_words_of_descriptions_are_ours():
    text = (Path(say.__code__.co_filename).parent / "words.md").read_text(encoding="utf-8")
    assert not NOT_TO_WRITE.findall(text)


def test_the_player_s_voice_speaks_every_five_seconds_at_most():
    ran = subprocess.run(["node", "--test", HERE / "announce.test.js"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
