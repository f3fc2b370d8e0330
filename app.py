"""The server that `streamlit run app.py` starts: warm-up, security headers, and a check of the host name.

The course itself is pages/course.py, which also says why it is a separate file.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import os
import socket
import sys
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from streamlit import net_util
from streamlit.web.server import server_util
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from core.descriptions.description_routes import description_routes  # noqa: E402
from core.lesson import browser_view, sessions, static_files, story_page, warmup  # noqa: E402  (found by the path above)
from core.lesson.failure_log import failures  # noqa: E402
from core.lesson.lab_words import LAB_WORDS  # noqa: E402
from core.lesson.reader import ReadsLanguage  # noqa: E402
from core.lesson.streamlit_replacements import replace_all  # noqa: E402
from core.models.stored import StoredModelError, faults  # noqa: E402
from core.room.room_routes import room_routes  # noqa: E402
from core.training.published import PUBLISHED  # noqa: E402  (every stored model by its name)

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

# Uploads stay in memory. By default Starlette writes files above 1 MB to the temporary folder.
MultiPartParser.spool_max_size = 16 << 20
# glibc uses up to eight heaps per core, and memory freed in one is not used by another. We run two scripts at once.
# Blocks of a megabyte and more stay out of the heaps, so that freeing one gives it back: once a larger one was freed,
# glibc would put blocks of up to 32 MB into them.
M_ARENA_MAX, HEAPS = -8, 2
M_MMAP_THRESHOLD, LARGE = -3, 1 << 20
if set_allocation := getattr(ctypes.pythonapi, "mallopt", None):
    set_allocation(M_ARENA_MAX, HEAPS)
    set_allocation(M_MMAP_THRESHOLD, LARGE)
replace_all()

# plotly needs 'unsafe-eval' and Streamlit 'unsafe-inline'. Nothing may come from another host.
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
# Modules that Streamlit and plotly import lazily. We import them before the garbage collector is frozen.
LATE = {"pandas", "pyarrow", "plotly.graph_objects", "plotly.io", "sklearn.decomposition", "torch"}
# The warm-up visits these lessons first, because their first results take longest.
SLOW_AT_FIRST = ("positions", "likely_text", "weight_tying", "character_training", "byte_pairs")
OPEN_FILES = 10_240  # the most that macOS allows
# The garbage collector runs after this many new objects. A run makes thousands, and few are in reference cycles.
GC_THRESHOLD = 20_000
HOSTS = "ATTEND_HOSTS"  # environment variable: the server's host names, separated by commas
NOT_OURS = "This server does not use that name. Its administrator can add the name to ATTEND_HOSTS.\n"
ready = False
process = (
    ""  # its name, drawn at each start: a page that finds another name reloads (assets/views/shared/lost.js)
)


class SecurityHeaders:
    """ASGI middleware that adds HEADERS to every HTTP response."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        """Pass the request on, and add the headers to its response."""

        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].lower() not in HEADERS]
                message = {**message, "headers": [*kept, *HEADERS.items()]}
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def name_of(authority: str) -> str:
    """Return the host name in a Host header, without its port; an IP address in short form; "" if it is malformed.

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
    """Return the host names of this server: the machine's own, and those in ATTEND_HOSTS."""
    machine = socket.gethostname().lower()
    short = machine.partition(".")[0]
    given = filter(None, (name_of(name.strip().lower()) for name in os.environ.get(HOSTS, "").split(",")))
    return {"localhost", "127.0.0.1", "::1", machine, short, f"{short}.local", *given}


class OwnHostOnly:
    """ASGI middleware that refuses requests for a host name or address that is not this server's.

    It prevents DNS rebinding, where a foreign page's host name points to this machine. That name is then in the Host header,
    and in a WebSocket's Origin. The machine's own address is the one at which the connection arrived. A WebSocket's Origin
    must be its Host: for another one, Streamlit would ask an external service for this machine's public address.
    """

    def __init__(self, app):
        self.app = app
        self.names = own_names()

    async def __call__(self, scope, receive, send):
        """Pass the request on, or answer 421, or close the WebSocket with code 1008."""
        if scope["type"] not in ("http", "websocket") or self.is_ours(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse(NOT_OURS, 421)(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def is_ours(self, scope) -> bool:
        """Return whether the Host header is this server's and, for a WebSocket, the Origin the same."""
        names = self.names | {
            name_of(f"[{address}]" if ":" in address else address) for address in arrived_at(scope)
        }
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        pages = [origin.partition("://")[2] for origin in origins] if scope["type"] == "websocket" else []
        return len(hosts) == 1 and name_of(hosts[0]) in names and all(page == hosts[0] for page in pages)


def arrived_at(scope) -> list[str]:
    """Return [the local IP address of a connection]; [] for a Unix socket."""
    return [scope["server"][0]] if scope.get("server") and scope["server"][1] is not None else []


def warm_up() -> None:
    """Import everything a page needs and draw every card's picture, then freeze the garbage collector.

    Streamlit collects garbage after every run, which blocks all threads. Frozen objects are not scanned.
    """
    for module in LATE:
        importlib.import_module(module)
    from pages.home import cards, reading

    # One thread per run: for small matrices more threads are slower, and other learners need the cores. The limits apply
    # to libraries that are already loaded, so they come after the imports.
    sys.modules["torch"].set_num_threads(1)
    threadpool_limits(1)
    for fault in faults(PUBLISHED):
        failures.write_model(fault)
    cards()
    with suppress(StoredModelError):  # load the home page's model and its counts
        reading("a")
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def greeting() -> str:
    """Return the text printed at the start, with the course's local and network URL."""
    address = net_util.get_internal_ip()
    network = f"  Network URL: {server_util.get_url(address)}\n" if address else ""
    return f"\n  Attend is ready. Local URL: {server_util.get_url('localhost')}\n{network}\n"


def raise_open_files() -> None:
    """Raise the limit of open files: each learner needs four, and many systems start at 256."""
    if resource:
        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        asked = OPEN_FILES if most == resource.RLIM_INFINITY else min(most, OPEN_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, asked), most))


@asynccontextmanager
async def lifespan(app):
    """Warm up before the first request, start the background tasks, and stop everything at the end."""
    global ready, process
    process = token_hex(8)
    raise_open_files()
    warm_up()
    from core.lesson import training_job
    from pages import LESSONS

    training_job.start_workers()
    ready = True
    lessons = sorted((lesson.name for lesson in LESSONS), key=lambda name: name not in SLOW_AT_FIRST)
    trimming = asyncio.create_task(sessions.trim_memory_periodically())
    visits = asyncio.create_task(warmup.run_warmup(app, lessons)) if warmup.is_enabled() else None
    documents = asyncio.create_task(story_page.make_documents()) if warmup.is_enabled() else None
    sys.stdout.write(greeting())
    sys.stdout.flush()
    yield {}
    trimming.cancel()
    for task in filter(None, (visits, documents)):
        task.cancel()
    ready = False
    training_job.stop_workers()


async def readiness(_request):
    """Answer 200 once the server is ready, else 503, with the lessons visited by the warm-up so far."""
    answer = {"ready": ready, "visited": warmup.visited()}
    return JSONResponse(answer, status_code=200 if ready else 503)


async def name_process(_request):
    """Answer the name of this process."""
    return JSONResponse({"process": process}, headers={"cache-control": "no-store"})


def apologise(error: Exception) -> bool:
    """Log an error, and show the learner a sentence instead of a traceback."""
    failures.write(error)
    if isinstance(error, StoredModelError):
        st.error(str(error))
        return True
    st.error(LAB_WORDS.label("mistake"))
    return True


app = st.App(
    ROOT / "pages" / "course.py",
    lifespan=lifespan,
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(OwnHostOnly),
        Middleware(ReadsLanguage),
        Middleware(warmup.LearnerActivityMiddleware),
        Middleware(browser_view.AddsEarlyScript),
        Middleware(static_files.CompressesStreamlitsFiles),
    ],
    on_script_error=apologise,
    routes=[
        Route("/ready", readiness),
        Route("/process", name_process),
        *browser_view.routes(),
        *description_routes(),  # before the documents, whose addresses end otherwise
        *story_page.story_routes(),
        *room_routes(),
    ],
)
