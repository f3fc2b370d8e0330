"""A text that goes along: typed in one lesson, it stands in the next that keeps a text under the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

KEPT = "kept_texts"  # {what is kept: the text}, for the whole session


def kept_text(lesson: Lesson, name: str, kept: str, label: str, default: str, most: int) -> str:
    """Draw the field `name` for a line of text and return it; at first it is what was typed elsewhere as `kept`.

    An address that brings its own text comes first. What is longer than `most` characters is cut, and that is said:
    a text does not vanish in silence, and an address stays short enough to be opened.
    """
    key, texts = lesson.key(name), st.session_state.setdefault(KEPT, {})
    if kept in texts and lesson.value(name) is None and key not in st.query_params:
        lesson.put(name, texts[kept])
    text = lesson.text(
        name,
        label,
        default,
        width=360,  # a sentence, and what stands beside it stays in one row
        on_change=_keep,
        args=(lesson, name, kept, most),
    )
    length, rest = lesson.value(f"{name}_cut", (len(text), text[:most]))
    if length > most and rest == text[:most]:
        st.info(
            f"This text has {length:,} characters. The first {most:,} are kept here, the rest is left out."
        )
    return text[:most]


def keep_text(kept: str, text: str) -> None:
    """Let the lessons that keep a text as `kept` begin with this one."""
    st.session_state.setdefault(KEPT, {})[kept] = text


def _keep(lesson: Lesson, name: str, kept: str, most: int) -> None:
    text = lesson.value(name)
    lesson.put(f"{name}_cut", (len(text), text[:most]))
    if len(text) > most:
        lesson.put(name, text[:most])
    keep_text(kept, text[:most])
