"""A lesson's controls: each is prefixed with the lesson's name, and bound to the address, so that a link is the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from core.lesson import sessions
from core.lesson.address import finite, forget, forget_unless, tell
from core.lesson.live_values import holds_typed, holds_words, reads


class Controls:
    """What the session and the address keep under a lesson's name."""

    name: str

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
        reads(self.key(name))
        return st.query_params.get(self.key(name), otherwise)

    def link(self, name: str, value: object | None) -> None:
        """Write such a value into the address, or take it out: None."""
        if value is None:
            st.query_params.pop(self.key(name), None)
        elif self.linked(name) != str(value):
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
        tell(key, shown)
        return shown

    def slider(self, name: str, label: str, least: float, most: float, *args, **options):
        """Draw a slider over numbers and return the chosen one.

        What was chosen when the slider was longer is brought back to its end: Streamlit would refuse it.
        """
        kept = self.value(name)
        if isinstance(kept, (int, float)) and not least <= kept <= most:
            self.put(name, most if kept > most else least)
        return self.bound(st.slider, name, label, least, most, *args, **options)

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

    def toggle(self, name: str, label: str, ordinary: bool = False, **options) -> bool:
        """Draw a switch and return whether it is on; it is as `ordinary` at first."""
        return self.bound(st.toggle, name, label, ordinary, **options)

    def text(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a line of text and return what was typed."""
        return self.words(st.text_input, name, label, default, **options)

    def text_area(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a text and return what was typed."""
        return self.words(st.text_area, name, label, default, **options)

    def words(self, draw: Callable, name: str, label: str, default: str, **options) -> str:
        """Draw a field for words, note whose words it holds, and return them."""
        holds_words(self.key(name))
        shown = self.bound(draw, name, label, default, **options)
        holds_typed(self.key(name), shown != default)
        return shown

    def private_text(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a text of the learner's that the address never holds, and return it.

        It is for one line, unless it has a height.
        """
        draw = st.text_area if "height" in options else st.text_input
        shown = draw(label, default, key=self.key(name), **options)
        holds_typed(self.key(name), shown != default)
        return shown

    def upload(self, name: str, label: str, **options):
        """Draw a field for a file of the learner's and return it, None when there is none."""
        return sessions.upload(label, key=self.key(name), **options)

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
