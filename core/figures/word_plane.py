"""Words in a plane, as the view "word_plane" draws them: points, arrows, and what has room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def plane_point(
    key: str, place: Sequence[float], hue: str, kind: str = "plain", text: str | None = None
) -> dict:
    """Return a point with its word, which is its key unless `text` is given.

    >>> plane_point("cat", (1, 2), "blue")["text"]
    'cat'
    """
    x, y = (round(float(each), 4) for each in place)
    said = key if text is None else text
    return {"key": key, "text": said, "x": x, "y": y, "hue": hue, "kind": kind, "trail": []}


def plane_arrow(
    key: str, start: Sequence[float], end: Sequence[float], hue: str, kind: str = "arrow", text: str = ""
) -> dict:
    """Return an arrow from one place to another; of kind "line" or "link" it has no head."""
    ends = ([round(float(each), 4) for each in place] for place in (start, end))
    return {
        "key": key,
        **dict(zip(("from", "to"), ends, strict=True)),
        "text": text,
        "kind": kind,
        "hue": hue,
    }


def word_plane(
    points: Sequence[dict],
    arrows: Sequence[dict] = (),
    key: Sequence[tuple[str, str, str]] = (),
    extent: np.ndarray | None = None,
    title: str = "",
) -> dict:
    """Return the data of the view "word_plane" with one plane.

    `key` are signs and what they mean, as (kind, hue, text); `extent` (n, 2) are places that have room, those of the
    points and arrows where it is None.
    """
    places = [(each["x"], each["y"]) for each in points]
    places += [place for each in arrows for place in (each["from"], each["to"])]
    found = np.array(places if extent is None else extent, dtype=float)
    least, most = found.min(axis=0), found.max(axis=0)
    pad = 0.5 * (most - least < 1e-9)  # of a single place
    ends = np.stack([least - pad, most + pad], axis=1).round(4).tolist()
    panel = {"title": title, "range": dict(zip("xy", ends, strict=True)), "points": list(points)}
    signs = [{"kind": kind, "hue": hue, "text": text} for kind, hue, text in key]
    return {"panels": [{**panel, "arrows": list(arrows)}], "key": signs}
