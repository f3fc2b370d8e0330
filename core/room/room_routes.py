"""Rooms on the web: pages for members and the speaker, and streams that say when there is something newer.

A member is no Streamlit session: the page is the story's player, and the documents are those that everybody gets. The
stream brings the room's state and its beat's document, written once for all: 300 phones that fetched both would ask 600
times in the same moment. All of it runs in the server's one event loop, so no lock is needed.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from zlib import crc32

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from streamlit import net_util

from core.lesson.beats import Playlist, read_playlist
from core.lesson.browser_view import address_of, answer_in_language, bundled
from core.lesson.classic_code import SITE, page_template, style_sheet
from core.lesson.settings import Slider, Text
from core.lesson.static_files import base_path
from core.lesson.story import ASK, DO, Beat, change_settings, story_of
from core.lesson.story_page import (
    UnreadableError,
    changes_in,
    describe_story,
    document_of,
    find_step,
    read_object,
    story_lesson,
    write_document,
)
from core.lesson.tour import MINE, playlist_of, tours
from core.room.room_error import WORDS, RoomError
from core.room.rooms import (
    CODE_LENGTH,
    MEMBERS_AT_MOST,
    TURN,
    BeatPlace,
    NoRoomError,
    NotHostError,
    Programme,
    Room,
    Rooms,
    begin_second_round,
    cast_vote,
    check_host,
    close_vote,
    end_room,
    enter_room,
    find_room,
    forget_rooms,
    forgotten_at,
    mark_lost,
    move_room,
    open_room,
    play_programme,
    press,
    record_of,
    tell_host,
    tell_member,
)
from core.room.said import (
    Taken,
    ask_question,
    judge_question,
    put_aside,
    put_questions_aside,
    second_question,
    send_value,
)
from core.words.language import cache_by_language, language

COOKIE, TOKEN = "attend_member", "x-room-token"  # the cookie of a member, the header of the host
WINDOW, PRESENTS = "x-room-window", "presents"  # the header of the host's window that presents
HEARTBEAT = 15.0  # seconds without news, after which the stream says that it is there
BYTES_AT_MOST = 2000  # of what a member sends
HOST_BYTES_AT_MOST = 200_000  # of what the host sends: an own lecture is among it
HOST_LOOK = 2.0  # seconds after which the host's stream looks again: members fall silent without an event
HOST_REST = 0.1  # seconds between two of its events, so that 300 votes are not 300 events
LINK = re.compile(r"\w+(\?[^\s#]{0,4000})?")  # of a lab
ROOMS = Rooms()
DOCUMENT_AT_MOST = 30_000  # bytes in an event; a larger one is fetched, compressed
VARY = {"vary": "accept-language, cookie"}  # what is kept of another language is not read
UNKEPT = {"cache-control": "no-store", "x-accel-buffering": "no"}
SCRIPTS = ("room", "speaker")  # pages of rooms that have code of their own
# (code, language): a revision, and what writes its event
_messages: dict[tuple[str, str], tuple[int, asyncio.Task[bytes]]] = {}
_news: dict[str, set[asyncio.Event]] = {}  # code: what wakes each of its members' streams
_host_news: dict[str, set[asyncio.Event]] = {}  # code: what wakes the streams of its host's windows


def labels() -> dict[str, str]:
    """Return the words of a room; {name} in them is filled in by the browser."""
    return {key: text for key, text in WORDS.texts.items() if not key.startswith("refused.")}


def tell_news(room: Room) -> None:
    """Wake the streams of a room: there is a newer revision."""
    for event in _news.get(room.code, ()):
        event.set()
    tell_host_news(room)


def tell_host_news(room: Room) -> None:
    """Wake the streams of the host's windows."""
    for event in _host_news.get(room.code, ()):
        event.set()


def forget(now: float) -> None:
    """Forget the rooms whose time is over, with what was written for them, and end their streams."""
    forget_rooms(ROOMS, now)
    for kept in (_news, _host_news):
        for code in kept.keys() - ROOMS.by_code.keys():
            for event in kept.pop(code):
                event.set()
    for key in [key for key in _messages if key[0] not in ROOMS.by_code]:
        del _messages[key]


def forget_in_time(room: Room) -> None:
    """Forget a room when its time is over: it is longer where its host was heard meanwhile."""
    forget(time.time())
    if ROOMS.by_code.get(room.code) is room:
        left = forgotten_at(room) - time.time()
        asyncio.get_running_loop().call_later(max(left, 0) + 1, forget_in_time, room)


def refuse(error: RoomError) -> JSONResponse:
    """Return an error as a sentence: 404 where there is no such room, 403 to all but its host."""
    status = {NoRoomError: 404, NotHostError: 403}.get(type(error), 409)
    return JSONResponse({"error": str(error)}, status)


async def read_body(request: Request, most: int = BYTES_AT_MOST) -> dict:
    """Return what was sent, as JSON. Raises RoomError where it is nothing that a room takes, or from another site's page."""
    origin = request.headers.get("origin")
    if origin and origin.partition("://")[2] != request.headers.get("host"):
        raise RoomError(WORDS.label("refused.pages_only"))
    try:
        return await read_object(request, most)
    except UnreadableError as error:
        raise RoomError(str(error)) from None


async def move_to(room: Room, asked: dict, now: float) -> None:
    """Bring a room to the place that its host names. Raises RoomError where there is no such beat."""
    lesson, number, revealed = asked.get("lesson"), asked.get("number"), asked.get("revealed") is True
    found = story_lesson(lesson) if isinstance(lesson, str) else None
    if found is None or type(number) is not int or not 0 <= number <= len(story_of(found.module)):
        raise RoomError(WORDS.label("refused.no_beat"))
    play(room, asked, lesson, number, now)
    if not number:
        link = asked.get("link")
        if not isinstance(link, str) or not LINK.fullmatch(link):
            raise RoomError(WORDS.label("refused.no_view"))
        move_room(room, BeatPlace(lesson, 0, link=link), now=now)
        return
    changed = asked.get("changes")
    changes = changes_in(lesson, number, {"changes": changed if isinstance(changed, dict) else {}})
    written = tuple((name, str(value)) for name, value in changes.items())
    beat = story_of(found.module)[number - 1]
    if beat.kind != ASK:
        taken = take_control(beat, changes) if beat.kind == DO else None
        move_room(room, BeatPlace(lesson, number, False, written), takes=taken, now=now)
        return
    question = json.loads(await run_in_threadpool(document_of, lesson, number, True, {}))["ask"]
    choices = tuple(each["id"] for each in question["choices"])
    move_room(room, BeatPlace(lesson, number, revealed), choices, question["answer"], now=now)


def take_control(beat: Beat, changes: dict) -> Taken | None:
    """Return the first control of a beat that takes a sentence or a number, None where there is none."""
    for each in beat.controls:
        if isinstance(each, Text):
            return Taken(each.name)
        if isinstance(each, Slider):
            return Taken(each.name, each.ends(change_settings(beat, changes)))
    return None


def play(room: Room, asked: dict, lesson: str, number: int, now: float) -> None:
    """Note what is played and where it stands: a lecture, the host's own one, or the lesson's story."""
    name, at = asked.get("playlist"), asked.get("at")
    known = room.programme
    if isinstance(name, str) and name and type(at) is int:
        if name == MINE:
            text = asked.get("text")
            playlist = read_playlist(MINE, text, tours()) if isinstance(text, str) else None
        else:
            playlist = playlist_of(name)
        programme = (
            describe_programme(playlist) if playlist else known if known and known.name == name else None
        )
        if programme:
            play_programme(room, programme, at, now)
    elif story := playlist_of(lesson):
        play_programme(room, describe_programme(story), number - 1, now)


def describe_programme(playlist: Playlist) -> Programme:
    """Return what the speaker's window lists: each beat's title and place, and the notes that the lecture itself has."""
    beats = []
    for each in playlist.beats:
        story = playlist_of(each.lesson)
        same = each.number and story and each.notes == story.beats[each.number - 1].notes
        notes = "" if same else each.notes
        beats.append({"title": each.title, "lesson": each.lesson, "number": each.number, "notes": notes})
    return Programme(playlist.name, playlist.title, tuple(beats), playlist.minutes)


# What the host does.


async def create_room(request: Request) -> Response:
    """Open a room at a place; return its code, and the token that only its host has."""
    try:
        asked, now = await read_body(request, HOST_BYTES_AT_MOST), time.time()
        room = open_room(ROOMS, BeatPlace("", 0), now)
        try:
            await move_to(room, asked, now)
        except RoomError:
            del ROOMS.by_code[room.code]
            raise
    except RoomError as error:
        return refuse(error)
    forget_in_time(room)
    return JSONResponse({"code": room.code, "token": room.token, "address": address_in(request)})


async def steer_room(request: Request) -> Response:
    """Do what the host asks, {do: one of STEPS}; return the room's state as the host may know it."""
    try:
        asked, now = await read_body(request, HOST_BYTES_AT_MOST), time.time()
        room = host_room(request)
        before, do = room.revision, asked.get("do")
        if do == "move":
            await move_to(room, asked, now)
        elif step := STEPS.get(do if isinstance(do, str) else ""):
            step(room, asked, now)
    except RoomError as error:
        return refuse(error)
    if room.revision != before:
        tell_news(room)
    else:
        tell_host_news(room)
    return JSONResponse(tell_host(room, now))


def judge(room: Room, asked: dict, now: float) -> None:
    """Let a question pass, or put it aside; all see it, or see it no more."""
    judge_question(room.said, asked.get("id"), asked.get("state"))
    room.revision += 1


def lock(room: Room, asked: dict, now: float) -> None:
    """Let nobody else in, or let all in again."""
    room.locked = asked.get("on") is True


# What the host may do to a room: with what was asked, at a time. "look" and all else only reads.
STEPS = {
    "close": lambda room, asked, now: close_vote(room),
    "again": lambda room, asked, now: begin_second_round(room),
    "end": lambda room, asked, now: end_room(room, now),
    "press": lambda room, asked, now: press(room, asked.get("key")),
    "judge": judge,
    "aside": lambda room, asked, now: put_aside(room.said, room.place.beat, asked.get("text")),
    "clear": lambda room, asked, now: put_questions_aside(room.said),
    "lock": lock,
}


def host_room(request: Request) -> Room:
    """Return the room of a request that has its host's token, and note that the host was heard. Raises RoomError."""
    room = find_room(ROOMS, request.path_params["code"])
    check_host(room, request.headers.get(TOKEN, ""), time.time())
    return room


async def stream_host_news(request: Request) -> Response:
    """Answer a stream of the room's state, as its host may know it."""
    try:
        room = host_room(request)
    except RoomError as error:
        return refuse(error)
    watchers = _host_news.setdefault(room.code, set())
    presents = request.headers.get(WINDOW) == PRESENTS
    return StreamingResponse(
        write_host_news(room, watchers, presents), media_type="text/event-stream", headers=UNKEPT
    )


async def write_host_news(room: Room, watchers: set[asyncio.Event], presents: bool) -> AsyncIterator[bytes]:
    """Yield the state whenever it is another one, and a sign of life in between."""
    news, last, quiet = asyncio.Event(), b"", 0.0
    watchers.add(news)
    room.presenting += presents
    tell_host_news(room)
    try:
        while ROOMS.by_code.get(room.code) is room:
            news.clear()
            room.heard = time.time()
            told = tell_host(room, room.heard)
            written = json.dumps({name: each for name, each in told.items() if name != "began"}).encode()
            if written != last or time.monotonic() - quiet > HEARTBEAT:
                last, quiet = written, time.monotonic()
                yield b"data: %b\n\n" % json.dumps(told).encode()
            await asyncio.sleep(HOST_REST)
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), HOST_LOOK)
    finally:
        watchers.discard(news)
        room.presenting -= presents
        tell_host_news(room)


async def send_programme(request: Request) -> Response:
    """Answer what is played: the title, the planned minutes and the beats with the lecture's own notes."""
    try:
        programme = host_room(request).programme
    except RoomError as error:
        return refuse(error)
    return JSONResponse(asdict(programme) if programme else {"beats": []}, headers=UNKEPT)


async def send_noted(request: Request) -> Response:
    """Answer a beat's document with the lecturer's notes."""
    try:
        host_room(request)
        lesson = request.path_params["lesson"]
        step = find_step(lesson, request.path_params["step"])
        if step is None:
            raise NoRoomError(WORDS.label("refused.no_beat"))
    except RoomError as error:
        return refuse(error)
    made = await run_in_threadpool(write_document, lesson, story_lesson(lesson).module, *step, {}, True)
    return Response(made, media_type="application/json", headers=UNKEPT)


async def show_speaker(request: Request) -> Response:
    """Answer the speaker's window; its token stands in the address behind #, which no browser sends."""
    try:
        room = find_room(ROOMS, request.path_params["code"])
    except RoomError as error:
        return page_of(request, "join", str(error), 404)
    return page_of(request, "speaker", "", code=room.code)


async def draw_speaker_code(request: Request) -> Response:
    """Answer the speaker's window's address, with the token, as a QR code for the host's other device."""
    try:
        room = host_room(request)
    except RoomError as error:
        return refuse(error)
    return draw_address(f"{address_in(request, room)}/speaker#{room.token}")


async def send_record(request: Request) -> Response:
    """Answer the counts by beat as CSV, to the host."""
    try:
        room = host_room(request)
    except RoomError as error:
        return refuse(error)
    text = io.StringIO()
    csv.writer(text).writerows(record_of(room))
    return Response(text.getvalue(), media_type="text/csv")


async def draw_code(request: Request) -> Response:
    """Answer the room's address as a QR code."""
    try:
        room = find_room(ROOMS, request.path_params["code"])
    except RoomError as error:
        return refuse(error)
    return draw_address(address_in(request, room))


def draw_address(address: str) -> Response:
    """Return an address as a QR code."""
    out = io.BytesIO()
    segno.make(address).save(out, kind="svg", scale=6, border=2, light="#fff", dark="#000")
    return Response(out.getvalue(), media_type="image/svg+xml", headers=UNKEPT)


def address_in(request: Request, room: Room | None = None) -> str:
    """Return the address at which rooms, or one room, are joined, by the name under which this server was asked.

    A lecturer at this machine asks for "localhost", which is another machine for a student: its address stands instead.
    """
    netloc = request.url.netloc
    if request.url.hostname in ("localhost", "127.0.0.1") and (address := net_util.get_internal_ip()):
        netloc = f"{address}:{request.url.port}" if request.url.port else address
    return f"{request.url.scheme}://{netloc}{base_path()}/{f'room/{room.code}' if room else 'join'}"


# What a member sees and does.


def member_of(request: Request) -> str:
    """Return a member's cookie, a new one where there is none."""
    return request.cookies.get(COOKIE, "")[:40] or secrets.token_urlsafe(16)


async def show_join(request: Request) -> Response:
    """Answer the page where a code is typed; a code in the address leads to its room."""
    code = request.query_params.get("code", "").strip().upper()
    try:
        if code:
            return RedirectResponse(f"{base_path()}/room/{find_room(ROOMS, code).code}", 303)
        return page_of(request, "join", "")
    except RoomError as error:
        return page_of(request, "join", str(error), 404)


async def show_room(request: Request) -> Response:
    """Answer a room's page, and note the member by a cookie."""
    member = member_of(request)
    try:
        room = find_room(ROOMS, request.path_params["code"])
        enter_room(room, member, time.time())
    except RoomError as error:
        return page_of(request, "join", str(error), 404)
    answer = page_of(request, "room", "", code=room.code)
    answer.set_cookie(COOKIE, member, max_age=86400, httponly=True, samesite="lax", path=f"{base_path()}/")
    return answer


def page_of(request: Request, kind: str, message: str, status: int = 200, code: str = "") -> HTMLResponse:
    """Return a page of rooms: where a code is typed ("join"), a room is followed ("room"), or steered ("speaker")."""
    text = page_template("room.html").render(
        kind=kind,
        lang=language(),
        words=WORDS,
        message=message,
        style=room_styles(),
        script=script_address(kind) if kind in SCRIPTS else "",
        code_length=CODE_LENGTH,
        data=json.dumps(
            {"code": code, "labels": labels(), "base": base_path(), "story": address_of("story")}
        ).replace("<", "\\u003c"),
        join=f"{base_path()}/join",
    )
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})


@cache_by_language
def script_of(kind: str) -> bytes:
    """Return the code of a page of rooms."""
    return bundled(SITE / f"{kind}.js").encode()


def script_address(kind: str) -> str:
    """Return where the server answers that code, which a browser keeps for good."""
    return f"{base_path()}/rooms/{kind}.{crc32(script_of(kind)):08x}.js"


async def send_script(request: Request) -> Response:
    """Answer the code of a page of rooms."""
    kind = request.url.path.rpartition("/")[2].partition(".")[0]
    found = None
    if kind in SCRIPTS:
        found = answer_in_language(request, lambda: script_address(kind), lambda: script_of(kind))
    return found or Response("There is no such code.", 404)


@cache
def room_styles() -> str:
    """Return the rules of the pages of rooms."""
    return style_sheet().content.decode() + (SITE / "room.css").read_text(encoding="utf-8")


async def send_state(request: Request) -> Response:
    """Answer the room's state as this member may know it."""
    member, now = member_of(request), time.time()
    try:
        room = find_room(ROOMS, request.path_params["code"])
        if COOKIE in request.cookies or room.locked:  # only the page makes a member
            enter_room(room, member, now)
    except RoomError as error:
        return refuse(error)
    return JSONResponse(tell_member(room, member, now), headers={"cache-control": "no-store"})


async def take_vote(request: Request) -> Response:
    """Count a member's vote."""
    return await take(
        request, lambda room, member, asked, now: cast_vote(room, member, str(asked.get("choice")), now)
    )


async def take_lost(request: Request) -> Response:
    """Note that a member is lost."""
    return await take(request, lambda room, member, asked, now: mark_lost(room, member, now))


async def take_question(request: Request) -> Response:
    """Keep a member's question until the lecturer lets it pass."""
    return await take(
        request, lambda room, member, asked, now: ask_question(room.said, member, asked.get("text"), now)
    )


async def take_second(request: Request) -> Response:
    """Let a member second a question."""
    return await take(
        request, lambda room, member, asked, now: second_question(room.said, member, asked.get("id"))
    )


async def take_value(request: Request) -> Response:
    """Keep what a member set the beat's control to."""
    return await take(
        request, lambda room, member, asked, now: send_to(room, member, asked.get("value"), now)
    )


def send_to(room: Room, member: str, value: object, now: float) -> None:
    """Keep a member's value of the present beat. Raises RoomError where the beat takes none."""
    if room.phase != TURN or room.ended is not None:
        raise RoomError(WORDS.label("refused.other_beat"))
    send_value(room.said, room.place.beat, member, value, now, room.takes)


async def take(request: Request, do) -> Response:
    """Do what a member asks, and answer the room's state as the member may know it."""
    now = time.time()
    try:
        if COOKIE not in request.cookies:
            raise RoomError(WORDS.label("refused.join_first"))
        member, room = member_of(request), find_room(ROOMS, request.path_params["code"])
        asked = await read_body(request)
        enter_room(room, member, now)
        do(room, member, asked, now)
    except RoomError as error:
        return refuse(error)
    tell_host_news(room)
    return JSONResponse(tell_member(room, member, now))


async def stream_news(request: Request) -> Response:
    """Answer a stream of events: what all members see, now and whenever it is something newer."""
    try:
        room = find_room(ROOMS, request.path_params["code"])
    except RoomError as error:
        return JSONResponse({"error": str(error)}, 404)
    if room.locked and member_of(request) not in room.seen:
        return JSONResponse({"error": WORDS.label("refused.locked")}, 409)
    streams = _news.setdefault(room.code, set())
    if len(streams) >= MEMBERS_AT_MOST:
        return JSONResponse({"error": WORDS.label("refused.full", most=MEMBERS_AT_MOST)}, 409)
    return StreamingResponse(write_news(room, streams), media_type="text/event-stream", headers=UNKEPT)


async def write_news(room: Room, streams: set[asyncio.Event]) -> AsyncIterator[bytes]:
    """Yield what all see whenever it is something newer, and a sign of life in between."""
    news = asyncio.Event()
    streams.add(news)
    try:
        while ROOMS.by_code.get(room.code) is room:
            news.clear()
            yield await asyncio.shield(message_of(room))  # a phone that leaves stops it for no other
            while not news.is_set():
                try:
                    await asyncio.wait_for(news.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": here\n\n"
    finally:
        streams.discard(news)


def message_of(room: Room) -> asyncio.Task[bytes]:
    """Return a room's state, as all may know it, and the document of its beat, as an event.

    It is written once a revision and language: a member reads their own.
    """
    key = room.code, language()
    revision, writing = _messages.get(key, (0, None))
    if writing is None or revision != room.revision:
        writing = asyncio.ensure_future(write_message(room))
        _messages[key] = room.revision, writing
    return writing


async def write_message(room: Room) -> bytes:
    """Write the event of a room's present revision."""
    place = room.place
    told = tell_member(room, "", time.time())
    for own in ("vote", "sent"):  # each knows its own
        del told[own]
    document = b"null"
    if place.number:
        document = await run_in_threadpool(
            document_of, place.lesson, place.number, place.revealed, dict(place.changes)
        )
    sent = document if len(document) <= DOCUMENT_AT_MOST else b"null"
    return b'data: {"told":%b,"document":%b}\n\n' % (json.dumps(told).encode(), sent)


async def send_story(request: Request) -> Response:
    """Answer a story's data for the player, kept by its checksum for a while."""
    lesson = story_lesson(request.path_params["lesson"].removesuffix(".json"))
    if lesson is None:
        return JSONResponse({"error": WORDS.label("refused.no_story")}, 404)
    body = json.dumps(describe_story(lesson)).encode()
    headers = {"cache-control": "public, max-age=300", "etag": f'"{crc32(body):08x}"', **VARY}
    return Response(body, media_type="application/json", headers=headers)


def room_routes() -> list[Route]:
    """Return the server's routes to rooms."""
    return [
        Route("/join", show_join),
        Route(script_address("room").rpartition("/")[0] + "/{file}", send_script),
        Route("/rooms", create_room, methods=["POST"]),
        Route("/stories/{lesson}", send_story),
        Route("/room/{code}", show_room),
        Route("/room/{code}/state", send_state),
        Route("/room/{code}/events", stream_news),
        Route("/room/{code}/vote", take_vote, methods=["POST"]),
        Route("/room/{code}/lost", take_lost, methods=["POST"]),
        Route("/room/{code}/question", take_question, methods=["POST"]),
        Route("/room/{code}/second", take_second, methods=["POST"]),
        Route("/room/{code}/value", take_value, methods=["POST"]),
        Route("/room/{code}/host", steer_room, methods=["POST"]),
        Route("/room/{code}/host/events", stream_host_news),
        Route("/room/{code}/programme", send_programme),
        Route("/room/{code}/beats/{lesson}/{step}", send_noted),
        Route("/room/{code}/speaker", show_speaker),
        Route("/room/{code}/speaker.svg", draw_speaker_code),
        Route("/room/{code}/record.csv", send_record),
        Route("/room/{code}/code.svg", draw_code),
    ]
