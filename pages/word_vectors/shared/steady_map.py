"""Maps of one set are turned alike, so that a word keeps its place when others come or go."""

from __future__ import annotations

from functools import cache

import numpy as np

from core.lesson.choices.vector_sets import OWN, shared_units, shared_vectors
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.projection import Projection, project
from core.models.word_vectors.word_vectors import WordVectors

MOST = 2000  # of a set's words, the most frequent ones, on the map that all others are turned to


@cache
def frequent_stored(name: str, unit: bool) -> Projection:
    """Return the map of a stored set's most frequent words, scaled to length 1 or as they are."""
    return project((shared_units(name) if unit else shared_vectors(name)).vectors[:MOST])


def steady_turn(
    name: str, vectors: WordVectors, here: WordVectors, projection: Projection, unit: bool = False
) -> np.ndarray:
    """Return the turn (2, 2) of a map of some words `here`: nearest to where the set's map of frequent words has them.

    The map that was shown before is not asked, so that one link always opens one picture.
    """
    frequent = project(vectors.vectors[:MOST]) if name == OWN else frequent_stored(name, unit)
    return procrustes(projection.coordinates, frequent.place(here.vectors))
