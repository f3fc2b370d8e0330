"""The home page: every lesson as a card with its question and a picture drawn by the lesson's own figure."""

import streamlit as st

import pages
from core.lesson.figure import show_card


def page() -> None:
    """Show the subjects, each with its lessons."""
    st.title("Attend: see how machines read")
    st.markdown(
        "An interactive course in natural-language processing. **Every number on screen is real**, computed by the "
        "code shown beside it, on a text that you choose, and small enough to check by hand."
    )
    for subject in pages.SUBJECTS:
        st.header(subject.TITLE)
        lessons = [module.LESSON for module in subject.LESSONS]
        for start in range(0, len(lessons), 3):
            for column, lesson in zip(st.columns(3), lessons[start : start + 3], strict=False):
                with column.container(border=True):
                    st.page_link(lesson.streamlit_page, label=f"**{lesson.title}**", icon=lesson.icon)
                    show_card(lesson)
                    st.markdown(lesson.question)
