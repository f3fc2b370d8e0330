"""What labs on generation share: the choice of a model by its id, and of a prompt; and what is said of both."""

from __future__ import annotations

import streamlit as st

from core.lesson.choices.language_model_choice import (
    LABELS,
    OWN,
    ChosenModel,
    language_model,
    model_labels,
    say_what_was_read,
    say_which_model,
    without_last_word,
)
from core.lesson.chosen_text import FROM_TEXT, choose_sentence, text_is_new
from core.lesson.lesson import Lesson
from core.lesson.live_values import note_words_field
from core.lesson.settings import Choice, Text
from core.lesson.text_source import current_text, sample_in_use, text_source
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document

FIRST = "word_gpt"  # the model of the stories
OWN_MODELS = {f"own_{unit}": label for label, unit in OWN.items()}
MODEL = Choice(
    "model",
    FIRST,
    lambda _: model_ids(),
    {
        **{label: name for name, label in LABELS.items()},
        **{label: name for name, label in OWN_MODELS.items()},
    },
)
SOURCE = Choice("source", "typed", ("typed", "text"), {FROM_TEXT: "text"})


def model_ids() -> tuple[str, ...]:
    """Return the ids of the models: the stored ones, the stories' first, then n-gram models of the learner's text."""
    stored = sorted(model_labels().values(), key=lambda name: name != FIRST)
    return (*stored, *OWN_MODELS)


def open_model(model: str, document: Document) -> ChosenModel:
    """Return the model of an id: a stored one, or an n-gram model of the text in use."""
    labels = {**{name: label for label, name in model_labels().items()}, **OWN_MODELS}
    return language_model(labels[model], document)


def notebook_of(model: str) -> dict[str, object]:
    """Return the notebook's parameters for a model: its name, or the unit of an n-gram model and the text it counts."""
    unit = OWN[OWN_MODELS[model]] if model in OWN_MODELS else ""
    return {"name": "" if unit else model, "unit": unit, "sample": sample_in_use() if unit else ""}


def choose_prompt(lesson: Lesson, typed: Text) -> tuple[Document, str]:
    """Draw the choice of a prompt, typed or a sentence of the text in use; return that text, and the prompt.

    The text can be changed here only where it is used: by an n-gram model of it, or for its sentences.
    """
    if text_is_new(lesson, "source", "typed"):
        lesson.set_state("source", "text")
    note_words_field(lesson.key("source"))
    source = lesson.draw(SOURCE)
    uses_text = source == "text" or lesson.get_state("model") in OWN_MODELS
    words = lesson.draw(typed) if source == "typed" else ""
    document = text_source() if uses_text else current_text()
    if source == "typed":
        return document, words[: typed.longest]
    return document, without_last_word(choose_sentence(lesson, document)[0][: typed.longest])


def say_what_goes_in(lesson: Lesson, chosen: ChosenModel, prompt: Prompt) -> None:
    """Say which model reads the prompt, and what of the prompt it cannot read."""
    if lesson.get_state("source") == "text":
        st.text(prompt.text)
    say_which_model(chosen, lesson.label_of(f"model.{lesson.get_state('model')}"))
    say_what_was_read(chosen, prompt)
