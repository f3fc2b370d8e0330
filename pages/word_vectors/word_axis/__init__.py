"""Semantic axes: a story of words between “he” and “she”, and a lab for any two lists of words."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.axis import axis_figure
from core.lesson.choices.vector_sets import shared_units
from core.lesson.lesson import Lesson
from core.models.word_vectors.word_axis import axis

LESSON = Lesson(__name__, icon="compass")


def picture() -> Figure:
    """Five professions between he and she in GloVe."""
    vectors = shared_units("glove")
    line = axis(vectors, ["he"], ["she"])
    placed = line.place(vectors, ("nurse", "dancer", "doctor", "engineer", "boss"))
    return small(axis_figure(line, line.spread(vectors), placed, []).update_layout(annotations=[]))
