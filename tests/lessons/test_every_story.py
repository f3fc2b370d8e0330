"""Every beat of every story: complete in itself, short, and the same however it is asked for."""

import ast
import itertools
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import orjson
import pytest

from core.lesson.settings import Choice, Slider, Switch, Text
from core.lesson.story import ASK, DO, END, LOOK, SAMPLE, change_settings, make_document, story_of
from pages import LESSONS
from tests.lessons.lesson_page import said_in
from tests.lessons.test_every_lesson import TRAINS
from tests.views.schemas import faults

ROOT = Path(__file__).resolve().parents[2]
STORIES = [lesson for lesson in LESSONS if lesson.is_story]
WORDS_AT_MOST, CONTROLS_AT_MOST = 80, 2
BYTES_AT_MOST = 200_000
# What VOICE asks not to write: old words, and words of the house that no field uses.
NOT_TO_WRITE = re.compile(
    r"\b(nought|foresee\w*|foretell\w*|foretold|alike|likest|seldom|anew|heeded|reckoned|in the mean|but for|so unevenly"
    r"|dearest|dearer|nobody told it|cannot be told|the very same|stops to gain|may not|is no\b|learnt)\b",
    re.IGNORECASE,
)
STRANGE = ["", "🦜 مرحبا", "<b>x</b> $y$ [a](b)", "1 " * 200, "Heute war es sehr kalt.", "-5", "nan", "a"]


def folder_of(lesson):
    return ROOT / lesson.module.replace(".", "/")


@cache
def documents(lesson):
    """Return the documents of a story as its author set them: each beat, and behind an ask its answer."""
    found = []
    for number, beat in enumerate(story_of(lesson.module), 1):
        for revealed in (False, True) if beat.kind == ASK else (False,):
            found.append((beat, make_document(lesson.name, lesson.module, number, revealed)))
    return found


def each_story(test):
    params = [pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(each.name)) for each in STORIES]
    return pytest.mark.parametrize("lesson", params)(test)


@each_story
def test_a_story_looks_asks_lets_the_learner_do_and_ends_with_the_answer(lesson):
    kinds = [beat.kind for beat in story_of(lesson.module)]
    assert {ASK, DO, LOOK} <= set(kinds) and kinds.index(END) == len(kinds) - 1
    names = [beat.name for beat in story_of(lesson.module)]
    assert len(set(names)) == len(names) and 4 <= len(names) <= 12
    assert len(lesson.question.split()) <= 13 and lesson.question.endswith("?")
    assert lesson.words.names, "other names, to be found by"


@each_story
def test_a_beat_says_one_thing_in_80_words_at_most_beside_one_picture_and_two_controls(lesson):
    for beat, document in documents(lesson):
        said = said_in(document)
        assert len(said.split()) <= WORDS_AT_MOST, f"{beat.name}: {len(said.split())} words"
        assert len(said.split()) >= 15 and len(document["heading"]) <= 45, beat.name
        assert len(document["controls"]) <= CONTROLS_AT_MOST, beat.name
        assert document["picture"]["alt"], f"{beat.name}: what does the picture show?"
        assert len(document["picture"]["caption"].split()) <= 25, beat.name
        assert len(json.dumps(document, default=str)) <= BYTES_AT_MOST, beat.name
        assert beat.kind != DO or document["controls"] or beat.holds, beat.name


@each_story
def test_no_sentence_stands_twice_in_a_story_and_no_two_screens_in_a_row_are_the_same(lesson):
    sentences = [
        each.strip()
        for beat, document in documents(lesson)
        for each in re.split(r"(?<=[.?!])\s", said_in(document))
        if len(each.split()) > 4
    ]
    assert len(set(sentences)) == len(sentences), [each for each in sentences if sentences.count(each) > 1]
    drawn = [json.dumps(document["picture"], default=str) for _, document in documents(lesson)]
    assert all(one != other for one, other in itertools.pairwise(drawn))


@each_story
def test_a_picture_is_sent_what_its_view_s_schema_says(lesson):
    for beat, document in documents(lesson):
        picture = json.loads(orjson.dumps(document["picture"]["data"], option=orjson.OPT_SERIALIZE_NUMPY))
        assert faults(document["picture"]["view"], picture) == [], beat.name


@each_story
def test_what_an_ask_sends_before_the_answer_does_not_name_it(lesson):
    for beat, document in documents(lesson):
        if beat.kind != ASK:
            continue
        choices = [choice["id"] for choice in document["ask"]["choices"]]
        assert 2 <= len(choices) == len(set(choices)) <= 8, beat.name
        assert all(isinstance(choice["label"], str) for choice in document["ask"]["choices"]), beat.name
        assert ("answer" in document["ask"]) == document["revealed"]
        if document["revealed"]:
            assert document["ask"]["answer"] in choices, beat.name


@each_story
def test_what_a_beat_sets_in_the_lab_is_a_setting_of_the_lab(lesson):
    beats = story_of(lesson.module)
    known = {setting.name for setting in sys.modules[f"{lesson.module}.page"].LAB} | {SAMPLE}
    for beat in beats:
        for revealed in (False, True) if beat.kind == ASK else (False,):
            part = beat.part(change_settings(beat, {}, revealed))
            assert set(part.lab) <= known, f"{beat.name}: the lab would not open at {set(part.lab) - known}"


@each_story
def test_a_beat_is_the_same_whatever_was_done_in_the_others(lesson):
    before = [json.dumps(document, default=str) for _, document in documents(lesson)]
    beats = story_of(lesson.module)
    for number, beat in enumerate(beats, 1):
        changes = {
            setting.name: strange for setting, strange in zip(beat.settings, STRANGE[1:], strict=False)
        }
        make_document(lesson.name, lesson.module, number, False, changes)
    after = [
        json.dumps(
            make_document(lesson.name, lesson.module, document["number"], document["revealed"]), default=str
        )
        for _, document in documents(lesson)
    ]
    assert before == after


@each_story
def test_a_learner_may_set_anything_and_the_beat_still_stands(lesson):
    for number, beat in enumerate(story_of(lesson.module), 1):
        for setting in beat.settings:
            for value in (*STRANGE, *ends_of(setting)):
                document = make_document(lesson.name, lesson.module, number, False, {setting.name: value})
                assert document["words"] and "<b>" not in document["words"], (
                    f"{beat.name}: {setting.name}={value}"
                )
                json.dumps(document, default=str, allow_nan=False)
    assert any(beat.settings for beat in story_of(lesson.module))


def ends_of(setting):
    """Return values at the ends of what a setting takes."""
    if isinstance(setting, Slider):
        return setting.ends({})
    if isinstance(setting, Choice):
        return setting.choices({})
    if isinstance(setting, Switch):
        return ("true", "false")
    return ("x" * 5000,) if isinstance(setting, Text) else ()


@each_story
def test_no_word_that_no_field_uses_stands_in_a_lesson_s_words(lesson):
    text = (folder_of(lesson) / "words.md").read_text(encoding="utf-8")
    assert not NOT_TO_WRITE.findall(text)


def prose(file):
    """Return the strings of a module that read as a sentence or a label: three words and more, no docstring."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    documentation = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation
    ]
    return [each for each in strings if len(re.findall(r"[A-Za-z]{2,}", each)) >= 3 and " " in each.strip()]


def example_texts(lesson):
    """Return the texts that a lesson reads, which are data and no words about them.

    They are those of its beats, its EXAMPLES, and the names that older addresses had for a choice's ids.
    """
    beats = story_of(lesson.module)
    values = [value for beat in beats for value in beat.state.values()]
    values += [setting.default for beat in beats for setting in beat.settings]
    for module in (lesson.module, f"{lesson.module}.page"):
        values += getattr(sys.modules[module], "EXAMPLES", ())
        values += [
            old for each in vars(sys.modules[module]).values() if isinstance(each, Choice) for old in each.was
        ]
    return {value for value in values if isinstance(value, str)}


@each_story
def test_python_holds_no_sentence(lesson):
    allowed = example_texts(lesson)
    for file in folder_of(lesson).glob("*.py"):
        if file.name != "notebook.py":
            found = [each for each in prose(file) if each not in allowed]
            if (
                file.name == "questions.py"
            ):  # its small texts are data: words in lower case, without a full stop
                found = [each for each in found if each[0].isupper() or each.rstrip()[-1] in ".?!:"]
            assert found == [], file.name


@each_story
def test_a_lesson_s_folder_is_all_that_a_reader_opens_but_for_its_model(lesson):
    files = {path.name for path in folder_of(lesson).iterdir() if path.name != "__pycache__"}
    assert (
        {"__init__.py", "page.py", "words.md", "notebook.py"}
        <= files
        <= {
            "__init__.py",
            "page.py",
            "figures.py",
            "words.md",
            "notebook.py",
            "questions.py",
            "words.es.md",
        }
    )


@each_story
def test_a_lesson_s_notebook_has_a_cell_of_parameters(lesson):
    """test_every_lesson runs the notebook, but for those below."""
    assert "# %% parameters" in (folder_of(lesson) / "notebook.py").read_text(encoding="utf-8")


TRAINING = [each for each in STORIES if each.name in TRAINS]


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(each, id=each.name, marks=pytest.mark.long if number else ())
        for number, each in enumerate(TRAINING)
    ],
)
def test_a_notebook_that_trains_runs_as_it_stands(lesson):
    ran = subprocess.run(
        [sys.executable, str(folder_of(lesson) / "notebook.py")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
