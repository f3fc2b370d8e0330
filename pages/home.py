"""The home page: every lesson as a card with its question and a picture drawn by the lesson's own figure."""

import streamlit as st

from core.lesson.figure import show_picture
from core.lesson.syllabus import LESSONS

st.title("Attend: see how machines read")
st.markdown(
    "An interactive course in natural-language processing. **Every number on screen is real**, computed by the "
    "code shown beside it, on a text that you choose, and small enough to check by hand."
)

for section in dict.fromkeys(lesson.section for lesson in LESSONS):
    st.header(section)
    lessons = [lesson for lesson in LESSONS if lesson.section == section]
    for start in range(0, len(lessons), 3):
        for column, lesson in zip(st.columns(3), lessons[start : start + 3], strict=False):
            with column.container(border=True):
                st.page_link(lesson.path, label=f"**{lesson.title}**", icon=lesson.icon)
                show_picture(lesson)
                st.markdown(lesson.question)
