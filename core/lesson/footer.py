"""The footer of every lesson, one row of tabs: the formula, every number, the code, downloads, sources.

Only the open tab is computed, because its tables, CSV files and source code cost more than a picture.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.browser_view import browser_view
from core.lesson.controls import TAB, Controls
from core.lesson.every_number import Numbers, show_numbers
from core.lesson.lab_words import LAB_WORDS
from core.lesson.notebook import notebook
from core.lesson.one_file import view_file
from core.lesson.own_lecture import add_view
from core.lesson.pictures import first_view
from core.lesson.story import SHARED

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer


FORMULA, NUMBERS, CODE, AWAY, SOURCES = "formula", "numbers", "code", "away", "sources"
Content = bytes | Callable[[], bytes]  # of a file; a function is called when the learner downloads it


@dataclass(frozen=True)
class Footer:
    """The content of the tabs.

    `formula` is LaTeX and the meaning of its letters; `notebook` holds the cells; `files` are more downloads, {label: (file
    name, content)}.
    """

    formula: tuple[str, str]
    numbers: Sequence[Numbers]
    code: Sequence[Callable]
    notebook: Sequence[str]
    files: Mapping[str, tuple[str, Content]]
    sources: Sequence[str]


def show_footer(lesson: Controls, footer: Footer) -> None:
    """Draw the row of tabs and the content of the open one."""
    parts = {
        FORMULA: lambda: show_formula(*footer.formula),
        NUMBERS: lambda: show_numbers(lesson, footer.numbers),
        CODE: lambda: code_that_ran(*footer.code),
        AWAY: lambda: take_away(lesson, footer.notebook, footer.files),
        SOURCES: lambda: st.markdown("\n".join(f"- {source}" for source in footer.sources)),
    }
    if not any(footer.formula):
        del parts[FORMULA]
    first = SOURCES if FORMULA not in parts else FORMULA
    labels = {part: LAB_WORDS.label(f"tab.{part}") for part in parts}
    open_linked_tab(lesson, labels)
    tabs = st.tabs(list(labels.values()), default=labels[first], key=lesson.key(TAB), bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if is_open(tab):
            with tab:
                show()


def open_linked_tab(lesson: Controls, labels: Mapping[str, str]) -> None:
    """Open the tab that a link names by its id or in another language; Streamlit keeps a tab's label in the address."""
    linked = lesson.get_query(TAB)
    spoken = (LAB_WORDS.english, *LAB_WORDS.translated.values())
    named = [part for part in labels if linked in (part, *(each.texts[f"tab.{part}"] for each in spoken))]
    if named and linked not in labels.values():
        lesson.set_state(TAB, labels[named[0]])


def is_open(tab: TabContainer) -> bool:
    """Return whether a tab is the open one."""
    return tab.open


def show_formula(formula: str, where: str) -> None:
    """Show a formula in LaTeX, if there is one, and the meaning of its letters."""
    if formula:
        st.latex(formula)
    st.markdown(where)


@cache
def source_of(function: Callable) -> tuple[str, str]:
    """Return the path of a function's file, from the root, and the function's source code."""
    return f"{inspect.getmodule(function).__name__.replace('.', '/')}.py", inspect.getsource(function)


def code_that_ran(*functions: Callable) -> None:
    """Show the source code of the functions that the page called, each with the path of its file."""
    for function in functions:
        file, source = source_of(function)
        st.caption(file)
        st.code(source, language="python", wrap_lines=True)


def take_away(
    lesson: Controls, cells: Sequence[str], files: Mapping[str, tuple[str, Content]] | None = None
) -> None:
    """Draw the link to this state, the picture format, the notebook of `cells`, and `files`, {label: (name, content)}."""
    st.caption(LAB_WORDS.label("away.link"))
    browser_view("link", {}, lesson.key("link"))
    add_view(lesson)
    st.radio(
        LAB_WORDS.label("away.picture"),
        ["png", "svg"],
        key="picture_format",
        format_func=str.upper,
        horizontal=True,
    )
    with st.container(horizontal=True):
        st.download_button(
            LAB_WORDS.label("away.notebook"),
            lambda: notebook(lesson.title, lesson.question, cells),  # computed when the learner downloads it
            file_name=f"{lesson.name}.ipynb",
            mime="application/x-ipynb+json",
            key=lesson.key("notebook"),
            on_click="ignore",
            help=LAB_WORDS.label("away.notebook.help"),
        )
        if view := first_view():
            st.download_button(
                SHARED.label("save_view"),
                lambda: view_file(lesson.title, view.view, view.make()),
                file_name=f"{lesson.name}.html",
                mime="text/html",
                key=lesson.key("one_file"),
                on_click="ignore",
                help=SHARED.label("save_view.help"),
            )
        for label, (name, content) in (files or {}).items():
            st.download_button(label, content, file_name=name, key=lesson.key(name), on_click="ignore")
