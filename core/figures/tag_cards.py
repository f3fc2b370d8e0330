"""A sentence in cards, each word above its tag, and panels of bars below it (view "tag_cards")."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

HUES = {
    "NOUN": "blue",
    "VERB": "vermillion",
    "ADJ": "green",
    "ADV": "pink",
    "PRON": "sky",
    "DET": "ochre",
}
OTHERS = "grey"  # the hue of every other tag


def hue_of(tag: str) -> str:
    """Return the hue of a tag, the same in every picture.

    >>> hue_of("NOUN"), hue_of("CONJ")
    ('blue', 'grey')
    """
    return HUES.get(tag, OTHERS)


def draw_cards(
    words: Sequence[str],
    tags: Sequence[str],
    framed: Collection[int] = (),
    struck: Mapping[int, str] | None = None,
    unseen: Collection[int] = (),
) -> list[dict]:
    """Return a sentence's cards; `struck` {place: tag} are tags that are struck out below the card's own."""
    struck = struck or {}
    return [
        {
            "word": word,
            "tag": tag,
            "hue": hue_of(tag),
            "kind": "now" if t in framed else "plain",
            "unseen": t in unseen,
            "struck": chip(struck[t]) if t in struck else None,
        }
        for t, (word, tag) in enumerate(zip(words, tags, strict=True))
    ]


def chip(tag: str) -> dict:
    """Return a tag in its hue."""
    return {"tag": tag, "hue": hue_of(tag)}


def draw_bars(title: str, rows: Sequence[dict], whole: float = 0) -> dict:
    """Return a panel of bars; a row's share is that of `whole`, of the largest value where none is given."""
    longest = whole or max(row["value"] for row in rows)
    drawn = [{**row, "share": row["value"] / longest if longest else 0} for row in rows]
    rows = [{key: row[key] for key in row if key != "value"} for row in drawn]
    return {"title": title, "whole": bool(whole), "rows": rows}


def tag_row(tags: Sequence[str], value: float, text: str, best: bool = False, mark: str = "") -> dict:
    """Return a row that belongs to a tag, or to several in their order."""
    return {
        "name": "",
        "tags": [chip(tag) for tag in tags],
        "hue": hue_of(tags[0]) if len(tags) == 1 else OTHERS,
        "mark": f"row.{mark or tags[0]}",
        "value": value,
        "text": text,
        "kind": "best" if best else "plain",
    }


def draw_picture(
    cards: Sequence[dict] = (), key: Sequence[dict] = (), panels: Sequence[dict] = (), total: str = ""
) -> dict:
    """Return the data of the view "tag_cards"."""
    return {"cards": list(cards), "key": list(key), "panels": list(panels), "sum": total}
