"""The text a lesson reads: typed, or a sentence of the learner's own text. The address keeps every choice.

`<lesson>_source` is where the text comes from, `<lesson>_typed` what was typed, `<lesson>_sentence` the number of
the sentence.
"""

from __future__ import annotations

import streamlit as st

from core.text.documents import Document
from core.text.tokens import sentences

TYPED, FROM_TEXT = "typed", "from your text"
SEARCHED = 100_000  # characters of the learner's text in which sentences are counted


def choose_source(lesson: str, label: str, first: str = TYPED) -> str:
    """Draw the choice between typing and the learner's text, `first` at first, and return it."""
    other = FROM_TEXT if first == TYPED else TYPED
    return st.segmented_control(
        label, [first, other], default=first, required=True, key=f"{lesson}_source", bind="query-params"
    )


def type_text(lesson: str, label: str, default: str, most: int) -> str:
    """Draw the field for a text of at most so many characters and return what was typed."""
    return st.text_area(label, default, key=f"{lesson}_typed", bind="query-params", max_chars=most, height=90)


def choose_sentence(lesson: str, document: Document) -> list[str]:
    """Draw the choice of a sentence of the learner's text; return the sentences from there on, at least one."""
    found = sentences(document.text[:SEARCHED]) or [""]
    number = st.number_input(
        f"Sentence, 1 to {len(found):,}", 1, len(found), 1, key=f"{lesson}_sentence", bind="query-params"
    )
    return found[number - 1 :]
