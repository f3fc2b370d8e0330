"""Word vectors: the lessons of the subject in order."""

from pages.word_vectors import (
    co_occurrence,
    shoot_out,
    subwords,
    word_arithmetic,
    word_axis,
    word_map,
    word_vector_duel,
    word_vector_training,
)

LESSONS = (
    word_map,
    co_occurrence,
    word_arithmetic,
    word_axis,
    word_vector_duel,
    word_vector_training,
    subwords,
    shoot_out,
)
