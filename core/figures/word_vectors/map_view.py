"""The payload of the browser view "map": words where a projection puts them, in plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.figures.packed import packed
from core.figures.word_vectors import WORDS
from core.models.word_vectors.projection import Nearest, Projection, nearest, project
from core.models.word_vectors.training_progress import Progress

NEAREST = 3  # words named at each moment of a training
HEIGHT = 400  # pixels of the picture
# Themes differ by their mark as well as by their hue; words of no theme are crosses beside them.
LOOKS = (("circle", "blue"), ("square", "pink"), ("triangle", "ochre"), ("diamond", "sky"))


def map_view(
    words: Sequence[str],
    projection: Projection,
    label: str,
    near: Nearest | None = None,
    turn: np.ndarray | None = None,
    chosen: str = "",
    neighbours: Sequence[str] = (),
    theme_of: Callable[[str], str] = lambda word: "",
    **fields: object,
) -> dict:
    """Return the data of the view "map": a word looked up is ringed and linked to its neighbours, all on the map.

    `label` says in a sentence what the map shows; `near` are the words nearest to each in all dimensions, shown when
    it is pointed at. `turn` (2, 2) is how the picture is turned; the axes are turned with it. `fields` go to the view
    as they are: `clickable`, `height`, `noun` for what a point is, and `afresh`, how many of the words that are seen
    can be projected afresh.

    >>> chart = project(np.float32([[0, 0, 0], [2, 0, 0], [4, 0, 3]]))
    >>> data = map_view(["a", "b", "c"], chart, "Three words", chosen="a", neighbours=["b"])
    >>> data["chosen"], data["neighbours"], [(axis["name"], round(axis["share"], 2)) for axis in data["axes"]]
    (0, [1], [('PC 1', 0.93), ('PC 2', 0.07)])
    """
    row = {word: i for i, word in enumerate(words)}
    theme = [theme_of(word) for word in words]
    themes = list(dict.fromkeys(theme))
    named = [each for each in themes if each]
    looks = {each: LOOKS[i % len(LOOKS)] for i, each in enumerate(named)}
    looks[""] = ("cross", "grey") if named else LOOKS[0]
    return {
        "words": list(words),
        "label": label,
        "dimension": projection.components.shape[1],
        "turn": (np.eye(2) if turn is None else turn).tolist(),
        "axes": [{"name": f"PC {i}", "share": float(v)} for i, v in enumerate(projection.variance, 1)],
        "places": numbers(projection.coordinates),
        "points": [],
        "groups": [{"name": t, "mark": looks[t][0], "hue": looks[t][1]} for t in themes],
        "group": list(map(themes.index, theme)),
        "chosen": row.get(chosen),
        "neighbours": [row[word] for word in neighbours],
        **near_each([near] if near else []),
        "arrows": [],
        "frames": [],
        "clickable": False,
        "afresh": 0,
        "height": HEIGHT,
        "file": "map",
        "noun": "word",
        **fields,
    }


def near_each(frames: Sequence[Nearest]) -> dict:
    """Return the words nearest to each as the view reads them, one frame after the other."""
    k = frames[0].rows.shape[1] if frames else 0
    metric = frames[0].metric if frames else "cosine"
    return {
        "k": k,
        "metric": {"cosine": "cosine", "euclidean": "distance"}[metric],
        "near": numbers(*(frame.rows for frame in frames)),
        "nearness": numbers(*(frame.values for frame in frames)),
    }


def numbers(*arrays: np.ndarray) -> str:
    """Return arrays, one after the other, as the view reads them.

    >>> numbers(np.eye(2), np.zeros(1)) == packed([1, 0, 0, 1, 0])
    True
    """
    return packed(np.concatenate([np.ravel(each) for each in arrays] or [[]]))


def replay_view(words: Sequence[str], shots: Sequence[Progress], with_nearest: bool = True) -> dict:
    """Return the map of words at every report that holds a snapshot, one frame after the other.

    All snapshots are projected on the principal components of the last, so that what moves is the words alone.
    `with_nearest`: with each word's nearest at that moment.
    """
    snapshots = [shot.snapshot.subset(words).vectors for shot in shots]
    projection = project(snapshots[-1])
    label = WORDS.label("map_view.replay", words=len(words), moments=len(shots))
    frames: Mapping = near_each(
        [nearest(each, NEAREST, "cosine") for each in snapshots] if with_nearest else []
    )
    return {
        **map_view(words, projection, label),
        "places": numbers(*map(projection.place, snapshots)),
        **frames,
        "frames": [WORDS.label("map_view.frame", steps=shot.step) for shot in shots],
    }
