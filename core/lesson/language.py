"""The language of what a reader sees: chosen once for a page or a request, asked for wherever a text is read.

A text is written in words.md, and translated in words.es.md beside it. Nothing else of the code knows the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from starlette.requests import Request

P, T = ParamSpec("P"), TypeVar("T")
ENGLISH, SPANISH = "en", "es"
# Each by its own name, for the switch. Spanish numbers are those of Mexico, 1,234.5: they agree with code, files and axes.
LANGUAGES = {ENGLISH: "English", SPANISH: "Español"}
LANG = "lang"  # in an address and in the session
COOKIE = "attend_lang"  # what assets/views/shared/language.js keeps
_chosen: ContextVar[str] = ContextVar("language", default=ENGLISH)  # of a request, or of a run of a page
ACCEPTED = re.compile(r"([a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?")
TAGS = 20  # of a header, read at most


def language() -> str:
    """Return the language that is read now; English where none was chosen."""
    return _chosen.get()


def set_language(chosen: str) -> None:
    """Choose the language of the run that goes on in this thread."""
    _chosen.set(chosen)


@contextmanager
def speaking(chosen: str) -> Iterator[None]:
    """Read all texts in one language for a while.

    >>> with speaking("es"):
    ...     language()
    'es'
    """
    token = _chosen.set(chosen)
    try:
        yield
    finally:
        _chosen.reset(token)


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


def cache_by_language(compute: Callable[P, T]) -> Callable[P, T]:
    """Return a function that keeps all its results, those of each language apart. Its arguments must be hashable.

    >>> calls = []
    >>> @cache_by_language
    ... def written():
    ...     calls.append(language())
    >>> for spoken in ("en", "es", "en"):
    ...     with speaking(spoken):
    ...         written()
    >>> calls
    ['en', 'es']
    """

    @cache
    def keep(spoken: str, *arguments: P.args, **named: P.kwargs) -> T:
        return compute(*arguments, **named)

    @wraps(compute)
    def read(*arguments: P.args, **named: P.kwargs) -> T:
        return keep(language(), *arguments, **named)

    read.cache_clear = keep.cache_clear
    return read


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


# What the filters of a template write by themselves.


def conjunction(following: str) -> str:
    """Return "and" as it stands before a word.

    >>> with speaking("es"):
    ...     conjunction("tres"), conjunction("ideas"), conjunction("hielo")
    ('y', 'e', 'y')
    """
    if language() == SPANISH:
        return "e" if re.match(r"h?[ií](?![aeoáéó])", following, re.IGNORECASE) else "y"
    return "and"


def plural(noun: str) -> str:
    """Return the plural of a regular noun.

    >>> plural("word")
    'words'
    >>> with speaking("es"):
    ...     plural("palabra"), plural("error"), plural("vez"), plural("predicción")
    ('palabras', 'errores', 'veces', 'predicciones')
    """
    if language() != SPANISH or noun[-1] in "aeioué":
        return f"{noun}s"
    if noun.endswith("z"):
        return f"{noun[:-1]}ces"
    return (
        f"{noun[:-2]}{'aeiou'['áéíóú'.index(noun[-2])]}{noun[-1]}es" if noun[-2] in "áéíóú" else f"{noun}es"
    )
