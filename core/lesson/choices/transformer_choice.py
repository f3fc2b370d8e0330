"""For the lessons on transformers: the choice of a model, of a text that it reads, and of an attention head."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures.self_attention.heads import names_of
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.language_model_choice import PROMPT_AT_MOST, say_what_changed
from core.lesson.chosen_text import TAKEN_AT_MOST, TYPED, choose_sentence, choose_source
from core.lesson.lab_words import LAB_WORDS
from core.lesson.lesson import Lesson
from core.models.self_attention.attentive_models import (
    AttentiveModel,
    ReadText,
    attentive_model,
)
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from core.text.tokenization.tokens import sentences

LABELS = {
    "word_gpt": "GPT, byte pairs",
    "word_masked": "masked model, byte pairs",
    "char_gpt": "GPT, characters",
    "minilm": "MiniLM, word pieces",
}
TOKENS_AT_MOST = 12  # more would be too small to read from the back row
TYPED_AT_MOST = 400
EXAMPLE = "The king saw the queen in her house."
WIDE, NARROW, COUNT = 330, 170, 85  # pixels: a field for a sentence, for a count, for a small count
TOKENS = 40  # default; pictures of longer texts have no lines
CHARACTERS_AT_MOST = 12_000  # from the chosen sentence on; longer than any context


def choose_read_text(
    lesson: Lesson,
    notes: DeltaGenerator,
    document: Document,
    model: AttentiveModel,
    default: str,
    most: int | None = None,
) -> ReadText:
    """Draw the choice of a text, typed or the text in use; return it as the model reads it.

    Messages about cut or replaced tokens go to the container `notes`. `most` is the largest number of tokens that the lesson
    can show; the default is the model's context.
    """
    room = min(model.context, most or model.context)
    most = room
    if choose_source(lesson, LAB_WORDS.label("read.text")) == TYPED:
        label, taken = LAB_WORDS.label("read.sentence"), TAKEN_AT_MOST * PROMPT_AT_MOST
        typed = lesson.text("typed", label, default, max_chars=taken, width=WIDE)
        text = typed[:PROMPT_AT_MOST]
        if len(typed) > PROMPT_AT_MOST:
            notes.caption(LAB_WORDS.label("field.cut", most=PROMPT_AT_MOST, n=len(typed)))
    else:
        text = " ".join(choose_sentence(lesson, document))[:CHARACTERS_AT_MOST]
        label = LAB_WORDS.label("read.most", n=room)
        most = lesson.number("most", label, 4, room, min(TOKENS, room), width=NARROW)
    read = read_tokens(model.name, text, most, model)
    lesson.set_values(tokens=len(read.ids))
    with notes:
        say_what_changed(read.prompt)
        st.caption(how_it_is_read(read, model, most))
    return read


@cached(100, 20, shared=no_typed_words)
def read_tokens(name: str, text: str, most: int, _model: AttentiveModel) -> ReadText:
    """Return the first `most` tokens of a text as a model reads them."""
    return _model.read(text, most)


def how_it_is_read(read: ReadText, model: AttentiveModel, most: int) -> str:
    """Return sentences on the number of tokens, special tokens, the cut, and byte tokens."""
    marks = len(model.before) + len(model.after)
    byte = next((token for token in read.tokens if model.names and "·" in token[1:-1]), None)
    return LAB_WORDS.label("read.tokens", n=len(read.ids), marks=marks, cut=read.cut, most=most, byte=byte)


def choose_head(lesson: Lesson, model: AttentiveModel, start: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """Draw the choice of a layer and a head and return them counted from 0."""
    config, chosen = model.network.config, []
    most = (config.layers, config.heads)
    for name, last, first in zip(("layer", "head"), most, start, strict=True):
        chosen.append(
            lesson.number(name, LAB_WORDS.label(f"read.{name}"), 1, last, min(first + 1, last), width=COUNT)
            - 1
        )
    lesson.set_values(layer=chosen[0] + 1, head=chosen[1] + 1)
    return chosen[0], chosen[1]


@cached(4, 0, shared=True)
def vocabulary_named(name: str) -> np.ndarray:
    """Return the names of a model's tokens in pictures, (V,)."""
    return np.array(names_of(attentive_model(name).vocabulary))


def choose_tokens(
    lesson: Lesson,
    notes: DeltaGenerator,
    document: Document,
    name: str,
    changed: Callable[[], None] | None = None,
) -> list[int]:
    """Draw a field for a sentence; return the start token and its first ids, at most TOKENS_AT_MOST in all.

    Messages about cut or replaced tokens go to the container `notes`. `changed` is called when the sentence changes.
    """
    typed = lesson.text(
        "sentence",
        LAB_WORDS.label("read.sentence_empty"),
        max_chars=20 * TYPED_AT_MOST,
        on_change=changed,
        width=300,
    )
    if len(typed) > TYPED_AT_MOST:
        notes.caption(LAB_WORDS.label("field.cut", most=TYPED_AT_MOST, n=len(typed)))
    found = typed[:TYPED_AT_MOST].strip() or first_sentence(document)
    prompt = encode(name, " ".join(found.split()))
    with notes:
        say_what_changed(prompt)
    if not prompt.ids:
        notes.info(LAB_WORDS.label("read.unknown"))
        prompt = encode(name, EXAMPLE)
    ids = [stored_language_model(name).start, *prompt.ids]
    if len(ids) > TOKENS_AT_MOST:
        notes.caption(LAB_WORDS.label("read.part", most=TOKENS_AT_MOST, n=len(ids)))
    return ids[:TOKENS_AT_MOST]


@cached(32, 4, shared=is_sample)
def first_sentence(document: Document) -> str:
    """Return the first sentence of a text that is not blank, or EXAMPLE."""
    return next((each.strip() for each in sentences(document.text[:5000]) if each.strip()), EXAMPLE)
