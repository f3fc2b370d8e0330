"""The lab of a lesson: the whole bench, with the words of words.md. First the picture; other sections are folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

import streamlit as st

from core.lesson import footer, live_values, pin
from core.lesson.break_it import show_comparison
from core.lesson.browser_view import browser_view
from core.lesson.controls import Controls
from core.lesson.footer import Content, Footer, show_footer
from core.lesson.notebook import read_cells
from core.lesson.pictures import drawn_pictures
from core.lesson.settings import Setting, Slider, Switch, Text
from core.lesson.story import SHARED
from core.lesson.try_this import try_this
from core.words.texts import Words

BAR = "lab_bar"
DIGITS_AT_MOST = 4  # of a step's number
SECTIONS: list[Callable[[Lab], None]] = []  # what the pages add to the end of every lab


class Lab(Controls):
    """The blocks of a lab. A lesson's texts are named by their keys in its words.md."""

    module: str
    svg: str
    words: Words
    subject_words: Words | None

    def open_lab(self, asks: bool = False) -> None:
        """Keep room for the title's bar; `asks` offers to predict before the answer is shown, among the options."""
        self.set_state("numbers", [])
        self.set_state("asks", asks)
        self.set_state(BAR, st.container(key=self.key("lab_box")))
        self.set_state("tour_box", st.container(key=self.key("tour_box")))

    def show_bar(self, pinned: Mapping[str, object]) -> None:
        """Fill the bar: the lesson's name, its question, the way to the story, and the pin."""
        data = {
            "lesson": self.name,
            "title": self.title,
            "question": self.question,
            "icon": self.svg,
            "labels": {key: SHARED.label(key) for key in ("story", "home", "pin", "unpin", "pin.help")},
            **pinned,
        }
        with self.pop_state(BAR):
            browser_view(BAR, data, self.key(BAR), on={"pin": partial(pin.pin, self)})

    def options(self, name: str = "options"):
        """Return a container for controls that are rarely used, behind a button of the strip.

        Another `name` makes a second one, on the strip of another section.
        """
        box = st.popover(SHARED.label("options"), key=self.key(name))
        if self.get_state("asks") and name == "options":
            with box:
                self.toggle("predict", SHARED.label("predict"), help=SHARED.label("predict.help"))
        return box

    def label_of(self, key: str, otherwise: str = "") -> str:
        """Return a label of the lesson, or of its subject, or else `otherwise`."""
        for words in (self.words, self.subject_words):
            if words and words.has(key):
                return words.label(key)
        return otherwise

    def draw(self, setting: Setting, **options) -> object:
        """Draw the control of a setting and return its value; it is in the address under its name."""
        label, name = self.label_of(setting.name, setting.name), setting.name
        options = {"help": self.label_of(f"{name}.help") or None, **options}
        if isinstance(setting, Slider):
            least, most = setting.ends({})
            return self.slider(name, label, least, most, setting.default, step=setting.step, **options)
        if isinstance(setting, Switch):
            return self.toggle(name, label, setting.default, **options)
        if isinstance(setting, Text):
            return self.text(name, label, setting.default, max_chars=setting.longest, **options)
        names = {each: self.label_of(f"{name}.{each}", each) for each in setting.choices({})}
        return self.choose_id(setting, label, names, **options)

    def fold(self, name: str, **values: object):
        """Return the container of a section that is computed once the learner opens it, None until then."""
        return self.open_fold(name, self.words.heading(f"fold.{name}", **values))

    def open_fold(self, name: str, title: str):
        """Return the container of a section with a title of its own, None until the learner opens it."""
        box = st.expander(f"**{title}**", key=self.key(name), on_change="rerun", bind="query-params")
        return box if footer.is_open(box) else None

    def step_kept(self, name: str) -> int | None:
        """Return the step, from 1, that a view keeps under a name; None while it is the one that the view began with.

        Streamlit does not hear of that (assets/views/shared/address.js): it knows the address that the page was opened with,
        and what the view "description" has told it since.
        """
        linked = st.query_params.get(self.key(name), "")
        digits = linked.isdecimal() and len(linked) <= DIGITS_AT_MOST
        return self.get_state(f"{name}_told", int(linked) if digits and int(linked) else None)

    def take_step(self, told: Mapping[str, object] | None) -> None:
        """Take the step that a view was moved to: {"name": where it keeps it, "at": step}; None for where it began."""
        if told and told["name"] in {each.step for each in drawn_pictures()}:
            at = told["at"]
            right = type(at) is int and 0 < at < 10**DIGITS_AT_MOST
            self.set_state(f"{told['name']}_told", at if right else None)

    def say(self, key: str, values: Mapping[str, object] | None = None) -> None:
        """Say below the picture, in one sentence of words.md, what is to be seen in it."""
        values = values or {}
        self.caption(self.words.markdown(key, **values))
        named = {name: value for name, value in values.items() if self.words.has(f"value.{name}")}
        live_values.set_values(**{self.words.label(f"value.{name}"): value for name, value in named.items()})

    def compare(
        self,
        name: str,
        whole: float,
        broken: float,
        form: str = ".2f",
        more_is_better: bool | None = True,
    ) -> None:
        """Show one measure with a piece of the method and without it; the words of both are compare.<name>.*."""
        labels = (self.words.label(f"compare.{name}{end}") for end in ("", ".whole", ".broken"))
        show_comparison(*labels, whole, broken, form, more_is_better)

    def close_lab(
        self,
        code: Sequence[Callable],
        parameters: Mapping[str, object],
        prompts: Mapping[str, Mapping[str, object]],
        credits: Sequence[str] = (),
        files: Mapping[str, tuple[str, Content]] | None = None,
    ) -> None:
        """End the lab: what to try, the formula, every number, the code that ran, what can be taken away, sources.

        `parameters` are the values of the notebook's cell "parameters"; `prompts` {name: settings} have their words as
        prompt.<name>; `credits` are sources beside those of words.md.
        """
        for show in SECTIONS:
            show(self)
        try_this(self, [(self.words.label(f"prompt.{name}"), each) for name, each in prompts.items()])
        file = Path(import_module(self.module).__path__[0]) / "notebook.py"
        formula = ("", self.words.markdown("formula")) if self.words.has("formula") else ("", "")
        sources = list(dict.fromkeys((*self.words.entries("sources"), *credits)))
        cells = read_cells(file.read_text(encoding="utf-8"), parameters)
        numbers = self.pop_state("numbers")
        show_footer(self, Footer(formula, numbers, code, cells, files or {}, sources))
