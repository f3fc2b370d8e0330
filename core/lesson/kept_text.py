"""A text field whose value is shared between lessons by name."""

from __future__ import annotations

import streamlit as st

from core.lesson.controls import Controls
from core.lesson.lab_words import LAB_WORDS

KEPT = "kept_texts"  # in the session: {shared name: text}


def kept_text(lesson: Controls, name: str, kept: str, label: str, default: str, most: int) -> str:
    """Draw a one-line field and return its text; its first value is the text last typed under the shared name `kept`.

    A text in the query takes precedence. A text of more than `most` characters is cut, and a message says so, because the
    link must stay short enough to open.
    """
    key, texts = lesson.key(name), st.session_state.setdefault(KEPT, {})
    if kept in texts and lesson.get_state(name) is None and key not in st.query_params:
        lesson.set_state(name, texts[kept])
    text = lesson.text(
        name,
        label,
        default,
        width=360,  # fits a sentence and leaves room for controls in the same row
        on_change=_keep,
        args=(lesson, name, kept, most),
    )
    length, rest = lesson.get_state(f"{name}_cut", (len(text), text[:most]))
    if length > most and rest == text[:most]:
        st.info(LAB_WORDS.label("field.kept", most=most, n=length))
    return text[:most]


def keep_text(kept: str, text: str) -> None:
    """Set the text under a shared name, without a field."""
    st.session_state.setdefault(KEPT, {})[kept] = text


def _keep(lesson: Controls, name: str, kept: str, most: int) -> None:
    text = lesson.get_state(name)
    lesson.set_state(f"{name}_cut", (len(text), text[:most]))
    if len(text) > most:
        lesson.set_state(name, text[:most])
    keep_text(kept, text[:most])
