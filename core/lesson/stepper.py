"""Step through an algorithm whose steps the server computes one at a time: first, back, next and last, by button or key.

The query holds the step. `Lesson.stepped_view` sends all steps to the browser at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.lesson.controls import Controls
from core.lesson.lab_words import LAB_WORDS


def _go(key: str, step: int) -> None:
    st.session_state[key] = step


def stepper(lesson: Controls, steps: Sequence[str], name: str = "step", start: int = 1) -> int:
    """Draw buttons and a slider over named steps; return the index of the chosen one, from 0.

    The query has the step as `<lesson>_<name>`, from 1; `start` is the default. Keys: Alt with Left or Right arrow.
    """
    key = lesson.key(name)
    last = len(steps)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        buttons = st.container(horizontal=True, width="content")
        # Draw the slider before the buttons: it reads the step from the query.
        first = min(start, last)
        seen = {"label_visibility": "collapsed"}  # the line below names the step
        step = lesson.slider(name, LAB_WORDS.label("step"), 1, last, first, **seen) if last > 1 else 1
    moves = (
        ("first", 1, None),
        ("back", max(1, step - 1), "Alt+Left"),
        ("next", min(last, step + 1), "Alt+Right"),
    )
    for move, target, shortcut in (*moves, ("last", last, None)):
        buttons.button(
            LAB_WORDS.label(f"step.{move}"),
            key=f"{key}_{move}",
            on_click=_go,
            args=(key, target),
            shortcut=shortcut,
            disabled=step == target,
        )
    now = LAB_WORDS.label("step.now", step=step, last=last, name=steps[step - 1])
    st.markdown(f"**{now}**")
    return step - 1
