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
from core.lesson import below, pin
from core.lesson.below import Below, Content, show_below
from core.lesson.break_it import break_it
from core.lesson.browser_view import browser_view
from core.lesson.controls import Controls
from core.lesson.every_number import Formula, Numbers
from core.lesson.figure import show_figure
from core.lesson.live_values import forget_values, reads, tell_sentence
from core.lesson.live_values import tell as tell_values
from core.lesson.predict_first import Question, predict_first, predict_in_turn
from core.lesson.stepper import browser_steps, stepper
from core.lesson.tour import know, show_tour
from core.lesson.training_job import Bench, bench_of, training_job
from core.lesson.try_this import try_this as try_prompts


@dataclass(frozen=True)
class Lesson(Controls):
    """One lesson: the module of its page, its title, the question it answers, and the icon in the navigation."""

    module: str
    title: str
    question: str
    icon: str

    def __post_init__(self) -> None:
        know(self.name, self.module)

    @property
    def name(self) -> str:
        """The lesson's name: of its page's file, its address, its controls' prefix and its test."""
        return self.module.rpartition(".")[2]

    @property
    def streamlit_page(self) -> StreamlitPage:
        """The page as the navigation and links know it; its address is the lesson's name."""
        return st.Page(self.run, title=self.title, icon=self.icon, url_path=self.name)

    def run(self) -> None:
        """Run the page as a fragment: a move of its controls does not make the navigation again."""

        def fragment() -> None:
            self.show()

        fragment.__qualname__ = self.name  # what a fragment is known by, beside its place
        st.fragment(fragment)()

    def show(self) -> None:
        """Show the page, then set it beside what is pinned, and fill its tour with what the run has found."""
        forget_values()
        pin.begin()
        linked = any(name.startswith(self.key("")) for name in st.query_params)
        sys.modules[self.module].page()
        pinned = pin.end(self)
        if box := self.take("tour_box"):
            show_tour(self, box, linked, pinned)

    def picture(self) -> Figure:
        """Return the picture on the lesson's card."""
        return sys.modules[self.module].picture()

    # The blocks of a page.

    def open(self, formula: str = "", where: str = "", asks: bool = True) -> None:
        """Write the title and the question in one line, with the switch for predicting first if the lesson `asks`.

        The formula (LaTeX) and what its letters stand for are shown below the lesson.
        """
        self.put("formula", (formula, where))
        self.put("numbers", [])
        with st.container(horizontal=True, vertical_alignment="center"):
            st.title(f"{self.icon} {self.title}", anchor=False, width="content")
            st.markdown(f"**{self.question}**", width="content")
            if asks:
                why = "Hides the answer until you have guessed it, and keeps your score."
                self.toggle("predict", "Predict first", help=why)
        self.put("tour_box", st.container(key=self.key("tour_box")))

    def stage(self, of: str = "stage"):
        """Return two containers: a slim strip for the controls and, below it, the page's width for the picture.

        `of` names what is staged, where a page has a second one. What is pinned takes half of the first one's width.
        """
        strip = st.container(horizontal=True, vertical_alignment="center", key=self.key(f"{of}_strip"))
        return strip, pin.compared(self) if of == "stage" else st.container()

    def more(self):
        """Return a container for controls that are rarely used, behind a button of the strip."""
        return st.popover("More", key=self.key("more"))

    def section(self, name: str, title: str):
        """Return the container of a section that is computed once the learner opens it, None until then."""
        box = st.expander(f"**{title}**", key=self.key(name), on_change="rerun", bind="query-params")
        return box if below.is_open(box) else None

    def says(self, sentence: str) -> None:
        """Say below the picture, in one sentence made from the numbers, what is to be seen in it.

        A beat may say it too: {{says}}, the page's second such sentence {{says_2}}.
        """
        tell_sentence(sentence)
        with st.container(
            key=self.key(f"says_{crc32(sentence.encode())}")
        ):  # its type is large by course.css
            st.markdown(sentence)

    def tell(self, **values: object) -> None:
        """Keep live values by name, for the sentences of this lesson's beats: {{name}}."""
        tell_values(**values)

    def figure(self, name: str, figure: Figure, alt: str, wide: bool = False):
        """Draw a figure; `alt` says in a sentence what it shows. One that is `wide` scrolls in its box on a phone."""
        pin.drew(lambda: show_figure(figure, self.key(f"{name}_pinned"), f"Pinned. {alt}", wide))
        return show_figure(figure, self.key(name), alt, wide)

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
        pin.drew(lambda: self._pinned_view(view, data, name, height))
        reads(self.key(f"{name}_"))
        browser_view(view, {**data, "address": self.key(name)}, self.key(name), on, height)

    def _pinned_view(self, view: str, data: dict, name: str, height: int | str = "content") -> None:
        """Mount a view once more, as it is pinned: its step is its own, and it sets no control."""
        key = self.key(f"{name}_pinned")
        browser_view(view, {**data, "address": key}, key, None, height)

    def steps(
        self,
        frames: Sequence[dict],
        total: int = 0,
        start: int = 1,
        shared: dict | None = None,
        sentence_first: bool = False,
        name: str = "steps",
    ) -> None:
        """Step through `frames` in the browser, sent once; without any, as before a first guess, draw nothing.

        A frame is made by core/figures/frame.py. `total` counts the steps that are still to be guessed too, `shared` is
        what all pictures share. `sentence_first` is for sentences about a picture that stands above. A page may show its
        step twice, each under a `name`: one bar then moves both.
        """
        if frames:
            data = {"frames": list(frames), "total": total or len(frames), "shared": shared}
            data["sentenceFirst"] = sentence_first
            self.stepped_view("steps", data, start, name=name)

    def stepped_view(
        self, view: str, data: dict, start: int = 1, on: Mapping[str, Callable] | None = None, name: str = ""
    ) -> None:
        """Mount a browser view that steps by itself; its step is in the address as `<lesson>_step`, from 1."""
        pin.drew(lambda: self._pinned_view(view, {**data, "start": start - 1}, name or view))
        reads(self.key("step"))
        browser_steps(self, view, data, start, on, name or view)

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
        files: Mapping[str, tuple[str, Content]] | None = None,
    ) -> None:
        """End the page: the code that ran, what can be taken away, what to try, and where it comes from.

        `notebook` is the cells that compute the page's numbers again, `plot` the cell that draws them; `files` are more
        to download, {label: (name, content)}. `try_this` are prompts with the settings that they open, by the controls'
        names.
        """
        try_prompts(self, try_this)
        formula, numbers = self.take("formula"), self.take("numbers")
        show_below(
            self, Below(formula, numbers, code, [*notebook, plot] if notebook else [], files or {}, sources)
        )
