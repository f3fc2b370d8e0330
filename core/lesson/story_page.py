"""A story in the browser: the addresses that answer its documents, and the page that mounts its player."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
import plotly
import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.lesson.beats import Playlist
from core.lesson.browser_view import address_of, browser_view
from core.lesson.cache import ExpiringLRUCache
from core.lesson.lab import Lab
from core.lesson.one_file import story_file
from core.lesson.sessions import RUN_SLOTS
from core.lesson.static_files import answer_file, base_path
from core.lesson.story import (
    ANSWER,
    ASK,
    LAB,
    SHARED,
    is_typed,
    make_document,
    story_of,
    take_event,
    words_of,
)
from core.lesson.story import Beat as StoryBeat
from core.lesson.tour import place_in_address, playlist_of
from core.words.language import language

# What the player fills into its own words.
PLAYER_NAMES = "guess answer number count total address answered active enough rr wr rw ww code least most median".split()
PLAYER_NAMES += "name measure row rows columns after before before_row".split()
DIGITS_AT_MOST = 4  # of a beat's number
BYTES_AT_MOST = 100_000  # of what a learner changed
KEPT = 4096  # documents: every beat of every story, and what is often changed in them
JSON, UNKEPT = "application/json", {"cache-control": "no-cache"}  # an answer is asked for each time
ONE_FILE = ".html"  # of a beat's address: the beat as one file to take away
_lessons: dict[str, Lab] = {}  # by name
_documents = ExpiringLRUCache(KEPT)


def register_story(lesson: Lab) -> None:
    """Note a lesson that is a story, so that its documents can be asked for."""
    _lessons[lesson.name] = lesson


def story_lesson(name: str) -> Lab | None:
    """Return a lesson that is a story by its name, None where there is none."""
    return _lessons.get(name)


@dataclass(frozen=True)
class Place:
    """Where a story stands: the beat's number, whether its answer is shown, and the lecture it is played in."""

    number: int
    revealed: bool = False
    playlist: Playlist | None = None
    at: int = 0  # of the lecture's beats


def document_of(lesson: str, number: int, revealed: bool, changes: Mapping[str, object]) -> bytes:
    """Return the document of a beat as JSON. It is kept for everybody, but where it holds what a learner typed."""
    module = _lessons[lesson].module
    if is_typed(story_of(module)[number - 1], changes):
        return write_document(lesson, module, number, revealed, changes)
    written = tuple(
        sorted((name, each if isinstance(each, str) else json.dumps(each)) for name, each in changes.items())
    )
    return _documents.get_or_compute(
        (language(), lesson, number, revealed, written),
        lambda: write_document(lesson, module, number, revealed, dict(written)),
    )


def write_document(
    lesson: str, module: str, number: int, revealed: bool, changes: Mapping[str, object], noted: bool = False
) -> bytes:
    """Return a document as JSON, with the address of the code that draws its picture."""
    document = make_document(lesson, module, number, revealed, changes, noted)
    if "picture" in document:
        picture = document["picture"]
        picture["code"] = address_of(picture["view"])
        if picture["view"] == "figure":
            picture["data"]["plotly"] = plotly_address()
    return orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)


def plotly_address() -> str:
    """Return where the server answers plotly's own code, which the browser keeps."""
    return f"{base_path()}/plotly/plotly-{plotly.__version__}.min.js"


def serve_plotly(request: Request) -> Response:
    """Answer plotly's code, which its package brings along."""
    return answer_file(request, Path(plotly.__file__).parent / "package_data" / "plotly.min.js")


def changes_in(lesson: str, number: int, asked: Mapping) -> dict[str, object]:
    """Return what a browser says was changed: settings by name, and what an event of the picture changes."""
    beat = story_of(_lessons[lesson].module)[number - 1]
    known = {setting.name for setting in beat.settings}
    changes = {name: value for name, value in asked.get("changes", {}).items() if name in known}
    if event := asked.get("event"):
        changes |= take_event(beat, str(event), asked.get("value"))
    return changes


class UnreadableError(ValueError):
    """What a browser sent is too long, or no object."""


async def read_object(request: Request, most: int) -> dict:
    """Return the JSON object that was sent, read no further than `most` bytes. Raises UnreadableError."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise UnreadableError("That is too long.")
    try:
        found = json.loads(body or b"{}")
        json.dumps(found, ensure_ascii=False).encode()  # half of a pair of UTF-16 cannot be sent on
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UnreadableError("That is not what can be read here.")
    return found


def find_step(lesson: str, written: str) -> tuple[int, bool] | None:
    """Return the beat's number that an address names, and whether its answer is meant; None where there is no such beat.

    It is written as "3" or, for the answer of a beat that asks, "3.answer".
    """
    number, _, step = written.partition(".")
    digits = number.isdecimal() and len(number) <= DIGITS_AT_MOST
    if lesson not in _lessons or not digits or step not in ("", ANSWER):
        return None
    beats, at, revealed = story_of(_lessons[lesson].module), int(number), step == ANSWER
    if not 1 <= at <= len(beats) or (revealed and beats[at - 1].kind != ASK):
        return None
    return at, revealed


async def serve_document(request: Request) -> Response:
    """Answer a beat's document: GET as its author set it, POST with what a learner changed."""
    asked_for = request.path_params["number"]
    asked = await read_beat(request, asked_for.removesuffix(".json").removesuffix(ONE_FILE))
    if isinstance(asked, Response):
        return asked
    if asked_for.endswith(ONE_FILE):
        return await answer_beat(file_of, asked, "text/html")
    known = (language(), asked.lesson, asked.number, asked.revealed, ()) in _documents
    if known and not asked.changes:  # it needs no slot
        made = document_of(asked.lesson, asked.number, asked.revealed, {})
        return Response(made, media_type=JSON, headers=UNKEPT)
    return await answer_beat(document_of, asked)


@dataclass(frozen=True)
class AskedBeat:
    """What a browser wants of a beat: which one, whether with its answer, and what the learner changed in it."""

    lesson: str
    number: int
    revealed: bool
    changes: Mapping[str, object]


async def read_beat(request: Request, written: str) -> AskedBeat | Response:
    """Return what a request wants of the beat that is `written`, or the answer that refuses it."""
    lesson = request.path_params["lesson"]
    step = find_step(lesson, written)
    if step is None:
        return JSONResponse({"error": "There is no such beat."}, 404)
    asked = {}
    if request.method == "POST":
        try:
            asked = await read_object(request, BYTES_AT_MOST)
        except UnreadableError:
            asked = {"changes": None}
        if not isinstance(asked.get("changes", {}), dict):
            return JSONResponse({"error": "That is not what a beat can be set to."}, 400)
    return AskedBeat(lesson, *step, changes_in(lesson, step[0], asked))


async def answer_beat(make: Callable[..., bytes], asked: AskedBeat, kind: str = JSON) -> Response:
    """Answer what `make(lesson, number, revealed, changes)` returns, computed in a slot like a run of a page."""

    def compute() -> bytes:
        RUN_SLOTS.acquire()
        try:
            return make(asked.lesson, asked.number, asked.revealed, asked.changes)
        finally:
            RUN_SLOTS.release()

    return Response(await run_in_threadpool(compute), media_type=kind, headers=UNKEPT)


def file_of(lesson: str, number: int, revealed: bool, changes: Mapping[str, object]) -> bytes:
    """Return a beat as one HTML file, with its answer where it asks."""
    of = _lessons[lesson]
    beat = story_of(of.module)[number - 1]
    told = {**describe_story(of), "beats": [describe_beat(of, beat)]}
    documents = {"1": make_document(lesson, of.module, number, changes=changes)}
    if beat.kind == ASK:
        documents[f"1.{ANSWER}"] = make_document(lesson, of.module, number, revealed=True)
    return story_file(told, documents, f"1.{ANSWER}" if revealed else "1")


def describe_beat(lesson: Lab, beat: StoryBeat) -> dict:
    """Return a beat as the player lists it."""
    return {"title": words_of(lesson.module).titles[beat.name], "kind": beat.kind}


def describe_story(lesson: Lab) -> dict:
    """Return a story as its player needs it, without the place where it stands."""
    return {
        "lesson": lesson.name,
        "title": lesson.title,
        "question": lesson.question,
        "icon": lesson.svg,
        "labels": labels(),
        "beats": [describe_beat(lesson, beat) for beat in story_of(lesson.module)],
    }


async def make_documents() -> None:
    """Make the documents of all beats, one after the other, before a class asks for them."""
    for lesson in _lessons:
        for number, beat in enumerate(story_of(_lessons[lesson].module), 1):
            for revealed in (False, True) if beat.kind == ASK else (False,):
                await run_in_threadpool(document_of, lesson, number, revealed, {})


def story_routes() -> list[Route]:
    """Return the server's route to the documents of all beats."""
    return [
        Route("/beats/{lesson}/{number}", serve_document, methods=["GET", "POST"]),
        Route(plotly_address(), serve_plotly),
    ]


# The page that mounts the player.


def story_place(lesson: Lab) -> Place | None:
    """Return where the address says that a story stands, None where it asks for the lab."""
    count = len(story_of(lesson.module))
    name, number, answered = place_in_address()
    if name == lesson.name and 1 <= number <= count:
        return Place(number, answered and is_ask(lesson.module, number))
    playlist = playlist_of(name) if name and name != lesson.name else None
    if playlist and 1 <= number <= len(playlist.beats):
        beat = playlist.beats[number - 1]
        if beat.lesson != lesson.name or not beat.number:
            return None
        return Place(beat.number, answered and is_ask(lesson.module, beat.number), playlist, number - 1)
    asks_for_lab = LAB in st.query_params or any(each.startswith(lesson.key("")) for each in st.query_params)
    return None if asks_for_lab else Place(1)


def is_ask(module: str, number: int) -> bool:
    """Return whether a beat asks a question."""
    return story_of(module)[number - 1].kind == ASK


def show_story(lesson: Lab, place: Place) -> None:
    """Mount the player of a story at a place."""
    prefix = lesson.key("")
    given = {
        key.removeprefix(prefix): st.query_params[key] for key in st.query_params if key.startswith(prefix)
    }
    changes = changes_in(lesson.name, place.number, {"changes": given})
    data = {
        **describe_story(lesson),
        "at": {"number": place.number, "revealed": place.revealed},
        "document": json.loads(document_of(lesson.name, place.number, place.revealed, changes)),
        "base": base_path(),
        "rooms": True,
        "languages": words_of(lesson.module).others,
        "playlist": place.playlist and describe_playlist(place.playlist, place.at),
    }
    browser_view("story", data, lesson.key("story_player"))


def labels() -> dict[str, str]:
    """Return the player's own words; {name} in them is filled in by the player."""
    open_names = {name: f"{{{name}}}" for name in PLAYER_NAMES}
    return {key: SHARED.label(key, **open_names) for key in SHARED.texts}


def describe_playlist(playlist: Playlist, at: int) -> dict:
    """Return a lecture as the player needs it: where each beat leads, and its own words where it has some."""
    beats = [
        {"title": beat.title, "link": beat.link, "lesson": beat.lesson, "number": beat.number}
        for beat in playlist.beats
    ]
    return {"name": playlist.name, "title": playlist.title, "at": at, "beats": beats}
