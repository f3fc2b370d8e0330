"""What `streamlit run app.py` starts: the server, warmed up, with its security headers, under its own names.

The course itself is pages/course.py; why it is not this file, it says.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import logging
import os
import socket
import sys
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from streamlit import config, net_util
from streamlit.runtime import (
    app_session,
    memory_session_storage,
    memory_uploaded_file_manager,
    websocket_session_manager,
)
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.web.server import server_util
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from core.lesson import browser_view, first_visits, sessions  # noqa: E402  (found by the path above)
from core.models.stored import StoredModelError, faults  # noqa: E402

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

# Streamlit asks an outside address for the server's own whenever a foreign page knocks, and lets every learner wait for
# the answer. The course asks nobody. (At the start it would ask for its greeting, which is ours: see .streamlit.)
net_util.get_external_ip = lambda: None
# Every run of a page tells the theme anew, and for each of its six parts reads all of Streamlit's options, a fifth of what
# an empty page costs. The theme does not change while the server runs.
config.get_options_for_section = cache(config.get_options_for_section)
# Every element asks for options, each time under one lock, for which the runs of all learners queue. An option is one entry
# of a dictionary, which no thread can find half written.
config._config_lock = nullcontext()
# What a learner uploads stays in memory: by itself, Starlette writes anything above 1 MB to the temporary folder.
MultiPartParser.spool_max_size = 16 << 20
# glibc gives threads up to eight heaps a core, and what is freed in one is of no use to the others. Two runs go on at once.
M_ARENA_MAX, HEAPS = -8, 2
if set_allocation := getattr(ctypes.pythonapi, "mallopt", None):
    set_allocation(M_ARENA_MAX, HEAPS)
# A session holds files up to a quota, and is shut down on time. st.App takes its classes from these modules when it starts.
memory_uploaded_file_manager.MemoryUploadedFileManager = sessions.FilesWithinQuota
memory_session_storage.MemorySessionStorage = sessions.PunctualStorage
# And it runs in turn, sends what a run draws by the handful, and looks up what a field asks for.
app_session.ScriptRunner = sessions.TakesTurns
websocket_session_manager.AppSession = sessions.SendsTogether
SafeSessionState.filtered_state = property(sessions.LooksUp)

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
# The server opens every lesson once before a class comes; these, whose first results take long, before all others.
SLOW_AT_FIRST = ("positions", "likely_text", "weight_tying", "character_training", "byte_pairs")
OPEN_FILES = 10_240  # the most that macOS gives
# So many more objects than before, and they are scanned for garbage: a move makes thousands, and few refer to one another.
GARBAGE = 20_000
HOSTS = "ATTEND_HOSTS"  # in the environment: the names under which a server is found, separated by commas
NOT_OURS = "This server is not found under that name. Whoever runs it can add the name to ATTEND_HOSTS.\n"
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


def name_of(authority: str) -> str:
    """Return the name in what a Host header says, without its port; an address in its short form, else empty.

    >>> name_of("Attend.example:8501"), name_of("[::1]:8501"), name_of("[::ffff:127.0.0.1]"), name_of("a@b/c")
    ('attend.example', '::1', '127.0.0.1', '')
    """
    try:
        parts = urlsplit(f"//{authority}")
        name = (
            (parts.hostname or "").rstrip(".") if parts.netloc == authority and "@" not in authority else ""
        )
    except ValueError:
        return ""
    with suppress(ValueError):
        address = ip_address(name)
        return str(getattr(address, "ipv4_mapped", None) or address)
    return name


def own_names() -> set[str]:
    """Return the names under which this server may be asked: the machine's own, and those in ATTEND_HOSTS."""
    machine = socket.gethostname().lower()
    short = machine.partition(".")[0]
    given = filter(None, (name_of(name.strip().lower()) for name in os.environ.get(HOSTS, "").split(",")))
    return {"localhost", "127.0.0.1", "::1", machine, short, f"{short}.local", *given}


class OwnHostOnly:
    """ASGI middleware that answers only who asks for this server by a name or an address of its own.

    A foreign page could let its own name point to this machine (DNS rebinding) and would then be read as ours. Its name
    stands in the Host header, and in a WebSocket's Origin. A machine's own address is where the connection arrived.
    """

    def __init__(self, app):
        self.app = app
        self.names = own_names()

    async def __call__(self, scope, receive, send):
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket") or self.is_ours(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse(NOT_OURS, 421)(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def is_ours(self, scope) -> bool:
        """Return whether a request asks for this server, and a WebSocket comes from a page of it."""
        names = self.names | {
            name_of(f"[{address}]" if ":" in address else address) for address in arrived_at(scope)
        }
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        pages = [origin.partition("://")[2] for origin in origins] if scope["type"] == "websocket" else []
        return len(hosts) == 1 and all(name_of(each) in names for each in (*hosts, *pages))


def arrived_at(scope) -> list[str]:
    """Return the address of this machine at which a connection arrived, none where it came through a file."""
    return [scope["server"][0]] if scope.get("server") and scope["server"][1] is not None else []


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
    gc.set_threshold(GARBAGE)


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
    from pages import LESSONS

    training_job.start_workers()
    ready = True
    lessons = sorted((lesson.name for lesson in LESSONS), key=lambda name: name not in SLOW_AT_FIRST)
    giving_back = asyncio.create_task(sessions.give_back())
    visits = asyncio.create_task(first_visits.make_visits(app, lessons)) if first_visits.are_on() else None
    sys.stdout.write(greeting())
    sys.stdout.flush()
    yield {}
    giving_back.cancel()
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
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(OwnHostOnly),
        Middleware(first_visits.NoticesLearners),
    ],
    on_script_error=apologise,
    routes=[Route("/ready", readiness), *browser_view.routes()],
)
