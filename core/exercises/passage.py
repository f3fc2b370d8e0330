"""A passage of a text of one's own, short enough to count by hand."""

from __future__ import annotations

from functools import lru_cache

from core.exercises.draws import Draws
from core.exercises.exercise import SHARED
from core.text.tokenization.tokens import sentences, words

STOP = "."


@lru_cache(4)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return a text's words in small letters, a full stop after every sentence.

    >>> tokens_of("I am Sam. Sam I am!")
    ('i', 'am', 'sam', '.', 'sam', 'i', 'am', '.')
    """
    found = [words(sentence) for sentence in sentences(text)]
    return tuple(token for sentence in found if sentence for token in (*sentence, STOP))


def draw_passage(draws: Draws, text: str, length: int) -> list[str]:
    """Return so many tokens that stand together in a text, or all where it has fewer. Raises ValueError without a word."""
    tokens = tokens_of(text)
    if not tokens:
        raise ValueError(SHARED.label("no_word"))
    first = draws.integer(0, max(0, len(tokens) - length))
    return list(tokens[first : first + length])
