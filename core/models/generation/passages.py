"""Passages of a real text: a beginning that a model reads, and how the text itself goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.models.stored_language_models import Prompt

PROMPT = 40  # tokens of a passage that the model is given
CHARACTERS = 12_000  # of a text's end that are looked at


@dataclass(frozen=True)
class Passage:
    """A few lines of real text: the beginning, which the model reads, and how the text itself goes on."""

    source: str
    prompt: tuple[int, ...]
    real: tuple[int, ...]
    held_out: bool = False  # of a play's end, which no stored model was trained on


def end_of(text: str, share: float) -> str:
    """Return the last part of a text, from the beginning of a line where it has lines.

    >>> end_of("one\\ntwo\\nthree four", 0.7)
    'three four'
    """
    end = text[-min(CHARACTERS, int(share * len(text))) :]
    return end.split("\n", 1)[1] if "\n" in end[: len(end) // 2] else end


def passage_of(source: str, ids: Sequence[int], start: int, length: int, held_out: bool = False) -> Passage:
    """Return the passage that begins at a token of a text, `length` tokens to go on; a short text has a shorter prompt.

    >>> passage_of("a text", range(100), start=10, length=3).real
    (50, 51, 52)
    """
    ids = ids[start : start + PROMPT + length]
    cut = min(PROMPT, max(len(ids) // 3, len(ids) - length))
    return Passage(source, tuple(ids[:cut]), tuple(ids[cut:]), held_out)


def passages_of(text: str, read: Callable[[str], Prompt], count: int, length: int) -> list[Passage]:
    """Return passages of the last tenth of a text, or, where that is short, of all of it; none of a text too short."""
    tail = end_of(text, 0.1)
    tail = tail if len(tail) > 4 * count * (PROMPT + length) else text[-CHARACTERS:]
    ids = read(tail).ids
    starts = [i * max(0, len(ids) - PROMPT - length) // count for i in range(count)]
    found = [passage_of(str(i + 1), ids, start, length) for i, start in enumerate(starts)]
    return [passage for passage in dict.fromkeys(found) if len(passage.real) >= 2]
