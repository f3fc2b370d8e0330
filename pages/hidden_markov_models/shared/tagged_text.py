"""Tagged sentences as the view "tagged_text" is sent them."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.palette import HUES as COLOURS
from core.figures.tag_cards import hue_of


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
