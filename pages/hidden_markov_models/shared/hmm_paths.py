"""Paths through a hidden Markov model's lattice, drawn over the words that fit into a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.hidden_markov_models.paths import paths_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.decoding import DecodedSentence
from pages.hidden_markov_models.shared import WORDS
from pages.hidden_markov_models.shared.hmm_choice import window_of
from pages.hidden_markov_models.shared.trellis import count_scoops


def show_paths(
    lesson: Lesson,
    decoded: DecodedSentence,
    paths: Mapping[str, Sequence[int]],
    alt: str,
    kept: np.ndarray | None = None,
    name: str = "figure",
) -> slice:
    """Draw named paths through one lattice, and the choice of words where there are many; return the words' places.

    `kept` (n, K) are the nodes that a search kept.
    """
    words, unknown = decoded.emissions.words, decoded.emissions.unknown
    shown = window_of(lesson, len(words))
    figure = paths_figure(
        words[shown],
        decoded.model.states,
        {label: path[shown] for label, path in paths.items()},
        unknown[shown],
        None if kept is None else kept[shown],
        shown.start,
        WORDS.label("axis.diary") if any(map(count_scoops, words)) else "",
    )
    lesson.figure(name, figure, alt)
    return shown
