"""Step through an algorithm: first, back, next, last, by button or key, with the step in the address.

In the browser where all steps are sent at once, on the server where each is computed when it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.browser_view import browser_view

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


def _go(key: str, step: int) -> None:
    st.session_state[key] = step


def stepper(lesson: Lesson, steps: Sequence[str], name: str = "step", start: int = 1) -> int:
    """Draw the controls over named steps and return the index of the chosen one, 0 to len(steps) - 1.

    The step is in the address as `<lesson>_<name>` counted from 1; `start` is where it begins. Keys: Left and
    Right arrow with Alt.
    """
    key = lesson.key(name)
    last = len(steps)
    if lesson.value(name, 1) > last:  # the steps of another text, which had more
        lesson.put(name, last)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        buttons = st.container(horizontal=True, width="content")
        # The slider comes first: only then is a step that stands in the address known to the buttons.
        first = min(start, last)
        seen = {"label_visibility": "collapsed"}  # what stands below says which step it is
        step = lesson.slider(name, "Step", 1, last, first, **seen) if last > 1 else 1
    moves = (
        ("First", 1, None),
        ("Back", max(1, step - 1), "Alt+Left"),
        ("Next", min(last, step + 1), "Alt+Right"),
    )
    for label, target, shortcut in (*moves, ("Last", last, None)):
        buttons.button(
            label,
            key=f"{key}_{label.lower()}",
            on_click=_go,
            args=(key, target),
            shortcut=shortcut,
            disabled=step == target,
        )
    st.markdown(f"**Step {step} of {last}: {steps[step - 1]}**")
    return step - 1


def browser_steps(
    lesson: Lesson, view: str, data: dict, start: int, on: Mapping[str, Callable] | None, name: str
) -> None:
    """Mount a view that steps by itself, from 1 to what it was sent; `start` is where it begins.

    It keeps its step in the address as `<lesson>_step`.
    """
    stepping = {
        "start": start - 1,
        "address": lesson.name,
        "predicting": bool(lesson.value("predict")),
    }
    browser_view(view, {**data, **stepping}, lesson.key(name), on)
