"""The addresses that answer a beat's description: /beats/<lesson>/<number>.description.json, made when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.descriptions.document import describe_document
from core.lesson.story import story_of
from core.lesson.story_page import answer_beat, document_of, read_beat, story_lesson


def description_of(lesson: str, number: int, revealed: bool, changes: Mapping[str, object]) -> bytes:
    """Return the description of a beat's document as JSON."""
    document = orjson.loads(document_of(lesson, number, revealed, changes))
    count = len(story_of(story_lesson(lesson).module))
    return orjson.dumps(describe_document(document, count))


async def serve_description(request: Request) -> Response:
    """Answer a beat's description: GET as its author set it, POST with what a learner changed."""
    asked = await read_beat(request, request.path_params["number"])
    return asked if isinstance(asked, Response) else await answer_beat(description_of, asked)


def description_routes() -> list[Route]:
    """Return the server's route to the descriptions of all beats; it stands before the one to their documents."""
    return [Route("/beats/{lesson}/{number}.description.json", serve_description, methods=["GET", "POST"])]
