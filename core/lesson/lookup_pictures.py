"""The small pictures of the lessons on looking up softly, each drawn by its lesson's own figure function."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.figures.soft_lookup import curves_figure
from core.figures.vector_lookup import lookup_bars
from core.lesson.lookup_points import TEMPERATURES
from core.lesson.pictures import small
from core.lesson.vector_sets import shared_vectors
from core.models.vector_lookup import lookup_by_distance, lookup_by_dot_product
from core.text.entries import read_points


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
