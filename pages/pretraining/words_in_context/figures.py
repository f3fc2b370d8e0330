"""What the story of contextual embeddings draws: uses as points, and cosines and counts as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.word_plane import plane_arrow, plane_point, word_plane
from core.models.pretraining.uses import Use
from core.text.tokenization.tokens import words
from pages.pretraining.words_in_context import LESSON

WORDS = LESSON.words
HUES = ("vermillion", "blue")
ONE_PLACE = 1e-6  # of the map: points that are closer are one point


def short_name(use: Use) -> str:
    """Return the word of a use between its neighbours.

    >>> short_name(Use("light", "So the light of the sun came."))
    'the light of'
    """
    tokens = words(use.sentence)
    at = tokens.index(use.word) if use.word in tokens else 0
    return " ".join(tokens[max(0, at - 1) : at + 2])


def draw_uses(
    uses: Sequence[Use],
    places: np.ndarray,
    extent: np.ndarray,
    names: bool = True,
    near: tuple[int, float] | None = None,
) -> dict:
    """Return uses as points with the hue of their sense; one without a sense is a star. `extent` (n, 2) has room.

    Where all have one place, one point stands for all. `near` is the use that a line joins to the last, and their cosine.
    """
    senses = list(dict.fromkeys(use.sense for use in uses if use.sense))
    at_one_place = np.ptp(places, axis=0).max() < ONE_PLACE
    points = []
    for i, (use, place) in enumerate(zip(uses, places, strict=True)):
        hue = "grey" if at_one_place else HUES[senses.index(use.sense)] if use.sense else "green"
        text = short_name(use) if names or not use.sense else ""
        if at_one_place:
            text = WORDS.label("all_uses", n=len(uses)) if i == len(uses) - 1 else ""
        kind = ("plain" if text else "bare") if use.sense else "star"
        points.append(plane_point(f"use.{i}", place, hue, kind, text))
    key = [] if at_one_place else [("plain", HUES[i], sense) for i, sense in enumerate(senses)]
    lines = []
    if near:
        at, cosine = near
        text = WORDS.label("line.cosine", cosine=cosine)
        lines = [plane_arrow("near", places[-1], places[at], "green", "line", text)]
    return word_plane(points, lines, key, extent)


def draw_bars(
    title: str, values: Mapping[str, tuple[float, str]], most: float, hues: Mapping[str, str], best: str = ""
) -> dict:
    """Return bars from 0: for each id or word its value and the text at its end."""
    rows = [
        make_row(
            WORDS.label(f"row.{key}") if WORDS.has(f"row.{key}") else key,
            f"row.{key}",
            value,
            text,
            kind="best" if key == best else "plain",
            hue=hues.get(key, "blue"),
        )
        for key, (value, text) in values.items()
    ]
    return join_panels(make_panel(title, most, rows))


def draw_neighbours(panels: Mapping[str, Sequence[tuple[str, float]]]) -> dict:
    """Return a panel of the nearest words with their cosines for each set of vectors."""
    drawn = [
        make_panel(
            WORDS.label(f"title.{name}"),
            1.1,
            [
                make_row(word, f"{name}.{i}", cosine, f"{cosine:.2f}", hue="green")
                for i, (word, cosine) in enumerate(near)
            ],
        )
        for name, near in panels.items()
    ]
    return join_panels(*drawn)
