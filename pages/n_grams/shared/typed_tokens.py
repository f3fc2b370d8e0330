"""The text fields of the n-gram lessons, and what is shown instead of tokens that the learner's text lacks."""

from __future__ import annotations

import streamlit as st

from core.lesson.lesson import Lesson
from core.models.n_grams.ngram_text import CountedText
from pages.n_grams.shared import WORDS


def type_tokens(
    lesson: Lesson,
    counted: CountedText,
    name: str,
    label: str,
    example: str | None = None,
    help: str | None = None,
    at_most: int = 200,
    width: int | str = 180,
) -> str:
    """Draw a text field, in the address as `<lesson>_<unit>_<name>`: words and characters have one each."""
    return lesson.text(
        f"{counted.unit}_{name}",
        label,
        placeholder=example,
        live=True,
        max_chars=at_most,
        help=help,
        width=width,
    )


def read_run(counted: CountedText, typed: str, example: list[int], instead: str) -> list[int]:
    """Return the ids of a typed run; the example's if it is empty, and if the text lacks a token, which is said."""
    try:
        return counted.read(typed) or example
    except KeyError as error:
        st.text(WORDS.label("missing", token=error.args[0], instead=instead))
        return example


def say_unknown(counted: CountedText, typed: str, done: str) -> None:
    """Say which tokens of a text the vocabulary lacks, and what is done with them, as "read" or "scored"."""
    unknown = counted.unknown(typed)
    if unknown:
        st.text(WORDS.label("unknown", done=done, tokens=unknown[:20]))
