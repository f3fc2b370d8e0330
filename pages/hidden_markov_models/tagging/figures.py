"""Pictures of tagged text: a sentence in cards with bars below it, and the text of the lab."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.palette import HUES as COLOURS
from core.figures.tag_cards import OTHERS, chip, hue_of
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


def tagged_text_payload(
    words: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
    unseen: Sequence[Sequence[bool]],
    others: Sequence[Sequence[str]],
    chosen: int = 0,
) -> dict:
    """Return the data of the view "tagged_text"; `others` are tags from elsewhere, marked where they differ.

    `chosen` counts words from the first one shown.

    >>> payload = tagged_text_payload([["Dogs", "bark"]], [["NOUN", "VERB"]], [[False, True]], [["NOUN", "NOUN"]])
    >>> payload["sentences"][0][1]
    {'word': 'bark', 'tag': 'VERB', 'unseen': True, 'differs': 'NOUN'}
    """
    sentences = [
        [
            {"word": word, "tag": tag, "unseen": bool(new), "differs": other if other != tag else ""}
            for word, tag, new, other in zip(*sentence, strict=True)
        ]
        for sentence in zip(words, tags, unseen, others, strict=True)
    ]
    tagset = {tag for sentence in tags for tag in sentence}
    return {
        "sentences": sentences,
        "chosen": chosen,
        "colours": {tag: COLOURS[hue_of(tag)] for tag in tagset},
    }
