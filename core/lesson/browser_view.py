"""Browser views: a picture that is stepped, dragged or pointed at in the browser, from data sent once.

A view is assets/views/<name>/view.js (an ES module whose default export draws) and view.css. It draws numbers
that core computed and returns only what the learner committed to.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

VIEWS = Path(__file__).resolve().parents[2] / "assets" / "views"


@cache
def _component(name: str):
    folder = VIEWS / name
    return st.components.v2.component(
        f"attend_{name}",
        css=(folder / "view.css").read_text(encoding="utf-8"),
        js=(folder / "view.js").read_text(encoding="utf-8"),
    )


def browser_view(name: str, data: dict, key: str, default: dict | None = None, height: int | str = "content"):
    """Mount the view `name` with `data` (JSON) and return its state.

    `default` names the values that the view may set, with what each is before the learner acts; each becomes an
    attribute of the result and causes a rerun when it changes.
    """
    default = default or {}
    callbacks = {f"on_{value}_change": lambda: None for value in default}
    return _component(name)(data=data, key=key, default=default, height=height, **callbacks)
