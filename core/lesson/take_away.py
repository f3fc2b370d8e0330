"""Take it away: a link to this very picture, PNG or SVG, and a notebook that computes it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.browser_view import browser_view
from core.lesson.notebook import notebook
from core.lesson.own_lecture import add_view

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


def take_away(
    lesson: Lesson, cells: Sequence[str], files: Mapping[str, tuple[str, bytes]] | None = None
) -> None:
    """Offer the link, the picture's format, the notebook made of `cells`, and any `files` {label: (name, bytes)}."""
    st.caption(
        "This link opens the lesson as you see it now. What you pasted, uploaded or trained stays with you, and so do "
        "your guesses and answers."
    )
    browser_view("link", {}, lesson.key("link"))
    add_view(lesson)
    st.radio(
        "The camera button on a picture saves it as",
        ["png", "svg"],
        key="picture_format",
        format_func=str.upper,
        horizontal=True,
    )
    with st.container(horizontal=True):
        st.download_button(
            "Notebook",
            lambda: notebook(lesson.title, lesson.question, cells),  # made when it is asked for
            file_name=f"{lesson.name}.ipynb",
            mime="application/x-ipynb+json",
            key=lesson.key("notebook"),
            on_click="ignore",
            help="It carries the code and the weights it needs: run it anywhere.",
        )
        for label, (name, content) in (files or {}).items():
            st.download_button(label, content, file_name=name, key=lesson.key(name), on_click="ignore")
