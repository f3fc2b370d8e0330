"""Browser views: a picture that is stepped, dragged or pointed at in the browser, from data sent once.

A view is assets/views/<name>/view.js (an ES module whose default export draws) and view.css. It draws numbers
that core computed and reports only what the learner committed to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
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


def _report(key: str, event: str, take: Callable) -> None:
    if not callable(take):  # TRANSITION
        return
    take(getattr(st.session_state[key], event))


def browser_view(
    name: str,
    data: dict,
    key: str,
    on: Mapping[str, Callable] | None = None,
    height: int | str = "content",
) -> None:
    """Mount the view `name` with `data` (JSON). `on[event](value)` is called when the view reports that event.

    It is called before the page runs again, so it may set the controls that the page is about to draw.
    """
    callbacks = {
        f"on_{event}_change": partial(_report, key, event, take) for event, take in (on or {}).items()
    }
    # TRANSITION
    default = {event: take for event, take in (on or {}).items() if not callable(take)}
    return _component(name)(data=data, key=key, height=height, default=default, **callbacks)
