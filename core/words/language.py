"""The language of what a reader sees: chosen once for a page or a request, asked for wherever a text is read.

A text is written in words.md, and translated in words.es.md beside it. Nothing else of the code knows the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from typing import ParamSpec, TypeVar

P, T = ParamSpec("P"), TypeVar("T")
ENGLISH, SPANISH = "en", "es"
LOANS = frozenset(("token", "bit", "logit", "clip"))  # whose Spanish plural is the English one
MOVING = {"carácter": "caracteres", "régimen": "regímenes"}  # Spanish nouns whose stress moves
# Each by its own name, for the switch. Spanish numbers are those of Mexico, 1,234.5: they agree with code, files and axes.
LANGUAGES = {ENGLISH: "English", SPANISH: "Español"}
_chosen: ContextVar[str] = ContextVar("language", default=ENGLISH)  # of a request, or of a run of a page


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
    ...     plural("palabra"), plural("vez"), plural("predicción"), plural("carácter"), plural("token")
    ('palabras', 'veces', 'predicciones', 'caracteres', 'tokens')
    """
    if language() == SPANISH and noun in MOVING:
        return MOVING[noun]
    if language() != SPANISH or noun[-1] in "aeioué" or noun in LOANS:
        return f"{noun}s"
    if noun.endswith("z"):
        return f"{noun[:-1]}ces"
    return (
        f"{noun[:-2]}{'aeiou'['áéíóú'.index(noun[-2])]}{noun[-1]}es" if noun[-2] in "áéíóú" else f"{noun}es"
    )


def more_than(number: str) -> str:
    """Return "more than" before a number."""
    return f"más de {number}" if language() == SPANISH else f"more than {number}"


def less_than(number: str) -> str:
    """Return "less than" before a number."""
    return f"menos de {number}" if language() == SPANISH else f"less than {number}"


def times(count: str) -> str:
    """Return "times" after a count that is not 1."""
    return f"{count} veces" if language() == SPANISH else f"{count} times"


def once() -> str:
    """Return how often something happens that happens one time."""
    return "una vez" if language() == SPANISH else "once"
