"""The small pictures of the lessons' cards: each drawn by its lesson's own figure function from a real model."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.word_map import arithmetic_map, axis_figure
from core.figures.word_map import word_map as draw_word_map
from core.lesson.vector_sets import shared_vectors
from core.models.projection import project
from core.models.word_arithmetic import arithmetic
from core.models.word_axis import axis

HEIGHT = 190
WORDS = "king queen man woman paris france rome italy cat dog".split()


def small(figure: go.Figure) -> go.Figure:
    """Return the figure at the size of a card, without axes' titles and legend."""
    figure.update_layout(
        height=HEIGHT, showlegend=False, font={"size": 12}, margin={"l": 4, "r": 4, "t": 4, "b": 4}
    )
    figure.update_xaxes(title="", showticklabels=False)
    figure.update_yaxes(title="", showticklabels=False)
    return figure


def word_map() -> go.Figure:
    """Ten words of GloVe on their first two principal components."""
    vectors = shared_vectors("glove").subset(WORDS)
    return small(draw_word_map(vectors.words, project(vectors.vectors)))


def word_arithmetic() -> go.Figure:
    """King - man + woman in GloVe, as arrows."""
    vectors = shared_vectors("glove").normalised()
    sum_ = arithmetic(vectors, "king - man + woman", k=2)
    near = vectors.subset(["king", "man", "woman", *(answer.word for answer in sum_.answers)])
    return small(arithmetic_map(near, sum_, project(near.vectors)))


def word_axis() -> go.Figure:
    """Five professions between he and she in GloVe."""
    vectors = shared_vectors("glove").normalised()
    line = axis(vectors, ["he"], ["she"])
    return small(axis_figure(line, line.place(vectors, "nurse dancer doctor engineer boss".split()), []))
