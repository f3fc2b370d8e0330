"""Browser views: a picture that is stepped, dragged or pointed at in the browser, from data sent once.

A view is assets/views/<name>/view.js (an ES module whose default export draws) and view.css; what all views share
stands in assets/views/shared. It draws numbers that core computed and reports only what the learner committed to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

import streamlit as st

from core.figures.palette import HUES as HUE_NAMES

VIEWS = Path(__file__).resolve().parents[2] / "assets" / "views"
IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|class|function)\b)", re.MULTILINE)
HUES = "".join(f"--{name}: {colour};" for name, colour in HUE_NAMES.items())


def bundled(module: Path) -> str:
    """Return a module of JavaScript with those that it imports written before it, each once.

    The browser gets one text, so that there is no build step; hence no two of the modules may use one name.
    """
    texts: dict[Path, str] = {}

    def add(path: Path) -> None:
        if path in texts:
            return
        text = path.read_text(encoding="utf-8")
        for name in IMPORT.findall(text):
            add((path.parent / name).resolve())
        texts[path] = IMPORT.sub("", text)

    add(module.resolve())
    *imported, own = texts.values()
    return "\n".join((*(EXPORT.sub("", text) for text in imported), own))


def styles(view: Path) -> str:
    """Return a view's stylesheets after those that all views share, with the palette's hues as variables."""
    shared = (VIEWS / "shared" / "shared.css").read_text(encoding="utf-8")
    return "\n".join(
        (
            f":host {{{HUES}}}",
            shared,
            *(path.read_text(encoding="utf-8") for path in sorted(view.glob("*.css"))),
        )
    )


@cache
def _component(name: str):
    return st.components.v2.component(
        f"attend_{name}", css=styles(VIEWS / name), js=bundled(VIEWS / name / "view.js")
    )


def _report(key: str, event: str, take: Callable) -> None:
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
    _component(name)(data=data, key=key, height=height, **callbacks)
