"""A lesson's controls. Each key begins with the lesson's name and is bound to the URL query, so a link is the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.lesson import sessions
from core.lesson.address import finite, forget, forget_unless, was_drawn, write_query
from core.lesson.live_values import note_read, note_typed, note_words_field
from core.lesson.settings import Choice

TAB = "below"  # the name of the footer's tabs in the session and the query; saved links hold it


class Controls:
    """State and controls of one lesson. `Lesson` adds the other blocks; blocks need only what is here."""

    name: str
    title: str
    question: str
    is_story: bool

    # State in the session and in the query.

    def key(self, name: str) -> str:
        """Return the key of a control, in the session and in the query: `<lesson>_<name>`."""
        return f"{self.name}_{name}"

    def get_state(self, name: str, otherwise: object = None) -> object:
        """Return the session's value of a name, also before its control is drawn; `otherwise` if there is none."""
        return st.session_state.get(self.key(name), otherwise)

    def set_state(self, name: str, value: object) -> None:
        """Set the session's value of a name. It replaces the value in the query.

        A control of that name must not have been drawn in this run. In a callback it may be set at any time.
        """
        forget(self.key(name))
        st.session_state[self.key(name)] = value

    def pop_state(self, name: str, otherwise: object = None) -> object:
        """Remove the session's value of a name and return it."""
        return st.session_state.pop(self.key(name), otherwise)

    def get_query(self, name: str, otherwise: str = "") -> str:
        """Return the query's value of a name without a control, such as a selected cell or an edited table."""
        note_read(self.key(name))
        return st.query_params.get(self.key(name), otherwise)

    def set_query(self, name: str, value: object | None) -> None:
        """Write the value of a name without a control into the query; None removes it."""
        if value is None:
            st.query_params.pop(self.key(name), None)
        elif self.get_query(name) != str(value):
            st.query_params[self.key(name)] = str(value)

    # Controls. Each has a query parameter; further options go to Streamlit unchanged.

    def bound(
        self, draw: Callable, name: str, *args, is_valid: Callable[[str], bool] | None = None, **options
    ):
        """Draw a control with Streamlit's function `draw`, bound to the query; return its value.

        The query's value is removed first if it is not valid.
        """
        key = self.key(name)
        if is_valid:
            forget_unless(key, is_valid)
        shown = draw(*args, key=key, bind="query-params", **options)
        write_query(key, shown)
        return shown

    def slider(self, name: str, label: str, least: float, most: float, first=None, *args, **options):
        """Draw a slider over numbers and return its value; `first` is the default, `least` if it is None.

        To Streamlit, a slider with another range is another control: it would start with a value from before the last one,
        which may lie outside. So the value that the slider had goes with it; one that was never moved follows the default.
        """
        range_key, now = self.key(f"{name}.range"), (least, most, least if first is None else first)
        then = st.session_state.get(range_key, now)
        if then[:2] != now[:2] and was_drawn(self.key(name)):
            kept = self.get_state(name)
            self.set_state(name, now[2] if kept == then[2] else kept)
        st.session_state[range_key] = now
        self.clip(name, least, most)
        return self.bound(st.slider, name, label, least, most, first, *args, **options)

    def clip(self, name: str, least: float | None, most: float | None) -> None:
        """Bring a number back into a range that was larger when it was chosen. Streamlit would raise an error."""
        kept = self.get_state(name)
        if isinstance(kept, (int, float)):
            within = kept if most is None else min(kept, most)
            within = within if least is None else max(within, least)
            if within != kept:
                self.set_state(name, within)

    def select_slider(self, name: str, label: str, choices: Sequence, **options):
        """Draw a slider over a list of choices and return the chosen one."""
        return self.bound(st.select_slider, name, label, choices, **options)

    def number(
        self, name: str, label: str, least: float | None = None, most: float | None = None, *args, **options
    ):
        """Draw a field for a number and return it."""
        self.clip(name, least, most)
        return self.bound(st.number_input, name, label, least, most, *args, is_valid=finite, **options)

    def select(self, name: str, label: str, choices: Sequence, *args, **options):
        """Draw a drop-down list and return the chosen item."""
        return self.bound(st.selectbox, name, label, choices, *args, **options)

    def choose(self, name: str, label: str, choices: Sequence, default: object = None, **options):
        """Draw a row of choices and return the chosen one; the default is the first."""
        default = choices[0] if default is None else default
        return self.bound(
            st.segmented_control,
            name,
            label,
            choices,
            default=default,
            required=True,
            is_valid=bool,
            **options,
        )

    def choose_id(self, setting: Choice, label: str, names: Mapping[str, str], **options) -> str:
        """Draw a choice whose options have labels, `names` {id: label}; the address holds the id.

        Streamlit would bind the labels to the address; so the id is read from it and written to it here.
        """
        key, ids = self.key(setting.name), setting.choices({})
        arrived = get_script_run_ctx() and get_script_run_ctx().is_history_navigation
        linked = self.get_query(setting.name)
        if key not in st.session_state or (arrived and linked) or st.session_state[key] not in ids:
            st.session_state[key] = setting.read(linked, {})
        elif arrived and not linked:
            st.session_state[key] = setting.default
        if len(ids) <= 4:
            chosen = st.segmented_control(
                label, ids, format_func=names.get, key=key, required=True, **options
            )
        else:
            chosen = st.selectbox(label, ids, format_func=names.get, key=key, **options)
        chosen = chosen if chosen in ids else setting.default  # what no browser sends
        self.set_query(setting.name, None if chosen == setting.default else chosen)
        return chosen

    def radio(self, name: str, label: str, choices: Sequence, *args, **options):
        """Draw radio buttons and return the chosen item; the default is the first."""
        return self.bound(st.radio, name, label, choices, *args, **options)

    def several(self, name: str, label: str, choices: Sequence, *args, **options):
        """Draw a list for several choices and return those chosen."""
        return self.bound(st.multiselect, name, label, choices, *args, **options)

    def choose_ids(
        self, name: str, label: str, names: Mapping[str, str], default: Sequence[str], **options
    ) -> list[str]:
        """Draw a row of choices, `names` {id: label}, that can each be on or off; return the ids of those that are on.

        The address holds the ids, as for `choose_id`.
        """
        key = self.key(name)
        note_read(key)
        arrived = get_script_run_ctx() and get_script_run_ctx().is_history_navigation
        linked = [each for each in st.query_params.get_all(key) if each in names]
        if key not in st.session_state or arrived:
            st.session_state[key] = linked or list(default)
        chosen = st.pills(
            label, list(names), selection_mode="multi", format_func=names.get, key=key, wrap=True, **options
        )
        if chosen == list(default):
            st.query_params.pop(key, None)
        elif chosen != st.query_params.get_all(key):
            st.query_params[key] = chosen
        return chosen

    def toggle(self, name: str, label: str, ordinary: bool = False, **options) -> bool:
        """Draw a switch and return whether it is on; the default is `ordinary`."""
        return self.bound(st.toggle, name, label, ordinary, **options)

    def text(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a line of text and return what was typed."""
        return self.field(st.text_input, name, label, default, **options)

    def text_area(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a text and return what was typed."""
        return self.field(st.text_area, name, label, default, **options)

    def field(self, draw: Callable, name: str, label: str, default: str, **options) -> str:
        """Draw a field for words, note that it holds the learner's words, and return its text."""
        note_words_field(self.key(name))
        shown = self.bound(draw, name, label, default, **options)
        note_typed(self.key(name), shown != default)
        return shown

    def private_text(self, name: str, label: str, default: str = "", **options) -> str:
        """Draw a field for a text that never goes into the query, and return the text.

        It has one line unless `height` is given.
        """
        draw = st.text_area if "height" in options else st.text_input
        shown = draw(label, default, key=self.key(name), **options)
        note_typed(self.key(name), shown != default)
        return shown

    def upload(self, name: str, label: str, **options):
        """Draw a field for one file and return the file; None if there is none or it is over the quota."""
        return sessions.upload(label, key=self.key(name), **options)

    def answer(
        self, name: str, label: str, choices: Sequence[str] | None = None, first: int | None = None, **options
    ) -> str | None:
        """Draw a field for an answer, a line of text or one of `choices`, and return it. It is not in the query.

        `first` is the index of the default choice, None for no default.
        """
        if choices is None:
            return st.text_input(label, key=self.key(name), **options)
        return st.selectbox(label, choices, index=first, key=self.key(name), **options)

    def form(self, name: str):
        """Return a form: its fields are sent together when a button drawn by `submit` is pressed."""
        return st.form(self.key(name), border=False)

    def submit(self, name: str, label: str, do: Callable, *args) -> None:
        """Draw a form's button, which calls `do(*args)` before the next run."""
        st.form_submit_button(label, on_click=do, args=args, key=self.key(name))

    def edit_table(self, name: str, table: pd.DataFrame, **options) -> pd.DataFrame:
        """Draw a table with editable cells and return the edited table."""
        return st.data_editor(table, key=self.key(name), **options)

    def table(self, name: str, table: pd.DataFrame, alt: str, **options) -> None:
        """Draw a table that cannot be edited; `alt` describes it in one sentence for screen readers."""
        st.dataframe(table, key=self.key(name), alt=alt, hide_index=True, **options)

    def button(self, name: str, label: str, do: Callable | None = None, *args, **options) -> bool:
        """Draw a button, which calls `do(*args)` before the next run; return whether it was just pressed."""
        return st.button(label, key=self.key(name), on_click=do, args=args, **options)

    def download(self, name: str, label: str, file_name: str, content: bytes | Callable, **options) -> None:
        """Draw a download button; if `content` is a function, it is called when the button is pressed."""
        st.download_button(
            label, content, file_name=file_name, key=self.key(name), on_click="ignore", **options
        )
