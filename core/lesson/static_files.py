"""Files that a browser keeps for good, compressed once for all learners: our own code, plotly's and Streamlit's.

Streamlit answers its own code as it stands, because its server would compress it again for each learner. Over a lecture
hall's Wi-Fi these bytes are most of a first visit, so we compress each file when it is first asked for.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from streamlit import file_util

KEPT_FOR_GOOD = {"cache-control": "public, max-age=31536000, immutable"}
MEDIA_TYPES = {"js": "text/javascript", "css": "text/css"}


def base_path() -> str:
    """Return the path below which the server answers: "" or, behind a proxy, for instance "/attend"."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def answer_for_good(request: Request, content: bytes, media_type: str) -> Response:
    """Return a response that the browser keeps for good, compressed where the browser can read that."""
    headers = {**KEPT_FOR_GOOD, "vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(content, media_type=media_type, headers=headers)
    return Response(compress(content), media_type=media_type, headers={**headers, "content-encoding": "gzip"})


@cache
def compress(content: bytes) -> bytes:
    """Return content compressed by gzip."""
    return gzip.compress(content, 6)


@cache
def files_of_streamlit(kind: str) -> dict[str, Path]:
    """Return {name: file} of Streamlit's JavaScript ("js") or style sheets ("css"). Each name holds a hash."""
    return {file.name: file for file in Path(file_util.get_static_dir(), "static", kind).glob(f"*.{kind}")}


@cache
def read_file(file: Path) -> bytes:
    """Return the bytes of a file, read once."""
    return file.read_bytes()


def answer_file(request: Request, file: Path) -> Response:
    """Return a file as a response that the browser keeps for good. Reading and compressing it the first time blocks."""
    return answer_for_good(request, read_file(file), MEDIA_TYPES[file.suffix[1:]])


class CompressesStreamlitsFiles:
    """ASGI middleware that answers Streamlit's scripts and style sheets, which it would send uncompressed.

    st.App refuses a route below /static/, so this is not a route.
    """

    def __init__(self, app: Callable):
        self.app = app

    async def __call__(self, scope: dict, receive: Callable, send: Callable) -> None:
        """Answer the file that the path names, or pass the request on."""
        answer = self.app
        if scope["type"] == "http" and scope["method"] == "GET":
            folder, _, name = scope["path"].rpartition("/")
            base, _, kind = folder.rpartition("/static/")
            file = files_of_streamlit(kind).get(name) if kind in MEDIA_TYPES else None
            if file and base == base_path():
                answer = await run_in_threadpool(answer_file, Request(scope), file)
        await answer(scope, receive, send)
