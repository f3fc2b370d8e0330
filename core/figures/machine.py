"""A machine as lessons draw it: boxes, arrows, and streams of numbers (view "machine").

A place is (x, y, width, height) in per cent of the room: one for a wide room, one for a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.token_label import label_token
from core.words.numbers import signed

Place = Sequence[float] | None
TOKEN_WIDE, TOKEN_NARROW = (1.02, 2.3), (2.2, 3.4)  # per cent of the width: of a letter, and around a word


def node(key: str, kind: str, wide: Place, narrow: Place = (), **more: object) -> dict:
    """Return a part of the machine; without a place on a phone it has the same there as in a wide room."""
    blank = {"title": "", "note": "", "hue": "", "state": "", "cells": [], "bars": [], "grid": []}
    places = {"wide": encode_place(wide), "narrow": encode_place(wide if narrow == () else narrow)}
    return {"key": key, "kind": kind, **places, **blank, **more}


def encode_place(where: Place) -> list[float] | None:
    """Return a place as the view is sent it.

    >>> encode_place((1, 2.12345, 3, 4)), encode_place(None)
    ([1.0, 2.12, 3.0, 4.0], None)
    """
    return None if where is None else [round(float(each), 2) for each in where]


def arrow(
    start: str, end: str, kind: str = "plain", hue: str = "", text: str = "", weight: float = 0.15
) -> dict:
    """Return an arrow between two parts; a weight from 0 to 1 is its thickness."""
    return {
        "from": start,
        "to": end,
        "kind": kind,
        "hue": hue,
        "text": text,
        "weight": round(float(weight), 3),
    }


def machine(nodes: Sequence[dict], arrows: Sequence[dict], sum: str = "") -> dict:
    """Return the view's data."""
    return {"nodes": list(nodes), "arrows": list(arrows), "sum": sum}


def point(key: str, kind: str, wide: Sequence[float], narrow: Sequence[float] = (), **more: object) -> dict:
    """Return a plus or a dot, which has a middle (x, y) and no size of its own."""
    return node(key, kind, (*wide, 0, 0), (*(narrow or wide), 0, 0), **more)


def vector(values: Sequence[float], most: float, n: int = 3, digits: int = 1) -> list[dict]:
    """Return the first `n` numbers of a vector as cells; the shade of `most` is the fullest.

    >>> vector([2.0, -1.0, 0.0], 2.0, 2)
    [{'shade': 1.0, 'text': '2.0'}, {'shade': -0.5, 'text': '−1.0'}]
    """
    return [
        {"shade": round(float(value) / most if most else 0.0, 2), "text": signed(float(value), digits)}
        for value in values[:n]
    ]


def share_bar(
    name: str, share: float, text: str, hue: str = "", now: bool = False, was: float | None = None
) -> dict:
    """Return one bar; its length and its older length `was` are shares of the room."""
    return {
        "name": name,
        "share": round(min(1.0, max(0.0, float(share))), 4),
        "text": text,
        "hue": hue,
        "now": bool(now),
        "was": None if was is None else round(min(1.0, max(0.0, float(was))), 4),
    }


def spans(
    tokens: Sequence[str], last: float, sizes: tuple[float, float], end: float = 100
) -> list[tuple[float, float] | None]:
    """Return x and width of each token in a line, the middle of the last at `last`; None where there is no room.

    >>> spans(["a", "bc"], 50, (10, 10))
    [(11.0, 20), (35.0, 30)]
    """
    letter, around = sizes
    widths = [letter * max(1, len(each)) + around for each in tokens]
    gap = around * 0.4
    right, found = min(end, last + widths[-1] / 2), []
    for width in reversed(widths):
        found.append((round(right - width, 6), width) if right - width >= 0 and None not in found else None)
        right -= width + gap
    return found[::-1]


def sentence(
    tokens: Sequence[str],
    wide: tuple[float, float, float],
    narrow: tuple[float, float, float],
    hues: Mapping[int, str],
    notes: Mapping[int, str] | None = None,
) -> list[dict]:
    """Return the tokens side by side: `wide` and `narrow` are the last one's middle, the line's top and its height."""
    names = [bare(token) for token in tokens]
    rows = [spans(names, where[0], sizes) for where, sizes in ((wide, TOKEN_WIDE), (narrow, TOKEN_NARROW))]
    notes = notes or {}
    return [
        node(
            f"token.{t}",
            "token",
            *(
                None if row[t] is None else (row[t][0], where[1], row[t][1], where[2])
                for row, where in zip(rows, (wide, narrow), strict=True)
            ),
            title=name,
            note=notes.get(t, ""),
            hue=hues.get(t, ""),
        )
        for t, name in enumerate(names)
    ]


def bare(token: str) -> str:
    """Return a token as the machine shows it, without the space before it.

    >>> bare(" of"), bare(" "), bare(chr(10))
    ('of', '␣', '↵')
    """
    return label_token(token.strip(" ") or token)
