"""How every lesson opens: its title, the question it answers, and the formula in the letters the code uses."""

from __future__ import annotations

import streamlit as st

from core.lesson.syllabus import Lesson, lesson


def open_lesson(name: str, formula: str = "", where: str = "") -> Lesson:
    """Write a lesson's title and question; below them its formula (LaTeX) and what its letters stand for."""
    opened = lesson(name)
    st.title(f"{opened.icon} {opened.title}", anchor=False)
    st.markdown(f"**{opened.question}**")
    if formula:
        with st.expander("The formula"):
            st.latex(formula)
            st.markdown(where)
    return opened
