"""Browser views: pictures that the learner steps, drags or points at in the browser, from data sent once.

A view is assets/views/<name>/view.js (an ES module whose default export draws) and view.css; assets/views/shared is their
kit. A view draws numbers that core computed, and reports only values that the learner committed.

Streamlit would send a view's code with every run that mounts it, often more bytes than the picture's data. So we send one
line, which imports the code from a URL that the browser caches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from zlib import crc32

import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from core.figures.palette import HUES as HUE_NAMES
from core.figures.palette import INKS, rgb
from core.lesson.static_files import KEPT_FOR_GOOD, answer_for_good, base_path
from core.words.language import ENGLISH, LANGUAGES, cache_by_language, language, speaking

FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"
FONT = FONTS / "noto-sans-math.woff2"
# Signs that Streamlit's fonts lack, most for blanks and new lines in tokens; a part of the font of formulas (pyftsubset).
SIGNS = FONTS / "noto-sans-math-signs.woff2"
SIGNS_HELD = "␣⇥↵∅∇∈∣⊙⊤⋅"
VIEWS = Path(__file__).resolve().parents[2] / "assets" / "views"
FETCHED = (
    'const {{ default: draw }} = await import(new URL("{address}", location.origin));\nexport default draw;'
)
IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|class|function)\b)", re.MULTILINE)
HUES = "".join(f"--{name}: {colour};" for name, colour in HUE_NAMES.items())
HUES += "".join(f"--ink-{name}: light-dark({light}, {dark});" for name, (light, dark) in INKS.items())
UNTRANSLATED = "const SAID = {};"  # in shared/labels.js
PLOT = "figure"  # the view of a plotly figure in a story
OF_PAGE = "page.css"  # in a view's folder: rules for the page around the view


def bundled(module: Path) -> str:
    """Return a JavaScript module together with the modules it imports, each once, as one text.

    This replaces a build step. The modules share one scope, so no two of them may define the same name.
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
    return translate_code("\n".join((*(EXPORT.sub("", text) for text in imported), own)))


def translate_code(code: str) -> str:
    """Return code with the translations of the texts that it says, none where the reader's language is English."""
    said = {
        english: other
        for english, other in said_in(language()).items()
        if json.dumps(english, ensure_ascii=False) in code
    }
    return code.replace(UNTRANSLATED, f"const SAID = {json.dumps(said, ensure_ascii=False)};", 1)


@cache
def said_in(spoken: str) -> dict[str, str]:
    """Return the texts of the views' code, {English: translated}."""
    file = VIEWS / f"said.{spoken}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def styles(view: Path) -> str:
    """Return the CSS of a view: the palette as variables, the shared rules, then the view's own."""
    shared = (VIEWS / "shared" / "shared.css").read_text(encoding="utf-8")
    return "\n".join(
        (
            f":host {{{HUES}}}",
            shared,
            *(inks_of_plots() if view.name == PLOT else ()),
            *(
                path.read_text(encoding="utf-8")
                for path in sorted(view.glob("*.css"))
                if path.name != OF_PAGE
            ),
        )
    )


@cache
def page_styles() -> str:
    """Return the CSS of the page: course.css, each view's page.css, and text colours for plotly."""
    files = [VIEWS.parent / "course.css", *sorted(VIEWS.glob(f"*/{OF_PAGE}"))]
    return "\n".join((*font_faces(), *(path.read_text(encoding="utf-8") for path in files), *inks_of_plots()))


def inks_of_plots() -> list[str]:
    """Return CSS by which text in a hue gets that hue's ink: plotly has one colour for the light and the dark theme."""
    return [
        f'.js-plotly-plot text[style*="rgb{rgb(HUE_NAMES[name])}"] {{ fill: light-dark({light}, {dark}) !important; }}'
        for name, (light, dark) in INKS.items()
    ]


STREAMLIT_ROOT = b'id="root"'
EARLY = "early"  # the script that stands in the page before Streamlit's own


@cache_by_language
def code_of(name: str) -> str:
    """Return the JavaScript of a view, which exports its `styles` too. Raises FileNotFoundError if there is none."""
    if name == EARLY:
        return bundled(VIEWS / "shared" / "early.js")
    return f"{bundled(VIEWS / name / 'view.js')}\nexport const styles = {json.dumps(styles(VIEWS / name))};\n"


def address_of(name: str) -> str:
    """Return the URL of a view's code. It holds a checksum of the code, so browsers may cache it for ever."""
    return f"{base_path()}/views/{name}.{crc32(code_of(name).encode()):08x}.js"


def font_address(font: Path = FONT) -> str:
    """Return where the server answers a font of assets/fonts."""
    return f"{address_of(EARLY).rpartition('/')[0]}/{font.stem}.{crc32(font.read_bytes()):08x}.woff2"


def font_faces() -> list[str]:
    """Return the CSS of our fonts: that of formulas, and the signs as a part of Streamlit's own families."""
    source = 'src: url("{}") format("woff2");'
    held = ", ".join(f"U+{ord(sign):04X}" for sign in SIGNS_HELD)
    formulas = f'@font-face {{ font-family: "Attend Math"; {source.format(font_address())} }}'
    signs = [
        f'@font-face {{ font-family: "{family}"; font-style: {style}; font-weight: 100 900; unicode-range: {held}; '
        f"{source.format(font_address(SIGNS))} }}"
        for family in ("Source Sans", "Source Code Pro")
        for style in ("normal", "italic")
    ]
    return [formulas, *signs]


async def serve_font(request: Request) -> Response:
    """Answer a font, which no system needs to have."""
    font = next(each for each in (FONT, SIGNS) if request.url.path == font_address(each))
    return FileResponse(font, media_type="font/woff2", headers=KEPT_FOR_GOOD)


async def serve_code(request: Request) -> Response:
    """Answer a view's code in the language of its URL, or 404 for any URL that is not the current one of a view."""
    name = request.path_params["file"].partition(".")[0]
    if name != EARLY and name not in (folder.name for folder in VIEWS.iterdir()):
        return Response("There is no such view.", 404)
    return answer_in_language(request, lambda: address_of(name), lambda: code_of(name).encode()) or Response(
        "There is no such view.", 404
    )


def answer_in_language(
    request: Request, address: Callable[[], str], code: Callable[[], bytes]
) -> Response | None:
    """Answer JavaScript in the language whose address was asked for, None where it is none of them.

    The address holds a checksum of the code, and so tells the languages apart where their code differs.
    """
    for spoken in LANGUAGES:
        with speaking(spoken):
            if request.url.path == address():
                return answer_for_good(request, code(), "text/javascript")
    return None


def routes() -> list[Route]:
    """Return the server's routes to the code of all views, and to their font."""
    return [
        *(Route(font_address(font), serve_font) for font in (FONT, SIGNS)),
        Route(address_of("steps").rpartition("/")[0] + "/{file}", serve_code),
    ]


class AddsEarlyScript:
    """ASGI middleware that puts the course's key map into Streamlit's page, before Streamlit's own scripts."""

    def __init__(self, app: Callable):
        self.app = app

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        """Pass the request on; where its answer is an HTML page as it stands, add the script to its head."""
        start: dict = {}
        parts: list[bytes] = []

        async def send_with_script(message: dict) -> None:
            if message["type"] == "http.response.start":
                headers = dict(message["headers"])
                html = headers.get(b"content-type", b"").startswith(b"text/html")
                if html and b"content-encoding" not in headers:
                    start.update(message)
                    return
            elif start and message["type"] == "http.response.body":
                parts.append(message.get("body", b""))
                if message.get("more_body"):
                    return
                script = f'<script type="module" src="{address_of(EARLY)}"></script></head>'
                body = b"".join(parts)
                if STREAMLIT_ROOT in body:  # pages of rooms have keys of their own
                    body = body.replace(b"</head>", script.encode(), 1)
                    body = body.replace(b'lang="en"', f'lang="{language()}"'.encode(), 1)
                kept = [pair for pair in start["headers"] if pair[0] != b"content-length"]
                length = (
                    [(b"content-length", str(len(body)).encode())]
                    if len(kept) < len(start["headers"])
                    else []
                )
                await send({**start, "headers": kept + length})
                await send({**message, "body": body})
                return
            await send(message)

        headers = scope.get("headers", ())
        accepts = next((value for name, value in headers if name == b"accept"), b"")
        page = scope["type"] == "http" and scope["method"] == "GET" and b"text/html" in accepts
        if page:  # it comes as it stands, not compressed
            scope = {**scope, "headers": [pair for pair in headers if pair[0] != b"accept-encoding"]}
        await self.app(scope, receive, send_with_script if page else send)


_mounted: dict[str, str] = {}  # {key: view} of all views that this server has mounted


def codes_of(lesson: str) -> list[str]:
    """Return the URLs of the views that a lesson has mounted so far, in any session of this server."""
    return sorted({address_of(view) for key, view in _mounted.items() if key.startswith(f"{lesson}_")})


@cache_by_language
def _component(name: str):
    fetched = FETCHED.format(address=address_of(name))
    spoken = "" if language() == ENGLISH else f"_{language()}"
    return st.components.v2.component(f"attend_{name}{spoken}", css=styles(VIEWS / name), js=fetched)


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

    The callback runs before the page does, so it may set the state of controls that the page draws.
    """
    callbacks = {
        f"on_{event}_change": partial(_report, key, event, take) for event, take in (on or {}).items()
    }
    _mounted[key] = name
    # Streamlit checks whether a list is a table, which costs time; it does not check a tuple.
    sent = {field: tuple(value) if type(value) is list else value for field, value in data.items()}
    _component(name)(data=sent, key=key, height=height, **callbacks)
