"""What `streamlit run app.py` starts: the server, warmed up and with its security headers.

The course itself is pages/course.py; why it is not this file, it says.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import net_util
from streamlit.web.server import server_util
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from core.lesson import browser_view, first_visits  # noqa: E402  (found by the path above)
from core.models.stored import StoredModelError, faults  # noqa: E402

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

# Streamlit asks an outside address for the server's own whenever a foreign page knocks, and lets every learner wait for
# the answer. The course asks nobody. (At the start it would ask for its greeting, which is ours: see .streamlit.)
net_util.get_external_ip = lambda: None
# What a learner uploads stays in memory: by itself, Starlette writes anything above 1 MB to the temporary folder.
MultiPartParser.spool_max_size = 16 << 20

# plotly needs 'unsafe-eval' and Streamlit 'unsafe-inline'; neither may come from another host.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
HEADERS = {
    b"content-security-policy": CONTENT_SECURITY_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}
# What Streamlit and plotly import only when first needed, which would then be scanned for ever.
LATE = {"pandas", "pyarrow", "plotly.graph_objects", "plotly.io", "sklearn.decomposition", "torch"}
# Their models and first results take the first learner seconds, so the server visits them first.
SLOW_AT_FIRST = ("positions", "weight_tying", "tagging", "self_attention", "edit_attention")
OPEN_FILES = 10_240  # the most that macOS gives
ready = False


class SecurityHeaders:
    """ASGI middleware that adds HEADERS to every HTTP response."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        """Pass the request on; add the headers to the start of its response."""

        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].lower() not in HEADERS]
                message = {**message, "headers": [*kept, *HEADERS.items()]}
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def warm_up() -> None:
    """Import everything a page needs and draw every card's picture, then freeze the garbage collector.

    Streamlit collects garbage after every run, holding the interpreter; what is frozen is not scanned.
    """
    for module in LATE:
        importlib.import_module(module)
    from pages.home import cards, reading

    # Small models and small matrices: more threads only wait for one another, and for other learners. The limits
    # hold for the libraries loaded so far, hence after the imports.
    sys.modules["torch"].set_num_threads(1)
    threadpool_limits(1)
    cards()
    for fault in faults():
        logging.getLogger("attend").warning(fault)
    with suppress(StoredModelError):  # the home page's model is read and its counts are made ready
        reading("a")
    gc.collect()
    gc.freeze()


def greeting() -> str:
    """Return where the course is found, for whoever started it: on this machine, and in its network."""
    address = net_util.get_internal_ip()
    network = f"  Network URL: {server_util.get_url(address)}\n" if address else ""
    return f"\n  Attend is ready. Local URL: {server_util.get_url('localhost')}\n{network}\n"


def raise_open_files() -> None:
    """Let the server open as many files as the system lets it: each learner takes four, and many systems begin at 256."""
    if resource:
        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        asked = OPEN_FILES if most == resource.RLIM_INFINITY else min(most, OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, asked), most))


@asynccontextmanager
async def lifespan(app):
    """Warm up before the first visitor; stop the training workers at the end."""
    global ready
    raise_open_files()
    warm_up()
    from core.lesson import training_job

    training_job.start_workers()
    ready = True
    visits = (
        asyncio.create_task(first_visits.make_visits(app, SLOW_AT_FIRST)) if first_visits.are_on() else None
    )
    sys.stdout.write(greeting())
    sys.stdout.flush()
    yield {}
    if visits:
        visits.cancel()
    ready = False
    training_job.stop_workers()


async def readiness(_request):
    """Answer 200 once the warm-up is done, else 503, and which lessons the server has visited so far."""
    answer = {"ready": ready, "visited": first_visits.visited()}
    return JSONResponse(answer, status_code=200 if ready else 503)


def apologise(error: Exception) -> bool:
    """Log a mistake of ours; tell the learner in a sentence instead of showing a trace."""
    logging.getLogger("attend").error("A page stopped.", exc_info=error)
    if isinstance(error, StoredModelError):
        st.error(str(error))
        return True
    st.error(
        "This page stopped on a mistake of ours. Your text and your settings are kept: "
        "change the last setting back, reload the page, or go on with another lesson."
    )
    return True


app = st.App(
    ROOT / "pages" / "course.py",
    lifespan=lifespan,
    middleware=[Middleware(SecurityHeaders), Middleware(first_visits.NoticesLearners)],
    on_script_error=apologise,
    routes=[Route("/ready", readiness), *browser_view.routes()],
)
