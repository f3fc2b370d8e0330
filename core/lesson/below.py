"""What stands below every lesson, in one row of tabs: the formula, every number, the code, what to take away, sources.

Only the open tab is computed: a table, its text for a file and a function's source cost more than a picture does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.browser_view import browser_view
from core.lesson.every_number import Numbers, show_numbers
from core.lesson.notebook import notebook
from core.lesson.own_lecture import add_view

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer

    from core.lesson.lesson import Lesson

FORMULA, NUMBERS, CODE, AWAY, SOURCES = (
    "The formula",
    "Every number",
    "The code that ran",
    "Take it away",
    "Sources",
)
Content = bytes | Callable[[], bytes]  # of a file; a function is called when the file is asked for


@dataclass(frozen=True)
class Below:
    """What a page hands to its end: LaTeX with the meaning of its letters, tables, functions, cells, files, sources."""

    formula: tuple[str, str]
    numbers: Sequence[Numbers]
    code: Sequence[Callable]
    notebook: Sequence[str]
    files: Mapping[str, tuple[str, Content]]
    sources: Sequence[str]


def show_below(lesson: Lesson, below: Below) -> None:
    """Draw the row of tabs and what the open one holds."""
    parts = {
        FORMULA: lambda: show_formula(*below.formula),
        NUMBERS: lambda: show_numbers(lesson, below.numbers),
        CODE: lambda: code_that_ran(*below.code),
        AWAY: lambda: take_away(lesson, below.notebook, below.files),
        SOURCES: lambda: st.markdown("\n".join(f"- {source}" for source in below.sources)),
    }
    if not any(below.formula):
        del parts[FORMULA]
    first = SOURCES if FORMULA not in parts else FORMULA
    tabs = st.tabs(list(parts), default=first, key=lesson.key("below"), bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if is_open(tab):
            with tab:
                show()


def is_open(tab: TabContainer) -> bool:
    """Return whether the learner sees what a tab holds."""
    return tab.open


def show_formula(formula: str, where: str) -> None:
    """Show a formula and what its letters stand for."""
    st.latex(formula)
    st.markdown(where)


@cache
def source_of(function: Callable) -> tuple[str, str]:
    """Return the file that a function stands in, and its source."""
    return f"{inspect.getmodule(function).__name__.replace('.', '/')}.py", inspect.getsource(function)


def code_that_ran(*functions: Callable) -> None:
    """Show the source of the very functions a page called, each with the file it stands in."""
    for function in functions:
        file, source = source_of(function)
        st.caption(file)
        st.code(source, language="python", wrap_lines=True)


def take_away(
    lesson: Lesson, cells: Sequence[str], files: Mapping[str, tuple[str, Content]] | None = None
) -> None:
    """Offer a link to this picture, its format, the notebook of `cells`, and any `files` {label: (name, content)}."""
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
