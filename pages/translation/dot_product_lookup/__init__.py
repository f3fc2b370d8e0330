"""Queries, keys and values: a story of a wolf's legs, by distance and by dot product, and a lab of any words."""

import numpy as np

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, VERMILLION
from core.lesson.choices.vector_sets import shared_units
from core.lesson.lesson import Lesson
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product

LESSON = Lesson(__name__, icon="key-round")


def picture() -> Figure:
    """Five animals' weights for the query "wolf", by distance and by dot product."""
    vectors, words = shared_units("glove"), ["dog", "cat", "duck", "spider", "snake"]
    asked = (
        vectors["wolf"].astype(float),
        vectors.subset(words).vectors.astype(float),
        np.zeros(len(words)),
        0.3,
    )
    figure = blank(300)
    for look_up, colour in ((lookup_by_dot_product, VERMILLION), (lookup_by_distance, BLUE)):
        figure.add_trace(bar(x=look_up(*asked).weights, y=words, orientation="h", marker_color=colour))
    return small(figure)
