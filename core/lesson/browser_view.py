"""Browser views: a picture that is stepped, dragged or pointed at in the browser, from data sent once.

A view is assets/views/<name>/view.js (an ES module whose default export draws) and view.css; what all views share
stands in assets/views/shared. It draws numbers that core computed and reports only what the learner committed to.

Streamlit would send a view's code with every run of a page that mounts it, more bytes than most pictures have. So what
it sends is one line, which fetches the code from an address that the browser keeps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from zlib import crc32

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.components.v2.bidi_component.main import BidiComponentMixin

from core.figures.palette import HUES as HUE_NAMES
from core.figures.palette import INKS, rgb

VIEWS = Path(__file__).resolve().parents[2] / "assets" / "views"
FETCHED = (
    'const {{ default: draw }} = await import(new URL("{address}", location.origin));\nexport default draw;'
)
IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|class|function)\b)", re.MULTILINE)
HUES = "".join(f"--{name}: {colour};" for name, colour in HUE_NAMES.items())
HUES += "".join(f"--ink-{name}: light-dark({light}, {dark});" for name, (light, dark) in INKS.items())
OF_PAGE = "page.css"  # in a view's folder: its rules for the page around it


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
            *(
                path.read_text(encoding="utf-8")
                for path in sorted(view.glob("*.css"))
                if path.name != OF_PAGE
            ),
        )
    )


@cache
def page_styles() -> str:
    """Return the rules of the page itself: course.css, each view's for the page around it, and inks for plotly's words.

    plotly knows one colour for light and dark; a word in a hue takes that hue's ink.
    """
    files = [VIEWS.parent / "course.css", *sorted(VIEWS.glob(f"*/{OF_PAGE}"))]
    inks = [
        f'.js-plotly-plot text[style*="rgb{rgb(HUE_NAMES[name])}"] {{ fill: light-dark({light}, {dark}) !important; }}'
        for name, (light, dark) in INKS.items()
    ]
    return "\n".join((*(path.read_text(encoding="utf-8") for path in files), *inks))


@cache
def code_of(name: str) -> str:
    """Return the JavaScript of a view. Raises FileNotFoundError if there is none of that name."""
    return bundled(VIEWS / name / "view.js")


def address_of(name: str) -> str:
    """Return where the server answers a view's code; a digest of it stands in the address, so it never ages."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{f'/{base}' if base else ''}/views/{name}.{crc32(code_of(name).encode()):08x}.js"


async def serve_code(request: Request) -> Response:
    """Answer a view's code under its address, nothing under any other."""
    name = request.path_params["file"].partition(".")[0]
    if name not in {folder.name for folder in VIEWS.iterdir()} or request.url.path != address_of(name):
        return Response("There is no such view.", 404)
    kept = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(code_of(name), media_type="text/javascript", headers=kept)


def routes() -> list[Route]:
    """Return the server's routes to the code of all views."""
    return [Route(address_of("steps").rpartition("/")[0] + "/{file}", serve_code)]


# To tell views apart, Streamlit writes their data again and digests it; then it takes the key alone, and ours all have one.
BidiComponentMixin._build_bidi_identity_kwargs = lambda self, **_: {}

_mounted: dict[str, str] = {}  # key -> the view, of all that this server has shown


def codes_of(lesson: str) -> list[str]:
    """Return the addresses of the code that a lesson's pictures have needed so far, on this server."""
    return sorted({address_of(view) for key, view in _mounted.items() if key.startswith(f"{lesson}_")})


@cache
def _component(name: str):
    fetched = FETCHED.format(address=address_of(name))
    return st.components.v2.component(f"attend_{name}", css=styles(VIEWS / name), js=fetched)


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
    _mounted[key] = name
    # In a list Streamlit would look for a table, at some cost.
    sent = {field: tuple(value) if type(value) is list else value for field, value in data.items()}
    _component(name)(data=sent, key=key, height=height, **callbacks)
