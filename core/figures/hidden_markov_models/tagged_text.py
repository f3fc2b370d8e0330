"""Tagged text for the browser view assets/views/tagged_text: words, tags and what is to be marked, as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, SKY, VERMILLION

COLOURS = {"NOUN": BLUE, "VERB": VERMILLION, "ADJ": GREEN, "ADV": PINK, "PRON": SKY, "DET": OCHRE}


def tagged_text_payload(
    words: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
    unseen: Sequence[Sequence[bool]],
    others: Sequence[Sequence[str]],
    chosen: int = 0,
) -> dict:
    """Return what the view draws of some sentences; `others` are tags from elsewhere, marked where they differ.

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
        "colours": {tag: COLOURS.get(tag, GREY) for tag in tagset},
    }
