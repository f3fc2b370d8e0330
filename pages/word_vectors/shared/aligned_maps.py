"""The maps of the same words in two sets, side by side, the second turned to lie nearest to the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.figures.word_vectors.map_view import map_view
from core.lesson.lesson import Lesson
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.projection import Nearest, Projection, nearest, project
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared import WORDS

NEAREST = 5  # words that are named beside one that is pointed at


@dataclass(frozen=True, eq=False)
class SetMap:
    """The map of words in one set: their places, the turn (2, 2) that it is shown in, and each word's nearest."""

    words: Sequence[str]
    chart: Projection
    turn: np.ndarray
    near: Nearest


def aligned(
    here: Sequence[WordVectors], turn_of: Callable[[Projection], np.ndarray] = lambda chart: np.eye(2)
) -> tuple[SetMap, SetMap]:
    """Return the maps of the same words in two sets; `turn_of(chart)` is how the first is turned."""
    charts = [project(vectors.vectors) for vectors in here]
    turn = turn_of(charts[0])
    turns = [turn, procrustes(charts[1].coordinates, charts[0].coordinates @ turn)]
    near = [nearest(vectors.vectors, NEAREST, "cosine") for vectors in here]
    return tuple(map(SetMap, [vectors.words for vectors in here], charts, turns, near))


def draw_maps(
    lesson: Lesson, pair: tuple[SetMap, SetMap], names: Sequence[str], theme_of: Callable[[str], str]
) -> None:
    """Draw both maps of a lesson, side by side."""
    for column, side, drawn, name in zip(st.columns(2), ("first", "second"), pair, names, strict=True):
        label = WORDS.label("alt.map_of", n=len(drawn.words), name=name)
        data = map_view(drawn.words, drawn.chart, label, drawn.near, drawn.turn, theme_of=theme_of)
        with column:
            lesson.view("map", data, f"{side}_map")
    st.caption(WORDS.markdown("map.turned"))
