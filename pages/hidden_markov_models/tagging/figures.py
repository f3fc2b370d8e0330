"""Pictures of tagged text: a sentence in cards with bars below it, and the text of the lab."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.tag_cards import OTHERS, chip
from core.words.numbers import plain_number
from pages.hidden_markov_models.tagging import LESSON

WORDS = LESSON.words
PUNCTUATION = "."


def draw_key(tags: Sequence[str] = (), **marks: str) -> list[dict]:
    """Return what the marks mean: the names of tags, and of each mark {kind: key of its text in words.md}."""
    named = [{"kind": "tag", "text": tag_name(tag), **chip(tag)} for tag in dict.fromkeys(tags)]
    return named + [
        {"kind": kind, "text": WORDS.label(key), "tag": "", "hue": OTHERS} for kind, key in marks.items()
    ]


def tag_name(tag: str) -> str:
    """Return the full name of a tag."""
    return WORDS.label(f"tag.{'punctuation' if tag == PUNCTUATION else tag}")


def method_row(name: str, value: float, text: str, best: bool = False, mark: str = "") -> dict:
    """Return a row that belongs to a way of tagging; `name` and `mark` are ids."""
    return {
        "name": WORDS.label(f"method.{name}"),
        "tags": [],
        "hue": "blue" if best else OTHERS,
        "mark": f"row.{mark or name}",
        "value": value,
        "text": text,
        "kind": "best" if best else "plain",
    }


def format_probability(p: float) -> str:
    """Return a probability as a bar shows it.

    >>> format_probability(0.682379), format_probability(0.0000201)
    ('0.682', '2.01·10⁻⁵')
    """
    return plain_number(p, 3)
