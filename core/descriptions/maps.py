"""Maps of words: where a projection places each, what is near it there, and what is near it in all dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, pi

import numpy as np

from core.descriptions.description import Cell, Description, describe_table, say, tell_apart
from core.figures.packed import unpacked
from core.words.numbers import signed

NOUNS, METRICS = ("word", "use", "sentence"), ("cosine", "distance")  # that core calls by an id
UNTURNED = [[1, 0], [0, 1]]
# In the picture, from straight right against the clock, an eighth of a turn each.
DIRECTIONS = ("right", "upper_right", "up", "upper_left", "left", "lower_left", "down", "lower_right")


def describe_map(data: Mapping) -> Description:
    """Return the description of a map of words, at its last frame: a row for each point, with what is near it."""
    words, axes = data["words"], data["axes"]
    names = tell_apart(
        [*data.get("told", words), *(each["name"] or say("map.point") for each in data["points"])]
    )
    frame = max(0, len(data["frames"]) - 1)
    size = 2 * len(names)
    places = unpacked(data["places"])[frame * size : (frame + 1) * size].reshape(-1, 2)
    noun = say(f"map.noun.{data['noun']}") if data["noun"] in NOUNS else data["noun"]
    metric = say(f"map.metric.{data['metric']}") if data["metric"] in METRICS else data["metric"]
    heads = [each["name"] for each in axes] if len(axes) == places.shape[1] else ["x", "y"]
    columns = (
        capitalised(noun),
        *heads,
        say("column.group"),
        say("map.on_map"),
        say("map.nearest"),
        say("map.to_nearest", metric=capitalised(metric), noun=noun),
        say("map.next"),
    )
    rows = point_rows(data, names, places, frame)
    compared = {columns[at]: [(row[at], row[0]) for row in rows] for at in (1, 2)}
    nearest = [(row[6], say("map.pair", first=row[0], second=row[5])) for row in rows if row[5]]
    compared |= {columns[6]: nearest}
    sentence = say("map.sentence", words=len(words), noun=noun, points=len(data["points"]))
    chosen = [] if data["chosen"] is None else [names[data["chosen"]]]
    return describe_table(
        sentence,
        say_axes(data, metric),
        columns,
        rows,
        compared,
        chosen,
        say_map(data, names, places, noun),
    )


def point_rows(data: Mapping, names: Sequence[str], places: np.ndarray, frame: int) -> list[list[Cell | str]]:
    """Return a row for each point of a map: its place, its group, and what is near it on the map and in all dimensions."""
    near, nearness = near_words(data, frame)
    groups = [data["groups"][each]["name"] for each in data["group"]]
    seen = nearest_on_map(places)
    rows = []
    for at, (name, place) in enumerate(zip(names, places, strict=False)):
        row = [name, *(Cell(signed(each), float(each)) for each in place)]
        row += [groups[at] if at < len(groups) else "", names[seen[at]] if seen[at] >= 0 else ""]
        if at < len(near):
            (first, value), *rest = zip(near[at], nearness[at], strict=True)
            later = "; ".join(f"{names[other]} {signed(each)}" for other, each in rest)
            row += [names[first], Cell(signed(value), float(value)), later]
        else:
            row += ["", "", ""]
        rows.append(row)
    return rows


def near_words(data: Mapping, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows (n, k) of the words nearest to each word of a map at a frame, and how near they are."""
    if not data["k"] or not data["words"] or not data["near"]:
        return np.zeros((0, 0), int), np.zeros((0, 0))
    shape = (-1, len(data["words"]), data["k"])
    rows, values = (unpacked(data[name]).reshape(shape) for name in ("near", "nearness"))
    frame = min(frame, len(rows) - 1)
    return rows[frame].astype(int), values[frame]


def nearest_on_map(places: np.ndarray) -> np.ndarray:
    """Return the row of the point that is nearest to each of the points (n, 2); -1 for a point alone.

    >>> nearest_on_map(np.array([[0.0, 0.0], [3.0, 0.0], [1.0, 0.0]])).tolist()
    [2, 2, 0]
    """
    if len(places) < 2:
        return np.full(len(places), -1)
    found = []
    for at, place in enumerate(places):
        far = ((places - place) ** 2).sum(axis=1)
        far[at] = np.inf
        found.append(int(far.argmin()))
    return np.array(found)


def say_axes(data: Mapping, metric: str) -> str:
    """Return what the axes of a map are, where they point in the picture, and how the nearest are found."""
    shares = [say("map.share", name=each["name"], share=each["share"]) for each in data["axes"]]
    parts = [say("map.axes", shares=shares)]
    if data["turn"] != UNTURNED:
        named = zip((each["name"] for each in data["axes"]), map(direction, data["turn"]), strict=False)
        points = [say("map.pointing", name=name, way=say(f"map.way.{way}")) for name, way in named]
        parts += [say("map.points", points=points)] if points else []
    if data["k"]:
        parts.append(say("map.near", metric=metric, dimensions=data["dimension"]))
    return " ".join(parts)


def direction(turned: Sequence[float]) -> str:
    """Return in which of eight directions an axis points in the picture, as words.md calls it.

    >>> direction([1.0, 0.0]), direction([0.64, -0.77]), direction([0.0, 1.0])
    ('right', 'lower_right', 'up')
    """
    right, up = turned
    return DIRECTIONS[round(atan2(up, right) / (pi / 4)) % len(DIRECTIONS)]


def say_map(data: Mapping, names: Sequence[str], places: np.ndarray, noun: str) -> list[str]:
    """Return what a map tells beside its points: its moment, its groups, the links and the arrows."""
    words, frames, more = data["words"], data["frames"], []
    if frames:
        more.append(say("map.frame", number=len(frames), count=len(frames), name=frames[-1]))
    named = [at for at, each in enumerate(data["groups"]) if each["name"]]
    counts = [(data["groups"][at]["name"], data["group"].count(at)) for at in named]
    if counts:
        more.append(say("map.groups", groups=[say("map.group", name=name, n=n) for name, n in counts]))
    if len(named) > 1 and len(words) > 1:
        group, seen = data["group"], nearest_on_map(places[: len(words)])
        own = [at for at, each in enumerate(group) if each in named]
        same = sum(group[seen[at]] == group[at] for at in own)
        more.append(say("map.same", same=same, n=len(own), noun=noun))
    if data["chosen"] is not None and data["neighbours"]:
        neighbours = [names[each] for each in data["neighbours"]]
        more.append(say("map.links", word=names[data["chosen"]], neighbours=neighbours))
    told = {True: [], False: []}  # by whether it has a head
    for each in data["arrows"]:
        key, ends = "map.arrow" if each["head"] else "map.line", (names[each["from"]], names[each["to"]])
        told[each["head"]].append(say(key, name=each["name"], first=ends[0], last=ends[1]))
    if told[True]:
        more.append(say("map.arrows", arrows=told[True]))
    if told[False]:
        more.append(say("map.lines", lines=told[False]))
    return more


def capitalised(text: str) -> str:
    """Return a text with a capital first letter.

    >>> capitalised("use"), capitalised("")
    ('Use', '')
    """
    return text[:1].upper() + text[1:]
