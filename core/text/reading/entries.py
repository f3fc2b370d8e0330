"""A small dictionary as a learner types it: `key: value`, entries parted by commas, semicolons or new lines."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from core.text.reading import WORDS
from core.text.reading.decoding import TextError

MOST_ENTRIES = 40
LARGEST = 1e6
Entry = tuple[str, str]


def read_entries(text: str) -> list[Entry]:
    """Return the entries of a typed dictionary. Raises TextError, with a sentence, for what is none.

    >>> read_entries("dog: 4, bird: 2")
    [('dog', '4'), ('bird', '2')]
    """
    parts = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
    if not parts:
        raise TextError(WORDS.label("entries.none"))
    if len(parts) > MOST_ENTRIES:
        raise TextError(WORDS.label("entries.many", n=len(parts), most=MOST_ENTRIES))
    entries = []
    for part in parts:
        key, colon, value = (piece.strip() for piece in part.rpartition(":"))
        if not (key and colon and value):
            raise TextError(WORDS.label("entries.wrong", part=part[:40]))
        entries.append((key, value))
    return entries


def parse_number(text: str, is_key: bool = False) -> float:
    """Return a typed number. Raises TextError when it is none, or larger than a million.

    >>> parse_number("2.5"), parse_number("−3")
    (2.5, -3.0)
    """
    try:
        number = float(text.replace("−", "-"))
    except ValueError:
        raise TextError(WORDS.label("entries.not_number", is_key=is_key, text=text[:40])) from None
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise TextError(WORDS.label("entries.large", is_key=is_key, text=text[:40]))
    return number


def read_points(text: str) -> tuple[list[float], list[float]]:
    """Return the keys and the values of a typed dictionary of numbers.

    >>> read_points("6: 9.5, 12: 19")
    ([6.0, 12.0], [9.5, 19.0])
    """
    entries = read_entries(text)
    return [parse_number(key, True) for key, _ in entries], [parse_number(value) for _, value in entries]


def written_points(keys: Sequence[float], values: Sequence[float]) -> str:
    """Return points as a learner would type them, to the tenth significant digit.

    >>> written_points([6.0, 12.0], [9.5, 19.0])
    '6: 9.5, 12: 19'
    """
    return ", ".join(f"{key:.10g}: {value:.10g}" for key, value in zip(keys, values, strict=True))
