"""The cards' pictures of the lessons on word vectors."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.card import small
from core.figures.word_vectors import word_training
from core.figures.word_vectors.vector_duel import neighbour_bars
from core.figures.word_vectors.word_map import arithmetic_map, axis_figure
from core.figures.word_vectors.word_map import word_map as draw_word_map
from core.lesson.choices.vector_sets import shared_vectors
from core.models.word_vectors.negative_sampling import window
from core.models.word_vectors.projection import project
from core.models.word_vectors.vector_agreement import agreement, shared_words
from core.models.word_vectors.word_arithmetic import arithmetic
from core.models.word_vectors.word_axis import axis
from core.text.tokenization.tokens import words

WORDS = "king queen man woman paris france rome italy cat dog".split()


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


def word_vector_duel() -> go.Figure:
    """The neighbours of king in GloVe; filled are those that our own vectors share."""
    found = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 6)
    figure = small(neighbour_bars(found.first, set(found.shared), "first"))
    return figure.update_yaxes(showticklabels=True)


def word_vector_training() -> go.Figure:
    """The window around a word of the micro-world."""
    tokens = words("the queen loves her crown")
    figure = small(word_training.window_figure(tokens, 2, window(tokens, 2, 2)))
    return figure.update_traces(textfont={"size": 13}).update_yaxes(range=[-0.2, 0.7])
