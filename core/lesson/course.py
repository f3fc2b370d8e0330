"""The main script that every visit runs: navigation over the syllabus, then the page asked for."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from core.lesson.syllabus import LESSONS, PAGES  # noqa: E402

st.set_page_config(page_title="Attend", page_icon=str(ROOT / "assets" / "logo.svg"), layout="wide")
st.logo(str(ROOT / "assets" / "wordmark.svg"), size="large")
st.html(ROOT / "assets" / "course.css")

sections = {"": [st.Page(PAGES / "home.py", title="Home", icon="🏠", url_path="", default=True)]}
for lesson in LESSONS:
    page = st.Page(lesson.path, title=lesson.title, icon=lesson.icon, url_path=lesson.name)
    sections.setdefault(lesson.section, []).append(page)

st.navigation(sections, expanded=True).run()
