"""Showing a plotly figure: theme, width, keyboard-reachable name, and pictures to take away as PNG or SVG."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import plotly.graph_objects as go
import streamlit as st

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


BUTTONS_LEFT_OUT = ["select2d", "lasso2d", "autoScale2d"]


def picture_format() -> str:
    """Return the format that a figure's camera button saves: "png" or "svg"."""
    return st.session_state.get("picture_format", "png")


def show_figure(figure: go.Figure, key: str, alt: str, on_select: Callable[[], None] | None = None):
    """Draw a figure; `alt` says in a sentence what it shows. `on_select` is called when points are selected."""
    config = {
        "displaylogo": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"format": picture_format(), "filename": key, "scale": 2},
        "modeBarButtonsToRemove": [] if on_select else BUTTONS_LEFT_OUT,
    }
    return st.plotly_chart(figure, key=key, config=config, alt=alt, on_select=on_select or "ignore")


@cache
def drawn_card(lesson: Lesson) -> go.Figure:
    """Return the picture of a lesson's card, drawn once for all sessions."""
    return lesson.picture()


def show_card(lesson: Lesson) -> None:
    """Draw the small, still picture of a lesson's card."""
    st.plotly_chart(
        drawn_card(lesson),
        key=lesson.key("card"),
        config={"staticPlot": True},
        alt=f"Picture of the lesson {lesson.title}",
    )
