"""Rooms on the web: pages for members, the documents of a room, and a stream that says when there is a newer one.

A member is no Streamlit session: the page is the story's player, and the documents are those that everybody gets. The
stream brings the room's state and its beat's document, written once for all: 300 phones that fetched both would ask 600
times in the same moment. All of it runs in the server's one event loop, so no lock is needed.
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
import secrets
import time
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from zlib import crc32

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from streamlit import net_util

from core.lesson.browser_view import address_of, bundled
from core.lesson.classic_code import SITE, page_template, style_sheet
from core.lesson.static_files import answer_for_good, base_path
from core.lesson.story import story_of
from core.lesson.story_page import UnreadableError, describe_story, document_of, read_object, story_lesson
from core.lesson.words import FILE, read_words
from core.room.rooms import (
    CODE_LENGTH,
    MEMBERS_AT_MOST,
    BeatPlace,
    NoRoomError,
    NotHostError,
    Room,
    RoomError,
    Rooms,
    begin_second_round,
    cast_vote,
    check_host,
    close_vote,
    end_room,
    enter_room,
    find_room,
    forget_rooms,
    mark_lost,
    move_room,
    open_room,
    record_of,
    tell_host,
    tell_member,
)

WORDS = read_words(Path(__file__).with_name(FILE))
COOKIE, TOKEN = "attend_member", "x-room-token"  # the cookie of a member, the header of the host
HEARTBEAT = 15.0  # seconds without news, after which the stream says that it is there
BYTES_AT_MOST = 2000  # of what a member or the host sends
ROOMS = Rooms()
DOCUMENT_AT_MOST = 30_000  # bytes in an event; a larger one is fetched, compressed
_messages: dict[str, tuple[int, bytes]] = {}  # code: a revision, and the event that tells it
_news: dict[str, set[asyncio.Event]] = {}  # code: what wakes each of its streams


def labels() -> dict[str, str]:
    """Return the words of a room; {name} in them is filled in by the browser."""
    return dict(WORDS.texts)


def tell_news(room: Room) -> None:
    """Wake the streams of a room: there is a newer revision."""
    for event in _news.get(room.code, ()):
        event.set()


def forget(now: float) -> None:
    """Forget the rooms whose time is over, with what was written for them."""
    forget_rooms(ROOMS, now)
    for kept in (_messages, _news):
        for code in kept.keys() - ROOMS.by_code.keys():
            del kept[code]


def refuse(error: RoomError) -> JSONResponse:
    """Return an error as a sentence: 404 where there is no such room, 403 to all but its host."""
    status = {NoRoomError: 404, NotHostError: 403}.get(type(error), 409)
    return JSONResponse({"error": str(error)}, status)


async def read_body(request: Request) -> dict:
    """Return what was sent, as JSON. Raises RoomError where it is nothing that a room takes, or from another site's page."""
    origin = request.headers.get("origin")
    if origin and origin.partition("://")[2] != request.headers.get("host"):
        raise RoomError("A room takes this from its own pages only.")
    try:
        return await read_object(request, BYTES_AT_MOST)
    except UnreadableError as error:
        raise RoomError(str(error)) from None


async def move_to(room: Room, asked: dict) -> None:
    """Bring a room to the place that its host names. Raises RoomError where there is no such beat."""
    lesson, number, revealed = asked.get("lesson"), asked.get("number"), asked.get("revealed") is True
    found = story_lesson(lesson) if isinstance(lesson, str) else None
    if found is None or type(number) is not int or not 1 <= number <= len(story_of(found.module)):
        raise RoomError("There is no such beat.")
    document = json.loads(await run_in_threadpool(document_of, lesson, number, False, {}))
    if "ask" not in document:
        move_room(room, BeatPlace(lesson, number))
        return
    question = json.loads(await run_in_threadpool(document_of, lesson, number, True, {}))["ask"]
    choices = tuple(each["id"] for each in question["choices"])
    move_room(room, BeatPlace(lesson, number, revealed), choices, question["answer"])


# What the host does.


async def create_room(request: Request) -> Response:
    """Open a room at a place; return its code, and the token that only its host has."""
    try:
        asked = await read_body(request)
        room = open_room(ROOMS, BeatPlace("", 0), time.time())
        try:
            await move_to(room, asked)
        except RoomError:
            del ROOMS.by_code[room.code]
            raise
    except RoomError as error:
        return refuse(error)
    return JSONResponse({"code": room.code, "token": room.token, "address": address_in(request)})


async def steer_room(request: Request) -> Response:
    """Do what the host asks, {do: move | close | again | end | look}; return the room's state as the host may know it."""
    try:
        asked, now = await read_body(request), time.time()
        room = find_room(ROOMS, request.path_params["code"])
        check_host(room, request.headers.get(TOKEN, ""), now)
        before, do = room.revision, asked.get("do")
        forget(now)
        if do == "move":
            await move_to(room, asked)
        elif do == "close":
            close_vote(room)
        elif do == "again":
            begin_second_round(room)
        elif do == "end":
            end_room(room, now)
    except RoomError as error:
        return refuse(error)
    if room.revision != before:
        tell_news(room)
    return JSONResponse(tell_host(room, now))


async def send_record(request: Request) -> Response:
    """Answer the counts by beat as CSV, to the host."""
    try:
        room = find_room(ROOMS, request.path_params["code"])
        check_host(room, request.headers.get(TOKEN, ""), time.time())
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
    out = io.BytesIO()
    segno.make(address_in(request, room)).save(out, kind="svg", scale=6, border=2, light="#fff", dark="#000")
    return Response(out.getvalue(), media_type="image/svg+xml")


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
    """Return a page of rooms: where a code is typed ("join"), or where a room is followed ("room")."""
    text = page_template("room.html").render(
        kind=kind,
        words=WORDS,
        message=message,
        style=room_styles(),
        script=script_address(),
        code_length=CODE_LENGTH,
        data=json.dumps(
            {"code": code, "labels": labels(), "base": base_path(), "story": address_of("story")}
        ).replace("<", "\\u003c"),
        join=f"{base_path()}/join",
    )
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})


@cache
def room_script() -> bytes:
    """Return the code of a member's page."""
    return bundled(SITE / "room.js").encode()


def script_address() -> str:
    """Return where the server answers that code, which a browser keeps for good."""
    return f"{base_path()}/rooms/room.{crc32(room_script()):08x}.js"


async def send_script(request: Request) -> Response:
    """Answer the code of a member's page."""
    return answer_for_good(request, room_script(), "text/javascript")


@cache
def room_styles() -> str:
    """Return the rules of the pages of rooms."""
    return style_sheet().content.decode() + (SITE / "room.css").read_text(encoding="utf-8")


async def send_state(request: Request) -> Response:
    """Answer the room's state as this member may know it."""
    member, now = member_of(request), time.time()
    try:
        forget(now)
        room = find_room(ROOMS, request.path_params["code"])
        if COOKIE in request.cookies:  # only the page makes a member
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


async def take(request: Request, do) -> Response:
    """Do what a member asks, and answer the room's state as the member may know it."""
    now = time.time()
    try:
        if COOKIE not in request.cookies:
            raise RoomError("Join the room first.")
        member, room = member_of(request), find_room(ROOMS, request.path_params["code"])
        do(room, member, await read_body(request), now)
    except RoomError as error:
        return refuse(error)
    return JSONResponse(tell_member(room, member, now))


async def stream_news(request: Request) -> Response:
    """Answer a stream of events: what all members see, now and whenever it is something newer."""
    try:
        room = find_room(ROOMS, request.path_params["code"])
    except RoomError as error:
        return JSONResponse({"error": str(error)}, 404)
    streams = _news.setdefault(room.code, set())
    if len(streams) >= MEMBERS_AT_MOST:
        return JSONResponse({"error": "This room is full."}, 409)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(write_news(room, streams), media_type="text/event-stream", headers=headers)


async def write_news(room: Room, streams: set[asyncio.Event]) -> AsyncIterator[bytes]:
    """Yield what all see whenever it is something newer, and a sign of life in between."""
    news = asyncio.Event()
    streams.add(news)
    try:
        while ROOMS.by_code.get(room.code) is room:
            news.clear()
            yield await message_of(room)
            while not news.is_set():
                try:
                    await asyncio.wait_for(news.wait(), HEARTBEAT)
                except TimeoutError:
                    forget(time.time())
                    yield b": here\n\n"
                    if room.code not in ROOMS.by_code:
                        break
    finally:
        streams.discard(news)


async def message_of(room: Room) -> bytes:
    """Return a room's state, as all may know it, and the document of its beat, as an event; written once a revision."""
    revision, message = _messages.get(room.code, (0, b""))
    if revision != room.revision:
        revision, place = room.revision, room.place
        told = tell_member(room, "", time.time())
        del told["vote"]  # each knows its own
        document = await run_in_threadpool(document_of, place.lesson, place.number, place.revealed, {})
        sent = document if len(document) <= DOCUMENT_AT_MOST else b"null"
        message = b'data: {"told":%b,"document":%b}\n\n' % (json.dumps(told).encode(), sent)
        _messages[room.code] = revision, message
    return message


async def send_story(request: Request) -> Response:
    """Answer a story's data for the player, kept by its checksum for a while."""
    lesson = story_lesson(request.path_params["lesson"].removesuffix(".json"))
    if lesson is None:
        return JSONResponse({"error": "There is no such story."}, 404)
    body = json.dumps(describe_story(lesson)).encode()
    headers = {"cache-control": "public, max-age=300", "etag": f'"{crc32(body):08x}"'}
    return Response(body, media_type="application/json", headers=headers)


def room_routes() -> list[Route]:
    """Return the server's routes to rooms."""
    return [
        Route("/join", show_join),
        Route(script_address(), send_script),
        Route("/rooms", create_room, methods=["POST"]),
        Route("/stories/{lesson}", send_story),
        Route("/room/{code}", show_room),
        Route("/room/{code}/state", send_state),
        Route("/room/{code}/events", stream_news),
        Route("/room/{code}/vote", take_vote, methods=["POST"]),
        Route("/room/{code}/lost", take_lost, methods=["POST"]),
        Route("/room/{code}/host", steer_room, methods=["POST"]),
        Route("/room/{code}/record.csv", send_record),
        Route("/room/{code}/code.svg", draw_code),
    ]
