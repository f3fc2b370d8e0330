"""The small pictures of the lessons on looking up softly, each drawn by its lesson's own figure function."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.figures.card import small
from core.figures.translation.soft_lookup import curves_figure
from core.figures.translation.vector_lookup import lookup_bars
from core.lesson.choices.vector_sets import shared_vectors
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.text.reading.entries import read_points
from pages.translation.parts.lookup_points import TEMPERATURES


def soft_lookup() -> go.Figure:
    """Six points and the curves of three kernels."""
    return small(curves_figure(*read_points(TEMPERATURES), bandwidth=1.5))


def dot_product_lookup() -> go.Figure:
    """Five animals' weights for the query "wolf", by distance and by dot product."""
    vectors, words = shared_vectors("glove").normalised(), ["dog", "cat", "duck", "spider", "snake"]
    lookup = (
        vectors["wolf"].astype(float),
        vectors.subset(words).vectors.astype(float),
        np.zeros(len(words)),
        0.3,
    )
    figure = lookup_bars(
        words, [""] * len(words), lookup_by_distance(*lookup), lookup_by_dot_product(*lookup)
    )
    return small(figure)
