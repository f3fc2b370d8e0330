"""A story: a list of beats. A beat is a document: its words, one picture, the controls that it names, its question.

A beat is complete in itself. Its document is made from the beat's own state and from what the learner changed in it, by
plain functions: no Streamlit, no session. So the same document stands on the screen however the learner came to it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from core.lesson.settings import Setting, Settings, Text
from core.models.stored import StoredModelError
from core.words.markdown import render_html
from core.words.texts import FILE, Words, read_words

LOOK, ASK, DO, END = "look", "ask", "do", "end"  # the kinds of beat
LAB = "lab"  # in an address: the bench of the lesson
BEAT = "beat"  # in an address: <lesson>.<number>, and .answer behind it for what an ask reveals
ANSWER = "answer"
SAMPLE = "text:"  # among a part's settings of the lab: the title of a sample text, as in "try this"
SHARED = read_words(Path(__file__).with_name(FILE))  # the words that all stories share


@dataclass(frozen=True)
class Part:
    """The picture of a beat: a browser view with its data, and the values that the words may hold.

    `lab` are settings of the lab that show the same, where the beat's own have other names.
    """

    view: str
    data: Mapping[str, object]
    values: Mapping[str, object] = field(default_factory=dict)
    lab: Mapping[str, object] = field(default_factory=dict)
    choices: Sequence[str] = ()  # ids of an ask's choices
    answer: str = ""  # the id of the right one


@dataclass(frozen=True)
class Beat:
    """One screen: the key of its words, its kind, the function that makes its picture, its controls, and its state.

    `holds` are settings without a control, which the picture itself changes; `on` says how: {event: function of the
    value that the view reports, returning the new settings}.
    """

    name: str
    kind: str
    part: Callable[[Settings], Part]
    controls: tuple[Setting, ...] = ()
    state: Mapping[str, object] = field(default_factory=dict)
    holds: tuple[Setting, ...] = ()
    on: Mapping[str, Callable[[object], Mapping[str, object]]] = field(default_factory=dict)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What a learner can change in this beat."""
        return (*self.controls, *self.holds)


def look(name: str, part: Callable[[Settings], Part], *controls: Setting, **state: object) -> Beat:
    """Return a beat that shows a picture."""
    return Beat(name, LOOK, part, controls, state)


def ask(name: str, part: Callable[[Settings], Part], **state: object) -> Beat:
    """Return a beat that asks: its part draws the answer only where `settings.revealed`."""
    return Beat(name, ASK, part, (), state)


def do(name: str, part: Callable[[Settings], Part], *controls: Setting, **state: object) -> Beat:
    """Return a beat in which it is the learner's turn; the first control has the focus."""
    return Beat(name, DO, part, controls, state)


def end(name: str, part: Callable[[Settings], Part], *controls: Setting, **state: object) -> Beat:
    """Return the last beat, which answers the question of the title."""
    return Beat(name, END, part, controls, state)


@cache
def words_of(module: str) -> Words | None:
    """Return the words of a lesson's package, None for a lesson that is not a story yet."""
    package = sys.modules.get(module)  # it may still be in the making: its words come first
    file = Path(package.__path__[0]) / FILE if hasattr(package, "__path__") else None
    return read_words(file) if file and file.is_file() else None


@cache
def story_of(module: str) -> tuple[Beat, ...]:
    """Return the beats of a lesson's package, none for a lesson that is not a story yet."""
    if words_of(module) is None:
        return ()
    return tuple(importlib.import_module(f"{module}.page").STORY)


def change_settings(beat: Beat, changes: Mapping[str, object], revealed: bool = False) -> Settings:
    """Return a beat's settings with what the learner changed; what the beat does not name cannot be changed."""
    values = dict(beat.state)
    for setting in beat.settings:
        raw = changes.get(setting.name, beat.state.get(setting.name, setting.begin()))
        values[setting.name] = setting.read(raw, values)
    return Settings(values, revealed)


def is_typed(beat: Beat, changes: Mapping[str, object]) -> bool:
    """Return whether the learner's own words are among the changes."""
    return any(isinstance(setting, Text) and setting.name in changes for setting in beat.settings)


def is_answered(beat: Beat, changes: Mapping[str, object]) -> bool:
    """Return whether the learner changed something; an empty field for words is no change."""
    return any(
        not isinstance(setting, Text) or bool(str(changes[setting.name]).strip())
        for setting in beat.settings
        if setting.name in changes
    )


def take_event(beat: Beat, event: str, value: object) -> dict[str, object]:
    """Return the settings that an event of the picture changes, none for an event that the beat does not know."""
    return dict(beat.on[event](value)) if event in beat.on else {}


def make_document(
    lesson: str,
    module: str,
    number: int,
    revealed: bool = False,
    changes: Mapping[str, object] | None = None,
    noted: bool = False,
) -> dict:
    """Return beat `number` (from 1) as the data that a player shows; a sentence where its stored model is missing.

    `revealed` is the second step of an ask: what it reveals. `changes` {name: value} is what the learner changed. With
    `noted` it has the lecturer's notes too, which may tell the answer and are for the speaker's window alone.
    """
    head = {
        "lesson": lesson,
        "number": number,
        "kind": story_of(module)[number - 1].kind,
        "revealed": revealed,
        "changes": {},
    }
    try:
        found = head | fill_document(lesson, module, number, revealed, changes)
    except StoredModelError as error:  # a beat's own heading may hold a number of the model
        found = {**head, "heading": words_of(module).title, "words": render_html(str(error)), "notes": ""}
    return found if noted else {name: each for name, each in found.items() if name != "notes"}


def fill_document(
    lesson: str, module: str, number: int, revealed: bool, changes: Mapping[str, object] | None
) -> dict:
    """Return what a beat shows. Raises StoredModelError."""
    beat, words = story_of(module)[number - 1], words_of(module)
    settings = change_settings(beat, changes or {}, revealed)
    part = beat.part(settings)
    values = {"revealed": revealed, **settings, **part.values, "changed": bool(changes)}
    key = f"{beat.name}.{ANSWER}" if revealed else beat.name
    said, noted = words.spoken(key, **values)
    document = {
        "changes": {
            each.name: each.write(settings[each.name])
            for each in beat.settings
            if each.name in (changes or {})
        },
        "heading": words.heading(key if key in words.titles else beat.name, **values),
        "words": render_html(said),
        "notes": render_html(noted),
        "picture": {
            "view": part.view,
            "data": dict(part.data),
            "alt": first_label(words, (f"{beat.name}.alt", f"alt.{part.view}"), values),
            "caption": first_label(words, (f"{beat.name}.caption", f"caption.{part.view}"), values),
        },
        "controls": [describe_control(words, each, settings) for each in beat.controls],
        "events": list(beat.on),
        "lab": lab_link(lesson, module, {**settings, **part.lab}),
    }
    if words.has(f"{beat.name}.measured") and (revealed or beat.kind != ASK):  # it may name the answer
        document["measured"] = render_html(words.markdown(f"{beat.name}.measured", **values))
    if beat.kind == ASK:
        document["ask"] = describe_question(words, beat, part, values, revealed)
    if beat.kind == DO and is_answered(beat, changes or {}) and words.has(f"{beat.name}.done"):
        document["done"] = render_html(words.markdown(f"{beat.name}.done", **values))
    return document


def first_label(words: Words, keys: Sequence[str], values: Mapping[str, object]) -> str:
    """Return the first of some texts that there is, nothing where there is none."""
    return next((words.label(key, **values) for key in keys if words.has(key)), "")


def describe_control(words: Words, setting: Setting, settings: Settings) -> dict:
    """Return a control as a player draws it: its kind, its label and help, its value."""

    def label(key: str, otherwise: str = "") -> str:
        return words.label(key) if words.has(key) else otherwise

    value = settings[setting.name]
    drawn = {"name": setting.name, "label": label(setting.name, setting.name), "value": value}
    return {**drawn, "help": label(f"{setting.name}.help"), **setting.describe(value, settings, label)}


def describe_question(
    words: Words, beat: Beat, part: Part, values: Mapping[str, object], revealed: bool
) -> dict:
    """Return an ask's question and its choices; its answer only where it is revealed."""

    def label(choice: str) -> str:
        key = f"{beat.name}.choice.{choice}"
        return words.label(key, **values) if words.has(key) else choice

    question = {
        "question": words.label(f"{beat.name}.question", **values),
        "choices": [{"id": each, "label": label(each)} for each in part.choices],
    }
    return {**question, "answer": part.answer} if revealed else question


def lab_link(lesson: str, module: str, settings: Mapping[str, object]) -> str:
    """Return the address of a lesson's lab, without its host, with those settings that are not as at first.

    A setting SAMPLE is the title of a sample text, which the lab then reads.
    """
    page = importlib.import_module(f"{module}.page")
    fields = {
        f"{lesson}_{each.name}": each.write(settings[each.name])
        for each in page.LAB
        if each.name in settings and settings[each.name] != each.default
    }
    if SAMPLE in settings:
        fields["text_source_sample"] = settings[SAMPLE]
    return f"{lesson}?{urlencode({LAB: 'true', **fields})}"
