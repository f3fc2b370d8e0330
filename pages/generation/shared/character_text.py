"""What the lessons on characters share: which character models there are, and the learner's text as they read it."""

from __future__ import annotations

import streamlit as st

from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import model_labels, say_what_changed
from core.lesson.chosen_text import text_is_new
from core.lesson.lesson import Lesson
from core.lesson.live_values import note_words_field
from core.lesson.settings import Choice, Text
from core.models.stored_language_models import Prompt, encode
from core.text.reading.documents import Document
from pages.generation.shared import WORDS

READ_AT_MOST = 100_000
EXAMPLE = "to be or not to be"


def character_labels() -> dict[str, str]:
    """Return the stored models of the plays' characters, {label: name}, the best first."""
    return {label: name for label, name in model_labels().items() if name.startswith("char_")}


def choose_characters(
    lesson: Lesson, document: Document, source: Choice, typed: Text, at_most: int = READ_AT_MOST
) -> Prompt:
    """Draw the choice between the learner's text and a typed line; return it as the character models read it.

    What they cannot read is said; where nothing is left, an example stands in.
    """
    if text_is_new(lesson, "source", "typed"):
        lesson.set_state("source", "text")
    note_words_field(lesson.key("source"))
    if lesson.draw(source) == "typed":
        return read_characters(lesson.draw(typed)[: typed.longest], at_most)
    return read_characters(document.text, at_most)


@cached(32, 4, shared=no_typed_words)
def characters_of(text: str) -> Prompt:
    """Return a text as the character models read it, all with one vocabulary; computed once a session."""
    return encode(next(iter(character_labels().values())), text)


def read_characters(text: str, at_most: int) -> Prompt:
    """Return the first characters of a text as the models read them; what changed, or is missing, is said."""
    if len(text) > at_most:
        st.caption(WORDS.label("text.long", most=at_most))
    read = characters_of(text[:at_most])
    say_what_changed(read)
    if len(read.ids) > 1:
        return read
    st.info(WORDS.label("text.short", example=EXAMPLE))
    return characters_of(EXAMPLE)
