"""Try this: prompts that set the lesson's controls, write them into the address and turn back to the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.browser_view import browser_view
from core.lesson.text_source import choose_sample

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

TEXT = "text:"  # a setting that is not the lesson's own: the title of a sample on the shelf
ORDINARY = "switches_ordinary"  # {key: whether the switch is on when the lesson opens}, of those drawn so far


def try_this(lesson: Lesson, prompts: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    """Draw each prompt as a button that sets what it names, by the controls' names without the lesson's prefix.

    {"k": 20} sets the control `<lesson>_k`, {"text:": "Hamlet"} chooses that sample.
    """
    st.header("Try this", anchor=False)
    for number, (label, settings) in enumerate(prompts, 1):
        lesson.button(f"try_{number}", label, arrive, lesson, settings, type="tertiary", icon="👉")
    browser_view("page", {"arrivals": lesson.value("arrivals", 0)}, lesson.key("page"))


def arrive(lesson: Lesson, settings: Mapping[str, object]) -> None:
    """Set a prompt's controls and mend what is broken: only what the prompt names stays out of the ordinary."""
    switches = st.session_state.get(ORDINARY, {})
    for key, value in list(st.session_state.items()):
        ours = key.startswith(lesson.key("")) and not key.startswith(lesson.key("try_"))
        ordinary = switches.get(key, False)
        if isinstance(value, bool) and value != ordinary and ours and key != lesson.key("predict"):
            st.session_state[key] = ordinary
    for name, value in settings.items():
        if name == TEXT:
            choose_sample(value)
        else:
            lesson.put(name, value)
    lesson.put("arrivals", lesson.value("arrivals", 0) + 1)
