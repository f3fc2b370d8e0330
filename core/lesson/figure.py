"""Draw a plotly figure, with a text alternative and a camera button that saves PNG or SVG."""

from __future__ import annotations

import streamlit as st
from plotly.basedatatypes import BaseFigure

from core.figures.figure import Figure

BUTTONS_LEFT_OUT = ["select2d", "lasso2d", "autoScale2d"]


class Ready(BaseFigure):
    """A plotly figure that is already a dictionary.

    Streamlit builds graph objects from a dictionary to validate it, which is slow. Of a BaseFigure it only calls to_dict().
    """

    def __init__(self, figure: Figure):
        object.__setattr__(self, "to_dict", figure.to_dict)


def picture_format() -> str:
    """Return the format that the camera button saves: "png" or "svg"."""
    return st.session_state.get("picture_format", "png")


def show_figure(figure: Figure, key: str, alt: str, wide: bool = False):
    """Draw a figure; `alt` describes it in one sentence. A `wide` figure scrolls sideways on a phone."""
    box = st.container(key=f"{key}_scrolls") if wide else st  # course.css sets its minimum width
    config = {
        "displaylogo": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"format": picture_format(), "filename": key, "scale": 2},
        "modeBarButtonsToRemove": BUTTONS_LEFT_OUT,
    }
    return box.plotly_chart(Ready(figure), key=key, config=config, alt=alt)
