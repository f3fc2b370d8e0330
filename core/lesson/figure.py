"""Showing a plotly figure: theme, width, keyboard-reachable name, and pictures to take away as PNG or SVG."""

from __future__ import annotations

import streamlit as st
from plotly.basedatatypes import BaseFigure

from core.figures.figure import Figure

BUTTONS_LEFT_OUT = ["select2d", "lasso2d", "autoScale2d"]


class Ready(BaseFigure):
    """A figure that is data already.

    Streamlit builds graph objects from a dictionary, to check it, and asks a BaseFigure for nothing but its to_dict().
    This is the one place that knows.
    """

    def __init__(self, figure: Figure):
        object.__setattr__(self, "to_dict", figure.to_dict)


def picture_format() -> str:
    """Return the format that a figure's camera button saves: "png" or "svg"."""
    return st.session_state.get("picture_format", "png")


def show_figure(figure: Figure, key: str, alt: str, wide: bool = False):
    """Draw a figure; `alt` says in a sentence what it shows. One that is `wide` scrolls in its box on a phone."""
    box = st.container(key=f"{key}_scrolls") if wide else st  # its least width is in course.css
    config = {
        "displaylogo": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"format": picture_format(), "filename": key, "scale": 2},
        "modeBarButtonsToRemove": BUTTONS_LEFT_OUT,
    }
    return box.plotly_chart(Ready(figure), key=key, config=config, alt=alt)
