"""A lesson: its card, its URL, and every block that its page is made of.

A lesson's package has `LESSON = Lesson(__name__, icon="…")`, its page calls `LESSON.slider("n", ...)`. The lesson puts
its name before the control's, so that no two lessons share a key, and binds it to the query, so that a link is the state.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from zlib import crc32

import pandas as pd
import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.figures.figure import Figure
from core.lesson import live_values, pin
from core.lesson.browser_view import PLOT, browser_view
from core.lesson.every_number import Formula, Numbers
from core.lesson.failure_log import failures
from core.lesson.figure import show_figure
from core.lesson.icons import icon_svg
from core.lesson.lab import Lab
from core.lesson.own_lecture import keep_if_played
from core.lesson.pictures import Picture, forget_pictures, note_picture
from core.lesson.predict_first import Question, predict_first, predict_in_turn
from core.lesson.stepper import stepper
from core.lesson.story import words_of
from core.lesson.story_page import register_story, show_story, story_place
from core.lesson.tour import register_lesson, show_tour
from core.lesson.training_job import Bench, bench_of, training_job
from core.models.stored import StoredModelError
from core.words.texts import FILE, Words, read_words


@dataclass(frozen=True)
class Lesson(Lab):
    """One lesson: the module of its page, and its icon, a file of assets/icons."""

    module: str
    icon: str = ""

    def __post_init__(self) -> None:
        register_lesson(self.name, self.module)
        if self.is_story:
            register_story(self)

    @property
    def title(self) -> str:
        """The lesson's title; the name of one without words, which a test makes by itself."""
        return self.words.title if self.is_story else self.name

    @property
    def question(self) -> str:
        """The question that the lesson answers."""
        return self.words.question if self.is_story else ""

    @property
    def words(self) -> Words:
        """The words of the lesson."""
        return words_of(self.module)

    @property
    def subject_words(self) -> Words | None:
        """The words that the lessons of the subject share, None where there are none."""
        subject = sys.modules[".".join(self.module.split(".")[:2])]  # the package pages.<subject>
        file = Path(subject.__file__).parent / "shared" / FILE
        return read_words(file) if file.is_file() else None

    @property
    def svg(self) -> str:
        """The lesson's icon as SVG, in the colour of the text around it."""
        return icon_svg(self.icon)

    @property
    def is_story(self) -> bool:
        """Whether the lesson has words, so that it has a story and a lab; one that a test makes by itself has none."""
        return words_of(self.module) is not None

    @property
    def name(self) -> str:
        """The lesson's name, which is its file's name, its URL path, and the prefix of its keys."""
        return self.module.rpartition(".")[2]

    @property
    def streamlit_page(self) -> StreamlitPage:
        """The Streamlit page for the navigation and for links; its URL path is the lesson's name."""
        return st.Page(self.run, title=self.title, url_path=self.name)

    def run(self) -> None:
        """Run the page as a fragment, so that a change of a control does not draw the navigation again."""

        def fragment() -> None:
            try:
                self.show()
            except StoredModelError as error:  # Streamlit would write its whole traceback each time
                failures.write(error)
                st.error(str(error))

        fragment.__qualname__ = self.name  # Streamlit identifies a fragment by this and its position
        st.fragment(fragment)()

    def show(self) -> None:
        """Show the story, or run the lab: compare it with the pinned settings, fill a lecture's words with its values."""
        live_values.clear_values()
        keep_if_played()
        if place := story_place(self):
            show_story(self, place)
            return
        pin.begin()
        forget_pictures()
        linked = any(name.startswith(self.key("")) for name in st.query_params)
        import_module(f"{self.module}.page").lab()
        pinned = pin.end_run(self)
        self.show_bar(pinned)
        if box := self.pop_state("tour_box"):
            show_tour(self, box, linked, pinned)

    def picture(self) -> Figure:
        """Return the picture on the lesson's card."""
        return sys.modules[self.module].picture()

    # The blocks of a page.

    def stage(self, of: str = "stage"):
        """Return two containers: a row for the controls and, below it, one for the picture.

        `of` is the name of a second stage on the page. A pinned picture takes the left half of the first stage.
        """
        strip = st.container(horizontal=True, vertical_alignment="center", key=self.key(f"{of}_strip"))
        return strip, pin.compared(self) if of == "stage" else st.container()

    def caption(self, sentence: str) -> None:
        """Draw the sentence (Markdown) below the picture that states its result.

        Beats can hold it: {{says}} is the page's first caption, {{says_2}} the second.
        """
        live_values.add_caption(sentence)
        with st.container(key=self.key(f"says_{crc32(sentence.encode())}")):  # course.css makes it large
            st.markdown(sentence)

    def set_values(self, **values: object) -> None:
        """Set values by name for the words of this lesson's beats: {{name}}."""
        live_values.set_values(**values)

    def figure(self, name: str, figure: Figure, alt: str, wide: bool = False):
        """Draw a figure; `alt` describes it in one sentence. A `wide` figure scrolls sideways on a phone."""
        pin.drew(lambda: show_figure(figure, self.key(f"{name}_pinned"), f"Pinned. {alt}", wide))
        note_picture(self.key(name), Picture(PLOT, lambda: {"figure": figure.to_dict()}, alt))
        return show_figure(figure, self.key(name), alt, wide)

    def view(
        self,
        view: str,
        data: dict,
        name: str = "view",
        on: Mapping[str, Callable] | None = None,
        height: int | str = "content",
        alt: str = "",
    ) -> None:
        """Mount the browser view `view` with `data`; `on[event](value)` is called when the learner commits a value.

        The view writes its step into the query by itself, as `<lesson>_<name>_step`. `alt` says in its description what the
        view's own data does not: which of several pictures it is, or what it shows.
        """
        pin.drew(lambda: self._pinned_view(view, data, name, height))
        live_values.note_read(self.key(f"{name}_"))
        note_picture(self.key(name), self.picture_at(view, data, f"{name}_step", alt))
        browser_view(view, {**data, "address": self.key(name)}, self.key(name), on, height)

    def _pinned_view(self, view: str, data: dict, name: str, height: int | str = "content") -> None:
        """Mount the pinned copy of a view. It has a step of its own and sets no control."""
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
        """Step through `frames` (see core/figures/frame.py) in the browser; draw nothing if there are none.

        `total` is the number of steps, with those that the learner has not guessed yet; `shared` is data that all pictures
        use. `sentence_first` puts each sentence above its picture. A page may show its step twice, under two names; one bar
        then moves both.
        """
        if frames:
            data = {"frames": list(frames), "total": total or len(frames), "shared": shared}
            data["sentenceFirst"] = sentence_first
            self.stepped_view("steps", data, start, name=name)

    def stepped_view(
        self,
        view: str,
        data: dict,
        start: int = 1,
        on: Mapping[str, Callable] | None = None,
        name: str = "",
        alt: str = "",
    ) -> None:
        """Mount a browser view with steps; the query has its step as `<lesson>_step`, from 1."""
        pin.drew(lambda: self._pinned_view(view, {**data, "start": start - 1}, name or view))
        live_values.note_read(self.key("step"))
        begun = {**data, "start": start - 1, "predicting": bool(self.get_state("predict"))}
        note_picture(self.key(name or view), self.picture_at(view, begun, "step", alt))
        browser_view(view, {**begun, "address": self.name}, self.key(name or view), on)

    def picture_at(self, view: str, data: dict, step: str, alt: str = "") -> Picture:
        """Return a view's picture at the step at which the learner left it."""

        def make() -> dict:
            at = self.step_kept(step)
            return data if at is None else {**data, "start": at - 1}

        return Picture(view, make, alt, step)

    def step(self, steps: Sequence[str], name: str = "step", start: int = 1) -> int:
        """Draw buttons and a slider over named steps; return the index of the chosen one, from 0."""
        return stepper(self, steps, name, start)

    def ask(self, question: str, choices: Sequence[str], answer: str, about: str = "") -> bool:
        """Ask `question` if the learner predicts first; return whether the answer may be shown.

        While it returns False, no figure, table or view may hold the answer. `about` identifies the question (a word, a
        step): a new `about` is a new question.
        """
        return predict_first(self, question, choices, answer, about)

    def ask_in_turn(self, steps: int, question_of: Callable[[int], Question | None]) -> int:
        """Ask about one step after another if the learner predicts first; return how many steps may be shown.

        `question_of(i)` is the question before step i, from 0, or None if that step has no question.
        """
        return predict_in_turn(self, steps, question_of)

    def every_number(
        self, name: str, make: Callable[..., pd.DataFrame | tuple[pd.DataFrame, Formula]], *arguments
    ) -> None:
        """Register a table; `make(*arguments)` is called when the learner opens the tab "Every number".

        It returns the table, alone or with `formula(row, column)`, which returns the LaTeX of the selected cell.
        """
        self.get_state("numbers").append(Numbers(name, make, arguments))

    def bench(self) -> Bench:
        """Return this session's training job and last result in this lesson."""
        return bench_of(self.name)

    def train(
        self, task: Callable, arguments: tuple, settings: object, watch: Callable[[list], None]
    ) -> Bench:
        """Draw the button Train or Stop, call `watch(reports)` during training, and return the bench."""
        return training_job(self, task, arguments, settings, watch)
