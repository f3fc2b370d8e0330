"""The language of a reader: as the address asks, else as their cookie keeps, else as their browser accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import Request

from core.words.language import ENGLISH, LANGUAGES, speaking

LANG = "lang"  # in an address and in the session
COOKIE = "attend_lang"  # what assets/views/shared/language.js keeps
ACCEPTED = re.compile(r"([a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?")
TAGS = 20  # of a header, read at most


def choose_language(asked: str | None, kept: str | None, accepted: str | None) -> str:
    """Return the language for a reader: as the address asks, else as their cookie keeps, else as their browser accepts.

    `accepted` is the header Accept-Language. What is no language of the course is as if it were not there.

    >>> choose_language("es", None, "en"), choose_language("tlh", "es", ""), choose_language(None, None, "fr, es-AR;q=0.8")
    ('es', 'es', 'es')
    >>> choose_language(None, None, "en-GB,es;q=0.5"), choose_language(None, "", None)
    ('en', 'en')
    """
    written = (asked, kept, *preferred(accepted or ""))
    return next((each for each in written if each in LANGUAGES), ENGLISH)


def preferred(accepted: str) -> list[str]:
    """Return the languages of a header Accept-Language without their regions, the best liked first.

    >>> preferred("de;q=0, en;q=0.7, es-MX, xx;q=nonsense")
    ['es', 'xx', 'en']
    """
    liked = []
    for part in accepted.split(",")[:TAGS]:
        if found := ACCEPTED.match(part.strip()):
            liked.append((float(found[2] or 1), found[1].partition("-")[0].lower()))
    return [tag for weight, tag in sorted(liked, key=lambda each: -each[0]) if weight]


def asked_language(query: Mapping[str, str], cookies: Mapping[str, str], headers: Mapping[str, str]) -> str:
    """Return the language of a request, or of the page that a session shows."""
    return choose_language(query.get(LANG), cookies.get(COOKIE), headers.get("accept-language"))


class ReadsLanguage:
    """ASGI middleware that answers each HTTP request in its reader's language."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        """Pass the request on, its language chosen."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        with speaking(asked_language(request.query_params, request.cookies, request.headers)):
            await self.app(scope, receive, send)
