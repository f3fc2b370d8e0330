"""Figures of the lessons on pretraining, and what is said of them; their words are in words.md."""

import re
from pathlib import Path

from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))


def name(each: str) -> str:
    """Return what a reader calls something whose id in models and cards is English words.

    >>> name("h of [CLS]"), name("frozen")
    ('h of [CLS]', 'frozen')
    """
    return WORDS.label("name." + re.sub(r"\W+", "_", each).strip("_"))


def heads(*keys: str) -> list[str]:
    """Return the heads of columns that several tables have.

    >>> heads("right", "of")
    ['right', 'of']
    """
    return [WORDS.label(f"column.{key}") for key in keys]
