"""The addresses that answer a beat's description: /beats/<lesson>/<number>.description.json, made when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.descriptions.document import describe_document
from core.lesson.sessions import RUN_SLOTS
from core.lesson.story import story_of
from core.lesson.story_page import (
    BYTES_AT_MOST,
    UnreadableError,
    changes_in,
    document_of,
    find_step,
    read_object,
    story_lesson,
)


def description_of(lesson: str, number: int, revealed: bool, changes: Mapping[str, object]) -> bytes:
    """Return the description of a beat's document as JSON."""
    document = orjson.loads(document_of(lesson, number, revealed, changes))
    count = len(story_of(story_lesson(lesson).module))
    return orjson.dumps(describe_document(document, count))


async def serve_description(request: Request) -> Response:
    """Answer a beat's description: GET as its author set it, POST with what a learner changed."""
    lesson = request.path_params["lesson"]
    step = find_step(lesson, request.path_params["number"])
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
    changes = changes_in(lesson, step[0], asked)

    def compute() -> bytes:
        RUN_SLOTS.acquire()
        try:
            return description_of(lesson, *step, changes)
        finally:
            RUN_SLOTS.release()

    made = await run_in_threadpool(compute)
    return Response(made, media_type="application/json", headers={"cache-control": "no-cache"})


def description_routes() -> list[Route]:
    """Return the server's route to the descriptions of all beats; it stands before the one to their documents."""
    return [Route("/beats/{lesson}/{number}.description.json", serve_description, methods=["GET", "POST"])]
