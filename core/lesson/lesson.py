"""A lesson: the card it declares, its place in the address, and every block that a page is made of.

A page's file says `LESSON = Lesson(__name__, title, question, icon)` and calls `LESSON.slider("n", ...)`: the lesson
prefixes the name with its own, so that no two lessons share a control, and binds it to the address, so that a link
is the state.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import pandas as pd
import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.figures.figure import Figure
from core.lesson import below
from core.lesson.address import finite, forget, forget_unless, tell
from core.lesson.below import Below, show_below
from core.lesson.break_it import break_it
from core.lesson.browser_view import browser_view
from core.lesson.every_number import Formula, Numbers
from core.lesson.figure import show_figure
from core.lesson.predict_first import Question, predict_first, predict_in_turn
from core.lesson.stepper import browser_steps, stepper
from core.lesson.training_job import Bench, bench_of, training_job
from core.lesson.try_this import try_this as try_prompts


@dataclass(frozen=True)
class Lesson:
    """One lesson: the module of its page, its title, the question it answers, and the icon in the navigation."""

    module: str
    title: str
    question: str
    icon: str

    @property
    def name(self) -> str:
        """The lesson's name: of its page's file, its address, its controls' prefix and its test."""
        return self.module.rpartition(".")[2]

    @property
    def streamlit_page(self) -> StreamlitPage:
        """The page as the navigation and links know it; its address is the lesson's name."""
        page = sys.modules[self.module].page
        return st.Page(page, title=self.title, icon=self.icon, url_path=self.name)

    def picture(self) -> Figure:
        """Return the picture on the lesson's card."""
        return sys.modules[self.module].picture()

    # What the session keeps for the lesson.

    def key(self, name: str) -> str:
        """Return the name under which the session and the address keep a control of this lesson."""
        return f"{self.name}_{name}"

    def value(self, name: str, otherwise: object = None) -> object:
        """Return what the session keeps under a name, before or after its control is drawn."""
        return st.session_state.get(self.key(name), otherwise)

    def put(self, name: str, value: object) -> None:
        """Keep a value under a name; a control of that name must not be drawn yet in this run, or in a callback.

        It is newer than what the address says of that control, so the control will show it.
        """
        forget(self.key(name))
        st.session_state[self.key(name)] = value

    def take(self, name: str, otherwise: object = None) -> object:
        """Return what the session keeps under a name, and forget it."""
        return st.session_state.pop(self.key(name), otherwise)

    def linked(self, name: str, otherwise: str = "") -> str:
        """Return what the address says under a name that no control draws: a selected cell, an edited table."""
        return st.query_params.get(self.key(name), otherwise)

    def link(self, name: str, value: object | None) -> None:
        """Write such a value into the address, or take it out: None."""
        if value is None:
            st.query_params.pop(self.key(name), None)
        else:
            st.query_params[self.key(name)] = str(value)

    # Controls. Each is in the address under its name; further options go to Streamlit as they are.

    def bound(self, draw: Callable, name: str, *args, sound: Callable[[str], bool] | None = None, **options):
        """Draw a control with Streamlit's `draw`, and keep the address true to it; return what it shows.

        What the address says of it is let go where it is not `sound`.
        """
        key = self.key(name)
        if sound:
            forget_unless(key, sound)
        shown = draw(*args, key=key, bind="query-params", **options)
        tell(key)
        return shown

    def slider(self, name: str, label: str, *args, **options):
        """Draw a slider over numbers and return the chosen one."""
        return self.bound(st.slider, name, label, *args, **options)

    def select_slider(self, name: str, label: str, choices: Sequence, **options):
        """Draw a slider over named places and return the chosen one."""
        return self.bound(st.select_slider, name, label, choices, **options)

    def number(self, name: str, label: str, *args, **options):
        """Draw a field for a number and return it."""
        return self.bound(st.number_input, name, label, *args, sound=finite, **options)

    def select(self, name: str, label: str, choices: Sequence, *args, **options):
        """Draw a list of which one is chosen, and return it."""
        return self.bound(st.selectbox, name, label, choices, *args, **options)

    def choose(self, name: str, label: str, choices: Sequence, default: object = None, **options):
        """Draw a row of a few choices of which one is always chosen, the first at first, and return it."""
        default = choices[0] if default is None else default
        return self.bound(
            st.segmented_control, name, label, choices, default=default, required=True, sound=bool, **options
        )

    def radio(self, name: str, label: str, choices: Sequence, *args, **options):
        """Draw a list of which all are seen and one is always chosen, the first at first, and return it."""
        return self.bound(st.radio, name, label, choices, *args, **options)

    def several(self, name: str, label: str, choices: Sequence, *args, **options):
        """Draw a list of which several are chosen, and return them."""
        return self.bound(st.multiselect, name, label, choices, *args, **options)

    def pills(self, name: str, label: str, choices: Sequence, default: Sequence, **options) -> list:
        """Draw a row of choices of which any may be on, and return those."""
        options = {"selection_mode": "multi", "default": default, "wrap": True, **options}
        return self.bound(st.pills, name, label, choices, **options)

    def toggle(self, name: str, label: str, *args, **options) -> bool:
        """Draw a switch and return whether it is on."""
        return self.bound(st.toggle, name, label, *args, **options)

    def text(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a line of text and return what was typed."""
        return self.bound(st.text_input, name, label, default, **options)

    def text_area(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a text and return what was typed."""
        return self.bound(st.text_area, name, label, default, **options)

    def private_text(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a text of the learner's that the address never holds, and return it.

        It is for one line, unless it has a height.
        """
        draw = st.text_area if "height" in options else st.text_input
        return draw(label, default, key=self.key(name), **options)

    def upload(self, name: str, label: str, **options):
        """Draw a field for a file of the learner's and return it, None when there is none."""
        return st.file_uploader(label, key=self.key(name), **options)

    def answer(
        self, name: str, label: str, choices: Sequence[str] | None = None, first: int | None = None, **options
    ) -> str | None:
        """Draw a field for a learner's answer, a line of text or one of `choices`, and return it.

        `first` is the choice at first, None for none.
        """
        if choices is None:
            return st.text_input(label, key=self.key(name), **options)
        return st.selectbox(label, choices, index=first, key=self.key(name), **options)

    def form(self, name: str):
        """Return a container whose fields are sent together, by the buttons that `submit` draws in it."""
        return st.form(self.key(name), border=False)

    def submit(self, name: str, label: str, do: Callable, *args) -> None:
        """Draw a form's button that calls `do(*args)` before the next run."""
        st.form_submit_button(label, on_click=do, args=args, key=self.key(name))

    def edit_table(self, name: str, table: pd.DataFrame, **options) -> pd.DataFrame:
        """Draw a table whose cells the learner can change, and return it as it is now."""
        return st.data_editor(table, key=self.key(name), **options)

    def table(self, name: str, table: pd.DataFrame, alt: str, **options) -> None:
        """Draw a table of the page itself; `alt` says in a sentence what it shows."""
        st.dataframe(table, key=self.key(name), alt=alt, hide_index=True, **options)

    def button(self, name: str, label: str, do: Callable | None = None, *args, **options) -> bool:
        """Draw a button that calls `do(*args)` before the next run; return whether it was pressed just now."""
        return st.button(label, key=self.key(name), on_click=do, args=args, **options)

    def download(self, name: str, label: str, file_name: str, content: bytes | Callable, **options) -> None:
        """Draw a button that gives a file away; a function as its content is called when it is pressed."""
        st.download_button(
            label, content, file_name=file_name, key=self.key(name), on_click="ignore", **options
        )

    # The blocks of a page.

    def open(self, formula: str = "", where: str = "", asks: bool = True) -> None:
        """Write the title and the question in one line, with the switch for predicting first if the lesson `asks`.

        The formula (LaTeX) and what its letters stand for are shown below the lesson.
        """
        self.put("formula", (formula, where))
        self.put("numbers", [])
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.title(f"{self.icon} {self.title}", anchor=False, width="content")
            st.markdown(f"**{self.question}**", width="content")
            if asks:
                why = "Hides the answer until you have guessed it, and keeps your score."
                self.toggle("predict", "Predict first", help=why)

    def stage(self, of: str = "stage"):
        """Return two containers: a slim strip for the controls and, below it, the page's whole width for the picture.

        `of` names what is staged, where a page has a second one.
        """
        strip = st.container(horizontal=True, vertical_alignment="center", key=self.key(f"{of}_strip"))
        return strip, st.container()

    def more(self):
        """Return a container for controls that are rarely used, behind a button of the strip."""
        return st.popover("More", key=self.key("more"))

    def section(self, name: str, title: str):
        """Return the container of a section that is computed once the learner opens it, None until then."""
        box = st.expander(f"**{title}**", key=self.key(name), on_change="rerun", bind="query-params")
        return box if below.is_open(box) else None

    def says(self, sentence: str) -> None:
        """Say below the picture, in one sentence made from the numbers, what is to be seen in it."""
        with st.container(
            key=self.key(f"says_{crc32(sentence.encode())}")
        ):  # its type is large by course.css
            st.markdown(sentence)

    def figure(self, name: str, figure: Figure, alt: str, on_select: Callable[[], None] | None = None):
        """Draw a figure; `alt` says in a sentence what it shows. `on_select` is called when points are selected."""
        return show_figure(figure, self.key(name), alt, on_select)

    def view(
        self,
        view: str,
        data: dict,
        name: str = "view",
        on: Mapping[str, Callable] | None = None,
        height: int | str = "content",
    ) -> None:
        """Mount the browser view `view` with `data`; `on[event](value)` is called when the learner commits to a value.

        The view keeps its step in the address by itself, under `<lesson>_<name>_step`.
        """
        browser_view(view, {**data, "address": self.key(name)}, self.key(name), on, height)

    def steps(
        self,
        frames: Sequence[dict],
        total: int = 0,
        start: int = 1,
        shared: dict | None = None,
        sentence_first: bool = False,
    ) -> None:
        """Step through `frames` in the browser, sent once; without any, as before a first guess, draw nothing.

        A frame is made by core/figures/frame.py. `total` counts the steps that are still to be guessed too, `shared` is
        what all pictures share. `sentence_first` is for sentences about a picture that stands above.
        """
        if frames:
            data = {"frames": list(frames), "total": total or len(frames), "shared": shared}
            data["sentenceFirst"] = sentence_first
            self.stepped_view("steps", data, start)

    def stepped_view(
        self, view: str, data: dict, start: int = 1, on: Mapping[str, Callable] | None = None
    ) -> None:
        """Mount a browser view that steps by itself; its step is in the address as `<lesson>_step`, from 1."""
        browser_steps(self, view, data, start, on)

    def step(self, steps: Sequence[str], name: str = "step", start: int = 1) -> int:
        """Draw the controls over named steps; return the chosen one's index, 0 to len(steps) - 1."""
        return stepper(self, steps, name, start)

    def ask(self, question: str, choices: Sequence[str], answer: str, about: str = "") -> bool:
        """Ask `question` if the learner predicts first; return whether the answer may be shown.

        Until then neither a figure nor a table nor a view's data may hold it. `about` names what is asked about (a
        word, a step): a new one is a new question.
        """
        return predict_first(self, question, choices, answer, about)

    def ask_in_turn(self, steps: int, question_of: Callable[[int], Question | None]) -> int:
        """Ask for one step after another if the learner predicts first; return how many of them may be shown.

        `question_of(place)` is asked before the step at a place, from 0; None is a step that asks nothing.
        """
        return predict_in_turn(self, steps, question_of)

    def break_it(self, piece: str, label: str, why: str) -> bool:
        """Draw the switch that takes a piece out of the method; return whether it is out."""
        return break_it(self, piece, label, why)

    def every_number(
        self, name: str, make: Callable[..., pd.DataFrame | tuple[pd.DataFrame, Formula]], *arguments
    ) -> None:
        """Promise the table behind a picture; `make(*arguments)` is called when the learner opens "Every number".

        It returns the table, alone or with `formula(row, column)`, the LaTeX of the cell that was selected.
        """
        self.value("numbers").append(Numbers(name, make, arguments))

    def bench(self) -> Bench:
        """Return this session's place for training in this lesson."""
        return bench_of(self.name)

    def train(
        self, task: Callable, arguments: tuple, settings: object, watch: Callable[[list], None]
    ) -> Bench:
        """Draw the buttons Train and Stop and, while training goes on, `watch(reports)`; return the bench."""
        return training_job(self, task, arguments, settings, watch)

    def closing(
        self,
        code: Sequence[Callable],
        notebook: Sequence[str],
        try_this: Sequence[tuple[str, Mapping[str, object]]],
        sources: Sequence[str],
        plot: str,
        files: Mapping[str, tuple[str, bytes]] | None = None,
    ) -> None:
        """End the page: the code that ran, what can be taken away, what to try, and where it comes from.

        `notebook` is the cells that compute the page's numbers again, `plot` the cell that draws them; `files` are more
        to download, {label: (name, bytes)}. `try_this` are prompts with the settings that they open, by the controls'
        names.
        """
        try_prompts(self, try_this)
        formula, numbers = self.take("formula"), self.take("numbers")
        show_below(
            self, Below(formula, numbers, code, [*notebook, plot] if notebook else [], files or {}, sources)
        )
