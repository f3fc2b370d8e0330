"""Take it away: a link to this very picture, PNG or SVG, and a notebook that computes it again with core."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


def notebook(title: str, cells: Sequence[str]) -> bytes:
    """Return a Jupyter notebook (format 4.5): `title` as a heading, then one code cell a string.

    >>> json.loads(notebook("Map", ["1 + 1"]))["cells"][1]["source"]
    '1 + 1'
    """
    heading = {"cell_type": "markdown", "id": "title", "metadata": {}, "source": f"# {title}"}
    code = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(cells)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": [heading, *code],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1).encode()


def take_away(lesson: Lesson, cells: Sequence[str], files: Mapping[str, tuple[str, bytes]] | None = None):
    """Offer the link, the picture's format, the notebook made of `cells`, and any `files` {label: (name, bytes)}."""
    with st.expander("Take it away"):
        st.caption(
            "This link opens the lesson as you see it now. Text that you pasted or uploaded stays with you."
        )
        st.code(st.context.url or "", language=None)
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
                notebook(lesson.title, cells),
                file_name=f"{lesson.name}.ipynb",
                mime="application/x-ipynb+json",
                key=lesson.key("notebook"),
                on_click="ignore",
                help="Run it in this project's folder: it calls the same core as this page.",
            )
            for label, (name, content) in (files or {}).items():
                st.download_button(label, content, file_name=name, key=lesson.key(name), on_click="ignore")
