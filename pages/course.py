"""The main script that every visit runs: navigation over the subjects, then the page asked for.

It stands in pages/ because Streamlit serves a pages/ folder beside its main script through an older router, which
answers a fresh server's first deep link with the wrong page.
"""

import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from core.lesson.browser_view import page_styles  # noqa: E402
from core.lesson.icons import mask_rules  # noqa: E402
from core.lesson.reader import LANG, asked_language  # noqa: E402
from core.version import VERSION  # noqa: E402
from core.words.language import set_language  # noqa: E402
from pages import LESSONS, SUBJECTS, gallery, home, lectures, worksheets  # noqa: E402

ICONS = {
    "": "house",
    lectures.NAME: "presentation",
    worksheets.NAME: "clipboard-list",
}  # of the pages that are no lessons, by their address


@cache
def icon_styles() -> str:
    """Return CSS that gives each lesson its icon, in the menu; course.css draws it."""
    link = '[data-testid="stSidebarNavLink"]'
    icons = {icon: [f'{link}[href$="/{name}"]'] for name, icon in ICONS.items()}
    for lesson in LESSONS:
        icons[lesson.icon] = [f'{link}[href$="/{lesson.name}"]']
    return mask_rules(icons)


def version_style() -> str:
    """Return CSS that names the version at the foot of the menu."""
    return f'[data-testid="stSidebarNav"]::after {{ content: "Attend {VERSION}"; }}'


def language_links() -> str:
    """Return links to the page in other languages; assets/views/shared/language.js keeps the rest of the address."""
    return "".join(
        f'<a class="language" href="?{LANG}={code}" lang="{code}" hreflang="{code}">{name}</a>'
        for code, name in home.WORDS.others.items()
    )


st.session_state[LANG] = asked_language(st.query_params, st.context.cookies, st.context.headers)
set_language(st.session_state[LANG])
st.set_page_config(
    page_title="Attend", page_icon=str(ROOT / "assets" / "logo.svg"), layout="wide", initial_sidebar_state=240
)
st.logo(str(ROOT / "assets" / "wordmark.svg"), size="large")
st.html(f"<style>{page_styles()}\n{icon_styles()}\n{version_style()}</style>")

sections = {
    "": [
        st.Page(home.page, title=home.WORDS.label("menu.home"), url_path="", default=True),
        st.Page(lectures.page, title=home.WORDS.label("menu.lectures"), url_path=lectures.NAME),
        st.Page(worksheets.page, title=worksheets.title(), url_path=worksheets.NAME),
        st.Page(
            gallery.page, title=home.WORDS.label("menu.gallery"), url_path=gallery.NAME, visibility="hidden"
        ),
    ]
}
for subject in SUBJECTS:
    sections[home.subject_title(subject)] = [module.LESSON.streamlit_page for module in subject.LESSONS]

if links := language_links():
    st.sidebar.html(links)
current = st.navigation(sections, expanded=True)
if current.url_path:
    st.set_page_config(page_title=f"{current.title} · Attend")
current.run()
